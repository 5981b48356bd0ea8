// Positions to try a rule on: those of random games, and random set-ups full of kings.
#pragma once

#include <cstdint>

#include "rules/draughts/position.h"
#include "rules/random.h"

namespace crossboard::draughts {

// Any position that the rules allow, reachable or not: up to twelve pieces a side, many of them
// kings, so that long jumps and crowded boards are common.
inline Position random_setup(Random& random) {
    Bits pieces[2] = {}, kings = 0;
    const int wanted[2] = {1 + random.below(MAX_PIECES), 1 + random.below(MAX_PIECES)};
    const int king_percent = 20 * random.below(6);
    for (int colour : {0, 1})
        while (count(pieces[colour]) < wanted[colour]) {
            const Bits here = bit(index_of(1 + random.below(SQUARES)));
            if ((pieces[0] | pieces[1]) & here) continue;
            pieces[colour] |= here;
            const bool must_be_king = crowning_row(static_cast<Colour>(colour)) & here;
            if (must_be_king || random.below(100) < king_percent) kings |= here;
        }
    return Position(pieces[0], pieces[1], kings, random.below(2) ? Colour::white : Colour::black);
}

// Calls visit(position, move, next) for each ply of random games. Every other game begins with a
// random set-up.
template <class Visit>
void walk_randomly(std::uint64_t seed, int games, Visit visit) {
    constexpr int MAX_PLIES = 120;
    for (int game = 0; game < games; ++game) {
        Random random(seed, static_cast<std::uint64_t>(game));
        Position position = game % 2 ? random_setup(random) : Position();
        for (int ply = 0; ply < MAX_PLIES && !position.is_over(); ++ply) {
            const auto moves = position.legal_moves();
            const Move move = moves[random.below(moves.size())];
            const Position next = position.after(move);
            visit(position, move, next);
            position = next;
        }
    }
}

}  // namespace crossboard::draughts
