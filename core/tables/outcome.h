// Win, draw or loss, for the side to move.
#pragma once

#include <cstdint>

namespace crossboard::tables {

enum class Outcome : std::uint8_t { loss, draw, win };

// The same for the other side.
constexpr Outcome reversed(Outcome outcome) {
    return static_cast<Outcome>(2 - static_cast<int>(outcome));
}

}  // namespace crossboard::tables
