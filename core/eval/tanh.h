// The hyperbolic tangent, quick and the same on every processor.
#pragma once

#include <bit>
#include <cassert>
#include <cstdint>

namespace crossboard {

// Within 1e-12 of the true value. Plain arithmetic without branches, so that a loop over it becomes
// vector instructions; files that use it are compiled without fused multiply-add, so that the last
// bit does not depend on the processor.
inline double quick_tanh(double x) {
    assert(x == x);  // a number
    // tanh x = 1 - 2 / (e^2x + 1), and e^2x = 2^n e^r with a small r.
    constexpr double FARTHEST = 20;  // beyond it a double cannot tell the result from 1
    constexpr double LOG2_E = 1.4426950408889634, LN_2 = 0.6931471805599453;
    constexpr double WHOLE = 6755399441055744;  // 1.5 * 2^52: adding it rounds to whole numbers
    const double above = x < -FARTHEST ? -FARTHEST : x;
    const double y = 2 * (above > FARTHEST ? FARTHEST : above);
    const double rounded = y * LOG2_E + WHOLE;
    const double r = y - (rounded - WHOLE) * LN_2;
    // The series of e^r up to r^10: |r| is at most 0.35. In pairs, so that the processor has
    // several products to work on at a time.
    const double r2 = r * r, r4 = r2 * r2, r8 = r4 * r4;
    const double from_0 = (1 + r) + r2 * (1.0 / 2 + r * (1.0 / 6));
    const double from_4 = (1.0 / 24 + r * (1.0 / 120)) + r2 * (1.0 / 720 + r * (1.0 / 5040));
    const double from_8 = (1.0 / 40320 + r * (1.0 / 362880)) + r2 * (1.0 / 3628800);
    const double e = from_0 + (r4 * from_4 + r8 * from_8);
    // n stands in the lowest bits of `rounded`; the exponent of a double begins at bit 52.
    const auto exponent = std::bit_cast<std::uint64_t>(rounded) << 52;
    const double power = std::bit_cast<double>(std::bit_cast<std::uint64_t>(e) + exponent);
    return 1 - 2 / (power + 1);
}

}  // namespace crossboard
