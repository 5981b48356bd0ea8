// Counts the leaves of the full move tree: the field's test of a move generator.
#pragma once

#include <cassert>
#include <cstdint>

#include "rules/position.h"

namespace crossboard {

// The leaves two plies down. What counting does not need, such as the key, is never computed here.
// A game may overload this for its positions.
template <GamePosition P>
std::uint64_t count_two_plies(const P& position) {
    std::uint64_t leaves = 0;
    position.for_each_move([&](const auto& move) {
        leaves += static_cast<std::uint64_t>(position.after(move).count_moves());
    });
    return leaves;
}

template <GamePosition P>
std::uint64_t perft(const P& position, int depth) {
    assert(depth >= 0);
    if (depth == 0) return 1;
    if (depth == 1) return static_cast<std::uint64_t>(position.count_moves());
    if (depth == 2) return count_two_plies(position);
    std::uint64_t leaves = 0;
    position.for_each_move(
        [&](const auto& move) { leaves += perft(position.after(move), depth - 1); });
    return leaves;
}

}  // namespace crossboard
