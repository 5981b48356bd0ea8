// Tests what makes a player weaker: errors about the best moves, drawn from a seed.
#include "engine/noise.h"

#include <cmath>
#include <set>
#include <string>

#include "check.h"
#include "engine/chooser.h"
#include "engine/draughts_engines.h"
#include "eval/material.h"
#include "rules/draughts/notation.h"
#include "search/questions.h"

using namespace crossboard;
using namespace crossboard::slow;
using draughts::format_move;
using draughts::parse_fen;

namespace {

using Ranked = RankedMove<int>;

constexpr Value MAN = 1000;
constexpr int SEEDS = 4000;

// How often each of some moves of these values comes first, of SEEDS times.
std::vector<int> firsts(const std::vector<Value>& values, const Noise& noise) {
    std::vector<int> counts(values.size());
    for (int seed = 0; seed < SEEDS; ++seed) {
        std::vector<Ranked> best;
        for (std::size_t i = 0; i < values.size(); ++i)
            best.push_back({static_cast<int>(i), values[i], {}});
        misjudge(best, noise, MAN, Random(static_cast<std::uint64_t>(seed)));
        CHECK_EQUAL(best.size(), values.size());
        ++counts[static_cast<std::size_t>(best[0].move)];
    }
    return counts;
}

void test_errors_have_mean_0_deviation_1_and_ends() {
    Random random(1);
    double sum = 0, squares = 0;
    constexpr int COUNT = 20'000;
    for (int i = 0; i < COUNT; ++i) {
        const double error = draw_error(random);
        CHECK(std::abs(error) <= 3);
        sum += error, squares += error * error;
    }
    CHECK(std::abs(sum / COUNT) < 0.03);
    CHECK(std::abs(squares / COUNT - 1) < 0.04);
}

// Two errors of half a man differ by 0.71 men, so a man is 1.41 deviations: about 8 % of a normal
// distribution lie beyond.
void test_a_man_is_given_away_as_often_as_the_noise_says() {
    const auto counts = firsts({MAN, 0}, {.moves = 2, .hundredths = 50});
    CHECK(counts[1] > SEEDS / 20 && counts[1] < SEEDS / 10) || check::note(check::shown(counts));
    // Errors have ends: six deviations hide nothing.
    CHECK_EQUAL(firsts({3 * MAN + 1, 0}, {.moves = 2, .hundredths = 50})[1], 0);
}

void test_equal_moves_are_equally_likely() {
    for (int count : firsts({5, 5, 5, 5}, {.moves = 4, .hundredths = 1}))
        CHECK(count > SEEDS / 5 && count < SEEDS * 3 / 10);
}

void test_only_so_many_moves_are_chosen_from() {
    const auto counts = firsts({5, 5, 5, 5}, {.moves = 2, .hundredths = 100});
    CHECK(counts[0] > 0 && counts[1] > 0);
    CHECK_EQUAL(counts[2] + counts[3], 0);
    CHECK_EQUAL(firsts({5, 4, 3}, {})[0], SEEDS);
}

void test_a_win_is_taken_and_a_loss_avoided() {
    CHECK_EQUAL(firsts({won_in(1), won_in(3), 100 * MAN}, {.moves = 3, .hundredths = 100})[0],
                SEEDS);
    CHECK_EQUAL(firsts({0, lost_in(2)}, {.moves = 2, .hundredths = MAX_NOISE})[1], 0);
}

void test_noise_that_makes_no_sense_is_refused() {
    const auto refusal = [](const Noise& noise) {
        return check::message_of<std::invalid_argument>([&] { check_noise(noise); });
    };
    CHECK_EQUAL(refusal({.moves = 0}), "noise is over at least one move, not 0");
    for (int hundredths : {-1, MAX_NOISE + 1})
        CHECK_EQUAL(refusal({.moves = 2, .hundredths = hundredths}),
                    "noise is 0 to 10000 hundredths of a man, not " + std::to_string(hundredths));
    CHECK_EQUAL(refusal({.moves = 1000, .hundredths = MAX_NOISE}), "(no exception)");
}

// ---- engines and choosers

void test_an_engine_returns_the_chosen_move_with_its_value() {
    Tested engine(Judge{200, 5}, {.table_megabytes = 0});
    auto all = question(Position(), {.depth = 3}, 7);
    const auto honest = engine.ask(all).findings.best;
    std::set<std::string> chosen;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        auto asked = question(Position(), {.depth = 3});
        asked.noise = {.moves = 7, .hundredths = 300};
        asked.noise_seed = seed;
        const auto best = engine.ask(asked).findings.best;
        CHECK_EQUAL(best.size(), 1u);
        CHECK(engine.ask(asked).findings.best[0].move == best[0].move);
        chosen.insert(format_move(best[0].move));
        for (const auto& one : honest)
            if (one.move == best[0].move) CHECK_EQUAL(best[0].value, one.value);
    }
    CHECK(chosen.size() > 3);
}

std::string moves_of(EngineChooser<Position>& chooser, std::uint64_t seed) {
    chooser.begin_game(seed);
    std::string text;
    Position position;
    for (int ply = 0; ply < 12; ++ply) {
        const auto move = chooser.choose(position, {}, {});
        text += format_move(move) + " ";
        position = position.after(move);
    }
    return text;
}

void test_a_game_with_noise_depends_on_its_seed() {
    EngineChooser<Position> chooser(make_engine(Material(), {.table_megabytes = 0}),
                                    Limits{.depth = 2}, false, {.moves = 20, .hundredths = 50});
    CHECK_EQUAL(moves_of(chooser, 1), moves_of(chooser, 1));
    std::set<std::string> games;
    for (std::uint64_t seed = 0; seed < 10; ++seed) games.insert(moves_of(chooser, seed));
    CHECK(games.size() > 7);
}

}  // namespace

int main() {
    test_errors_have_mean_0_deviation_1_and_ends();
    test_a_man_is_given_away_as_often_as_the_noise_says();
    test_equal_moves_are_equally_likely();
    test_only_so_many_moves_are_chosen_from();
    test_a_win_is_taken_and_a_loss_avoided();
    test_noise_that_makes_no_sense_is_refused();
    test_an_engine_returns_the_chosen_move_with_its_value();
    test_a_game_with_noise_depends_on_its_seed();
    return check::report();
}
