// The geometry of the draughts board: numbering, steps, crowning rows.
//
// Bit x-1 stands for square x of Samuel's 35-numbering, which leaves out 9, 18 and 27. Those gaps
// make every diagonal step a plain shift by 4 or 5: a step over the edge lands in a gap or outside
// the board, and an intersection with `empty` or with a piece set removes it.
#pragma once

#include <array>
#include <cassert>
#include <cstdint>

#include "rules/bits.h"

namespace crossboard::draughts {

enum class Colour : std::uint8_t { black, white };

constexpr Colour opponent(Colour colour) {
    return colour == Colour::black ? Colour::white : Colour::black;
}

constexpr int SQUARES = 32;
constexpr int INDICES = 35;
constexpr Bits BOARD = (bit(INDICES) - 1) & ~(bit(8) | bit(17) | bit(26));

// The standard numbers: Black starts on 1-12 and moves towards 32.
constexpr int index_of(int square) {
    assert(1 <= square && square <= SQUARES);
    return square - 1 + (square - 1) / 8;
}
constexpr int square_at(int index) {
    assert(BOARD & bit(index));
    return index + 1 - (index + 1) / 9;
}

constexpr Bits squares(int first, int last) {
    Bits set = 0;
    for (int square = first; square <= last; ++square) set |= bit(index_of(square));
    return set;
}

constexpr Bits crowning_row(Colour colour) {
    return colour == Colour::black ? squares(29, 32) : squares(1, 4);
}

// The four diagonal directions as differences of indices; the first two are Black's forward ones.
constexpr std::array<int, 4> DIRECTIONS = {4, 5, -4, -5};

template <int Direction>
constexpr Bits step(Bits set) {
    if constexpr (Direction > 0) {
        return set << Direction;
    } else {
        return set >> -Direction;
    }
}

// The board turned by 180 degrees: square s becomes 33 - s.
constexpr Bits turned(Bits set) {
    assert((set & ~BOARD) == 0);
    return reversed(set) >> (64 - INDICES);
}

}  // namespace crossboard::draughts
