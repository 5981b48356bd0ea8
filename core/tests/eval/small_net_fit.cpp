// Tests the fit of a small net: it learns, stays within its limits, and resumes from any moment.
#include "eval/small_net_fit.h"

#include <bit>
#include <cmath>
#include <stdexcept>

#include "check.h"
#include "rules/random.h"

using namespace crossboard;

namespace {

constexpr small_net::NetSize SIZE{16, 8};
constexpr int BOARDS = 400;

struct Data {
    std::vector<FitBoard> boards;
    std::vector<float> targets;
};

// The side with more men may expect more points.
Data counted_boards(std::uint64_t seed) {
    Random random(seed);
    Data data;
    for (int i = 0; i < BOARDS; ++i) {
        FitBoard board{};
        for (int piece = 0; piece < 16; ++piece) {
            const std::uint32_t square = std::uint32_t{1} << random.below(32);
            if ((board[0] | board[1]) & square) continue;
            board[static_cast<std::size_t>(random.below(2))] |= square;
        }
        const double lead = std::popcount(board[0]) - std::popcount(board[1]);
        data.boards.push_back(board);
        data.targets.push_back(static_cast<float>(1 / (1 + std::exp(-lead))));
    }
    return data;
}

std::vector<float> random_weights(std::uint64_t seed) {
    Random random(seed);
    std::vector<float> weights(small_net::weights_of_phase(SIZE));
    for (float& weight : weights) weight = static_cast<float>(random.below(2001) - 1000) / 5000;
    return weights;
}

SmallNetFit begin(const std::vector<float>& weights, double rate = 0.01, int batch = 32) {
    const std::vector<float> zeros(weights.size());
    FitSettings settings;
    settings.rate = rate;
    settings.batch = batch;
    settings.warm_up = 0;
    settings.last = 10'000;
    return SmallNetFit(SIZE, settings, weights, zeros, zeros, 0);
}

void test_loss_falls() {
    const Data data = counted_boards(1);
    SmallNetFit fit = begin(random_weights(1));
    const double first = fit.learn(data.boards, data.targets, 1);
    double last = first;
    for (std::uint64_t pass = 2; pass < 20; ++pass)
        last = fit.learn(data.boards, data.targets, pass);
    CHECK(last < first - 0.02) ||
        check::note(std::to_string(first) + " then " + std::to_string(last));
    CHECK_EQUAL(fit.batches(), 19 * 13);  // the last batch of a pass is smaller
}

void test_a_fit_goes_on_from_its_state() {
    const Data data = counted_boards(2);
    SmallNetFit whole = begin(random_weights(2));
    whole.learn(data.boards, data.targets, 1);
    FitSettings settings;
    settings.rate = 0.01;
    settings.batch = 32;
    settings.warm_up = 0;
    settings.last = 10'000;
    SmallNetFit later(SIZE, settings, whole.weights(), whole.means(), whole.spreads(),
                      whole.batches());
    whole.learn(data.boards, data.targets, 2);
    later.learn(data.boards, data.targets, 2);
    CHECK(std::equal(whole.weights().begin(), whole.weights().end(), later.weights().begin()));
}

void test_weights_stay_within_their_limits() {
    const Data data = counted_boards(3);
    SmallNetFit fit = begin(random_weights(3), 100, 16);
    fit.learn(data.boards, data.targets, 1);
    std::size_t begin = 0;
    bool is_at_limit = false;
    for (const small_net::GroupShape& shape : small_net::groups_of(SIZE)) {
        for (const float weight : fit.weights().subspan(begin, shape.size())) {
            CHECK(std::abs(weight) <= shape.most);
            is_at_limit |= std::abs(weight) == shape.most;
        }
        begin += shape.size();
    }
    CHECK(is_at_limit);
}

void test_what_does_not_fit_is_refused() {
    const std::vector<float> weights = random_weights(4), few(3);
    const auto make = [](const small_net::NetSize& size, const std::vector<float>& some) {
        return SmallNetFit(size, {}, some, some, some, 0);
    };
    CHECK_EQUAL(check::message_of<std::invalid_argument>([&] { make({12, 8}, weights); }),
                "only layers of a multiple of 8 units learn, not of 12");
    CHECK_EQUAL(check::message_of<std::invalid_argument>([&] { make(SIZE, few); }),
                "weights: there are 2337 weights, not 3");
    SmallNetFit fit = begin(weights);
    const Data data = counted_boards(4);
    CHECK_EQUAL(check::message_of<std::invalid_argument>([&] { fit.learn(data.boards, few, 1); }),
                "every board needs a target: there are 400 boards and 3 targets");
}

void test_no_boards_teach_nothing() {
    const std::vector<float> weights = random_weights(5);
    SmallNetFit fit = begin(weights);
    CHECK_EQUAL(fit.learn({}, {}, 1), 0.0);
    CHECK(std::equal(weights.begin(), weights.end(), fit.weights().begin()));
}

}  // namespace

int main() {
    test_loss_falls();
    test_a_fit_goes_on_from_its_state();
    test_weights_stay_within_their_limits();
    test_what_does_not_fit_is_refused();
    test_no_boards_teach_nothing();
    return check::report();
}
