// Solves a slice and its swap: outcomes and distances of all their positions, from solved slices.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "tables/outcomes.h"
#include "tables/slice.h"

namespace crossboard::tables {

struct SolvedSlice {
    std::shared_ptr<SliceOutcomes> outcomes;
    // CAPTURE (codec.h) where a capture is pending, whatever the outcome; of other draws anything.
    std::unique_ptr<std::uint8_t[]> distances;
};

// Asked now and then, with the share of the work that is done; true ends it.
using Interruption = std::function<bool(double)>;

class PairSolver {
  public:
    // Captures and promotions must lead to slices in `solved`.
    PairSolver(const Slice& slice, const SolvedSlices& solved, int workers);
    ~PairSolver();

    // False if it was interrupted. The results are the same for any number of workers.
    bool solve(const Interruption& is_interrupted);

    // Of the slice, or of its swap.
    SolvedSlice take(bool swapped) const;

    // Bytes that solving a slice takes, beside the solved ones.
    static std::uint64_t memory(const Slice& slice);

  private:
    struct Work;
    std::unique_ptr<Work> work_;
};

}  // namespace crossboard::tables
