// What a search may know of endgames without searching them: the search's side of endgame tables.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "rules/position.h"
#include "search/value.h"

namespace crossboard {

// The result with best play for the side to move, whatever the game's draw rules by counting say.
enum class Verdict : std::int8_t { loss = -1, draw = 0, win = 1 };

constexpr Verdict opposite(Verdict verdict) {
    return static_cast<Verdict>(-static_cast<int>(verdict));
}

// Known endgames of a game. Any number of threads may ask at once.
template <GamePosition P>
class Endgames {
  public:
    virtual ~Endgames() = default;

    // Positions with more pieces are unknown.
    virtual int most_pieces() const = 0;

    // Of a position in which the game goes on and no capture is pending; nothing if it is unknown.
    virtual std::optional<Verdict> verdict(const P& position) const = 0;

    // How many plies best play takes from `before` by way of `after` until a capture or a promotion
    // brings other tables: the winner hurries, the loser delays. Nothing if that is not kept.
    virtual std::optional<int> plies(const P& before, const P& after) const = 0;
};

// As verdict(), for any position: a game that is over is lost or drawn, captures are played out.
template <GamePosition P>
std::optional<Verdict> settled_verdict(const Endgames<P>& endgames, const P& position) {
    if (position.is_over()) return position.is_lost() ? Verdict::loss : Verdict::draw;
    if (position.count_pieces() > endgames.most_pieces()) return std::nullopt;
    if (!position.has_capture()) return endgames.verdict(position);
    Verdict best = Verdict::loss;
    for (const typename P::Move& move : position.unique_moves()) {
        const auto reply = settled_verdict(endgames, position.after(move));
        if (!reply) return std::nullopt;
        best = std::max(best, opposite(*reply));
    }
    return best;
}

// What tables know of a root: its verdict, and the moves worth playing, by their index among
// unique_moves().
struct KnownRoot {
    Verdict verdict;
    std::vector<int> moves;
};

// Leaves out the moves that give the root's value away; of the others a win keeps the fastest, a
// loss those that hold out longest, a draw all. Where a distance is not kept, a win keeps captures
// and promotions if there are any, a loss all. Nothing if any reply is unknown.
template <GamePosition P>
std::optional<KnownRoot> know_root(const Endgames<P>& endgames, const P& root) {
    const auto verdict = settled_verdict(endgames, root);
    if (!verdict) return std::nullopt;
    KnownRoot known{*verdict, {}};
    std::vector<std::optional<int>> plies;
    const typename P::Moves moves = root.unique_moves();
    for (int i = 0; i < moves.size(); ++i) {
        const P next = root.after(moves[i]);
        const auto reply = settled_verdict(endgames, next);
        if (!reply) return std::nullopt;
        if (opposite(*reply) != *verdict) continue;
        known.moves.push_back(i);
        plies.push_back(endgames.plies(root, next));
    }
    if (known.moves.empty()) return std::nullopt;
    if (*verdict == Verdict::draw) return known;
    const bool are_all_known = std::find(plies.begin(), plies.end(), std::nullopt) == plies.end();
    const auto is_less = [](const auto& one, const auto& other) { return *one < *other; };
    int wanted = 1;
    if (are_all_known) {
        wanted = *verdict == Verdict::win ? **std::min_element(plies.begin(), plies.end(), is_less)
                                          : **std::max_element(plies.begin(), plies.end(), is_less);
    } else if (*verdict == Verdict::loss ||
               std::find(plies.begin(), plies.end(), wanted) == plies.end()) {
        return known;
    }
    std::vector<int> kept;
    for (std::size_t i = 0; i < plies.size(); ++i)
        if (plies[i] == wanted) kept.push_back(known.moves[i]);
    known.moves = std::move(kept);
    return known;
}

}  // namespace crossboard
