// Every feature by its name: family.tag.
#pragma once

#include <algorithm>
#include <cassert>
#include <span>
#include <string_view>

#include "eval/features/board.h"

namespace crossboard::draughts::features {

struct Feature {
    std::string_view name;  // "samuel.adv": the same word means different things in two families
    std::string_view meaning;
    int least, most;  // no board has less or more
    int (*value)(const Board&);
    int (*whole)(const Board&);  // the same, not cut to the usual bits
    int bits;                    // how many inputs of a network it gets if nobody says otherwise
    int (*quirk)(const Board&, int bits) = nullptr;  // the original program's encoding, if known

    // The value as a number of so many bits, cut off where it does not fit: more bits than the
    // usual ones tell more.
    int code(const Board& board, int width) const {
        assert(0 < width && width < 31);
        return std::clamp(whole(board) - std::min(least, 0), 0, (1 << width) - 1);
    }

    // Whether both names stand for the same numbers, but for the bits that these are cut to.
    bool is_same_as(const Feature& other) const { return whole == other.whole; }

    std::string_view family() const { return name.substr(0, name.find('.')); }
};

std::span<const Feature> all();

// Throws std::invalid_argument, which says what there is, if no feature has that name.
const Feature& by_name(std::string_view name);

}  // namespace crossboard::draughts::features
