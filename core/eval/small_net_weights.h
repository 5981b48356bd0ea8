// The weights of a small net: their order, and the whole numbers that stand for them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "eval/small_net_inputs.h"

namespace crossboard::small_net {

// One net for each phase, all of one size. With x the 128 inputs, 0 or 1, a net is
//   h = clip(x first + first_bias), k = clip(h second + second_bias), clip(v) = min(max(v, 0), 1)
//   out = k output + x direct + output_bias
// for the side to move, in men. The weights of a phase stand in a row in the order of Group, each
// group by rows (first: 128 rows of `hidden`, second: `hidden` rows of `second`), and the phases
// stand one after the other.
struct NetSize {
    int hidden = 128;
    int second = 32;

    static constexpr int MOST_HIDDEN = 256;
    static constexpr int MOST_SECOND = 64;
    bool operator==(const NetSize&) const = default;
};

enum class Group { first, first_bias, second, second_bias, output, direct, output_bias };

// A weight w is kept as round(scale * w), within +-limit: what lies outside is clipped.
//
// A unit that is fully on counts FULL in whole numbers. The limits make every sum fit its type:
// - first layer, 16 bits: at most 24 pieces and the bias, 25 * 1280 <= 32767;
// - second layer, 32 bits: 256 units and the bias, (256 + 1) * 512 * 8192 < 2^31;
// - output, 32 bits: 64 units, 24 pieces and the bias, (64 + 25) * 512 * 30720 < 2^31.
constexpr int FULL = 512;
constexpr int FIRST_SCALE = FULL;
constexpr int SECOND_SCALE = 2048;
constexpr int OUTPUT_SCALE = 2048;  // also of direct links: one man
constexpr float MOST_FIRST = 2.5F;
constexpr float MOST_IN_SECOND = 4.0F;
constexpr float MOST_OUTPUT = 15.0F;

struct GroupShape {
    Group group;
    std::string_view name;
    std::array<int, 2> extents;  // rows and columns; one row where a group is a mere row
    int scale;
    float most;  // of the floats, either way

    constexpr std::size_t size() const { return std::size_t(extents[0]) * extents[1]; }
    constexpr int limit() const { return static_cast<int>(most * scale); }
};

// The groups of one phase, in their order. Throws std::invalid_argument for an unknown size.
std::array<GroupShape, 7> groups_of(const NetSize& size);
std::size_t weights_of_phase(const NetSize& size);

// The whole numbers nearest to weights of any number of phases, clipped to the limits, and back.
// Both throw std::invalid_argument if they are not weights of whole phases or not finite.
std::vector<std::int16_t> to_integers(const NetSize& size, std::span<const float> weights);
std::vector<float> to_floats(const NetSize& size, std::span<const std::int16_t> weights);

}  // namespace crossboard::small_net
