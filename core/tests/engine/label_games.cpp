// Tests games that label positions: which positions, with what results, from seeds alone.
#include "engine/label_games.h"

#include <cstdlib>

#include "check.h"
#include "eval/material.h"

using namespace crossboard;
using draughts::Position;

namespace {

constexpr LabelSettings SMALL{.nodes = 100, .samples = 2};
const EngineSettings ENGINE{.table_megabytes = 1};

LabelledGames play(std::uint64_t first, std::uint64_t end, const LabelSettings& settings = SMALL,
                   const std::function<bool()>& stop = {}) {
    const Position openings[] = {Position()};
    LabelTable<Material> table(Material(), ENGINE, settings, openings);
    LabelledGames games;
    for (std::uint64_t seed = first; seed < end; ++seed) table.play(seed, stop, games);
    return games;
}

bool is_same(const Label& one, const Label& other) {
    return one.position == other.position && one.value == other.value && one.result == other.result;
}

void test_positions_are_quiet_and_leave_a_choice() {
    const LabelledGames games = play(0, 10);
    CHECK(games.labels.size() > 200);
    for (const Label& label : games.labels) {
        CHECK(!label.position.has_capture());
        CHECK(label.position.count_moves() > 1);
    }
}

void test_each_game_has_one_result() {
    const LabelledGames games = play(0, 30);
    CHECK_EQUAL(games.wins[0] + games.wins[1] + games.draws, 30U);
    CHECK(games.wins[0] + games.wins[1] > 0);
    int known = 0, drawn = 0;
    for (const Label& label : games.labels) {
        const bool has_none = label.result == Label::UNKNOWN;
        (has_none ? drawn : known) += 1;
        if (!has_none) CHECK(std::abs(label.result) <= 1);
        // A win that a search has proved is one.
        if (!has_none && is_win(label.value)) CHECK_EQUAL(label.result, 1);
        if (!has_none && is_loss(label.value)) CHECK_EQUAL(label.result, -1);
    }
    CHECK(known > 0 && drawn > 0);
}

void test_a_game_depends_on_its_seed_alone() {
    const LabelledGames whole = play(3, 6), late = play(5, 6);
    CHECK(late.labels.size() > 0 && late.labels.size() < whole.labels.size());
    const std::size_t before = whole.labels.size() - late.labels.size();
    for (std::size_t i = 0; i < late.labels.size(); ++i)
        CHECK(is_same(whole.labels[before + i], late.labels[i]));
}

void test_a_game_that_is_stopped_leaves_nothing() {
    int left = 40;
    const LabelledGames games = play(0, 5, SMALL, [&left] { return --left < 0; });
    CHECK(games.wins[0] + games.wins[1] + games.draws < 5);
    const LabelledGames none = play(0, 5, SMALL, [] { return true; });
    CHECK(none.labels.empty());
    CHECK_EQUAL(none.draws, 0U);
}

void test_without_samples_all_positions_have_results() {
    LabelSettings settings = SMALL;
    settings.samples = 0;
    for (const Label& label : play(0, 5, settings).labels) CHECK(label.result != Label::UNKNOWN);
}

void test_the_sampler_takes_what_it_planned() {
    Sampler<int> sampler;
    Random random(1);
    int taken = 0;
    for (int round = 0; round < 1000; ++round) {
        sampler.plan(2, 10, random);
        for (int call = 1; call <= 10; ++call) sampler.see(call);
        taken += static_cast<int>(sampler.taken().size());
        for (const int call : sampler.taken()) CHECK(1 <= call && call <= 10);
    }
    CHECK(taken > 1850 && taken <= 2000);  // two that fall on one call are one
}

}  // namespace

int main() {
    test_positions_are_quiet_and_leave_a_choice();
    test_each_game_has_one_result();
    test_a_game_depends_on_its_seed_alone();
    test_a_game_that_is_stopped_leaves_nothing();
    test_without_samples_all_positions_have_results();
    test_the_sampler_takes_what_it_planned();
    return check::report();
}
