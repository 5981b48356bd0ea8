// Tests games with a clock: what choosers are told, how their time is counted, losses on time.
#include <chrono>
#include <thread>

#include "check.h"
#include "engine/draughts_engines.h"
#include "engine/games.h"
#include "eval/material.h"
#include "search/questions.h"

using namespace crossboard;
using namespace crossboard::slow;
using draughts::Move;

namespace {

using Game = PlayedGame<Position>;

// Takes its time over the first legal move; remembers what it was told.
class Slow final : public Chooser<Position> {
  public:
    explicit Slow(std::chrono::milliseconds pause, TimeKind kind = TimeKind::wall)
        : pause_(pause), kind_(kind) {}

    void begin_game(std::uint64_t) override {}
    void set_time(const GameTime& left) override { told.push_back(left); }
    TimeKind clock(TimeKind) const override { return kind_; }
    Move choose(const Position& position, std::span<const Position>, const Poll&) override {
        std::this_thread::sleep_for(pause_);
        return position.move_at(0);
    }

    std::vector<GameTime> told;

  private:
    std::chrono::milliseconds pause_;
    TimeKind kind_;
};

Game play(Chooser<Position>& first, Chooser<Position>& second, std::optional<TimeControl> control,
          int max_plies = 10) {
    return GameTable<Position>(first, second, DrawRules{.max_plies = max_plies}, control)
        .play({Position(), {}}, 1, {});
}

void test_a_side_out_of_time_loses() {
    Slow quick(std::chrono::milliseconds(0)), slow(std::chrono::milliseconds(60));
    const TimeControl control{{.seconds = 0.15, .increment = 0.001}};
    Game game = play(slow, quick, control);
    CHECK_EQUAL(game.ending, Ending::forfeit);
    CHECK_EQUAL(game.winner, 1);
    CHECK_EQUAL(game.reason, OUT_OF_TIME);
    CHECK(game.moves.size() <= 4u);  // the move that came too late is not played
    CHECK_EQUAL(game.moves.size() % 2, 0u);
    game = play(quick, slow, control);
    CHECK_EQUAL(game.winner, 0);
}

void test_every_side_is_told_what_it_has_left() {
    Slow one(std::chrono::milliseconds(20)), other(std::chrono::milliseconds(0));
    const TimeControl control{{.seconds = 60, .increment = 1, .moves = 40}};
    const Game game = play(one, other, control);
    CHECK_EQUAL(game.ending, Ending::length);
    CHECK_EQUAL(one.told.size(), 5u);
    CHECK_EQUAL(one.told[0].seconds, 60);
    for (std::size_t i = 1; i < one.told.size(); ++i)
        CHECK(one.told[i].seconds <= one.told[i - 1].seconds + 1 - 0.02);
    CHECK(other.told.back().seconds > one.told.back().seconds);
    CHECK_EQUAL(one.told.back().increment, 1);
    play(one, other, control);
    CHECK_EQUAL(one.told[5].seconds, 60);  // every game begins with all of it
}

void test_without_a_clock_nobody_is_told_of_one() {
    Slow one(std::chrono::milliseconds(0)), other(std::chrono::milliseconds(0));
    CHECK_EQUAL(play(one, other, {}).ending, Ending::length);
    CHECK(one.told.empty() && other.told.empty());
}

void test_waiting_is_no_work() {
    Slow sleeper(std::chrono::milliseconds(60), TimeKind::cpu), other(std::chrono::milliseconds(0));
    const TimeControl control{{.seconds = 0.05}, TimeKind::cpu};
    CHECK_EQUAL(play(sleeper, other, control).ending, Ending::length);
}

// Of its own accord it would search for ever.
void test_an_engine_divides_its_time() {
    for (const TimeKind clock : {TimeKind::wall, TimeKind::cpu}) {
        EngineChooser<Position> one(make_engine(Material(), {.table_megabytes = 1}),
                                    Limits{.clock = clock});
        Slow other(std::chrono::milliseconds(0));
        const TimeControl control{{.seconds = 2}, clock};
        const Game game = play(one, other, control, 30);
        CHECK(game.ending != Ending::stopped && !game.moves.empty());
    }
}

void test_a_clock_is_forgotten_with_its_game() {
    const Limits limits{.depth = 3};
    EngineChooser<Position> chooser(make_engine(Material(), {.table_megabytes = 0}), limits);
    const Game before = play(chooser, chooser, {}, 30);
    play(chooser, chooser, TimeControl{{.seconds = 0.001}}, 30);
    CHECK(play(chooser, chooser, {}, 30).moves == before.moves);
}

}  // namespace

int main() {
    test_a_side_out_of_time_loses();
    test_every_side_is_told_what_it_has_left();
    test_without_a_clock_nobody_is_told_of_one();
    test_waiting_is_no_work();
    test_an_engine_divides_its_time();
    test_a_clock_is_forgotten_with_its_game();
    return check::report();
}
