// The inner loop of Duchess perft, compiled apart.
#pragma once

#include <cstdint>

#include "rules/duchess/position.h"
#include "rules/perft.h"

namespace crossboard::duchess {

std::uint64_t count_two_plies(const Position& position);

}  // namespace crossboard::duchess
