// Tests weighted sums of features.
#include "eval/linear.h"

#include <limits>

#include "check.h"
#include "engine/draughts_engines.h"
#include "rules/draughts/notation.h"
#include "rules/draughts/random_positions.h"

using namespace crossboard;
using namespace crossboard::draughts;

static_assert(Evaluator<Linear, Position>);

namespace {

constexpr double NOT_A_NUMBER = std::numeric_limits<double>::quiet_NaN();

void test_value_is_minus_the_sum_in_units() {
    const std::vector<std::string> names = {"draft5.piece", "draft5.mob", "samuel.adv"};
    const double weights[] = {100, 3.5, -7};
    const Linear linear(names, weights, 100);
    Random random(1);
    for (int i = 0; i < 1000; ++i) {
        const Position position = random_setup(random);
        const features::Board board(position);
        double sum = 0;
        for (std::size_t k = 0; k < names.size(); ++k)
            sum += weights[k] * features::by_name(names[k]).value(board);
        CHECK_EQUAL(linear.evaluate(position), std::lround(-sum * 10)) ||
            check::note(format_fen(position));
        CHECK_EQUAL(linear.evaluate(position), linear.evaluate(position.mirrored()));
    }
    CHECK_EQUAL(linear.units(), 1000);
}

void test_values_stay_within_the_search() {
    const Position position = parse_fen("W:W30:B1,2");
    for (double weight : {1e9, 1e300, 1e305}) {
        CHECK_EQUAL(Linear({"draft5.piece"}, std::vector{weight}, 1e5).evaluate(position),
                    weight == 1e9 ? -10'000'000 : -MAX_EVALUATION);
        CHECK_EQUAL(Linear({"draft5.piece"}, std::vector{-weight}, 1e5).evaluate(position),
                    weight == 1e9 ? 10'000'000 : MAX_EVALUATION);
    }
    CHECK_EQUAL(Linear({}, {}, 1).evaluate(position), 0);
}

void test_nonsense_is_refused() {
    const auto refusal = [](std::vector<std::string> names, std::vector<double> weights,
                            double man) {
        return check::message_of<std::invalid_argument>([&] { Linear(names, weights, man); });
    };
    CHECK_EQUAL(refusal({"draft5.mob"}, {}, 1), "1 features need as many weights, not 0");
    CHECK_EQUAL(refusal({"draft5.mob", "draft5.mob"}, {1, 2}, 1), "draft5.mob is named twice");
    for (double weight : {NOT_A_NUMBER, std::numeric_limits<double>::max(), -1.1e300})
        CHECK(refusal({"draft5.mob"}, {weight}, 1)
                  .starts_with("the weight of draft5.mob is at most 1e+300 men, not "));
    for (double man : {0.0, -1.0, NOT_A_NUMBER, std::numeric_limits<double>::infinity(), 5e-324})
        CHECK(refusal({"draft5.mob"}, {1}, man).starts_with("the weight of a man must be"));
}

void test_an_engine_searches_with_it() {
    const Linear linear({"draft5.piece", "draft5.king"}, std::vector<double>{100, 150}, 100);
    const auto engine = make_engine(linear, {.table_megabytes = 1});
    Question<Position> question;
    question.position = parse_fen("B:W18,26,27:B15");
    question.limits = {.depth = 5};
    // 15x22x31 wins two men and crowns: a king against a man.
    CHECK_EQUAL(engine->ask(question).findings.best[0].value, 500);
    CHECK_EQUAL(engine->units(), 1000);
}

}  // namespace

int main() {
    test_value_is_minus_the_sum_in_units();
    test_values_stay_within_the_search();
    test_nonsense_is_refused();
    test_an_engine_searches_with_it();
    return check::report();
}
