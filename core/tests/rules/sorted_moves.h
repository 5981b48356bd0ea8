// The legal moves of a position as text, for any game.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "rules/position.h"

namespace crossboard {

using Texts = std::vector<std::string>;

// Sorted, so that tests do not depend on the order of generation.
template <GamePosition P>
Texts moves_of(const P& position) {
    Texts texts;
    for (const auto& move : position.legal_moves()) texts.push_back(format_move(move));
    std::sort(texts.begin(), texts.end());
    return texts;
}

}  // namespace crossboard
