// An engine, and when its searches end, as Python holds them.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <stdexcept>
#include <string>
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
                                      const std::string& clock, const Floors& floors) {
    if (clock != "wall" && clock != "cpu")
        throw std::invalid_argument("the clock is wall or cpu, not " + clock);
    const auto kind = clock == "cpu" ? crossboard::TimeKind::cpu : crossboard::TimeKind::wall;
    crossboard::Limits limits{depth, nodes, seconds, kind};
    for (const auto& [pieces, deep] : floors) limits.floors.push_back({pieces, deep});
    return limits;
}
