// Tests draws that depend on how a game came to its position.
#include "rules/past.h"

#include <algorithm>
#include <initializer_list>
#include <vector>

#include "check.h"
#include "rules/draughts/notation.h"
#include "rules/draughts/random_positions.h"

using namespace crossboard;
using draughts::Move;
using draughts::Position;

namespace {

constexpr DrawRules NO_RULES = {.repetitions = 0, .quiet_plies = 0, .max_plies = 0};

// A game that is being played, with its past.
struct Game {
    explicit Game(const char* fen) : position(draughts::parse_fen(fen)), past(position) {}

    void play(std::initializer_list<const char*> moves) {
        for (const char* text : moves) {
            const Move move = draughts::parse_move(position, text);
            const Position next = position.after(move);
            past.add(position, move, next);
            position = next;
        }
    }

    Position position;
    Past<Position> past;
};

// Two kings that step out and back: the start stands again after every four plies.
Game shuffling_kings() {
    return Game("B:WK32:BK1");
}
constexpr std::initializer_list<const char*> SHUFFLE = {"1-6", "32-27", "6-1", "27-32"};

void test_a_new_game_has_no_past() {
    const Game game = shuffling_kings();
    CHECK_EQUAL(game.past.plies(), 0);
    CHECK_EQUAL(game.past.quiet_plies(), 0);
    CHECK_EQUAL(game.past.repetitions(), 1);
    CHECK(game.past.draw(DrawRules{}) == Draw::none);
}

void test_third_time_draws_and_second_does_not() {
    Game game = shuffling_kings();
    game.play(SHUFFLE);
    CHECK_EQUAL(game.past.repetitions(), 2);
    CHECK(game.past.draw(DrawRules{}) == Draw::none);
    CHECK(game.past.draw({.repetitions = 2}) == Draw::repetition);
    game.play({"1-6", "32-27", "6-1"});
    CHECK_EQUAL(game.past.repetitions(), 2);
    CHECK(game.past.draw(DrawRules{}) == Draw::none);
    game.play({"27-32"});
    CHECK_EQUAL(game.past.repetitions(), 3);
    CHECK(game.past.draw(DrawRules{}) == Draw::repetition);
    CHECK(game.past.draw({.repetitions = 4}) == Draw::none);
    CHECK(game.past.draw(NO_RULES) == Draw::none);
}

void test_quiet_plies_draw() {
    Game game("B:WK32:BK1,8");
    const DrawRules rules = {.repetitions = 0, .quiet_plies = 4};
    game.play({"1-6", "32-27", "6-1"});
    CHECK_EQUAL(game.past.quiet_plies(), 3);
    CHECK(game.past.draw(rules) == Draw::none);
    game.play({"27-32"});
    CHECK_EQUAL(game.past.quiet_plies(), 4);
    CHECK(game.past.draw(rules) == Draw::quiet);
    game.play({"8-12"});  // a man's move
    CHECK_EQUAL(game.past.quiet_plies(), 0);
    CHECK_EQUAL(game.past.plies(), 5);
    CHECK(game.past.draw(rules) == Draw::none);
}

void test_a_capture_by_a_king_is_not_quiet() {
    Game game("B:W10,K32:BK1");
    game.play({"1-5", "32-27", "5-1", "27-32"});
    CHECK_EQUAL(game.past.quiet_plies(), 4);
    game.play({"1-6", "10x1"});
    CHECK_EQUAL(game.past.quiet_plies(), 0);
    CHECK_EQUAL(game.past.plies(), 6);
    Game capture("B:W15,K32:BK1");
    capture.play({"1-6", "15-10", "6x15"});
    CHECK_EQUAL(capture.past.quiet_plies(), 0);
    CHECK_EQUAL(capture.past.plies(), 3);
}

void test_eighty_quiet_plies_are_the_default() {
    Game game("B:WK32:BK1");
    const DrawRules rules = {.repetitions = 0};
    for (int i = 0; i < 19; ++i) game.play(SHUFFLE);
    game.play({"1-6", "32-27", "6-1"});
    CHECK(game.past.draw(rules) == Draw::none);
    game.play({"27-32"});
    CHECK_EQUAL(game.past.plies(), 80);
    CHECK(game.past.draw(rules) == Draw::quiet);
    CHECK(game.past.draw(NO_RULES) == Draw::none);
}

void test_length_draws_whatever_was_played() {
    Game game("B:W21,22:B1,2");
    const DrawRules rules = {.max_plies = 3};
    game.play({"1-5", "21-17"});
    CHECK(game.past.draw(rules) == Draw::none);
    game.play({"5-9"});
    CHECK(game.past.draw(rules) == Draw::length);
    CHECK(game.past.draw(DrawRules{}) == Draw::none);
}

void test_restart_forgets_everything() {
    Game game = shuffling_kings();
    game.play(SHUFFLE);
    game.play(SHUFFLE);
    game.past.restart(game.position);
    CHECK_EQUAL(game.past.plies(), 0);
    CHECK_EQUAL(game.past.quiet_plies(), 0);
    CHECK_EQUAL(game.past.repetitions(), 1);
    game.play(SHUFFLE);
    CHECK_EQUAL(game.past.repetitions(), 2);
}

// ---- the loop rule of the MP-Draughts laboratory

constexpr DrawRules LOOPS = {.repetitions = 0, .quiet_plies = 0, .loop_moves = 3};
// Both kings go round in circles: nobody takes a move back, though positions return.
constexpr std::initializer_list<const char*> CIRCLES = {"1-6", "32-27", "6-9", "27-24",
                                                        "9-5", "24-28", "5-1", "28-32"};

void test_moves_taken_back_by_both_sides_are_a_loop() {
    Game game = shuffling_kings();
    for (int i = 0; i < 3; ++i) game.play(CIRCLES);
    CHECK_EQUAL(game.past.plies(), 24);
    game.play({"1-6", "32-27", "6-1", "27-32", "1-6", "32-27", "6-1"});
    CHECK(game.past.draw(LOOPS) == Draw::none);  // White has gone back twice only
    game.play({"27-32"});
    CHECK(game.past.draw(LOOPS) == Draw::loop);
    CHECK(game.past.draw({.repetitions = 0, .quiet_plies = 0, .loop_moves = 4}) == Draw::none);
    CHECK(game.past.draw(NO_RULES) == Draw::none);
}

void test_no_loop_before_the_21st_ply() {
    Game game = shuffling_kings();
    for (int i = 0; i < 5; ++i) game.play(SHUFFLE);
    CHECK_EQUAL(game.past.plies(), 20);
    CHECK(game.past.draw(LOOPS) == Draw::none);
    game.play({"1-6"});
    CHECK(game.past.draw(LOOPS) == Draw::loop);
}

void test_going_round_in_circles_is_no_loop() {
    Game game = shuffling_kings();
    for (int i = 0; i < 10; ++i) game.play(CIRCLES);
    CHECK(game.past.draw(LOOPS) == Draw::none);
    CHECK(game.past.draw({.repetitions = 3, .quiet_plies = 0}) == Draw::repetition);
}

void test_one_side_alone_makes_no_loop() {
    Game game = shuffling_kings();
    for (int i = 0; i < 6; ++i)
        game.play({"1-6", "32-27", "6-1", "27-24", "1-6", "24-28", "6-1", "28-32"});
    CHECK(game.past.draw(LOOPS) == Draw::none);
}

void test_another_move_begins_the_count_anew() {
    Game game = shuffling_kings();
    for (int i = 0; i < 6; ++i) game.play(SHUFFLE);
    CHECK(game.past.draw(LOOPS) == Draw::loop);
    game.play({"1-5"});
    CHECK(game.past.draw(LOOPS) == Draw::none);
    game.play({"32-27", "5-1", "27-32", "1-5", "32-27"});
    CHECK(game.past.draw(LOOPS) == Draw::none);
    game.play({"5-1"});
    CHECK(game.past.draw(LOOPS) == Draw::loop);
}

void test_restart_forgets_loops() {
    Game game = shuffling_kings();
    for (int i = 0; i < 6; ++i) game.play(SHUFFLE);
    game.past.restart(game.position);
    for (int i = 0; i < 3; ++i) game.play(CIRCLES);
    CHECK(game.past.draw(LOOPS) == Draw::none);
    game.play({"1-6", "32-27", "6-1", "27-32"});
    CHECK(game.past.draw(LOOPS) == Draw::none);
}

// Against the plain definition, in king endings where nearly everything comes back.
void test_repetitions_equal_a_count_over_the_whole_game() {
    int most = 0;
    for (std::uint64_t item = 0; item < 200; ++item) {
        Random random(11, item);
        Position position = draughts::parse_fen("B:WK5,21:BK4,12");
        Past<Position> past(position);
        std::vector<Position> stood = {position};
        for (int ply = 0; ply < 150 && !position.is_over(); ++ply) {
            const Move move = position.move_at(random.below(position.count_moves()));
            const Position next = position.after(move);
            past.add(position, move, next);
            position = next;
            stood.push_back(position);
            const auto times = std::count(stood.begin(), stood.end(), position);
            CHECK_EQUAL(past.repetitions(), times) || check::note(draughts::format_fen(position));
            most = std::max(most, past.repetitions());
        }
    }
    CHECK(most >= 4);  // or the walk has shown nothing
}

}  // namespace

int main() {
    test_a_new_game_has_no_past();
    test_third_time_draws_and_second_does_not();
    test_quiet_plies_draw();
    test_a_capture_by_a_king_is_not_quiet();
    test_eighty_quiet_plies_are_the_default();
    test_length_draws_whatever_was_played();
    test_restart_forgets_everything();
    test_moves_taken_back_by_both_sides_are_a_loop();
    test_no_loop_before_the_21st_ply();
    test_going_round_in_circles_is_no_loop();
    test_one_side_alone_makes_no_loop();
    test_another_move_begins_the_count_anew();
    test_restart_forgets_loops();
    test_repetitions_equal_a_count_over_the_whole_game();
    return check::report();
}
