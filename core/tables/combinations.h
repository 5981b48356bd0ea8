// Sets of squares of one size, numbered: the colexicographic order, which is that of the sets as
// binary numbers.
#pragma once

#include <array>
#include <bit>
#include <cassert>
#include <cstdint>
#include <vector>

namespace crossboard::tables {

// A bit for each square: square s of the board is bit s-1, without the gaps of the core's boards.
using Set = std::uint32_t;

constexpr int MOST_OF_A_KIND = 7;
using Binomials = std::array<std::array<std::uint32_t, MOST_OF_A_KIND + 1>, 33>;

constexpr Binomials make_binomials() {
    Binomials table{};
    for (int n = 0; n <= 32; ++n) {
        table[n][0] = 1;
        for (int k = 1; k <= MOST_OF_A_KIND && n > 0; ++k)
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
    }
    return table;
}

inline constexpr Binomials BINOMIAL = make_binomials();

constexpr std::uint32_t combinations(int n, int k) {
    assert(0 <= n && n <= 32 && 0 <= k && k <= MOST_OF_A_KIND);
    return BINOMIAL[n][k];
}

// The number of a set among those of its size.
constexpr std::uint32_t rank(Set set) {
    std::uint32_t sum = 0;
    for (int k = 1; set; ++k, set &= set - 1) sum += BINOMIAL[std::countr_zero(set)][k];
    return sum;
}

// The number of a set among those of its size on the squares that `taken` leaves.
constexpr std::uint32_t rank_beside(Set set, Set taken) {
    assert((set & taken) == 0);
    std::uint32_t sum = 0;
    for (int k = 1; set; ++k, set &= set - 1)
        sum += BINOMIAL[std::countr_zero(set) - std::popcount(taken & ((set & -set) - 1))][k];
    return sum;
}

// The set of k members with a number.
constexpr Set unranked(std::uint32_t number, int k) {
    Set set = 0;
    for (int square = 31; k > 0; --k) {
        while (BINOMIAL[square][k] > number) --square;
        set |= Set{1} << square;
        number -= BINOMIAL[square][k];
    }
    return set;
}

// Moves the members of a set of the squares that `taken` leaves to where these are.
constexpr Set spread_beside(Set packed, Set taken) {
    Set spread = 0, open = ~taken;
    for (; packed; packed >>= 1, open &= open - 1)
        if (packed & 1) spread |= open & -open;
    return spread;
}

// All sets of k of the first n squares, in the order of their numbers.
std::vector<Set> all_sets(int n, int k);

// Square s becomes 33 - s.
constexpr Set turned(Set set) {
    set = (set >> 1 & 0x55555555) | (set & 0x55555555) << 1;
    set = (set >> 2 & 0x33333333) | (set & 0x33333333) << 2;
    set = (set >> 4 & 0x0f0f0f0f) | (set & 0x0f0f0f0f) << 4;
    set = (set >> 8 & 0x00ff00ff) | (set & 0x00ff00ff) << 8;
    return set >> 16 | set << 16;
}

}  // namespace crossboard::tables
