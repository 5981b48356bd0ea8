// Tests batches of random games: results add up, seeds repeat, cuts do not matter.
#include "engine/random_games.h"

#include "check.h"
#include "rules/draughts/notation.h"

using namespace crossboard;
using draughts::parse_fen;
using draughts::Position;

namespace {

bool is_same(const RandomGames& a, const RandomGames& b) {
    return a.first_side_wins == b.first_side_wins && a.second_side_wins == b.second_side_wins &&
           a.draws == b.draws && a.plies == b.plies;
}

RandomGames sum(const RandomGames& a, const RandomGames& b) {
    return {a.first_side_wins + b.first_side_wins, a.second_side_wins + b.second_side_wins,
            a.draws + b.draws, a.plies + b.plies};
}

void test_every_game_has_one_result() {
    const RandomGames games = play_random_games(Position(), DrawRules{}, 1, 0, 1000);
    CHECK_EQUAL(games.first_side_wins + games.second_side_wins + games.draws, 1000);
    CHECK(games.first_side_wins > 300);
    CHECK(games.second_side_wins > 300);
    CHECK(games.draws > 0);
    CHECK(games.plies > 1000 * 20);
}

void test_same_seed_same_games() {
    const RandomGames games = play_random_games(Position(), DrawRules{}, 7, 0, 200);
    CHECK(is_same(play_random_games(Position(), DrawRules{}, 7, 0, 200), games));
    CHECK(!is_same(play_random_games(Position(), DrawRules{}, 8, 0, 200), games));
    CHECK(!is_same(play_random_games(Position(), DrawRules{}, 7, 200, 200), games));
}

void test_a_batch_cut_in_two_sums_to_the_whole() {
    const RandomGames whole = play_random_games(Position(), DrawRules{}, 3, 50, 100);
    for (std::int64_t cut : {0, 1, 37, 99, 100}) {
        const RandomGames left = play_random_games(Position(), DrawRules{}, 3, 50, cut);
        const RandomGames right =
            play_random_games(Position(), DrawRules{}, 3, 50 + cut, 100 - cut);
        CHECK(is_same(sum(left, right), whole)) || check::note("cut " + std::to_string(cut));
    }
}

void test_no_games_no_results() {
    CHECK(is_same(play_random_games(Position(), DrawRules{}, 3, 0, 0), RandomGames{}));
}

void test_a_side_that_cannot_move_has_lost_at_once() {
    const RandomGames black = play_random_games(parse_fen("B:W16,19:B12"), DrawRules{}, 1, 0, 10);
    CHECK(is_same(black, {.second_side_wins = 10}));
    const RandomGames white = play_random_games(parse_fen("W:W:B1"), DrawRules{}, 1, 0, 10);
    CHECK(is_same(white, {.second_side_wins = 10}));
}

void test_the_winner_is_counted_from_the_side_to_move() {
    const RandomGames one = play_random_games(parse_fen("W:W18:B14"), DrawRules{}, 1, 0, 10);
    CHECK(is_same(one, {.first_side_wins = 10, .plies = 10}));
    const RandomGames lost = play_random_games(parse_fen("B:W14:B5"), DrawRules{}, 1, 0, 10);
    CHECK(is_same(lost, {.second_side_wins = 10, .plies = 20}));
}

void test_draw_rules_are_kept() {
    const DrawRules length = {.max_plies = 5};
    CHECK(is_same(play_random_games(Position(), length, 1, 0, 10), {.draws = 10, .plies = 50}));
    const DrawRules quiet = {.repetitions = 0, .quiet_plies = 6};
    const Position kings = parse_fen("B:WK32:BK1");
    CHECK(is_same(play_random_games(kings, quiet, 1, 0, 10), {.draws = 10, .plies = 60}));
    // Two kings without the other rules: only a position that comes back ends so short a game.
    const DrawRules twice = {.repetitions = 2, .quiet_plies = 0};
    const RandomGames repeated = play_random_games(kings, twice, 1, 0, 50);
    CHECK_EQUAL(repeated.draws + repeated.first_side_wins + repeated.second_side_wins, 50);
    CHECK(repeated.draws > 25);
    CHECK(repeated.plies < 50 * 100);
}

// Of the king's four steps only 6-1 shuts White in.
void test_each_move_is_equally_likely() {
    const DrawRules one_ply = {.max_plies = 1};
    const RandomGames games = play_random_games(parse_fen("B:W5:BK6"), one_ply, 1, 0, 10'000);
    CHECK_EQUAL(games.first_side_wins + games.draws, 10'000);
    // A quarter, give or take five standard deviations.
    CHECK(2'280 < games.first_side_wins && games.first_side_wins < 2'720);
}

}  // namespace

int main() {
    test_every_game_has_one_result();
    test_same_seed_same_games();
    test_a_batch_cut_in_two_sums_to_the_whole();
    test_no_games_no_results();
    test_a_side_that_cannot_move_has_lost_at_once();
    test_the_winner_is_counted_from_the_side_to_move();
    test_draw_rules_are_kept();
    test_each_move_is_equally_likely();
    return check::report();
}
