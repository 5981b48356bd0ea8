// Plays whole games of random moves in one call.
#pragma once

#include <cassert>
#include <cstdint>

#include "rules/draughts/position.h"
#include "rules/past.h"
#include "rules/position.h"
#include "rules/random.h"

namespace crossboard {

struct RandomGames {
    std::int64_t first_side_wins = 0;  // won by the side to move in the start position
    std::int64_t second_side_wins = 0;
    std::int64_t draws = 0;
    std::int64_t plies = 0;

    bool operator==(const RandomGames&) const = default;
    RandomGames& operator+=(const RandomGames& other) {
        first_side_wins += other.first_side_wins;
        second_side_wins += other.second_side_wins;
        draws += other.draws;
        plies += other.plies;
        return *this;
    }
};

// Plays games number first .. first+games-1 of the endless series that `seed` stands for, so that
// a batch gives the same games however it is cut. Each legal move is equally likely.
template <GamePosition P>
RandomGames play_random_games(const P& start, const DrawRules& rules, std::uint64_t seed,
                              std::int64_t first, std::int64_t games) {
    assert(first >= 0 && games >= 0 && rules.is_valid());
    RandomGames total;
    Past<P> past(start);
    for (std::int64_t game = first; game < first + games; ++game) {
        Random random(seed, static_cast<std::uint64_t>(game));
        P position = start;
        past.restart(start);
        for (;;) {
            const int moves = position.count_moves();
            if (moves == 0) {
                ++(!position.is_lost()     ? total.draws
                   : past.plies() % 2 == 0 ? total.second_side_wins
                                           : total.first_side_wins);
                break;
            }
            if (past.draw(rules) != Draw::none) {
                ++total.draws;
                break;
            }
            const auto move = position.move_at(random.below(moves));
            const P next = position.after(move);
            past.add(position, move, next);
            position = next;
        }
        total.plies += past.plies();
    }
    return total;
}

RandomGames play_random_games(const draughts::Position& start, const DrawRules& rules,
                              std::uint64_t seed, std::int64_t first, std::int64_t games);

}  // namespace crossboard
