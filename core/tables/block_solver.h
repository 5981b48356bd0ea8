// Solves all positions with one placement of men, for both sides to move.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "rules/draughts/position.h"
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
    using Side = draughts::detail::Side<draughts::Colour::black>;

    // A position with the side to move seen as Black, for which it is `view` on the block.
    struct Place {
        int view = 0;
        std::uint32_t column = 0, row = 0;
        Bits men = 0, kings = 0, other_men = 0, other_kings = 0;
    };

    void settle_first(const Place& place);
    Outcome best_capture(const Place& place, const Side& side) const;
    Outcome outcome_after(Bits men, Bits kings, Bits other_men, Bits other_kings) const;
    void settle_by_steps(const Place& place, const Side& side);

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
