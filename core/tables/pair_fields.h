// What is known of the positions of a slice and of its swap while they are being solved.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "tables/slice.h"

namespace crossboard::tables {

// The state of a position: how many steps of kings are not known to lose, or one of these.
enum State : std::uint8_t {
    HELD = 250,  // something draws: it may be won, but not lost
    DRAWN,       // nothing will change that; also of numbers that stand for no position
    LOST,
    WON,
};

// Positions with Black to move are those of the slice, positions with White to move, turned, those
// of its swap. Both are kept as Black sees them, in blocks, one for each placement of men. In a
// block there is a row for each set of kings that are not to move, with a column for each set of
// those that are: the kings of each colour are numbered as if the other's were not there, so that
// a step of one colour changes one number. Indexed by the colour to move, Black first.
struct PairFields {
    explicit PairFields(const Slice& slice);

    std::uint64_t block_size() const { return std::uint64_t{columns[0]} * columns[1]; }
    std::uint8_t* states(int colour, std::uint64_t men) const {
        return all_states[colour].get() + men * block_size();
    }
    std::uint8_t* distances(int colour, std::uint64_t men) const {
        return all_distances[colour].get() + men * block_size();
    }

    SliceIndex index;
    std::array<std::vector<Set>, 2> sets;  // of kings, on as many squares as men leave
    std::array<std::uint32_t, 2> columns;  // how many sets
    // Of a settled position the distance; otherwise what the distance will be at least if it is
    // lost, by steps of men.
    std::array<std::unique_ptr<std::uint8_t[]>, 2> all_states, all_distances;
};

}  // namespace crossboard::tables
