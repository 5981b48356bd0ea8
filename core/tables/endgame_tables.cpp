// Endgame tables as players ask them: win, draw or loss, and how far the next capture or promotion
// is (docs/tables.md).
#include "tables/endgame_tables.h"

#include <algorithm>
#include <utility>

namespace crossboard::tables {

using draughts::Position;

namespace {

// The size of the largest set of slices that is whole.
template <class Has>
int whole_pieces(Has has) {
    int pieces = 1;
    const auto is_whole = [&has](int size) {
        const auto slices = slices_with(size);
        return std::all_of(slices.begin(), slices.end(), has);
    };
    while (pieces < MOST_PIECES && is_whole(pieces + 1)) ++pieces;
    return pieces > 1 ? pieces : 0;
}

}  // namespace

std::shared_ptr<EndgameTables> EndgameTables::open(const std::filesystem::path& folder) {
    std::error_code ignored;
    if (std::filesystem::exists(folder, ignored) && !std::filesystem::is_directory(folder, ignored))
        throw TablesError(folder.string() + " is not a folder");
    std::shared_ptr<EndgameTables> tables(new EndgameTables);
    for (int pieces = 2; pieces <= MOST_PIECES; ++pieces)
        for (const Slice& slice : slices_with(pieces))
            for (const Content content : {Content::outcomes, Content::distances}) {
                if (std::filesystem::exists(folder / file_name(slice, content), ignored))
                    tables->files_[static_cast<int>(content)][slice.code()] =
                        std::make_unique<TableFile>(folder, slice, content);
            }
    tables->pieces_ = whole_pieces(
        [&](const Slice& slice) { return tables->file_of(slice, Content::outcomes) != nullptr; });
    tables->distance_pieces_ = whole_pieces(
        [&](const Slice& slice) { return tables->file_of(slice, Content::distances) != nullptr; });
    return tables;
}

std::optional<Bytes> EndgameTables::block_of(const TableFile& file, std::uint64_t number) const {
    const int code = file.index().slice().code();
    if (is_off_[code].load(std::memory_order_relaxed)) return std::nullopt;
    const auto block = file.block(number / BLOCK);
    if (!block) warn_of(file);
    return block;
}

void EndgameTables::warn_of(const TableFile& file) const {
    is_off_[file.index().slice().code()] = true;
    const std::lock_guard lock(mutex_);
    if (!has_warned_) warning_ = file.error("a block is damaged").what();
    has_warned_ = true;
}

template <class Read>
auto EndgameTables::read(const Board& board, Content content, Read value_at) const
    -> std::invoke_result_t<Read, Bytes, std::size_t> {
    const TableFile* file = file_of(slice_of(board), content);
    if (!file) return std::nullopt;
    const std::uint64_t number = file->index()(board);
    const auto block = block_of(*file, number);
    if (!block) return std::nullopt;
    const auto value = value_at(*block, number % BLOCK);
    if (!value) warn_of(*file);
    return value;
}

std::optional<Outcome> EndgameTables::probe_board(const Board& board) const {
    const auto at = [](Bytes block, std::size_t place) { return outcome_at(block, place); };
    return read(board, Content::outcomes, at);
}

std::optional<Outcome> EndgameTables::probe_quiet(const Position& position) const {
    assert(!position.has_capture());
    if (position.count_pieces() > MOST_PIECES) return std::nullopt;
    return probe_board(board_of(position));
}

std::optional<Outcome> EndgameTables::probe(const Position& position) const {
    if (position.count_pieces() > MOST_PIECES) return std::nullopt;
    if (!position.pieces(position.turn())) return Outcome::loss;
    if (!position.has_capture()) return probe_board(board_of(position));
    Outcome best = Outcome::loss;
    for (const auto& move : position.unique_moves()) {
        const auto reply = probe(position.after(move));
        if (!reply) return std::nullopt;
        best = std::max(best, reversed(*reply));
    }
    return best;
}

std::optional<int> EndgameTables::distance(const Position& position) const {
    const auto outcome = probe(position);
    if (!outcome || *outcome == Outcome::draw) return std::nullopt;
    if (position.has_capture()) return 1;
    if (position.is_over()) return 0;
    return read(board_of(position), Content::distances, distance_at);
}

std::vector<const TableFile*> EndgameTables::files(Content content) const {
    std::vector<const TableFile*> found;
    for (int pieces = 2; pieces <= MOST_PIECES; ++pieces)
        for (const Slice& slice : slices_with(pieces))
            if (const TableFile* file = file_of(slice, content)) found.push_back(file);
    return found;
}

std::optional<std::string> EndgameTables::take_warning() const {
    const std::lock_guard lock(mutex_);
    return std::exchange(warning_, std::nullopt);
}

}  // namespace crossboard::tables
