// Positions to try a rule on: those of random games, and random set-ups.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "rules/duchess/position.h"
#include "rules/random.h"

namespace crossboard::duchess {

// Any position that the rules allow, reachable or not: lone kings beside whole armies, and boxes
// that need not hold all that is missing.
inline Position random_setup(Random& random, int players) {
    const Board& board = board_of(players);
    std::vector<Piece> pieces;
    std::array<Box, MAX_SEATS> boxes;
    Cells taken;
    const auto free_cell = [&] {
        for (;;) {
            const int cell = random.below(CELLS);
            if (!board.cells.has(cell) || taken.has(cell)) continue;
            taken.add(cell);
            return cell;
        }
    };
    for (int seat = 0; seat < players; ++seat) {
        const int percent = 25 * random.below(5);
        for (Kind kind : ALL_KINDS)
            for (int i = 0; i < COMPLEMENT[index(kind)]; ++i) {
                if (kind == Kind::king || random.below(100) < percent) {
                    pieces.push_back({seat, kind, free_cell()});
                } else if (random.below(2)) {
                    boxes[seat].add(kind);
                }
            }
    }
    return Position(players, pieces, boxes, random.below(players));
}

// Calls visit(position, move, next) for each ply of random games, of four and of six players by
// turns. Half of the games begin with a random set-up.
template <class Visit>
void walk_randomly(std::uint64_t seed, int games, Visit visit) {
    constexpr int MAX_PLIES = 300;
    for (int game = 0; game < games; ++game) {
        Random random(seed, static_cast<std::uint64_t>(game));
        const int players = game % 2 ? 6 : 4;
        Position position = game % 4 < 2 ? Position(players) : random_setup(random, players);
        for (int ply = 0; ply < MAX_PLIES; ++ply) {
            const auto moves = position.legal_moves();
            if (moves.empty()) break;
            const Move move = moves[random.below(moves.size())];
            const Position next = position.after(move);
            visit(position, move, next);
            position = next;
        }
    }
}

}  // namespace crossboard::duchess
