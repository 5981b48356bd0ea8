// What the selective search decides: what is searched less deeply, more deeply, or not at all.
// Margins are hundredths of a man. How to stay certain of wins: docs/search.md.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include "search/node.h"
#include "search/settings.h"
#include "search/value.h"

namespace crossboard::selective {

// Chosen: values that gained in matches together; not tuned one by one yet.

// So many brothers are searched to the full depth; at nodes of less depth than this all are.
constexpr int FULL_BROTHERS = 3;
constexpr int LEAST_REDUCED_DEPTH = 3;
constexpr double REDUCTION_DIVISOR = 2.5;

// A cut is verified by a search to so many hundredths of the depth, which is the evaluation alone
// near the leaves.
constexpr int CUT_SHARE = 30;
constexpr int LEAST_CUT_DEPTH = 2;

constexpr int LEAST_INTERNAL_DEPTH = 4;
constexpr int INTERNAL_PLIES = 2;

// The window around the last depth's value.
constexpr int WINDOW = 10;

// Games name captures and threats differently.
template <class Move>
bool is_capture(const Move& move) {
    if constexpr (requires { move.is_capture(); }) {
        return move.is_capture();
    } else {
        return move.is_capture;
    }
}

// Whether the opponent could capture if it were its turn, where a game can tell.
template <GamePosition P>
bool is_threatened(const P& position) {
    if constexpr (requires { position.is_threatened(); }) {
        return position.is_threatened();
    } else {
        return false;
    }
}

constexpr bool is_evaluation(Value value) {
    return -MAX_EVALUATION <= value && value <= MAX_EVALUATION;
}

// Depth and ply together never grow beyond what the search can follow.
constexpr bool may_extend(int ply, int depth) {
    return ply + depth < MAX_DEPTH - 1;
}

// By how many plies the move of a node of this depth that comes at this place is reduced.
inline int reduced_plies(int depth, int place) {
    static_assert(MAX_DEPTH < 256);
    static const auto LOGARITHMS = [] {
        std::array<double, 256> found{};
        for (int i = 1; i < 256; ++i) found[i] = std::log(i);
        return found;
    }();
    assert(0 < depth && depth <= MAX_DEPTH && place >= 0);
    if (depth < LEAST_REDUCED_DEPTH || place < FULL_BROTHERS) return 0;
    const double product = LOGARITHMS[depth] * LOGARITHMS[std::min(place + 1, 255)];
    const int plies = static_cast<int>(0.5 + product / REDUCTION_DIVISOR);
    return std::clamp(plies, 0, depth - 1);
}

// Quiet are moves that neither capture nor force the opponent to.
template <GamePosition P, class State>
int reduction(const Node<P, State>& node, int place) {
    const typename P::Move& move = node.moves[node.order[place]];
    if (node.ply == 0 || is_capture(move)) return 0;
    const int plies = reduced_plies(node.depth, place);
    return plies > 0 && !node.position.after(move).has_capture() ? plies : 0;
}

// On the main line alone: elsewhere only replies and captures are most of an exchange.
template <GamePosition P, class State>
int extension(const SelectiveSettings& switches, const Node<P, State>& node, int index) {
    if (node.ply == 0 || !node.has_wide_window() || !may_extend(node.ply, node.depth)) return 0;
    return (switches.only_replies && node.brothers == 1) ||
           (switches.main_captures && is_capture(node.moves[index]));
}

// How the brother that has come to this place is searched.
template <GamePosition P, class State>
Pick choose(const SelectiveSettings& switches, const Node<P, State>& node, int place) {
    Pick choice{node.order[place], 0, 0};
    if (node.is_last) return choice;
    choice.extension = extension(switches, node, choice.index);
    if (choice.extension == 0 && switches.reductions) choice.reduction = reduction(node, place);
    return choice;
}

// The margin by which a verifying search must exceed the window; none where no cut is tried.
template <GamePosition P, class State>
Value cut_margin(const SelectiveSettings& switches, const Node<P, State>& node, Value man) {
    if (node.depth < LEAST_CUT_DEPTH || node.has_wide_window() || node.is_last ||
        node.position.has_capture())
        return 0;
    return switches.verified_cuts * node.depth * man / 100;
}

template <GamePosition P, class State>
bool lacks_first_move(const Node<P, State>& node) {
    return node.entry.move == TableEntry::NO_MOVE && node.brothers > 1 &&
           node.depth >= LEAST_INTERNAL_DEPTH;
}

}  // namespace crossboard::selective
