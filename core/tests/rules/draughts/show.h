// How moves and positions look in a failed check.
#pragma once

#include <string>

#include "rules/draughts/notation.h"

namespace crossboard::draughts {

inline std::string show(const Move& move) {
    return format_move(move);
}

inline std::string show(const Position& position) {
    return format_fen(position);
}

}  // namespace crossboard::draughts
