// Tests TD(lambda) against a slow version, with one net and several, and what it refuses.
#include "eval/td.h"

#include <cmath>
#include <limits>
#include <stdexcept>

#include "check.h"
#include "rules/random.h"

using namespace crossboard;

namespace {

constexpr int INPUTS = 5;

double drawn(Random& random) {
    return (random.below(2001) - 1000) / 1000.0;
}

std::vector<double> drawn(Random& random, int size) {
    std::vector<double> numbers(size);
    for (double& number : numbers) number = drawn(random);
    return numbers;
}

EvalNet random_net(Random& random, int hidden, bool direct) {
    auto w1 = drawn(random, (INPUTS + 1) * hidden), w2 = drawn(random, hidden + 1);
    auto w3 = direct ? drawn(random, INPUTS + 1) : std::vector<double>();
    return EvalNet(INPUTS, hidden, std::move(w1), std::move(w2), std::move(w3));
}

double predict(const EvalNet& net, std::span<const double> x) {
    double output = net.from_hidden()[net.hidden()] + net.direct(INPUTS);
    for (int i = 0; i < INPUTS; ++i) output += net.direct(i) * x[i];
    for (int j = 0; j < net.hidden(); ++j) {
        double sum = net.from_input(INPUTS)[j];
        for (int i = 0; i < INPUTS; ++i) sum += net.from_input(i)[j] * x[i];
        output += net.from_hidden()[j] * std::tanh(sum);
    }
    return std::tanh(output);
}

// The paper's loop, with gradients by small differences.
struct SlowTd {
    std::vector<EvalNet> nets;
    std::vector<double> weights, trace, change;
    TdSettings settings;
    double prediction = 0;

    SlowTd(std::vector<EvalNet> its_nets, std::span<const double> its_weights,
           const TdSettings& its_settings)
        : nets(std::move(its_nets)),
          weights(its_weights.begin(), its_weights.end()),
          trace(weights.size()),
          change(weights.size()),
          settings(its_settings) {}

