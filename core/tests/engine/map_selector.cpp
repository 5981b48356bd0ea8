// Tests which specialist a map selects, when, and that it stays.
#include "engine/map_selector.h"

#include <limits>

#include "check.h"
#include "engine/chooser.h"
#include "rules/draughts/notation.h"

using namespace crossboard;
using namespace crossboard::draughts;
using features::BoardAttributes;

namespace {

using Phase = crossboard::Phase<Position>;

// Who is ahead decides: a specialist for each, and one who is told of neither.
const BoardAttributes BALANCE({"ufu.PieceAdvantage", "ufu.PieceDisadvantage"});
const std::vector<double> PROTOTYPES = {1, 0, 0, 1, 0, 0};
enum Unit : std::size_t { AHEAD, BEHIND, LEVEL };

std::shared_ptr<const Selector<Position>> two_phases() {
    return std::make_shared<PhaseSelector<Position>>(
        std::vector<PhaseSelector<Position>::Role>{{Phase{.least_pieces = 20}, 0}, {Phase{}, 1}});
}

MapSelector selector(bool keeps, std::vector<double> prototypes = PROTOTYPES) {
    return MapSelector(two_phases(), BALANCE, std::move(prototypes),
                       {.most_pieces = 12, .keeps = keeps});
}

const Position START, MEN_13 = parse_fen("B:W21,22,23,24,25,26,27:B1,2,3,4,5,6"),
                      LEVEL_12 = parse_fen("B:W21,22,23,24,25,26:B1,2,3,4,5,6"),
                      AHEAD_11 = parse_fen("B:W21,22,23,24,25:B1,2,3,4,5,6"),
                      AHEAD_11_WHITE = parse_fen("W:W27,28,29,30,31,32:B8,9,10,11,12"),
                      BEHIND_11 = parse_fen("W:W21,22,23,24,25:B1,2,3,4,5,6");

Choice unit(std::size_t number) {
    return two_phases()->count() + number;
}

void test_down_to_thirteen_pieces_the_phases_decide() {
    const MapSelector map = selector(true);
    CHECK_EQUAL(map.count(), 5u);
    CHECK_EQUAL(map.units(), 3u);
    CHECK(map.select(START, {}) == Choice(0));
    CHECK(map.select(MEN_13, Choice(0)) == Choice(1));
    CHECK(map.select(MEN_13, {}) == Choice(1));
}

void test_with_twelve_or_fewer_the_nearest_prototype_decides() {
    const MapSelector map = selector(true);
    for (const Choice last : {Choice(), Choice(0), Choice(1)}) {
        CHECK(map.select(LEVEL_12, last) == unit(LEVEL));
        CHECK(map.select(AHEAD_11, last) == unit(AHEAD));
        CHECK(map.select(AHEAD_11_WHITE, last) == unit(AHEAD));
        CHECK(map.select(BEHIND_11, last) == unit(BEHIND));
    }
}

void test_a_choice_is_kept_or_made_anew() {
    for (const std::size_t chosen : {AHEAD, BEHIND, LEVEL})
        for (const Position* position : {&LEVEL_12, &AHEAD_11, &BEHIND_11}) {
            CHECK(selector(true).select(*position, unit(chosen)) == unit(chosen));
            CHECK(selector(false).select(*position, unit(chosen)) ==
                  selector(false).select(*position, {}));
        }
}

void test_the_first_of_equals_is_the_nearest() {
    CHECK(selector(true, {0, 1, 0, 0, 1, 0, 0, 0}).select(LEVEL_12, {}) == unit(1));
    CHECK(selector(true, {0.5, 0, 0, 0.5}).select(LEVEL_12, {}) == unit(0));
    CHECK(selector(true, {0, 0.5, 0.5, 0}).select(AHEAD_11, {}) == unit(1));
}

void test_what_is_no_map_is_refused() {
    const auto refusal = [](std::vector<double> prototypes) {
        return check::message_of<std::invalid_argument>(
            [&] { selector(true, std::move(prototypes)); });
    };
    CHECK_EQUAL(refusal({}), "prototypes are rows of 2 attributes, not 0 numbers");
    CHECK_EQUAL(refusal({1, 2, 3}), "prototypes are rows of 2 attributes, not 3 numbers");
    for (const double number :
         {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()})
        CHECK_EQUAL(refusal({0, number}), "a prototype has an attribute that is no finite number");
}

// ---- in games

// Plays anything, and notes that it was asked.
class Noting final : public Chooser<Position> {
  public:
    void begin_game(std::uint64_t) override { ++games; }
    Move choose(const Position& position, std::span<const Position>, const Poll&) override {
        ++turns;
        return position.move_at(0);
    }

    int games = 0, turns = 0;
};

// The phases' agents and one specialist share a chooser; the other two specialists share another.
struct Seat {
    std::shared_ptr<Noting> main = std::make_shared<Noting>(), other = std::make_shared<Noting>();
    SelectingChooser<Position> chooser;

    explicit Seat(std::shared_ptr<const Selector<Position>> map)
        : chooser(std::move(map), {main, main, main, other, other}) {}

    bool asks_main(const Position& position) {
        const int before = main->turns;
        chooser.choose(position, {}, {});
        return main->turns > before;
    }
};

void test_a_specialist_that_is_the_main_agent_stays_too() {
    Seat seat(std::make_shared<MapSelector>(selector(true)));
    for (int game = 1; game <= 2; ++game) {
        seat.chooser.begin_game(1);
        CHECK(seat.asks_main(START));
        CHECK(seat.asks_main(AHEAD_11));  // the specialist for boards ahead: the main agent
        CHECK(seat.asks_main(BEHIND_11));
        CHECK_EQUAL(seat.main->games, game);
        CHECK_EQUAL(seat.other->games, game);
    }
    seat.chooser.begin_game(1);
    CHECK(!seat.asks_main(BEHIND_11));
    CHECK(!seat.asks_main(AHEAD_11));
}

void test_games_at_once_do_not_share_a_specialist() {
    const auto map = std::make_shared<MapSelector>(selector(true));
    Seat one(map), other(map);
    CHECK(one.asks_main(AHEAD_11));
    CHECK(!other.asks_main(BEHIND_11));
    CHECK(one.asks_main(BEHIND_11));
    CHECK(!other.asks_main(AHEAD_11));
}

}  // namespace

int main() {
    test_down_to_thirteen_pieces_the_phases_decide();
    test_with_twelve_or_fewer_the_nearest_prototype_decides();
    test_a_choice_is_kept_or_made_anew();
    test_the_first_of_equals_is_the_nearest();
    test_what_is_no_map_is_refused();
    test_a_specialist_that_is_the_main_agent_stays_too();
    test_games_at_once_do_not_share_a_specialist();
    return check::report();
}
