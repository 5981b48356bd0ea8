// How moves and positions look in a failed check.
#pragma once

#include <string>

#include "rules/duchess/notation.h"

namespace crossboard::duchess {

inline std::string show(const Move& move) {
    return format_move(move);
}

inline std::string show(const Position& position) {
    return format_position(position);
}

}  // namespace crossboard::duchess