    double value(std::span<const double> x, int net) const {
        const std::size_t size = nets[net].weight_count();
        return predict(nets[net].with_weights(std::span(weights).subspan(net * size, size)), x);
    }
    void look_at(std::span<const double> x, int net) {
        prediction = value(x, net);
        for (std::size_t i = 0; i < weights.size(); ++i) {
            const double kept = weights[i], small = 1e-6;
            weights[i] = kept + small;
            const double above = value(x, net);
            weights[i] = kept - small;
            trace[i] = settings.fading * trace[i] + (above - value(x, net)) / (2 * small);
            weights[i] = kept;
        }
    }
    void update(double error) {
        const std::size_t size = nets[0].weight_count();
        const std::size_t w2 = (INPUTS + 1) * nets[0].hidden(), w3 = w2 + nets[0].hidden() + 1;
        for (std::size_t i = 0; i < weights.size(); ++i) {
            const bool is_second = i % size >= w2 && i % size < w3;
            double step = (is_second ? settings.rate2 : settings.rate1) * error * trace[i];
            if (!settings.direction_check || step * change[i] > 0)
                step += settings.momentum * change[i];
            weights[i] += change[i] = step;
        }
    }
};

void check_near(std::span<const double> one, std::span<const double> other) {
    CHECK_EQUAL(one.size(), other.size());
    for (std::size_t i = 0; i < one.size(); ++i) CHECK(std::abs(one[i] - other[i]) < 1e-6);
}

void test_it_learns_as_the_slow_one_does() {
    Random random(1);
    for (int round = 0; round < 40; ++round) {
        const int hidden = random.below(4), count = 1 + random.below(3);
        const bool direct = hidden == 0 || random.below(2);
        const TdSettings settings{.rate1 = 0.1,
                                  .rate2 = 0.2,
                                  .momentum = 0.5,
                                  .gamma = 0.9,
                                  .fading = 0.7,
                                  .direction_check = random.below(2) == 0};
        std::vector<EvalNet> nets;
        for (int i = 0; i < count; ++i) nets.push_back(random_net(random, hidden, direct));
        TdLearner learner(nets, settings);
        SlowTd slow(nets, learner.weights(), settings);
        auto x = drawn(random, INPUTS);
        int net = random.below(count);
        learner.start(x, net);
        slow.look_at(x, net);
        for (int step = 0; step < 4; ++step) {
            x = drawn(random, INPUTS);
            net = random.below(count);
            const double reward = drawn(random), before = slow.prediction;
            const double error = reward + settings.gamma * slow.value(x, net) - before;
            CHECK(std::abs(learner.step(x, net, reward) - error) < 1e-6);
            slow.update(error);
            slow.look_at(x, net);
            check_near(learner.weights(), slow.weights);
            check_near(learner.trace(), slow.trace);
        }
        slow.update(1 - slow.prediction);
        learner.finish(1);
        check_near(learner.weights(), slow.weights);
        CHECK(!learner.prediction());
    }
}

void test_resumed_it_goes_on_as_it_would_have() {
    Random random(2);
    const EvalNet net = random_net(random, 3, true);
    const TdSettings settings{.rate1 = 0.1, .rate2 = 0.2, .momentum = 0.5, .fading = 0.7};
    TdLearner whole({net}, settings);
    whole.start(drawn(random, INPUTS));
    whole.step(drawn(random, INPUTS));
    TdLearner resumed({net.with_weights(whole.weights())}, settings);
    resumed.resume(whole.trace(), whole.change(), whole.prediction());
    const auto x = drawn(random, INPUTS);
    CHECK_EQUAL(whole.step(x), resumed.step(x));
    CHECK_EQUAL(whole.finish(-1), resumed.finish(-1));
    for (std::size_t i = 0; i < whole.weights().size(); ++i)
        CHECK_EQUAL(whole.weights()[i], resumed.weights()[i]);
}

void test_the_slip_of_1997_multiplies_by_the_first_weights() {
    Random random(3);
    const EvalNet net = random_net(random, 2, false);
    TdLearner right({net}, {}), quirky({net}, {.quirk = true});
    const auto x = drawn(random, INPUTS);
    right.start(x);
    quirky.start(x);
    for (int i = 0; i <= INPUTS; ++i)
        for (int j = 0; j < 2; ++j) {
            const std::size_t at = i * 2 + j;
            const double slip = right.trace()[at] / net.from_hidden()[j] * net.from_input(i)[j];
            CHECK(std::abs(quirky.trace()[at] - slip) < 1e-12);
        }
    for (std::size_t at = (INPUTS + 1) * 2; at < right.trace().size(); ++at)
        CHECK_EQUAL(quirky.trace()[at], right.trace()[at]);
}

void test_nonsense_is_refused() {
    Random random(4);
    const EvalNet net = random_net(random, 2, true);
    const auto x = drawn(random, INPUTS);
    const auto refused = [](auto action) {
        return !check::message_of<std::invalid_argument>(action).starts_with("(");
    };
    CHECK(refused([] { TdLearner({}, {}); }));
    CHECK(refused([&] { TdLearner({net, random_net(random, 3, true)}, {}); }));
    TdLearner learner({net}, {.rate1 = 0.1, .rate2 = 0.1});
    CHECK(refused([&] { learner.finish(1); }));
    CHECK(refused([&] { learner.start(std::span(x).first(2)); }));
    CHECK(refused([&] { learner.start(x, 1); }));
    learner.start(x);
    const std::vector<double> before(learner.weights().begin(), learner.weights().end());
    for (double reward :
         {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
        CHECK(refused([&] { learner.step(x, 0, reward); }));
        CHECK(refused([&] { learner.finish(reward); }));
        const std::vector<double> wrong(INPUTS, reward);
        CHECK(refused([&] { learner.step(wrong); }));
        CHECK(refused([&] { learner.start(wrong); }));
        const std::vector<double> trace(before.size(), reward);
        CHECK(refused([&] { learner.resume(trace, learner.change(), 0); }));
    }
    CHECK(refused([&] { learner.resume(std::span(x), learner.change(), 0); }));
    for (std::size_t i = 0; i < before.size(); ++i) CHECK_EQUAL(learner.weights()[i], before[i]);
}

}  // namespace

int main() {
    test_it_learns_as_the_slow_one_does();
    test_resumed_it_goes_on_as_it_would_have();
    test_the_slip_of_1997_multiplies_by_the_first_weights();
    test_nonsense_is_refused();
    return check::report();
}
