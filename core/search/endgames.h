// What a search may know of endgames without searching them: the search's side of endgame tables.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
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
// loss those that hold out longest, a draw all. Nothing if any reply is unknown.
template <GamePosition P>
std::optional<KnownRoot> know_root(const Endgames<P>& endgames, const P& root) {
    const auto verdict = settled_verdict(endgames, root);
    if (!verdict) return std::nullopt;
    KnownRoot known{*verdict, {}};
    const typename P::Moves moves = root.unique_moves();
    int best_plies = 0;
    for (int i = 0; i < moves.size(); ++i) {
        const P next = root.after(moves[i]);
        const auto reply = settled_verdict(endgames, next);
        if (!reply) return std::nullopt;
        if (opposite(*reply) != *verdict) continue;
        if (*verdict != Verdict::draw) {
            const int plies = endgames.plies(root, next).value_or(0);
            const bool is_better =
                *verdict == Verdict::win ? plies < best_plies : plies > best_plies;
            if (known.moves.empty() || is_better) {
                known.moves.clear();
                best_plies = plies;
            } else if (plies != best_plies) {
                continue;
            }
        }
        known.moves.push_back(i);
    }
    if (known.moves.empty()) return std::nullopt;
    return known;
}

}  // namespace crossboard
