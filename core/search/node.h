// A position whose moves are being searched.
#pragma once

#include <cassert>
#include <cstdint>
#include <type_traits>

#include "rules/position.h"
#include "search/table.h"
#include "search/value.h"

namespace crossboard {

// All that brothers have in common. `State` is what the evaluator carries along.
template <GamePosition P, class State>
struct Node {
    using MoveIndex = std::conditional_t<P::MAX_MOVES <= 256, std::uint8_t, std::uint16_t>;

    P position;
    [[no_unique_address]] State state;
    int ply;
    int depth;
    Value alpha;
    Value beta;
    Value first_alpha;
    Value best = -INFINITE;
    int best_move = TableEntry::NO_MOVE;  // index among `moves`
    int rests_on = RESTS_ON_NOTHING;      // of the way here, as value.h says
    bool is_last = false;                 // a ply was added to it: nothing comes behind
    TableEntry entry = {};                // what the table knew, wins counted from the root
    int searched = 0;
    int brothers = 0;  // moves to search: all of them but at the root
    typename P::Moves moves;
    std::int32_t scores[P::MAX_MOVES];
    MoveIndex order[P::MAX_MOVES];

    Node(const P& p, const State& its_state, int its_ply, int its_depth, Value a, Value b)
        : position(p),
          state(its_state),
          ply(its_ply),
          depth(its_depth),
          alpha(a),
          beta(b),
          first_alpha(a) {
        assert(0 <= ply && ply < MAX_PLY && 0 < depth && depth <= MAX_DEPTH);
        assert(is_window(alpha, beta));
    }

    // On the main line, as far as is known; elsewhere it is only asked on which side of a value the
    // node's lies.
    bool has_wide_window() const { return beta - alpha > 1; }
};

// A brother to be searched next, and how.
struct Pick {
    int index;      // among the moves
    int extension;  // of the depth
    int reduction;  // of that, for a first look
};

// Behind a ply that was added comes no other: at depth -1 none is added any more.
template <GamePosition P, class State>
int child_depth(const Node<P, State>& node, const Pick& choice) {
    return node.is_last ? -1 : node.depth - 1 + choice.extension;
}

}  // namespace crossboard
