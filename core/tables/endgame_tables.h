// Endgame tables as players ask them: win, draw or loss, and how far the next capture or promotion
// is (docs/tables.md).
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>

#include "rules/draughts/position.h"
#include "tables/outcome.h"

namespace crossboard::tables {

// A file that cannot be used. The message names it and the command that rebuilds it.
class TablesError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

// All tables of a folder. Threads share one object and need no lock: what changes inside are only
// notes about blocks that have been checked. The tables know nothing of the rules of draws by
// repetition and by quiet plies: a win is a win however long it takes.
class EndgameTables {
  public:
    // A folder that is not there, or has no tables, gives tables of 0 pieces. Throws TablesError
    // where a file is truncated, foreign, of another version or damaged in its header; the blocks
    // are checked when they are first needed, all at once by `verify` in core/tables/verify.h.
    static std::shared_ptr<EndgameTables> open(const std::filesystem::path& folder);
    ~EndgameTables();

    // All slices with up to so many pieces are there; 0 without tables.
    int pieces() const { return pieces_; }
    // All slices with up to so many pieces have their distances.
    int distance_pieces() const { return distance_pieces_; }

    // For the inner loop of a search: the side to move must have no capture. Nothing where there
    // are too many pieces or the slice is missing or switched off, because a block was damaged.
    std::optional<Outcome> probe_quiet(const draughts::Position& position) const;

    // Any position: captures are played out first, up to the positions that are stored.
    std::optional<Outcome> probe(const draughts::Position& position) const;

    // Plies to the next capture or promotion with best play of both sides, for the side to move:
    // who wins wants it short, who loses long; 0 for a side that has no move. Nothing for a draw,
    // and where `probe` has nothing. For the root: it takes some microseconds.
    std::optional<int> distance(const draughts::Position& position) const;

    // What went wrong with the first block that proved damaged, once: the next call has nothing.
    std::optional<std::string> take_warning() const;

  private:
    EndgameTables();

    int pieces_ = 0;
    int distance_pieces_ = 0;
    struct Files;
    std::unique_ptr<Files> files_;
    mutable std::mutex mutex_;
    mutable std::optional<std::string> warning_;
};

}  // namespace crossboard::tables
