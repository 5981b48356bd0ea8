// An engine, and when its searches end, as Python holds them.
#pragma once

#include <nanobind/nanobind.h>

#include <cmath>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
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

// Seconds, more of them before each move, and for how many moves, 0 for all that are left.
using GivenTime = std::tuple<double, double, int>;

// Among how many best moves it chooses, and the noise on their values in hundredths of a man.
using GivenNoise = std::pair<int, int>;

inline crossboard::Noise noise_from(const GivenNoise& given) {
    return {given.first, given.second};
}

inline crossboard::TimeKind time_kind_from(const std::string& clock) {
    if (clock != "wall" && clock != "cpu")
        throw std::invalid_argument("the clock is wall or cpu, not " + clock);
    return clock == "cpu" ? crossboard::TimeKind::cpu : crossboard::TimeKind::wall;
}

inline std::optional<crossboard::GameTime> time_from(const std::optional<GivenTime>& given) {
    if (!given) return std::nullopt;
    const auto& [seconds, increment, moves] = *given;
    if (!std::isfinite(seconds) || !(std::isfinite(increment) && increment >= 0) || moves < 0)
        throw std::invalid_argument(
            "the time of a game is finite seconds, an increment and moves of 0 or more");
    return crossboard::GameTime{seconds, increment, moves};
}

inline crossboard::Limits limits_from(int depth, std::uint64_t nodes, double seconds,
                                      const std::string& clock, const Floors& floors,
                                      const std::optional<GivenTime>& time) {
    crossboard::Limits limits{depth, nodes, seconds, time_kind_from(clock)};
    for (const auto& [pieces, deep] : floors) limits.floors.push_back({pieces, deep});
    limits.time = time_from(time);
    return limits;
}
