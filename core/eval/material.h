// Counts pieces: the simplest evaluation, and every other's yardstick.
#pragma once

#include <cstdint>

#include "rules/draughts/position.h"

namespace crossboard {

// Man to king as 2 to 3, the ratio of Samuel's and all later programs of that family.
class Material {
  public:
    static constexpr int MAN = 100;
    static constexpr int KING = 150;

    std::int32_t evaluate(const draughts::Position& position) const {
        const std::int32_t black = worth(position.black(), position.kings());
        const std::int32_t white = worth(position.white(), position.kings());
        return position.turn() == draughts::Colour::black ? black - white : white - black;
    }

    int units() const { return MAN; }

  private:
    static std::int32_t worth(Bits pieces, Bits kings) {
        return MAN * count(pieces) + (KING - MAN) * count(pieces & kings);
    }
};

}  // namespace crossboard
