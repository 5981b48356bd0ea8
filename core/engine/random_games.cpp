// Random games of draughts, compiled for new and for old processors.
#include "engine/random_games.h"

#include "rules/clones.h"

namespace crossboard {

CROSSBOARD_CLONES RandomGames play_random_games(const draughts::Position& start,
                                                const DrawRules& rules, std::uint64_t seed,
                                                std::int64_t first, std::int64_t games) {
    return play_random_games<draughts::Position>(start, rules, seed, first, games);
}

}  // namespace crossboard
