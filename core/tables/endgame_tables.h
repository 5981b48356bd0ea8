// Endgame tables as players ask them: win, draw or loss, and how far the next capture or promotion
// is (docs/tables.md).
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "rules/draughts/position.h"
#include "tables/outcome.h"
#include "tables/slice.h"
#include "tables/table_file.h"

namespace crossboard::tables {

// All tables of a folder. Threads share one object and need no lock: what changes inside are only
// notes about blocks that have been checked. The tables know nothing of the rules of draws by
// repetition and by quiet plies: a win is a win however long it takes.
class EndgameTables {
  public:
    // A folder that is not there, or has no tables, gives tables of 0 pieces. Throws TablesError
    // for what is no folder, and for a file that is truncated, foreign, of another version or
    // damaged in its header; a block is checked when it is first needed.
    static std::shared_ptr<EndgameTables> open(const std::filesystem::path& folder);

    // All slices with up to so many pieces are there; 0 without tables.
    int pieces() const { return pieces_; }
    // All slices with up to so many pieces have their distances.
    int distance_pieces() const { return distance_pieces_; }

    // For the inner loop of a search: the side to move must have no capture. Nothing where there
    // are too many pieces or the slice is missing or switched off, because a block was damaged.
    std::optional<Outcome> probe_quiet(const draughts::Position& position) const;

    // Any position: captures are played out first, up to the positions that are stored.
    std::optional<Outcome> probe(const draughts::Position& position) const;

    // Plies to the next capture or promotion with best play: the winner wants it short, the loser
    // long; 0 where the side to move has no move. Nothing for a draw,
    // and where `probe` has nothing. For the root: it takes some microseconds.
    std::optional<int> distance(const draughts::Position& position) const;

    // Of all slices that are there.
    std::vector<const TableFile*> files(Content content) const;

    // What went wrong with the first block that proved damaged, once: the next call has nothing.
    std::optional<std::string> take_warning() const;

  private:
    EndgameTables() = default;

    const TableFile* file_of(const Slice& slice, Content content) const {
        return files_[static_cast<int>(content)][slice.code()].get();
    }
    // What `value_at` reads of a board in its block; nothing where there is no file or it is
    // damaged.
    template <class Read>
    auto read(const Board& board, Content content, Read value_at) const
        -> std::invoke_result_t<Read, Bytes, std::size_t>;
    std::optional<Outcome> probe_board(const Board& board) const;
    std::optional<Bytes> block_of(const TableFile& file, std::uint64_t number) const;
    void warn_of(const TableFile& file) const;

    int pieces_ = 0, distance_pieces_ = 0;
    // By Content, then by the code of the slice.
    std::array<std::array<std::unique_ptr<TableFile>, Slice::CODES>, 2> files_;
    mutable std::array<std::atomic<bool>, Slice::CODES> is_off_{};
    mutable std::mutex mutex_;
    mutable std::optional<std::string> warning_;
    mutable bool has_warned_ = false;
};

}  // namespace crossboard::tables
