// Solves all positions with one placement of men, for both sides to move.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "tables/captures.h"
#include "tables/men_block.h"
#include "tables/outcomes.h"
#include "tables/pair_fields.h"

namespace crossboard::tables {

// One for each thread: what it needs on its way is kept from block to block.
class BlockSolver {
  public:
    BlockSolver(PairFields& fields, const SolvedSlices& solved)
        : fields_(fields), solved_(solved), block_(fields.index, fields.sets) {}

    // What steps of men lead to must have been solved. False if it was interrupted.
    bool solve(std::uint32_t men, const std::function<bool()>& is_interrupted);

  private:
    // A position, and where it stands in the fields.
    struct Place {
        WideBoard board;
        int view = 0;
        std::uint32_t column = 0, row = 0;
    };

    void settle_first(const Place& place);
    void settle_by_steps(const Place& place, const WideBoard::Side& side);

    void settle(int view, std::uint32_t number, State state, int distance);
    void carry_back();
    void carry_back(int view, std::uint32_t number, int distance);

    PairFields& fields_;
    const SolvedSlices& solved_;
    MenBlock block_;
    std::array<std::uint8_t*, 2> states_{}, distances_{};
    // What was won or lost at each distance, with the colour to move in the highest bit.
    std::array<std::vector<std::uint32_t>, 256> settled_;
    int farthest_ = 0;
};

}  // namespace crossboard::tables
