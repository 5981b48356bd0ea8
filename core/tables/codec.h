// How the outcomes and the distances of a block of positions become bytes, and are read in place.
//
// What a reader never asks for stretches the run it stands in: outcomes of positions with a
// capture, and distances of these and of draws.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "tables/outcome.h"

namespace crossboard::tables {

// Of a position with a capture, whose distance is always 1.
constexpr std::uint8_t CAPTURE = 255;

// Positions of a block. To find one, half of the block's codes are read: with 4,096 positions some
// thirty, which takes less time than a cache of decoded blocks would.
constexpr std::size_t BLOCK = 4096;

using Bytes = std::span<const std::uint8_t>;

// A byte is a run: an outcome and one of 85 lengths.
namespace runs {

constexpr int LENGTHS = 85;

constexpr std::array<std::uint16_t, LENGTHS> make_lengths() {
    std::array<std::uint16_t, LENGTHS> lengths{};
    for (int i = 0; i < LENGTHS; ++i)
        lengths[i] =
            static_cast<std::uint16_t>(i < 64 ? i + 1 : lengths[i - 1] + lengths[i - 1] * 7 / 32);
    return lengths;
}

inline constexpr std::array<std::uint16_t, LENGTHS> LENGTH = make_lengths();

// Of every byte; 0 for the one that is no code.
constexpr std::array<std::uint16_t, 256> make_lengths_of_codes() {
    std::array<std::uint16_t, 256> lengths{};
    for (int code = 0; code < 3 * LENGTHS; ++code) lengths[code] = LENGTH[code % LENGTHS];
    return lengths;
}

inline constexpr std::array<std::uint16_t, 256> LENGTH_OF_CODE = make_lengths_of_codes();

}  // namespace runs

// Appends the code of a block. `distances` has CAPTURE where a capture is pending.
void encode_outcomes(std::span<const Outcome> outcomes, Bytes distances, std::string& code);
void encode_distances(std::span<const Outcome> outcomes, Bytes distances, std::string& code);

// Nothing if the code is none of ours or too short.
inline std::optional<Outcome> outcome_at(Bytes code, std::size_t at) {
    std::size_t end = 0;
    for (const std::uint8_t run : code) {
        end += runs::LENGTH_OF_CODE[run];
        if (end > at) return static_cast<Outcome>(run / runs::LENGTHS);
    }
    return std::nullopt;
}

std::optional<std::uint8_t> distance_at(Bytes code, std::size_t at);

// All outcomes of a block; false as above.
bool decode_outcomes(Bytes code, std::span<Outcome> outcomes);

// Differs if one bit of the bytes does.
std::uint32_t checksum(Bytes bytes);

}  // namespace crossboard::tables
