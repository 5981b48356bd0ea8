// Turns the weights of a small net into whole numbers, and checks sizes and phases.
#include "eval/small_net_weights.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

namespace crossboard::small_net {

namespace {

constexpr std::int64_t MOST_16 = std::numeric_limits<std::int16_t>::max();
constexpr std::int64_t MOST_32 = std::numeric_limits<std::int32_t>::max();
constexpr auto FIRST_LIMIT = static_cast<std::int64_t>(MOST_FIRST * FIRST_SCALE);
constexpr auto SECOND_LIMIT = static_cast<std::int64_t>(MOST_IN_SECOND * SECOND_SCALE);
constexpr auto OUTPUT_LIMIT = static_cast<std::int64_t>(MOST_OUTPUT * OUTPUT_SCALE);
static_assert((MOST_PIECES + 1) * FIRST_LIMIT <= MOST_16);
static_assert((NetSize::MOST_HIDDEN + 1) * FULL * SECOND_LIMIT + FULL * SECOND_SCALE <= MOST_32);
static_assert(OUTPUT_LIMIT <= MOST_16);
static_assert((NetSize::MOST_SECOND + MOST_PIECES + 1) * FULL * OUTPUT_LIMIT <= MOST_32);

// Calls act(shape, begin) for each group of each phase, `begin` being where its weights begin.
template <class Act>
void for_each_group(const NetSize& size, std::size_t count, Act act) {
    const auto groups = groups_of(size);
    const std::size_t phase = weights_of_phase(size);
    if (count == 0 || count % phase != 0)
        throw std::invalid_argument("a phase of a net with " + std::to_string(size.hidden) +
                                    " and " + std::to_string(size.second) + " units has " +
                                    std::to_string(phase) + " weights, not " +
                                    std::to_string(count));
    for (std::size_t begin = 0; begin < count;)
        for (const GroupShape& shape : groups) {
            act(shape, begin);
            begin += shape.size();
        }
}

}  // namespace

NetPhases::NetPhases(std::span<const NetPhase> phases) : phases_(phases.begin(), phases.end()) {
    if (phases_.empty() || phases_.size() > MOST)
        throw std::invalid_argument("a net has 1 to " + std::to_string(MOST) + " phases, not " +
                                    std::to_string(phases_.size()));
    std::array<bool, MOST> is_reached{};
    for (bool kings : {false, true})
        for (int pieces = 0; pieces <= MOST_PIECES; ++pieces) {
            const auto fits = [&](const NetPhase& phase) {
                return phase.kings >= kings && phase.least_pieces <= pieces;
            };
            const auto found = std::find_if(phases_.begin(), phases_.end(), fits);
            if (found == phases_.end())
                throw std::invalid_argument(
                    "the last phase must fit every position: kings = true, least_pieces = 0");
            const auto number = found - phases_.begin();
            first_[kings][pieces] = static_cast<std::uint8_t>(number);
            is_reached[number] = true;
        }
    const auto missed = std::find(is_reached.begin(), is_reached.end(), false) - is_reached.begin();
    if (missed < count())
        throw std::invalid_argument("phase " + std::to_string(missed + 1) +
                                    " fits no position that an earlier phase leaves");
}

std::array<GroupShape, 7> groups_of(const NetSize& size) {
    const auto [hidden, second] = size;
    if (hidden < 1 || hidden > NetSize::MOST_HIDDEN || second < 1 || second > NetSize::MOST_SECOND)
        throw std::invalid_argument(
            "a net has 1 to " + std::to_string(NetSize::MOST_HIDDEN) + " hidden units and 1 to " +
            std::to_string(NetSize::MOST_SECOND) + " in its second layer, not " +
            std::to_string(hidden) + " and " + std::to_string(second));
    return {{
        {Group::first, "first", {INPUTS, hidden}, FIRST_SCALE, MOST_FIRST},
        {Group::first_bias, "first_bias", {1, hidden}, FIRST_SCALE, MOST_FIRST},
        {Group::second, "second", {hidden, second}, SECOND_SCALE, MOST_IN_SECOND},
        {Group::second_bias, "second_bias", {1, second}, SECOND_SCALE, MOST_IN_SECOND},
        {Group::output, "output", {1, second}, OUTPUT_SCALE, MOST_OUTPUT},
        {Group::direct, "direct", {1, INPUTS}, OUTPUT_SCALE, MOST_OUTPUT},
        {Group::output_bias, "output_bias", {1, 1}, OUTPUT_SCALE, MOST_OUTPUT},
    }};
}

std::size_t weights_of_phase(const NetSize& size) {
    std::size_t sum = 0;
    for (const GroupShape& shape : groups_of(size)) sum += shape.size();
    return sum;
}

std::vector<std::int16_t> to_integers(const NetSize& size, std::span<const float> weights) {
    std::vector<std::int16_t> integers(weights.size());
    for_each_group(size, weights.size(), [&](const GroupShape& shape, std::size_t begin) {
        for (std::size_t i = begin; i < begin + shape.size(); ++i) {
            if (!std::isfinite(weights[i]))
                throw std::invalid_argument("weight " + std::to_string(i - begin) + " of " +
                                            std::string(shape.name) + " is no finite number");
            const float clipped = std::clamp(weights[i], -shape.most, shape.most);
            integers[i] =
                static_cast<std::int16_t>(std::lround(clipped * static_cast<float>(shape.scale)));
        }
    });
    return integers;
}

std::vector<float> to_floats(const NetSize& size, std::span<const std::int16_t> weights) {
    std::vector<float> floats(weights.size());
    for_each_group(size, weights.size(), [&](const GroupShape& shape, std::size_t begin) {
        for (std::size_t i = begin; i < begin + shape.size(); ++i)
            floats[i] = static_cast<float>(weights[i]) / static_cast<float>(shape.scale);
    });
    return floats;
}

}  // namespace crossboard::small_net
