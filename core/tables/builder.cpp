// Builds tables slice by slice, or takes up those that are there.
#include "tables/builder.h"

#include <atomic>
#include <stdexcept>

#include "tables/captures.h"
#include "tables/table_file.h"
#include "tables/threads.h"

namespace crossboard::tables {

namespace {

// A slice and its swap, once if they are the same.
std::vector<Slice> pair_of(const Slice& slice) {
    if (slice == slice.swapped()) return {slice};
    return {slice, slice.swapped()};
}

// Throws unless all is there that captures lead to and, with fewer men, promotions.
void require_smaller(const Slice& slice, const SolvedSlices& solved, int fewest_men) {
    for (int pieces = 2; pieces <= slice.pieces(); ++pieces)
        for (const Slice& smaller : slices_with(pieces)) {
            const bool is_needed = pieces < slice.pieces() || smaller.all_men() >= fewest_men;
            if (is_needed && smaller != slice && smaller.is_left_of(slice) && !solved.has(smaller))
                throw std::invalid_argument("slice " + name_of(slice) + " needs " +
                                            name_of(smaller) + " to be built or loaded first");
        }
}

// Fills in what files leave out: the outcomes of positions with a capture.
class Restorer {
  public:
    Restorer(const TableFile& file, const SolvedSlices& solved)
        : file_(file),
          solved_(solved),
          outcomes_(std::make_shared<SliceOutcomes>(file.index().slice())) {}

    // False if a block is damaged.
    bool restore_block(std::size_t number);
    std::shared_ptr<SliceOutcomes> outcomes() const { return outcomes_; }

  private:
    const TableFile& file_;
    const SolvedSlices& solved_;
    std::shared_ptr<SliceOutcomes> outcomes_;
};

bool Restorer::restore_block(std::size_t number) {
    const SliceIndex& index = file_.index();
    const std::uint64_t start = number * BLOCK;
    std::array<Outcome, BLOCK> stored;
    const std::span<Outcome> outcomes(stored.data(),
                                      std::min<std::uint64_t>(BLOCK, index.size() - start));
    const auto code = file_.block(number);
    if (!code || !decode_outcomes(*code, outcomes)) return false;
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
        const Board squeezed = index.board_at(start + i);
        const WideBoard board{widened(squeezed.men), widened(squeezed.kings),
                              widened(squeezed.other_men), widened(squeezed.other_kings)};
        const WideBoard::Side side = board.side();
        outcomes_->set(start + i,
                       side.jumpers() ? best_capture(board, side, solved_) : outcomes[i]);
    }
    return true;
}

void check_blocks(const TableFile& file) {
    for (std::size_t number = 0; number < file.blocks(); ++number)
        if (!file.block(number)) throw file.error("a block is damaged");
}

}  // namespace

void check_files(const std::filesystem::path& folder, const Slice& slice) {
    for (const Content content : {Content::outcomes, Content::distances})
        check_blocks(TableFile(folder, slice, content));
}

std::vector<TablesBuilder::NamedFile> TablesBuilder::build(const Slice& slice,
                                                           const Interruption& is_interrupted) {
    for (const Slice& each : pair_of(slice)) require_smaller(each, solved_, slice.all_men() - 1);
    PairSolver solver(slice, solved_, workers_);
    if (!solver.solve(is_interrupted)) return {};
    std::vector<NamedFile> files;
    for (const Slice& each : pair_of(slice)) {
        const SolvedSlice found = solver.take(each != slice);
        for (const Content content : {Content::distances, Content::outcomes})
            files.emplace_back(file_name(each, content), encoded(found, content, workers_));
        solved_.add(found.outcomes);
    }
    return files;
}

void TablesBuilder::load(const std::filesystem::path& folder, const Slice& slice) {
    std::vector<std::shared_ptr<SliceOutcomes>> found;
    for (const Slice& each : pair_of(slice)) {
        require_smaller(each, solved_, slice.all_men());
        check_blocks(TableFile(folder, each, Content::distances));
        const TableFile file(folder, each, Content::outcomes);
        Restorer restorer(file, solved_);
        std::atomic<std::size_t> next{0};
        on_threads(workers_, [&](int) {
            for (std::size_t block; (block = next++) < file.blocks();)
                if (!restorer.restore_block(block)) throw file.error("a block is damaged");
        });
        found.push_back(restorer.outcomes());
    }
    for (auto& outcomes : found) solved_.add(std::move(outcomes));
}

void TablesBuilder::drop_before(int pieces, int men) {
    for (const Slice& slice : slices_with(pieces))
        if (slice.all_men() < men - 1) solved_.drop(slice);
}

}  // namespace crossboard::tables
