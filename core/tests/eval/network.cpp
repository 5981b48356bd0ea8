// Tests mappings, the tangent, nets and networks against slow versions.
#include "eval/network.h"

#include <cmath>
#include <limits>

#include "check.h"
#include "engine/draughts_engines.h"
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

const Mapping MAPPINGS[] = {Mapping::binary(),     Mapping::binary(0), Mapping::direct(),
                            family("lynch"),       family("ufu"),      family("samuel"),
                            family("lynch", true), family("draft5")};

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
        for (int hidden : {1, 3, 4, 12, 20, 300}) {
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

void test_nonsense_is_refused() {
    const auto refusal = [](auto make) { return check::message_of<std::invalid_argument>(make); };
    const std::vector<double> four(4), three(3), nine(9);
    CHECK_EQUAL(refusal([&] { EvalNet(0, 1, {}, {}); }),
                "a net needs inputs and hidden units, not 0 and 1");
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
    test_outputs_are_the_same_to_the_last_bit_everywhere();
    test_many_features_fit_too();
    test_nonsense_is_refused();
    test_an_engine_searches_with_it();
    return check::report();
}
