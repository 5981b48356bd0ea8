// Sets of squares as the bits of one machine word.
#pragma once

#include <bit>
#include <cassert>
#include <cstdint>

namespace crossboard {

using Bits = std::uint64_t;

constexpr int count(Bits set) {
    return std::popcount(set);
}

constexpr int first_index(Bits set) {
    assert(set != 0);
    return std::countr_zero(set);
}

constexpr Bits bit(int index) {
    assert(0 <= index && index < 64);
    return Bits{1} << index;
}

// The same bits from the other end: 0 becomes 63. Neighbours change places, then pairs, then ...
constexpr Bits reversed(Bits set) {
    set = (set >> 1 & 0x5555555555555555) | (set & 0x5555555555555555) << 1;
    set = (set >> 2 & 0x3333333333333333) | (set & 0x3333333333333333) << 2;
    set = (set >> 4 & 0x0f0f0f0f0f0f0f0f) | (set & 0x0f0f0f0f0f0f0f0f) << 4;
    set = (set >> 8 & 0x00ff00ff00ff00ff) | (set & 0x00ff00ff00ff00ff) << 8;
    set = (set >> 16 & 0x0000ffff0000ffff) | (set & 0x0000ffff0000ffff) << 16;
    return set >> 32 | set << 32;
}

// Iterates over the members of a set, lowest first: for (int index : Members(set)).
class Members {
  public:
    constexpr explicit Members(Bits set) : rest_(set) {}
    constexpr Members begin() const { return *this; }
    constexpr Members end() const { return Members(0); }
    constexpr int operator*() const { return first_index(rest_); }
    constexpr Members& operator++() {
        assert(rest_ != 0);
        rest_ &= rest_ - 1;
        return *this;
    }
    constexpr bool operator!=(const Members& other) const { return rest_ != other.rest_; }

  private:
    Bits rest_;
};

}  // namespace crossboard
