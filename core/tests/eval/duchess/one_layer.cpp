// Tests Duchess's evaluation: carried, from scratch, and by its features.
#include "eval/duchess/one_layer.h"

#include <cmath>
#include <map>

#include "check.h"
#include "eval/duchess/random_weights.h"
#include "rules/duchess/notation.h"
#include "rules/duchess/random_positions.h"
#include "search/evaluator.h"

using namespace crossboard;
using namespace crossboard::duchess;

static_assert(CumulativeEvaluator<OneLayer<4>, Position>);
static_assert(CumulativeEvaluator<OneLayer<6>, Position>);
static_assert(!CumulativeEvaluator<FromScratch<4>, Position>);
static_assert(OneLayer<4>::MOST == MAX_EVALUATION);

namespace {

constexpr Design STAGES[] = {{},
                             {.attack = true},
                             {.attack = true, .piece_square = true},
                             {.attack_modes = true, .piece_square = true},
                             {.king_reach = true},
                             {.attack = true, .piece_square = true, .king_reach = true}};

template <int Players>
void check_walk(OneLayer<Players> evaluator, std::uint64_t seed) {
    typename OneLayer<Players>::State state;
    Position last(Players == 4 ? 6 : 4);
    walk_randomly(seed, 8, [&](const Position& position, const Move& move, const Position& next) {
        if (position.players() != Players) return;
        if (!(position == last)) state = evaluator.begin(position);
        // Not only what was played: everything that a search could have tried.
        for (const Move& other : position.legal_moves()) {
            const Position tried = position.after(other);
            CHECK(evaluator.after(state, position, other, tried) == evaluator.begin(tried)) ||
                check::note(format_position(position) + " " + format_move(other));
        }
        state = evaluator.after(state, position, move, next);
        CHECK_EQUAL(evaluator.evaluate(next, state), evaluator.evaluate(next)) ||
            check::note(format_position(next));
        last = next;
    });
}

void test_carried_sums_equal_those_from_scratch() {
    for (const Design& design : STAGES) {
        check_walk(random_evaluation<4>(design, 1), 2);
        check_walk(random_evaluation<6>(design, 3), 4);
    }
}

template <int Players>
void check_features(const Design& design, std::uint64_t seed) {
    const auto evaluator = random_evaluation<Players>(design, seed);
    const auto weights = random_weights(evaluator.layout(), seed);
    walk_randomly(seed, 6, [&](const Position&, const Move&, const Position& position) {
        if (position.players() != Players) return;
        double sum = 0;
        for_each_feature(evaluator.layout(), position,
                         [&](int weight, int value) { sum += weights[weight] * value; });
        CHECK_EQUAL(evaluator.evaluate(position), std::lround(sum * OneLayer<Players>::UNITS)) ||
            check::note(format_position(position));
    });
}

void test_value_is_the_weighted_sum_of_the_features() {
    for (const Design& design : STAGES) {
        check_features<4>(design, 5);
        check_features<6>(design, 6);
    }
}

void test_the_board_looks_the_same_from_rotated_seats() {
    const Design design{.attack = true, .piece_square = true, .king_reach = true};
    const auto four = random_evaluation<4>(design, 7);
    const auto six = random_evaluation<6>(design, 8);
    walk_randomly(9, 6, [&](const Position&, const Move&, const Position& position) {
        const Position rotated = position.rotated();
        if (position.players() == 4)
            CHECK_EQUAL(four.evaluate(rotated), four.evaluate(position));
        else
            CHECK_EQUAL(six.evaluate(rotated), six.evaluate(position));
    });
}

std::map<int, int> features_of(const Layout& layout, const char* text) {
    std::map<int, int> features;
    for_each_feature(layout, parse_position(text),
                     [&](int weight, int value) { features[weight] += value; });
    std::erase_if(features, [](const auto& entry) { return entry.second == 0; });
    return features;
}

void test_stage_one_features_of_a_board() {
    const Layout layout({});
    // The third player is to move: the first is his partner, and both teams' kings cancel out.
    const auto features =
        features_of(layout, "4; 1:K1a1 W1c1 Q1c2; 2:K2a1 N2c1; 3:K4a1 W4c1 P4c4; 4:K5a1; turn 3");
    const Position board = parse_position("4; 1:K1a1; 2:K2a1; 3:K4a1; 4:K5a1; turn 3");
    const int pawn = layout.cell(*parse_cell("4c4"), board.turn());
    CHECK_EQUAL(pawn, layout.cell(*parse_cell("1c4"), 0));
    const std::map<int, int> expected = {{layout.material(0, Kind::queen), 1},
                                         {layout.material(0, Kind::knight), -1},
                                         {layout.material(0, Kind::wizard), 2},
                                         {layout.material(0, Kind::pawn), 1},
                                         {layout.pawn_square(0, 0, pawn), 1},
                                         {layout.wizards(0, 0), 1},
                                         {layout.bias(0), 1}};
    CHECK(features == expected);
}

void test_check_and_mate_count_together() {
    const Layout layout({});
    // The first player is mated by the second, who sits at his left and moves next.
    const auto features =
        features_of(layout, "4; 1:K1e1; 2:K2a1 Q1d2 R1b2; 3:K4a1; 4:K5a1; turn 2");
    CHECK_EQUAL(features.at(layout.check(1, 3)), 1);
    CHECK_EQUAL(features.at(layout.checkmate(1, 3)), 1);
    CHECK(!features.contains(layout.check(1, 0)) && !features.contains(layout.checkmate(1, 1)));
}

void test_moves_to_kings_of_a_board() {
    const Layout layout({.king_reach = true});
    // Own kings do not count, nor do kings on their way to others.
    const auto features =
        features_of(layout, "4; 1:K1a1 R1b1; 2:K2a1; 3:K4a1; 4:K5a1 P1a3; turn 4");
    const auto reach = [&](Kind who, int whose, int of_whom, int moves) {
        return layout.king_reach(1, who, whose, of_whom, moves - 1);
    };
    const std::map<int, int> ways(features.lower_bound(reach(Kind::king, 0, 0, 1)), features.end());
    // The pawn steps and captures: to 1a2 and on to 1a1. Lines of a rook cross where those of two
    // neighbouring sectors meet.
    CHECK_EQUAL(ways.at(reach(Kind::pawn, 0, 1, 2)), 1);
    CHECK_EQUAL(ways.at(reach(Kind::pawn, 0, 3, 4)), 1);
    CHECK_EQUAL(ways.size(), std::size_t{4});
    int rook = 0;
    for (const auto& [weight, count] : ways)
        for (int whom : {0, 2})
            for (int moves : {1, 2, 3, 4})
                if (weight == reach(Kind::rook, 1, whom, moves)) rook += moves;
    CHECK(rook >= 2 * 2 && rook <= 2 * 4);
}

void test_attacks_of_a_board() {
    const Layout layout({.attack = true});
    const auto features =
        features_of(layout, "4; 1:K1a1 R1c1 P1c3; 2:K2a1 N2c1 Q2c4; 3:K4a1; 4:K5a1; turn 1");
    const auto attack = [&](Kind who, int whose, Kind whom, int of_whom) {
        return layout.attack(0, Mode::rook, who, whose, whom, of_whom);
    };
    const std::map<int, int> attacks(features.lower_bound(attack(Kind::king, 0, Kind::king, 0)),
                                     features.end());
    // Along 1c1-1c3 the rook defends the pawn, along rank 1 his king; the queen defends the knight,
    // and the other way there is nobody.
    const std::map<int, int> expected = {{attack(Kind::rook, 0, Kind::pawn, 0), 1},
                                         {attack(Kind::rook, 0, Kind::king, 0), 1},
                                         {attack(Kind::queen, 1, Kind::knight, 1), 1}};
    CHECK(attacks == expected);
}

void test_gradient_is_what_a_weight_moves() {
    const Layout layout({.attack = true, .piece_square = true});
    const auto weights = random_weights(layout, 11);
    const OneLayer<4> evaluator(layout, weights);
    Random random(12);
    for (int i = 0; i < 40; ++i) {
        const Position position = random_setup(random, 4);
        std::vector<double> sums(layout.size());
        evaluator.add_gradient(position, 0.5, sums);
        for (int k = 0; k < 10; ++k) {
            const int weight = random.below(layout.size());
            auto moved = weights;
            moved[weight] += 0.01;
            const int change =
                OneLayer<4>(layout, moved).evaluate(position) - evaluator.evaluate(position);
            CHECK_EQUAL(change, std::lround(sums[weight] * 2 * 0.01 * OneLayer<4>::UNITS));
        }
    }
}

void test_sizes_are_the_papers() {
    const auto size = [](const Design& design, const char* name) {
        const Layout layout(design);
        for (const Group& group : layout.groups())
            if (group.name == name) return group.size;
        return 0;
    };
    const Design full{.attack = true, .piece_square = true};
    CHECK_EQUAL(size(full, "material"), 9);
    CHECK_EQUAL(size(full, "check") + size(full, "checkmate"), 8);
    CHECK_EQUAL(size(full, "attack"), 1296);
    CHECK_EQUAL(size(full, "piece_square"), 4212);
    CHECK_EQUAL(Layout(full).sets(), 2);
    const Design six{.players = 6, .attack = true, .piece_square = true};
    CHECK_EQUAL(size(six, "attack"), 9 * 6 * 9 * 6);
    CHECK_EQUAL(size(six, "piece_square"), 157 * 9 * 6);
    CHECK_EQUAL(size(six, "wizards"), 2);
    CHECK_EQUAL(Layout(six).sets(), 1);
}

void test_bad_weights_are_refused() {
    using Error = std::invalid_argument;
    const Layout layout({});
    std::vector<double> weights(static_cast<std::size_t>(layout.size()));
    CHECK_EQUAL(check::message_of<Error>([] { Layout({.players = 5}); }),
                "Duchess is for 4 or 6 players, not 5");
    CHECK_EQUAL(check::message_of<Error>([&] { OneLayer<6>(layout, weights); }),
                "the evaluation is for 6 players, the weights are for 4");
    weights[3] = std::nan("");
    CHECK_EQUAL(check::message_of<Error>([&] { OneLayer<4>(layout, weights); }),
                "a weight of material must be a number within +-2, not nan");
    weights.pop_back();
    CHECK_EQUAL(check::message_of<Error>([&] { OneLayer<4>(layout, weights); }),
                std::to_string(layout.size()) + " weights are needed, not " +
                    std::to_string(layout.size() - 1));
}

}  // namespace

int main() {
    test_carried_sums_equal_those_from_scratch();
    test_value_is_the_weighted_sum_of_the_features();
    test_the_board_looks_the_same_from_rotated_seats();
    test_stage_one_features_of_a_board();
    test_check_and_mate_count_together();
    test_attacks_of_a_board();
    test_moves_to_kings_of_a_board();
    test_gradient_is_what_a_weight_moves();
    test_sizes_are_the_papers();
    test_bad_weights_are_refused();
    return check::report();
}
