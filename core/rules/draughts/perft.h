// The inner loop of draughts perft, compiled apart.
#pragma once

#include <cstdint>

#include "rules/draughts/position.h"
#include "rules/perft.h"

namespace crossboard::draughts {

std::uint64_t count_two_plies(const Position& position);

}  // namespace crossboard::draughts
