// Plays whole games of Duchess in the core, with every assertion on: at random, and by search.
#include <cstdlib>
#include <memory>

#include "check.h"
#include "engine/games.h"
#include "eval/duchess/random_weights.h"
#include "rules/duchess/notation.h"

using namespace crossboard;
using namespace crossboard::duchess;

namespace {

const auto NEVER = [] { return false; };

// What must hold at every position, with the evaluation's sums as they were carried to it.
template <int Players>
void check_position(const Position& position, const OneLayer<Players>& evaluator,
                    const typename OneLayer<Players>::State& state) {
    CHECK(state == evaluator.begin(position));
    CHECK_EQUAL(evaluator.evaluate(position, state), evaluator.evaluate(position));
    CHECK_EQUAL(parse_position(format_position(position)).key(), position.key());
}

// Replays a game and checks each of its positions, and that it ended as the last one says.
template <int Players>
void check_game(const PlayedGame<Position>& game, OneLayer<Players> evaluator) {
    Position position(Players);
    auto state = evaluator.begin(position);
    for (const Move& move : game.moves) {
        const Position next = position.after(move);
        state = evaluator.after(state, position, move, next);
        position = next;
        check_position(position, evaluator, state);
    }
    CHECK_EQUAL(position.is_over(), game.ending == Ending::no_move);
    const int winner = position.winner() ? static_cast<int>(*position.winner()) : -1;
    CHECK_EQUAL(game.winner, game.ending == Ending::no_move ? winner : -1);
}

template <int Players>
void play_randomly(int games) {
    const auto evaluator = random_evaluation<Players>({.attack = true, .piece_square = true}, 1);
    RandomChooser<Position> first, second;
    GameTable<Position> table(first, second, DRAW_RULES);
    for (int i = 0; i < games; ++i)
        check_game(table.play({Position(Players), {}}, static_cast<std::uint64_t>(i), NEVER),
                   evaluator);
}

void test_games_by_search_end() {
    const auto evaluator = random_evaluation<4>({.attack = true}, 2);
    const EngineSettings settings{
        .search = {.quiescence = false, .killers = 1, .draws = DRAW_RULES}, .table_megabytes = 0};
    using Searching = EngineWith<Position, OneLayer<4>>;
    const Limits limits{.depth = 1, .floors = {{8, 2}}};
    EngineChooser<Position> first(std::make_shared<Searching>(evaluator, settings), limits);
    RandomChooser<Position> second;
    GameTable<Position> table(first, second, DRAW_RULES);
    for (std::uint64_t seed : {0, 1, 2})
        check_game(table.play({Position(), {}}, seed, NEVER), evaluator);
}

void test_board_on_which_nobody_can_move_is_drawn() {
    const Position dead = parse_position(
        "4; 1:K1e1; 2:K2e1 Q1c2; 3:K4e1 Q2d2 B2b4 R5e3 R5d3; 4:K5e1 Q4d2 R4b2; turn 1");
    RandomChooser<Position> chooser;
    const auto game = GameTable<Position>(chooser, chooser, DRAW_RULES).play({dead, {}}, 0, NEVER);
    CHECK(game.ending == Ending::no_move);
    CHECK_EQUAL(game.winner, -1);
}

}  // namespace

// The number of random games may be given: 10,000 have been played once.
int main(int count, char** words) {
    const int games = count > 1 ? std::atoi(words[1]) : 200;
    play_randomly<4>(games - games / 4);
    play_randomly<6>(games / 4);
    test_games_by_search_end();
    test_board_on_which_nobody_can_move_is_drawn();
    return check::report();
}
