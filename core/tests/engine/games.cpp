// Tests games that the core plays: endings, forfeits, stops, seeds, and what choosers are told.
#include "engine/games.h"

#include <deque>
#include <string>

#include "check.h"
#include "engine/draughts_engines.h"
#include "eval/material.h"
#include "rules/draughts/notation.h"
#include "search/questions.h"

using namespace crossboard;
using namespace crossboard::slow;
using draughts::format_fen;
using draughts::Move;
using draughts::parse_fen;
using draughts::parse_move;

namespace {

using Game = PlayedGame<Position>;
using Phase = crossboard::Phase<Position>;
using Start = Opening<Position>;
using Poll = Chooser<Position>::Poll;

constexpr DrawRules NO_RULES = {.repetitions = 0, .quiet_plies = 0};

// Plays what it is told, and then gives up; remembers what it was asked.
class Scripted final : public Chooser<Position> {
  public:
    explicit Scripted(std::deque<std::string> script = {}) : script_(std::move(script)) {}

    void begin_game(std::uint64_t seed) override { seeds.push_back(seed); }
    Move choose(const Position& position, std::span<const Position> history, const Poll&) override {
        asked.push_back(position);
        histories.emplace_back(history.begin(), history.end());
        if (script_.empty()) throw Forfeit("nothing left to play");
        const Move move = parse_move(position, script_.front());
        script_.pop_front();
        return move;
    }

    std::vector<std::uint64_t> seeds;
    std::vector<Position> asked;
    std::vector<std::vector<Position>> histories;

