// A principal variation: the moves that both sides are expected to play.
#pragma once

#include <algorithm>
#include <cassert>

#include "search/value.h"

namespace crossboard {

template <class Move>
struct Line {
    int size = 0;
    union {
        Move moves[MAX_PLY];  // unwritten at first: there is one line for every ply
    };

    Line() {}

    void clear() { size = 0; }

    // The line `first`, then `rest`.
    void set(const Move& first, const Line& rest) {
        assert(&rest != this && 0 <= rest.size && rest.size <= MAX_PLY);
        moves[0] = first;
        size = 1 + std::min(rest.size, MAX_PLY - 1);
        std::copy_n(rest.moves, size - 1, moves + 1);
    }
};

}  // namespace crossboard
