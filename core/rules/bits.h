// Sets of squares as the bits of one machine word.
#pragma once

#include <bit>
#include <cstdint>

namespace crossboard {

using Bits = std::uint64_t;

constexpr int count(Bits set) {
    return std::popcount(set);
}

constexpr int first_index(Bits set) {
    return std::countr_zero(set);
}

constexpr Bits bit(int index) {
    return Bits{1} << index;
}

// Iterates over the members of a set, lowest first: for (int index : Members(set)).
class Members {
  public:
    constexpr explicit Members(Bits set) : rest_(set) {}
    constexpr Members begin() const { return *this; }
    constexpr Members end() const { return Members(0); }
    constexpr int operator*() const { return first_index(rest_); }
    constexpr Members& operator++() {
        rest_ &= rest_ - 1;
        return *this;
    }
    constexpr bool operator!=(const Members& other) const { return rest_ != other.rest_; }

  private:
    Bits rest_;
};

}  // namespace crossboard
