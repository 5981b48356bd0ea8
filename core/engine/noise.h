// What makes a player weaker than its search: noise on the values of its best moves.
#pragma once

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

#include "rules/random.h"
#include "search/deepening.h"

namespace crossboard {

// Chosen: a hundred men, more than any noise needs.
constexpr int MAX_NOISE = 10'000;

struct Noise {
    int moves = 1;       // it chooses among so many best moves
    int hundredths = 0;  // of a man: the standard deviation of what it adds to each value
};

// Throws std::invalid_argument for noise that makes no sense.
inline void check_noise(const Noise& noise) {
    if (noise.moves < 1)
        throw std::invalid_argument("noise is over at least one move, not " +
                                    std::to_string(noise.moves));
    if (noise.hundredths < 0 || noise.hundredths > MAX_NOISE)
        throw std::invalid_argument("noise is 0 to " + std::to_string(MAX_NOISE) +
                                    " hundredths of a man, not " +
                                    std::to_string(noise.hundredths));
}

// Of mean 0 and standard deviation 1, never beyond 3: near a normal distribution, without its
// tails, so that no noise hides a piece for ever.
inline double draw_error(Random& random) {
    double sum = 0;
    for (int i = 0; i < 3; ++i) sum += static_cast<double>(random.next() >> 11) * 0x1p-52 - 1;
    return sum;
}

// Puts the move first that looks best with the noise; `man` is what a man counts among the values.
// A win that the search has found is taken: even a beginner sees it.
template <class Move>
void misjudge(std::vector<RankedMove<Move>>& best, const Noise& noise, Value man, Random random) {
    if (is_win(best[0].value)) return;
    const double width = static_cast<double>(noise.hundredths) / 100 * man;
    const std::size_t count = std::min(best.size(), static_cast<std::size_t>(noise.moves));
    std::size_t chosen = 0;
    double most = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const double apparent = best[i].value + width * draw_error(random);
        if (i == 0 || apparent > most) chosen = i, most = apparent;
    }
    const auto place = best.begin() + static_cast<std::ptrdiff_t>(chosen);
    std::rotate(best.begin(), place, place + 1);
}

}  // namespace crossboard
