// Positions and moves as text: FEN, move notation, a drawing, and why a move is not legal.
#pragma once

#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "rules/draughts/position.h"

namespace crossboard::draughts {

// Each message holds what was given, where it fails and what is allowed.
struct InvalidFen : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};
struct IllegalMove : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};
struct AmbiguousMove : IllegalMove {
    using IllegalMove::IllegalMove;
};

// Reads a FEN as PDN 3.0 has it: either order of colours, ranges, K before kings, an empty side,
// blanks, a dot at the end. Throws InvalidFen.
Position parse_fen(std::string_view text);

// Writes every square, sorted by number, White first: B:W21,K22:B1,2.
std::string format_fen(const Position& position);

// 11-15, or every landing of a jump: 22x15x8.
std::string format_move(const Move& move);

// The squares a move touches, by standard number.
std::vector<int> path_of(const Move& move);

// The shortest text that parse_move reads back as the same move: 22x8, and the whole path only
// where the ends are not enough.
std::string format_short_move(const Position& position, const Move& move);

// A move as written, not yet looked for among the legal ones.
struct WrittenMove {
    std::vector<int> squares;  // at least two
    bool is_jump = false;      // any separator but '-'
};

// The legal moves that touch the written squares in order, with the same ends; only the one whose
// whole path it is, if there is one. '-' against 'x' makes no difference here. Routes that lead to
// the same position count as one: the first.
std::vector<Move> matching_moves(const Position& position, std::span<const int> squares);

// Says why no legal move matches: one sentence without the legal moves.
std::string why_illegal(const Position& position, const WrittenMove& written);

bool is_legal(const Position& position, const Move& move);

// Throws IllegalMove, with the reason, for a move that is not.
void require_legal(const Position& position, const Move& move);

// Reads 11-15, 22x15, 22x8 when only one jump leads there, or a path with some or all landings.
// Throws IllegalMove or AmbiguousMove.
Move parse_move(const Position& position, std::string_view text);

// A whole path on its own, no position given: 11-15 or 22x15x8. Throws IllegalMove.
Move parse_path(std::string_view text);

// Eight lines, square 1 at the top left: b w men, B W kings, '.' empty dark squares.
std::string draw(const Position& position);

}  // namespace crossboard::draughts
