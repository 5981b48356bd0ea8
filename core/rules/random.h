// Random numbers that are the same everywhere: a stream is a function of its seed alone.
#pragma once

#include <cassert>
#include <cstdint>

namespace crossboard {

// Steele, Lea and Flood's SplitMix64.
class Random {
  public:
    constexpr explicit Random(std::uint64_t seed) : state_(seed) {}

    // The stream of one item of a batch, so that a batch may be cut anywhere.
    constexpr Random(std::uint64_t seed, std::uint64_t item)
        : state_(Random(Random(seed).next() ^ item).next()) {}

    constexpr std::uint64_t next() {
        std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
        z = (z ^ z >> 27) * 0x94d049bb133111eb;
        return z ^ z >> 31;
    }

    // Uniform in 0 .. bound-1 but for a bias below bound / 2^32.
    constexpr int below(int bound) {
        assert(bound > 0);
        return static_cast<int>((next() >> 32) * static_cast<std::uint64_t>(bound) >> 32);
    }

  private:
    std::uint64_t state_;
};

}  // namespace crossboard
