// Solves a slice and its swap: outcomes and distances of all their positions, from solved slices.
//
// Men only advance. So the placements of men are solved in the order of how far the men are on,
// the farthest first: their steps then lead to what is known, and the placements that are equally
// far on are shared out to threads.
#include "tables/solver.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>

#include "tables/block_solver.h"
#include "tables/codec.h"
#include "tables/pair_fields.h"
#include "tables/threads.h"

namespace crossboard::tables {

PairFields::PairFields(const Slice& slice)
    : index(slice),
      sets{all_sets(32 - slice.all_men(), slice.kings),
           all_sets(32 - slice.all_men(), slice.other_kings)},
      columns{static_cast<std::uint32_t>(sets[0].size()),
              static_cast<std::uint32_t>(sets[1].size())} {
    for (const int colour : {0, 1}) {
        const std::uint64_t size = index.men() * block_size();
        all_states[colour] = std::make_unique_for_overwrite<std::uint8_t[]>(size);
        all_distances[colour] = std::make_unique_for_overwrite<std::uint8_t[]>(size);
    }
}

namespace {

// Rows that the men are away from where they start.
int advance_of(const Board& board) {
    int rows = 0;
    for (Set rest = board.men; rest; rest &= rest - 1) rows += std::countr_zero(rest) / 4;
    for (Set rest = board.other_men; rest; rest &= rest - 1) rows += 7 - std::countr_zero(rest) / 4;
    return rows;
}

// The numbers of the placements of men, in groups that are equally far on, the farthest first.
std::vector<std::vector<std::uint32_t>> groups_of(const SliceIndex& index) {
    std::vector<std::vector<std::uint32_t>> groups(6 * index.slice().all_men() + 1);
    for (std::uint32_t men = 0; men < index.men(); ++men)
        groups[groups.size() - 1 - advance_of(index.men_at(men))].push_back(men);
    return groups;
}

}  // namespace

struct PairSolver::Work {
    Work(const Slice& slice, const SolvedSlices& solved_slices, int worker_count)
        : fields(slice), solved(solved_slices), workers(worker_count) {}

    void solve_group(const std::vector<std::uint32_t>& group, std::vector<BlockSolver>& solvers,
                     const Interruption& is_interrupted);
    // Asks, on the first thread, not too often.
    bool should_stop(const Interruption& is_interrupted, int worker);

    PairFields fields;
    const SolvedSlices& solved;
    const int workers;
    std::atomic<std::uint32_t> done{0};
    std::atomic<bool> stopped{false};
    std::chrono::steady_clock::time_point asked{};
};

PairSolver::PairSolver(const Slice& slice, const SolvedSlices& solved, int workers)
    : work_(std::make_unique<Work>(slice, solved, workers)) {}
PairSolver::~PairSolver() = default;

std::uint64_t PairSolver::memory(const Slice& slice) {
    const int free = 32 - slice.all_men();
    const std::uint64_t block =
        std::uint64_t{combinations(free, slice.kings)} * combinations(free, slice.other_kings);
    const SliceIndex index(slice);
    // States and distances for both colours, what one block of kings needs on the way, the result.
    return 4 * index.men() * block + 16 * block + 2 * index.size();
}

bool PairSolver::solve(const Interruption& is_interrupted) {
    Work& work = *work_;
    std::vector<BlockSolver> solvers;
    for (int worker = 0; worker < work.workers; ++worker)
        solvers.emplace_back(work.fields, work.solved);
    for (const auto& group : groups_of(work.fields.index))
        if (!work.stopped) work.solve_group(group, solvers, is_interrupted);
    return !work.stopped;
}

void PairSolver::Work::solve_group(const std::vector<std::uint32_t>& group,
                                   std::vector<BlockSolver>& solvers,
                                   const Interruption& is_interrupted) {
    const std::size_t portion = std::clamp<std::size_t>(group.size() / (16 * workers), 1, 256);
    const auto portions = (group.size() + portion - 1) / portion;
    std::atomic<std::size_t> next{0};
    on_threads(static_cast<int>(std::min<std::size_t>(workers, portions)), [&](int worker) {
        const auto stop = [&] { return should_stop(is_interrupted, worker); };
        for (std::size_t i; (i = next++) < portions && !stop();) {
            const std::size_t end = std::min(group.size(), (i + 1) * portion);
            for (std::size_t j = i * portion; j < end; ++j)
                if (!solvers[worker].solve(group[j], stop)) return;
            done += static_cast<std::uint32_t>(end - i * portion);
        }
    });
}

bool PairSolver::Work::should_stop(const Interruption& is_interrupted, int worker) {
    const auto now = std::chrono::steady_clock::now();
    if (worker == 0 && now - asked > std::chrono::milliseconds(50)) {
        asked = now;
        if (is_interrupted(static_cast<double>(done) / fields.index.men())) stopped = true;
    }
    return stopped;
}

namespace {

// Copies what was found of one of the two slices into its own order.
class Collector {
  public:
    Collector(const PairFields& fields, bool swapped)
        : fields_(fields),
          view_(swapped ? 1 : 0),
          slice_(swapped ? fields.index.slice().swapped() : fields.index.slice()),
          own_(sets_of(slice_.kings)),
          other_(sets_of(slice_.other_kings)),
          solved_{std::make_shared<SliceOutcomes>(slice_), nullptr} {
        solved_.distances = std::make_unique_for_overwrite<std::uint8_t[]>(index().size());
    }

