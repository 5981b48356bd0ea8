// How long probing takes, without what it costs to call it from elsewhere.
#pragma once

#include <ctime>
#include <span>

#include "tables/endgame_tables.h"

namespace crossboard::tables {

// Seconds of processor time for probing all positions, which must have no capture, so often.
inline double probe_seconds(const EndgameTables& tables,
                            std::span<const draughts::Position> positions, int times) {
    const std::clock_t began = std::clock();
    std::int64_t sum = 0;
    for (int i = 0; i < times; ++i)
        for (const auto& position : positions) {
            const auto outcome = tables.probe_quiet(position);
            sum += outcome ? static_cast<int>(*outcome) : 3;
        }
    const volatile std::int64_t kept = sum;  // so that nothing is left out
    (void)kept;
    return static_cast<double>(std::clock() - began) / CLOCKS_PER_SEC;
}

}  // namespace crossboard::tables
