// Tests mappings, the tangent, nets and networks against slow versions.
#include "eval/network.h"

#include <cmath>
#include <limits>

#include "check.h"
#include "engine/draughts_engines.h"
#include "eval/material.h"
#include "eval/tanh.h"
#include "rules/draughts/notation.h"
#include "rules/draughts/random_positions.h"

using namespace crossboard;
using namespace crossboard::draughts;

static_assert(Evaluator<Network, Position>);

namespace {

std::vector<double> drawn(Random& random, int size, double scale) {
    std::vector<double> weights(size);
    for (double& weight : weights) weight = scale * (random.below(2001) - 1000) / 1000.0;
    return weights;
}

EvalNet random_net(Random& random, int inputs, int hidden, bool direct, double scale = 0.5) {
    auto w1 = drawn(random, (inputs + 1) * hidden, scale), w2 = drawn(random, hidden + 1, scale);
    auto w3 = direct ? drawn(random, inputs + 1, scale) : std::vector<double>();
    return EvalNet(inputs, hidden, std::move(w1), std::move(w2), std::move(w3));
}

double slow_forward(const EvalNet& net, std::vector<double> x) {
    x.push_back(1);
    double output = net.from_hidden()[net.hidden()];
    for (int i = 0; i <= net.inputs(); ++i) output += net.direct(i) * x[i];
    for (int j = 0; j < net.hidden(); ++j) {
        double sum = 0;
        for (int i = 0; i <= net.inputs(); ++i) sum += net.from_input(i)[j] * x[i];
        output += net.from_hidden()[j] * std::tanh(sum);
    }
    return std::tanh(output);
}

Mapping family(std::string_view name, bool quirks = false) {
    std::vector<std::pair<std::string, int>> list;
    for (const auto& feature : features::all())
        if (feature.family() == name) list.emplace_back(feature.name, feature.bits);
    return Mapping::features(list, Mapping::OFF, quirks);
}

const Mapping PATTERNS = Mapping::patterns({{1, 2, 3, 4, 5, 6, 7, 8}, {9, 18, 27}, {32}});
const Mapping KING_PATTERNS = Mapping::patterns({{1, 5, 9, 14}, {32, 31}}, 5);
const Mapping JOINED = Mapping::joined({Mapping::counts(), Mapping::binary(), Mapping::pieces(),
                                        family("ufu"), PATTERNS, Mapping::direct()});
const Mapping MAPPINGS[] = {Mapping::binary(),     Mapping::binary(0),
                            Mapping::direct(),     family("lynch"),
                            family("ufu"),         family("samuel"),
                            family("lynch", true), family("draft5"),
                            Mapping::counts(),     Mapping::material(),
                            Mapping::pieces(),     PATTERNS,
                            KING_PATTERNS,         JOINED};

void test_tangent_is_right_everywhere() {
    for (double x = -25; x <= 25; x += 1.0 / 1024)
        CHECK(std::abs(quick_tanh(x) - std::tanh(x)) < 1e-12) || check::note(std::to_string(x));
    CHECK_EQUAL(quick_tanh(0), 0.0);
    for (double x : {1e3, 1e300, std::numeric_limits<double>::infinity()}) {
        CHECK_EQUAL(quick_tanh(x), 1.0);
        CHECK_EQUAL(quick_tanh(-x), -1.0);
    }
}

void test_net_gives_what_the_formula_gives() {
    Random random(1);
    for (int i = 0; i < 200; ++i) {
        const EvalNet net = random_net(random, 1 + random.below(40), 1 + random.below(40),
                                       random.below(2), 1 + random.below(3));
        const auto x = drawn(random, net.inputs(), 2);
        CHECK(std::abs(net.forward(x) - slow_forward(net, x)) < 1e-11);
    }
}

void test_network_gives_what_the_net_gives_for_the_inputs() {
    Random random(2);
    for (const Mapping& mapping : MAPPINGS)
        for (int hidden : {0, 1, 3, 4, 12, 20, 300}) {
            if (hidden > 4 && mapping.size() > 1000) continue;
            const EvalNet net = random_net(random, mapping.size(), hidden, hidden % 3 == 0, 0.3);
            const Network network(mapping, net);
            for (int i = 0; i < 40; ++i) {
                const Position position = random_setup(random);
                std::vector<double> x(mapping.size());
                mapping.write_inputs(position, x.data());
                const double output = slow_forward(net, x);
                CHECK(std::abs(network.output(position) - output) < 1e-11) ||
                    check::note(format_fen(position));
                CHECK(std::abs(network.evaluate(position) + output * 1e6) < 0.51);
                CHECK_EQUAL(network.output(position), network.output(position.mirrored()));
            }
        }
}

void test_inputs_are_what_stands_on_the_board() {
    const auto inputs = [](const Mapping& mapping, const Position& position) {
        std::vector<double> x(mapping.size());
        mapping.write_inputs(position, x.data());
        std::vector<std::pair<int, double>> found;
        for (int i = 0; i < mapping.size(); ++i)
            if (x[i] != 0) found.emplace_back(i, x[i]);
        return found;
    };
    using Found = std::vector<std::pair<int, double>>;
    // White is to move, so Black has just moved: own.
    const Position position = parse_fen("W:W18,K22,K23:B1,K2");
    CHECK(inputs(Mapping::counts(), position) == (Found{{1, -1.0}}));
    // A man and a king of own, a man and two kings of other's; a side has 4 * 13 codes.
    CHECK(inputs(Mapping::material(), position) == (Found{{(13 + 1) * 52 + 2 * 13 + 1, 1}}));
    CHECK(inputs(Mapping::pieces(), position) ==
          (Found{{0, 1}, {4 * 1 + 2, 1}, {4 * 17 + 1, 1}, {4 * 21 + 3, 1}, {4 * 22 + 3, 1}}));
    // Codes count squares in their order, the first lowest: men only, or kings too.
    CHECK(inputs(Mapping::patterns({{2, 1, 18}}), position) == (Found{{3 * 1 + 9 * 2, 1}}));
    CHECK(inputs(Mapping::patterns({{2, 1}, {23}}, 5), position) ==
          (Found{{3 + 5 * 1, 1}, {25 + 4, 1}}));
}

// Of one weight at a time, before the last tanh.
void test_gradient_is_that_of_finite_differences() {
    Random random(5);
    for (const Mapping& mapping : {JOINED, Mapping::binary(), Mapping::pieces()})
        for (int hidden : {0, 3}) {
            if (hidden && mapping == JOINED) continue;
            const int inputs = mapping.size();
            std::vector<double> w[] = {drawn(random, (inputs + 1) * hidden, 0.1),
                                       drawn(random, hidden + 1, 0.1),
                                       drawn(random, inputs + 1, 0.1)};
            const auto sum = [&](const Position& position) {
                const Network network(mapping, EvalNet(inputs, hidden, w[0], w[1], w[2]));
                return std::atanh(network.judge(position));
            };
            const Position position = random_setup(random);
            const Network network(mapping, EvalNet(inputs, hidden, w[0], w[1], w[2]));
            std::vector<double> gradient(network.weight_count());
            network.add_gradient(position, 2, gradient);
            for (int i = 0; i < 60; ++i) {
                int at = random.below(static_cast<int>(gradient.size()));
                const double found = gradient[at];
                auto* group = w;
                while (at >= static_cast<int>(group->size())) at -= (group++)->size();
                const double kept = (*group)[at];
                (*group)[at] = kept + 1e-5;
                const double above = sum(position);
                (*group)[at] = kept - 1e-5;
                const double below = sum(position);
                (*group)[at] = kept;
                CHECK(std::abs(found - 2 * (above - below) / 2e-5) < 1e-6);
            }
        }
}

// The same numbers stand in tests/evaluators/test_network.py, where new processors use new
// instructions: the last bit must not depend on them.
void test_outputs_are_the_same_to_the_last_bit_everywhere() {
    const auto spread = [](int size) {
        std::vector<double> weights(size);
        for (int i = 0; i < size; ++i) weights[i] = (i * 7919 % 2001 - 1000) / 5000.0;
        return weights;
    };
    const Network network(family("ufu"), EvalNet(83, 20, spread(84 * 20), spread(21), spread(84)));
    CHECK_EQUAL(network.output(parse_fen("W:W18,21,30:B1,3,10")), -0x1.e0588850aabf6p-1);
    CHECK_EQUAL(network.output(parse_fen("B:WK2,18,23:B10,K11,14")), -0x1.f2b2c7242ca56p-1);
}

// A selective search is given sums in hundredths of a man, and tells them squashed.
void test_what_is_squashed_is_the_sum_in_hundredths_of_a_man() {
    Random random(4);
    const Mapping mapping = Mapping::counts();
    const Network network(mapping, random_net(random, mapping.size(), 6, true, 0.1));
    CHECK(network.man() >= Network::LEAST_MAN);
    for (int i = 0; i < 200; ++i) {
        const Position position = draughts::random_setup(random);
        const auto hundredths = network.hundredths(position);
        if (std::abs(hundredths) == 100 * Network::MOST_MEN) continue;
        const double step = network.man() / 100 * Network::UNITS;
        CHECK(std::abs(network.squashed(hundredths) - network.evaluate(position)) <= step);
        CHECK_EQUAL(network.squashed(-hundredths), -network.squashed(hundredths));
    }
}

void test_many_features_fit_too() {
    std::vector<std::pair<std::string, int>> list;
    for (const auto& feature : features::all()) list.emplace_back(feature.name, 10);
    const Mapping mapping = Mapping::features(list);
    Random random(3);
    const EvalNet net = random_net(random, mapping.size(), 2, true, 0.1);
    std::vector<double> x(mapping.size());
    mapping.write_inputs(Position(), x.data());
    CHECK(std::abs(Network(mapping, net).output(Position()) - slow_forward(net, x)) < 1e-11);
}

void test_patterns_are_checked() {
    const auto refusal = [](const std::vector<std::vector<int>>& squares, int states) {
        return check::message_of<std::invalid_argument>(
            [&] { Mapping::patterns(squares, states); });
    };
    CHECK_EQUAL(refusal({{1, 33}}, 3), "a pattern's squares are 1 to 32, not 33");
    CHECK_EQUAL(refusal({{1, 2, 1}}, 3), "square 1 is twice in a pattern");
    CHECK_EQUAL(refusal({{}}, 3), "a pattern needs at least one square");
    CHECK_EQUAL(refusal({}, 3), "a mapping has 1 to 64 patterns, not 0");
    CHECK_EQUAL(refusal({{1}}, 4), "a pattern's squares have 3 or 5 states, not 4");
    CHECK_EQUAL(refusal({{1, 2, 3, 4, 5, 6, 7, 8}}, 5),
                "a pattern of 8 squares has more than 100000 codes");
    CHECK_EQUAL(check::message_of<std::invalid_argument>([] { Mapping::joined({JOINED}); }),
                "a part of a joined mapping is not joined itself");
    CHECK_EQUAL(check::message_of<std::invalid_argument>([] { Mapping::joined({}); }),
                "a joined mapping needs at least one part");
}

void test_nonsense_is_refused() {
    const auto refusal = [](auto make) { return check::message_of<std::invalid_argument>(make); };
    const std::vector<double> four(4), three(3), nine(9);
    CHECK_EQUAL(
        refusal([&] { EvalNet(0, 1, {}, {}); }),
        "a net needs inputs, and hidden units or direct links, not 0 inputs and 1 hidden units");
    CHECK_EQUAL(refusal([&] { EvalNet(2, 0, {}, {0}); }),
                "a net needs inputs, and hidden units or direct links, not 2 inputs and 0 hidden "
                "units");
    CHECK_EQUAL(refusal([&] { EvalNet(2, 3, four, four); }),
                "w1 has 4 weights where 2 inputs, 3 hidden units and the bias need 9");
    CHECK_EQUAL(refusal([&] { EvalNet(2, 3, nine, three); }),
                "w2 has 3 weights where 2 inputs, 3 hidden units and the bias need 4");
    CHECK_EQUAL(refusal([&] { EvalNet(2, 3, nine, four, four); }),
                "w3 has 4 weights where 2 inputs, 3 hidden units and the bias need 3");
    auto broken = four;
    broken[2] = std::numeric_limits<double>::quiet_NaN();
    CHECK(refusal([&] { EvalNet(2, 3, nine, broken); }).starts_with("weight 2 of w2 must be a f"));
    CHECK_EQUAL(refusal([&] { EvalNet(2, 3, nine, four).forward(three); }),
                "the net has 2 inputs, not 3");
    CHECK_EQUAL(refusal([&] { Network(Mapping::direct(), EvalNet(2, 3, nine, four)); }),
                "the mapping has 32 inputs, the net 2");
}

void test_other_weights_are_another_network() {
    Random random(5);
    for (int hidden : {0, 12}) {
        const EvalNet net = random_net(random, 38, hidden, true);
        const auto weights = drawn(random, static_cast<int>(net.weight_count()), 0.5);
        const auto part = [&](int first, int count) {
            return std::vector(weights.begin() + first, weights.begin() + first + count);
        };
        const EvalNet other(38, hidden, part(0, 39 * hidden), part(39 * hidden, hidden + 1),
                            part(40 * hidden + 1, 39));
        const Network network(family("lynch"), net), expected(family("lynch"), other);
        for (int i = 0; i < 20; ++i) {
            const Position position = random_setup(random);
            CHECK_EQUAL(network.with_weights(weights).output(position), expected.output(position));
        }
        CHECK_EQUAL(check::message_of<std::invalid_argument>(
                        [&] { network.with_weights(std::vector<double>(7)); }),
                    "the net has " + std::to_string(net.weight_count()) + " weights, not 7");
    }
}

void test_an_engine_takes_other_weights() {
    Random random(6);
    const EvalNet net = random_net(random, 38, 12, true);
    const Network network(family("lynch"), net);
    Question<Position> question;
    question.limits = {.depth = 6};
    for (int threads : {1, 2})
        for (std::size_t megabytes : {0, 1}) {
            const EngineSettings settings{.search = {.exact_depth_hits = true, .draws = {0, 0, 0}},
                                          .crew = {.threads = threads, .grain = 1},
                                          .table_megabytes = megabytes};
            const auto engine = make_engine(network, settings);
            engine->ask(question);
            const auto weights = drawn(random, static_cast<int>(net.weight_count()), 0.5);
            engine->take_weights(weights);
            const auto fresh = make_engine(network.with_weights(weights), settings);
            const auto got = engine->ask(question), expected = fresh->ask(question);
            CHECK_EQUAL(got.findings.best[0].value, expected.findings.best[0].value);
            if (threads == 1) CHECK_EQUAL(got.nodes, expected.nodes);
        }
    const auto material = make_engine(Material(), {.table_megabytes = 0});
    CHECK_EQUAL(check::message_of<std::invalid_argument>(
                    [&] { material->take_weights(std::vector<double>(2)); }),
                "this evaluation has no weights to exchange");
}

void test_an_engine_searches_with_it() {
    Random random(4);
    const Network network(family("lynch"), random_net(random, 38, 12, true));
    const auto one = make_engine(network, {.search = {.draws = {0, 0, 0}}, .table_megabytes = 0});
    const auto two = make_engine(
        network,
        {.search = {.draws = {0, 0, 0}}, .crew = {.threads = 3, .grain = 1}, .table_megabytes = 0});
    Question<Position> question;
    question.limits = {.depth = 5};
    CHECK_EQUAL(one->ask(question).findings.best[0].value,
                two->ask(question).findings.best[0].value);
}

}  // namespace

int main() {
    test_tangent_is_right_everywhere();
    test_net_gives_what_the_formula_gives();
    test_network_gives_what_the_net_gives_for_the_inputs();
    test_inputs_are_what_stands_on_the_board();
    test_gradient_is_that_of_finite_differences();
    test_outputs_are_the_same_to_the_last_bit_everywhere();
    test_what_is_squashed_is_the_sum_in_hundredths_of_a_man();
    test_many_features_fit_too();
    test_patterns_are_checked();
    test_nonsense_is_refused();
    test_other_weights_are_another_network();
    test_an_engine_takes_other_weights();
    test_an_engine_searches_with_it();
    return check::report();
}