  private:
    std::deque<std::string> script_;
};

Start from(const char* fen, std::vector<const char*> moves = {}) {
    Start opening{parse_fen(fen), {}};
    Position position = opening.start;
    for (const char* text : moves) {
        opening.moves.push_back(parse_move(position, text));
        position = position.after(opening.moves.back());
    }
    return opening;
}

Game play(Chooser<Position>& first, Chooser<Position>& second, const Start& opening,
          const DrawRules& rules = {}, std::uint64_t seed = 1, const Poll& poll = {}) {
    return GameTable<Position>(first, second, rules).play(opening, seed, poll);
}

Game play_random(std::uint64_t seed, const Start& opening = {}) {
    RandomChooser<Position> first, second;
    return play(first, second, opening, {}, seed);
}

std::string text_of(const Game& game) {
    std::string text;
    for (const Move& move : game.moves) text += draughts::format_move(move) + " ";
    return text;
}

// ---- endings

void test_who_cannot_move_has_lost() {
    for (const DrawRules& rules : {DrawRules{}, DrawRules{.max_plies = 1}}) {
        Scripted taker({"18x9"}), victim;
        const Game game = play(taker, victim, from("W:W18:B14"), rules);
        CHECK_EQUAL(game.ending, Ending::no_move);  // a won game is won, however long it was
        CHECK_EQUAL(game.winner, 0);
        CHECK_EQUAL(game.moves.size(), 1u);
        CHECK(victim.asked.empty());
    }
    Scripted victim, taker({"22x15"});
    const Game game = play(victim, taker, from("B:W22:B14", {"14-18"}));
    CHECK_EQUAL(game.ending, Ending::no_move);
    CHECK_EQUAL(game.winner, 1);
}

void test_an_opening_that_is_over_asks_nobody() {
    Scripted first, second;
    const Game game = play(first, second, from("B:W16,19:B12"));
    CHECK_EQUAL(game.ending, Ending::no_move);
    CHECK_EQUAL(game.winner, 1);
    CHECK(game.moves.empty());
    CHECK(first.asked.empty() && second.asked.empty());
}

void test_draws_end_games_by_their_rules() {
    const auto shuffle = [](const DrawRules& rules) {
        std::deque<std::string> ours, theirs;
        for (int i = 0; i < 30; ++i) {
            ours.insert(ours.end(), {"1-6", "6-1"});
            theirs.insert(theirs.end(), {"32-27", "27-32"});
        }
        Scripted first(ours), second(theirs);
        return play(first, second, from("B:WK32:BK1"), rules);
    };
    const auto check_draw = [&](const DrawRules& rules, Ending ending, std::size_t plies) {
        const Game game = shuffle(rules);
        CHECK_EQUAL(game.ending, ending);
        CHECK_EQUAL(game.moves.size(), plies);
        CHECK_EQUAL(game.winner, -1);
    };
    check_draw({}, Ending::repetition, 8);
    check_draw({.repetitions = 0, .quiet_plies = 6}, Ending::quiet, 6);
    check_draw({.repetitions = 0, .max_plies = 5}, Ending::length, 5);
    check_draw({.repetitions = 0, .loop_moves = 5}, Ending::loop, 21);
}

// ---- openings

void test_moves_of_the_opening_belong_to_the_game() {
    Scripted first, second({"29-25"});
    const Start opening = from("B:W21-32:B1-12", {"11-15", "22-18", "15x22", "25x18", "8-11"});
    const Game game = play(first, second, opening);
    CHECK_EQUAL(text_of(game), "11-15 22-18 15x22 25x18 8-11 29-25 ");
    // After five plies it is the turn of the side that moves second.
    CHECK_EQUAL(second.asked.size(), 1u);
    CHECK_EQUAL(first.asked.size(), 1u);
    CHECK_EQUAL(game.winner, 1);  // the first one had nothing left to play
}

void test_max_plies_count_the_opening() {
    const Start opening = from("B:W21-32:B1-12", {"11-15", "22-18"});
    RandomChooser<Position> first, second;
    CHECK_EQUAL(play(first, second, opening, {.max_plies = 2}).moves.size(), 2u);
    CHECK_EQUAL(play(first, second, opening, {.max_plies = 3}).moves.size(), 3u);
}

// ---- forfeits and stops

void test_a_forfeit_loses_for_its_reason_and_keeps_the_moves() {
    for (int side : {0, 1}) {
        Scripted quitter(side == 0 ? std::deque<std::string>{"1-6", "6-1"}
                                   : std::deque<std::string>{"32-27", "27-32"});
        RandomChooser<Position> other;
        Chooser<Position>* sides[2] = {&other, &other};
        sides[side] = &quitter;
        const Game game = play(*sides[0], *sides[1], from("B:WK32:BK1"), NO_RULES);
        CHECK_EQUAL(game.ending, Ending::forfeit);
        CHECK_EQUAL(game.winner, 1 - side);
        CHECK_EQUAL(game.reason, "nothing left to play");
        CHECK_EQUAL(game.moves.size(), side == 0 ? 4u : 5u);
    }
}

void test_stop_leaves_a_game_without_result() {
    int polls = 0;
    RandomChooser<Position> first, second;
    const Game game = play(first, second, {}, {}, 1, [&polls] { return ++polls == 5; });
    CHECK_EQUAL(game.ending, Ending::stopped);
    CHECK_EQUAL(game.winner, -1);
    CHECK_EQUAL(game.moves.size(), 4u);
}

void test_stop_reaches_into_a_search() {
    EngineChooser<Position> deep(
        std::make_shared<Tested>(Judge{}, EngineSettings{.table_megabytes = 0}), Limits{});
    int polls = 0;
    const Game game = play(deep, deep, {}, {}, 1, [&polls] { return ++polls >= 3; });
    CHECK_EQUAL(game.ending, Ending::stopped);
    CHECK(game.moves.empty());
}

// ---- seeds

void test_seeds_decide_random_games() {
    CHECK_EQUAL(text_of(play_random(7)), text_of(play_random(7)));
    CHECK(text_of(play_random(7)) != text_of(play_random(8)));
}

void test_each_side_has_a_seed_of_its_own() {
    Scripted first, second;
    play(first, second, {}, {}, 3);
    play(first, second, {}, {}, 4);
    play(first, second, {}, {}, 3);
    CHECK_EQUAL(first.seeds.size(), 3u);
    CHECK_EQUAL(second.seeds.size(), 3u);
    CHECK(first.seeds[0] != second.seeds[0]);
    CHECK(first.seeds[0] != first.seeds[1]);
    CHECK_EQUAL(first.seeds[0], first.seeds[2]);
    CHECK_EQUAL(second.seeds[0], second.seeds[2]);
}

// ---- what choosers are told

void test_history_begins_after_the_last_irreversible_move() {
    Scripted first({"6-1", "12-16", "1-6"}), second({"27-32", "32-27"});
    play(first, second, from("B:WK32:BK1,12", {"1-6", "32-27"}), NO_RULES);
    CHECK_EQUAL(first.histories.size(), 3u);
    const auto& begin = first.histories[0];
    CHECK_EQUAL(begin.size(), 2u);  // the opening's positions
    CHECK_EQUAL(format_fen(begin[0]), "B:WK32:BK1,12");
    CHECK_EQUAL(format_fen(begin[1]), "W:WK32:BK6,12");
    CHECK_EQUAL(second.histories[0].size(), 3u);
    CHECK_EQUAL(first.histories[1].size(), 4u);
    CHECK(first.histories[1].back() != first.asked[1]);  // the present is no history
    // 12-16 was a man's move.
    CHECK(second.histories[1].empty());
    CHECK_EQUAL(first.histories[2].size(), 1u);
    CHECK(first.histories[2][0] == second.asked[1]);
}

// A king down Black steps back: the game has been there, and a draw is better than that.
void test_an_engine_knows_the_history() {
    const Start opening = from("W:WK1,K2,K29:BK4", {"29-25", "4-8", "25-29"});
    EngineChooser<Position> black(make_engine(Material(), {.table_megabytes = 0}),
                                  Limits{.depth = 1});
    Scripted white;
    const Game game = play(white, black, opening);
    CHECK_EQUAL(text_of(game), "29-25 4-8 25-29 8-4 ");
    // Without a past nothing speaks for that move: another one comes first.
    const Position now = white.histories[0].back();
    CHECK(black.choose(now, {}, {}) != game.moves.back());
}

void test_an_engine_forgets_between_games() {
    const auto engine =
        std::make_shared<Tested>(Judge{50, 7}, EngineSettings{.table_megabytes = 1});
    EngineChooser<Position> chooser(engine, Limits{.depth = 5});
    const Start one = from("B:W21-32:B1-12", {"11-15"}), other = from("B:W21-32:B1-12", {"9-13"});
    const DrawRules rules = {.max_plies = 40};
    const std::string before = text_of(play(chooser, chooser, one, rules));
    play(chooser, chooser, other, rules);
    CHECK_EQUAL(text_of(play(chooser, chooser, one, rules)), before);
}

void test_an_only_move_is_played_without_a_search() {
    EngineChooser<Position> chooser(nullptr, Limits{});
    const Position forced = parse_fen("W:W18:B14");
    CHECK(chooser.choose(forced, {}, {}) == forced.move_at(0));
}

// ---- phases

std::shared_ptr<Selector<Position>> by_phases(std::vector<PhaseSelector<Position>::Role> roles) {
    return std::make_shared<PhaseSelector<Position>>(std::move(roles));
}

void test_phases_hold_by_pieces_and_balance() {
    const Position level = parse_fen("B:W21,22:B1,2"), up = parse_fen("B:W21:BK1"),
                   down = parse_fen("W:W21:BK1");
    CHECK(Phase{}.holds(level) && Phase{}.holds(up) && Phase{}.holds(Position()));
    CHECK((Phase{.least_pieces = 4}).holds(level));
    CHECK(!(Phase{.least_pieces = 5}).holds(level));
    CHECK((Phase{.most_pieces = 4}).holds(level));
    CHECK(!(Phase{.most_pieces = 3}).holds(level));
    const auto balances = [](const Position& position) {
        std::string held;
        for (const auto& [balance, letter] :
             {std::pair{Phase::Balance::any, '*'}, std::pair{Phase::Balance::ahead, '+'},
              std::pair{Phase::Balance::level, '='}, std::pair{Phase::Balance::behind, '-'}})
            if (Phase{.balance = balance}.holds(position)) held += letter;
        return held;
    };
    CHECK_EQUAL(balances(level), "*=");
    CHECK_EQUAL(balances(up), "*+");
    CHECK_EQUAL(balances(down), "*-");  // the same board, seen by the other side
}

void test_the_first_phase_that_holds_is_asked() {
    const auto late = std::make_shared<Scripted>(), rest = std::make_shared<Scripted>();
    SelectingChooser<Position> chooser(by_phases({{Phase{.most_pieces = 8}, 1}, {Phase{}, 0}}),
                                       {rest, late});
    Scripted other;
    play(chooser, other, {}, {}, 9);
    CHECK_EQUAL(late->asked.size(), 0u);
    CHECK_EQUAL(rest->asked.size(), 1u);
    play(chooser, other, from("B:W21,22:B1,2"), {}, 9);
    CHECK_EQUAL(late->asked.size(), 1u);
    CHECK_EQUAL(rest->asked.size(), 1u);
    CHECK_EQUAL(late->seeds.size(), 2u);  // every member hears of every game
    CHECK(late->seeds == rest->seeds);
}

void test_no_phase_that_holds_loses_the_game() {
    SelectingChooser<Position> chooser(by_phases({{Phase{.most_pieces = 8}, 0}}),
                                       {std::make_shared<RandomChooser<Position>>()});
    RandomChooser<Position> other;
    const Game game = play(chooser, other, {});
    CHECK_EQUAL(game.ending, Ending::forfeit);
    CHECK_EQUAL(game.winner, 1);
    CHECK_EQUAL(game.reason, "no phase of the player fits the position");
}

}  // namespace

int main() {
    test_who_cannot_move_has_lost();
    test_an_opening_that_is_over_asks_nobody();
    test_draws_end_games_by_their_rules();
    test_moves_of_the_opening_belong_to_the_game();
    test_max_plies_count_the_opening();
    test_a_forfeit_loses_for_its_reason_and_keeps_the_moves();
    test_stop_leaves_a_game_without_result();
    test_stop_reaches_into_a_search();
    test_seeds_decide_random_games();
    test_each_side_has_a_seed_of_its_own();
    test_history_begins_after_the_last_irreversible_move();
    test_an_engine_knows_the_history();
    test_an_engine_forgets_between_games();
    test_an_only_move_is_played_without_a_search();
    test_phases_hold_by_pieces_and_balance();
    test_the_first_phase_that_holds_is_asked();
    test_no_phase_that_holds_loses_the_game();
    return check::report();
}