    const SliceIndex& index() const { return solved_.outcomes->index(); }
    void collect(std::uint32_t men);
    SolvedSlice take() { return std::move(solved_); }

  private:
    // Sets of kings in the order of this slice, each with its number in the fields, and as the side
    // to move sees it.
    struct NumberedSet {
        Set set;
        std::uint32_t number;
    };
    std::vector<NumberedSet> sets_of(int kings) const {
        const int free = 32 - slice_.all_men();
        std::vector<NumberedSet> sets;
        for (const Set set : all_sets(free, kings))
            sets.push_back({set, rank(view_ ? turned(set) >> (32 - free) : set)});
        return sets;
    }

    const PairFields& fields_;
    const int view_;
    const Slice slice_;
    const std::vector<NumberedSet> own_, other_;
    SolvedSlice solved_;
};

void Collector::collect(std::uint32_t men) {
    const Board board = index().men_at(men);
    const std::uint32_t there =
        view_ ? fields_.index.men_number(turned(board.other_men), turned(board.men)) : men;
    const std::uint8_t* states = fields_.states(view_, there);
    const std::uint8_t* distances = fields_.distances(view_, there);
    std::uint64_t number = std::uint64_t{men} * index().rows() * index().columns();
    for (const auto& [other_set, row] : other_) {
        const std::uint64_t first = std::uint64_t{row} * fields_.columns[view_];
        for (const auto& [own_set, column] : own_) {
            if (own_set & other_set) continue;
            const std::uint8_t state = states[first + column];
            solved_.outcomes->set(number, state == WON    ? Outcome::win
                                          : state == LOST ? Outcome::loss
                                                          : Outcome::draw);
            solved_.distances[number++] = distances[first + column];
        }
    }
}

}  // namespace

SolvedSlice PairSolver::take(bool swapped) const {
    Collector collector(work_->fields, swapped);
    constexpr std::uint32_t PORTION = 4;  // no two threads share a byte of outcomes
    std::atomic<std::uint32_t> next{0};
    const std::uint32_t all = collector.index().men();
    on_threads(work_->workers, [&](int) {
        for (std::uint32_t start; (start = next.fetch_add(PORTION)) < all;)
            for (std::uint32_t men = start; men < std::min(start + PORTION, all); ++men)
                collector.collect(men);
    });
    return collector.take();
}

}  // namespace crossboard::tables
