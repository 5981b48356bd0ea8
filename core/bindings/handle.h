// An engine, and when its searches end, as Python holds them.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <utility>
#include <vector>

#include "engine/engine.h"

template <class P>
struct Handle {
    std::shared_ptr<crossboard::Engine<P>> engine;
    nanobind::object evaluator;  // if it is Python's
};

// Pairs of pieces and depth: with fewer pieces than that it goes at least so deep.
using Floors = std::vector<std::pair<int, int>>;

inline crossboard::Limits limits_from(int depth, std::uint64_t nodes, double seconds,
                                      const Floors& floors) {
    crossboard::Limits limits{depth, nodes, seconds};
    for (const auto& [pieces, deep] : floors) limits.floors.push_back({pieces, deep});
    return limits;
}
