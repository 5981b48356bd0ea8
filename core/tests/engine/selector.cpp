// Tests which evaluator is selected, and that the choice belongs to the game in progress.
#include "engine/selector.h"

#include <string>

#include "check.h"
#include "engine/chooser.h"
#include "rules/draughts/notation.h"

using namespace crossboard;
using draughts::Move;
using draughts::parse_fen;
using draughts::Position;

namespace {

using Phase = crossboard::Phase<Position>;
using Poll = Chooser<Position>::Poll;

const Position MANY, FOUR = parse_fen("B:W21,22:B1,2"), TWO = parse_fen("B:W21:B1"),
                     TWO_UP = parse_fen("B:W21:BK1");

// The opening's evaluator is the first. With few pieces another one is chosen, by their number, and
// kept to the end of the game.
class ChosenOnce final : public Selector<Position> {
  public:
    Choice select(const Position& position, Choice last) const override {
        if (last.value_or(0) != 0) return last;
        const int pieces = position.count_pieces();
        return pieces > 4 ? 0 : pieces == 4 ? 1 : 2;
    }
    std::size_t count() const override { return 3; }
};

// Plays anything, and counts how often it was asked.
class Counting final : public Chooser<Position> {
  public:
    void begin_game(std::uint64_t) override { ++games; }
    Move choose(const Position& position, std::span<const Position>, const Poll&) override {
        ++turns;
        return position.move_at(0);
    }

    int games = 0, turns = 0;
};

struct Seat {
    std::vector<std::shared_ptr<Counting>> members{
        std::make_shared<Counting>(), std::make_shared<Counting>(), std::make_shared<Counting>()};
    SelectingChooser<Position> chooser;

    explicit Seat(std::shared_ptr<const Selector<Position>> selector)
        : chooser(std::move(selector), {members[0], members[1], members[2]}) {}

    // Which member is asked about the position.
    std::size_t asked(const Position& position) {
        for (const auto& member : members) member->turns = 0;
        chooser.choose(position, {}, {});
        std::size_t found = members.size();
        for (std::size_t i = 0; i < members.size(); ++i)
            if (members[i]->turns) found = i;
        return found;
    }
};

// ---- phases

void test_the_first_phase_that_holds_decides() {
    const PhaseSelector<Position> selector(
        {{Phase{.most_pieces = 2, .balance = Phase::Balance::level}, 2},
         {Phase{.most_pieces = 8}, 0},
         {Phase{}, 2}});
    CHECK_EQUAL(selector.count(), 3u);
    for (const Choice last : {Choice(), Choice(0), Choice(2)}) {
        CHECK(selector.select(MANY, last) == Choice(2));
        CHECK(selector.select(FOUR, last) == Choice(0));
        CHECK(selector.select(TWO, last) == Choice(2));
        CHECK(selector.select(TWO_UP, last) == Choice(0));
    }
}

void test_where_no_phase_holds_there_is_no_choice() {
    CHECK(!PhaseSelector<Position>({}).select(MANY, {}));
    CHECK(!PhaseSelector<Position>({{Phase{.most_pieces = 8}, 0}}).select(MANY, Choice(0)));
}

// ---- the choice in a game

void test_a_choice_is_kept_between_moves_and_ends_with_the_game() {
    Seat seat(std::make_shared<ChosenOnce>());
    for (int game = 1; game <= 2; ++game) {
        seat.chooser.begin_game(7);
        CHECK_EQUAL(seat.asked(MANY), 0u);
        CHECK_EQUAL(seat.asked(FOUR), 1u);
        CHECK_EQUAL(seat.asked(TWO), 1u);
        for (const auto& member : seat.members) CHECK_EQUAL(member->games, game);
    }
    seat.chooser.begin_game(7);
    CHECK_EQUAL(seat.asked(TWO), 2u);
}

void test_games_at_once_do_not_share_a_choice() {
    const auto selector = std::make_shared<ChosenOnce>();
    Seat one(selector), other(selector);
    one.chooser.begin_game(1);
    CHECK_EQUAL(one.asked(FOUR), 1u);
    other.chooser.begin_game(1);
    CHECK_EQUAL(other.asked(TWO), 2u);
    CHECK_EQUAL(one.asked(TWO), 1u);
    CHECK_EQUAL(other.asked(FOUR), 2u);
}

void test_every_choice_needs_a_chooser() {
    const auto refusal = check::message_of<std::invalid_argument>([] {
        SelectingChooser<Position>(std::make_shared<ChosenOnce>(), {std::make_shared<Counting>()});
    });
    CHECK_EQUAL(refusal, "a selector among 3 needs as many choosers, not 1");
}

}  // namespace

int main() {
    test_the_first_phase_that_holds_decides();
    test_where_no_phase_holds_there_is_no_choice();
    test_a_choice_is_kept_between_moves_and_ends_with_the_game();
    test_games_at_once_do_not_share_a_choice();
    test_every_choice_needs_a_chooser();
    return check::report();
}
