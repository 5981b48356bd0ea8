// Counts the leaves of the full move tree: the field's test of a move generator.
#pragma once

#include <cstdint>

#include "rules/position.h"

namespace crossboard {

template <GamePosition P>
std::uint64_t perft(const P& position, int depth) {
    if (depth == 0) return 1;
    if (depth == 1) return static_cast<std::uint64_t>(position.count_moves());
    std::uint64_t leaves = 0;
    if (depth == 2) {  // apart, so that what counting does not need (the key) is never computed
        position.for_each_move([&](const auto& move) {
            leaves += static_cast<std::uint64_t>(position.after(move).count_moves());
        });
    } else {
        position.for_each_move(
            [&](const auto& move) { leaves += perft(position.after(move), depth - 1); });
    }
    return leaves;
}

}  // namespace crossboard
