// What the selective search decides, in numbers: how much less deeply, how much deeper, where not.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include "search/settings.h"
#include "search/value.h"

namespace crossboard::selective {

// ---- reductions

// Chosen: so many brothers are searched to the full depth, and none at nodes of less depth.
constexpr int FULL_BROTHERS = 3;
constexpr int LEAST_REDUCED_DEPTH = 3;

// ---- verified cuts

// Chosen: what is verified by a search so many plies shallower.
constexpr int CUT_PLIES = 4;
constexpr int LEAST_CUT_DEPTH = 2;

// ---- singular moves

constexpr int LEAST_SINGULAR_DEPTH = 8;
constexpr int SINGULAR_ENTRY_PLIES = 3;  // the table's value comes from not more plies less
constexpr int SINGULAR_MARGIN = 4;       // hundredths of a man for each ply

// ---- internal deepening

constexpr int LEAST_INTERNAL_DEPTH = 4;
constexpr int INTERNAL_PLIES = 2;

// ---- the root

// The window around the last depth's value: a tenth of a man.
constexpr int WINDOW_HUNDREDTHS = 10;

// By how many plies a quiet move is searched less deeply that comes at this place among brothers.
inline int reduction(int depth, int place) {
    assert(depth > 0 && place >= 0);
    if (depth < LEAST_REDUCED_DEPTH || place < FULL_BROTHERS) return 0;
    static const auto TABLE = [] {
        std::array<std::array<std::int8_t, 64>, 64> table{};
        for (int d = 1; d < 64; ++d)
            for (int p = 1; p < 64; ++p)
                table[d][p] = static_cast<std::int8_t>(0.5 + std::log(d) * std::log(p + 1) / 2.5);
        return table;
    }();
    const int plies = TABLE[std::min(depth, 63)][std::min(place, 63)];
    return std::clamp(plies, 1, depth - 1);
}

// How a capture and a threat are called is the game's affair.
template <class Move>
bool is_capture(const Move& move) {
    if constexpr (requires { move.is_capture(); }) {
        return move.is_capture();
    } else {
        return move.is_capture;
    }
}

template <class P>
bool is_threatened(const P& position) {
    if constexpr (requires { position.is_threatened(); }) {
        return position.is_threatened();
    } else {
        return false;
    }
}

constexpr bool is_evaluation(Value value) {
    return -MAX_EVALUATION <= value && value <= MAX_EVALUATION;
}

}  // namespace crossboard::selective
