// Reads games in Portable Draughts Notation 3.0, clean or dirty, one at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rules/draughts/position.h"

namespace crossboard::draughts::pdn {

// Variations inside variations go this deep and no deeper.
constexpr int MAX_NESTING = 200;
// More mistakes than this in one game are not worth telling one by one.
constexpr int MAX_ERRORS = 100;
constexpr int MAX_NAG = 999'999;
constexpr int MAX_TAGS = 1000;
// A single game longer than this is no game.
constexpr std::size_t MAX_GAME_BYTES = std::size_t{64} << 20;

// One move, or a set-up where `move` is empty. Nodes are stored in the order of the text, so a
// parent comes before its children and the first child is the main continuation.
struct Node {
    std::int32_t parent = -1;
    std::optional<Move> move;
    Position position;                         // after the move
    std::vector<std::string> comments_before;  // only where a line begins
    std::vector<std::string> comments;
    std::vector<int> nags;
};

// What could not be understood, and where.
struct Error {
    int line = 0;  // counted from 1 at the first character given to read_game
    std::string move;
    std::string reason;
};

struct Game {
    std::vector<std::pair<std::string, std::string>> tags;  // as they come, names once each
    std::vector<Node> nodes;                                // nodes[0] is the start
    std::string result;  // the token as written, empty where there is none
    std::vector<Error> errors;
    int line = 1;  // where it begins, counted as those of errors

    std::vector<Move> main_line() const;
};

struct Reading {
    std::optional<Game> game;  // none: only blanks and comments were left
    std::size_t used = 0;      // characters of the text that belong to it
};

// Reads the first game of `text`. If `is_all` is false and the game might go on behind the end of
// the text, returns nothing: call again with more. Never fails: see Game::errors.
std::optional<Reading> read_game(std::string_view text, bool is_all);

// Reads the games of a long text that comes in pieces, keeping only the piece it is at.
class Stream {
  public:
    // Adds a piece. A zero byte ends the text: see failure().
    void feed(std::string_view text);

    // No more pieces will come.
    void close() { is_closed_ = true; }

    // The next game; its line and those of its errors count from the beginning of the whole text.
    // Nothing means that another piece is needed, or after close() that there are no more games.
    std::optional<Game> next();

    // Why reading stopped before the end, if it did.
    const std::optional<Error>& failure() const { return failure_; }

  private:
    std::string buffer_;
    std::size_t used_ = 0;    // of the buffer
    std::size_t wanted_ = 0;  // no need to try with less
    int lines_ = 0;           // before used_
    bool is_closed_ = false;
    std::optional<Error> failure_;
};

}  // namespace crossboard::draughts::pdn
