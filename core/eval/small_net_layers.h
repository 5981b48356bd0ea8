// The layers of a small net as the processor takes them, and the ways through them.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "eval/small_net_weights.h"

namespace crossboard::small_net {

// Rows of the first layer stand by kind and index of the board, gaps included, so that the place of
// a piece needs no conversion.
constexpr int ROWS = KINDS * draughts::INDICES;

// One phase. Both extents are filled up with zeros to whole vectors, which changes no value.
struct Layers {
    int hidden;                       // a multiple of HIDDEN_STEP
    int second;                       // a multiple of SECOND_STEP
    const std::int16_t* first;        // ROWS rows of `hidden`
    const std::int16_t* first_bias;   // hidden
    const std::int16_t* pairs;        // by two hidden units, then by second unit: two weights
    const std::int32_t* second_bias;  // second; times FULL, and what rounds to the nearest
    const std::int32_t* output;       // second
    const std::int16_t* direct;       // ROWS
    std::int32_t output_bias;         // times FULL

    static constexpr int HIDDEN_STEP = 32, SECOND_STEP = 16;
};

// The inputs of a position that are on.
struct Pieces {
    std::array<std::uint16_t, MOST_PIECES> rows;
    int count;
    std::int32_t direct;  // their direct links
};

// What arrives at the output: FULL * OUTPUT_SCALE is one man.
using Forward = std::int32_t (*)(const Layers& layers, const Pieces& pieces);

// Every way gives the same values; which of them there are depends on the processor.
struct Way {
    std::string_view name;
    Forward forward;
};

// Those of this processor, the fastest first; the last is "plain", which all processors have.
const std::vector<Way>& ways();

}  // namespace crossboard::small_net
