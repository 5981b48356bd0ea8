// What the rules of moving need of the board: every line, leap and neighbourhood, made once.
#pragma once

#include <array>
#include <cassert>
#include <cstdint>
#include <span>

#include "rules/duchess/cells.h"

namespace crossboard::duchess {

constexpr int MAX_SEATS = 6;

// The sectors in which players sit, in order of play, clockwise. In the game of four the flaps of
// the third and the sixth sector are folded (docs/rules/duchess.md, "Where we chose"); a test folds
// others, to see that nothing else has to change.
#ifndef CROSSBOARD_SECTORS_OF_FOUR
#define CROSSBOARD_SECTORS_OF_FOUR 0, 1, 3, 4
#endif
constexpr std::array<int, 6> SECTORS_OF_SIX = {0, 1, 2, 3, 4, 5};
constexpr std::array<int, 4> SECTORS_OF_FOUR = {CROSSBOARD_SECTORS_OF_FOUR};

// Duchess is for four or for six.
constexpr bool is_number_of_players(int players) {
    return players == 4 || players == 6;
}

constexpr std::span<const int> sectors_of(int players) {
    assert(is_number_of_players(players));
    if (players == 4) return SECTORS_OF_FOUR;
    return SECTORS_OF_SIX;
}

// A line of 13 cells is the longest.
constexpr int MAX_RAY = 12;

// The cells in one direction, nearest first.
struct Ray {
    std::uint8_t length = 0;
    std::array<std::uint8_t, MAX_RAY> cells = {};
};

// Rays without cells are left out: four at most, but six on the Vortex.
struct Rays {
    std::uint8_t count = 0;
    std::array<Ray, 6> rays = {};
    std::array<std::int8_t, 6> opposite = {};  // the ray that goes on the other way, -1 if none
    const Ray* begin() const { return rays.data(); }
    const Ray* end() const { return rays.data() + count; }
};

class Board {
  public:
    explicit Board(std::span<const int> flaps);

    Cells cells;                        // those that are there
    std::array<Cells, CELLS> beside;    // over an edge: where a pawn steps
    std::array<Cells, CELLS> diagonal;  // over a corner: where a pawn captures
    std::array<Cells, CELLS> around;    // both: where a king or a wizard steps
    std::array<Cells, CELLS> knight;    // where a knight leaps
    std::array<Ray, CELLS> leaps;       // the same one by one
    std::array<Cells, CELLS> rook;      // all cells on the rook's lines, were the board empty
    std::array<Cells, CELLS> bishop;    // and on the bishop's
    std::array<Rays, CELLS> rook_rays;  // the same in order
    std::array<Rays, CELLS> bishop_rays;
};

// Made when the program is loaded.
extern const Board BOARD_OF_FOUR;
extern const Board BOARD_OF_SIX;

inline const Board& board_of(int players) {
    assert(is_number_of_players(players));
    return players == 4 ? BOARD_OF_FOUR : BOARD_OF_SIX;
}

}  // namespace crossboard::duchess
