// How many moves a piece needs to reach a cell, were the board empty.
#pragma once

#include <array>
#include <cassert>
#include <cstdint>

#include "rules/duchess/position.h"

namespace crossboard::duchess {

// Chosen: one, two, three moves are told apart, and more than that is one case.
constexpr int REACHES = 4;

class Reach {
  public:
    explicit Reach(const Board& board);

    // 0 for one move to 3 for four and more; never for a king. A pawn goes on as it captures and as
    // it steps, and nobody teleports.
    int of(Kind kind, int from, int to) const {
        assert(kind != Kind::king && kind != Kind::none && is_cell(from) && is_cell(to));
        return reaches_[index(kind)][from][to];
    }

  private:
    std::array<std::array<std::array<std::uint8_t, CELLS>, CELLS>, KINDS> reaches_;
};

// Made when it is asked for first.
const Reach& reach_of(int players);

}  // namespace crossboard::duchess
