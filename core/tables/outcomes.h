// Outcomes of all positions of solved slices in memory, two bits each.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "tables/outcome.h"
#include "tables/slice.h"

namespace crossboard::tables {

class SliceOutcomes {
  public:
    explicit SliceOutcomes(const Slice& slice) : index_(slice), bytes_(index_.size() / 4 + 1) {}

    const SliceIndex& index() const { return index_; }
    Outcome operator[](std::uint64_t number) const {
        return static_cast<Outcome>(bytes_[number / 4] >> (number % 4 * 2) & 3);
    }
    // Sets an outcome, once. Threads may set those whose numbers differ when divided by 4.
    void set(std::uint64_t number, Outcome outcome) {
        bytes_[number / 4] |=
            static_cast<std::uint8_t>(static_cast<int>(outcome) << (number % 4 * 2));
    }

  private:
    SliceIndex index_;
    std::vector<std::uint8_t> bytes_;
};

// What is known while more is being solved.
class SolvedSlices {
  public:
    void add(std::shared_ptr<const SliceOutcomes> slice) {
        const int code = slice->index().slice().code();
        slices_[code] = std::move(slice);
    }
    bool has(const Slice& slice) const { return slices_[slice.code()] != nullptr; }
    void drop(const Slice& slice) { slices_[slice.code()] = nullptr; }

    // Of a position with pieces on both sides, whose slice must be there.
    Outcome operator()(const Board& board) const {
        const SliceOutcomes& slice = *slices_[slice_of(board).code()];
        return slice[slice.index()(board)];
    }

  private:
    std::array<std::shared_ptr<const SliceOutcomes>, Slice::CODES> slices_;
};

}  // namespace crossboard::tables
