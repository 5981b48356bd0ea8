// Cells, moves and positions as text, and why a move is not legal.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "rules/duchess/position.h"

namespace crossboard::duchess {

// Each message holds what was given, where it fails and what is allowed.
struct InvalidPosition : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};
struct IllegalMove : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

inline constexpr const char* CELL_NAMES = "cells are V and sector, file, rank: 1a1 to 6e6";

// 1c4, or V.
std::string format_cell(int cell);

// Reads a cell's name, also the one it has in the sector on the right; nothing if it is none.
std::optional<int> parse_cell(std::string_view text);

// "odd" or "even".
const char* name_of(Team team);

// N1b2-1a4, P1d6xV=Q, pass.
std::string format_move(const Move& move);

// The same read back, no position given. Throws IllegalMove.
Move parse_written(std::string_view text);

bool is_legal(const Position& position, const Move& move);

// Throws IllegalMove, with the reason, for a move that is not.
void require_legal(const Position& position, const Move& move);

// Finds the legal move that is written; the letter of the piece may be left out. Throws
// IllegalMove.
Move parse_move(const Position& position, std::string_view text);

// Reads "4; 1:K1a1 P1c6; 2:K2a1; 3:K4a1; 4:K5a1; turn 1; box 1:Q,R". Throws InvalidPosition.
Position parse_position(std::string_view text);

// Writes pieces in the order of cells, boxes that are not empty last, their letters sorted.
std::string format_position(const Position& position);

// A character for every seat: '.', 'c' in check, 'm' mated, 's' stalemated.
std::string format_flags(const Position& position);

}  // namespace crossboard::duchess
