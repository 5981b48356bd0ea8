// The fit's inner loops, compiled for new and for old processors without fused multiply-add.
#include "eval/small_net_fit.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <numeric>
#include <stdexcept>
#include <string>

#include "eval/tanh.h"
#include "rules/clones.h"
#include "rules/random.h"

namespace crossboard {

namespace {

using small_net::Group;
using small_net::INPUTS;
using small_net::NetSize;

constexpr float TINY = 1e-8F;  // keeps a weight whose gradient has always been 0 from 0 / 0

// Where each group of weights begins.
struct Places {
    std::size_t first_bias, second, second_bias, output, direct, output_bias, end;

    explicit Places(const NetSize& size) {
        std::size_t* const begins[] = {&first_bias, &second,      &second_bias, &output,
                                       &direct,     &output_bias, &end};
        std::size_t place = 0;
        const auto groups = small_net::groups_of(size);
        for (std::size_t i = 0; i < groups.size(); ++i) *begins[i] = place += groups[i].size();
    }
};

// What one board makes of a net.
struct Activity {
    int inputs[INPUTS];
    int input_count = 0;
    std::vector<float> hidden;  // before they are cut off at 0 and 1
    std::vector<float> second;
    std::vector<float> back_hidden;
    std::vector<float> back_second;

    explicit Activity(const NetSize& size)
        : hidden(size.hidden),
          second(size.second),
          back_hidden(size.hidden),
          back_second(size.second) {}

    void take(const FitBoard& board) {
        input_count = 0;
        for (int kind = 0; kind < 4; ++kind)
            for (std::uint32_t left = board[kind]; left; left &= left - 1)
                inputs[input_count++] = 32 * kind + std::countr_zero(left);
    }
};

inline float cut(float x) {
    return x < 0 ? 0.0F : x > 1 ? 1.0F : x;
}

inline void add(float* __restrict sums, const float* __restrict row, float factor, int count) {
    for (int i = 0; i < count; ++i) sums[i] += factor * row[i];
}

inline float product(const float* __restrict one, const float* __restrict other, int count) {
    float lanes[FIT_LANES] = {};
    for (int i = 0; i < count; i += FIT_LANES)
        for (int lane = 0; lane < FIT_LANES; ++lane) lanes[lane] += one[i + lane] * other[i + lane];
    return ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) +
           ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]));
}

inline float forward(const NetSize& size, const Places& at, const float* weights,
                     Activity& activity) {
    const int hidden = size.hidden, second = size.second;
    float* const sums = activity.hidden.data();
    std::copy_n(weights + at.first_bias, hidden, sums);
    float out = weights[at.output_bias];
    for (int i = 0; i < activity.input_count; ++i) {
        const int input = activity.inputs[i];
        add(sums, weights + std::size_t(input) * hidden, 1, hidden);
        out += weights[at.direct + input];
    }
    float* const next = activity.second.data();
    std::copy_n(weights + at.second_bias, second, next);
    for (int j = 0; j < hidden; ++j)
        if (sums[j] > 0)
            add(next, weights + at.second + std::size_t(j) * second, cut(sums[j]), second);
    const float* const last = weights + at.output;
    for (int k = 0; k < second; ++k) out += last[k] * cut(next[k]);
    return out;
}

// Adds `amount` times the derivative of the output by each weight.
inline void backward(const NetSize& size, const Places& at, const float* weights,
                     Activity& activity, float amount, float* gradient) {
    const int hidden = size.hidden, second = size.second;
    gradient[at.output_bias] += amount;
    float* const back = activity.back_second.data();
    for (int k = 0; k < second; ++k) {
        const float unit = activity.second[k];
        gradient[at.output + k] += amount * cut(unit);
        back[k] = unit > 0 && unit < 1 ? amount * weights[at.output + k] : 0.0F;
        gradient[at.second_bias + k] += back[k];
    }
    float* const back_hidden = activity.back_hidden.data();
    for (int j = 0; j < hidden; ++j) {
        const float unit = activity.hidden[j];
        back_hidden[j] = 0;
        if (unit <= 0) continue;
        const std::size_t row = at.second + std::size_t(j) * second;
        add(gradient + row, back, cut(unit), second);
        if (unit < 1) back_hidden[j] = product(weights + row, back, second);
    }
    add(gradient + at.first_bias, back_hidden, 1, hidden);
    for (int i = 0; i < activity.input_count; ++i) {
        const int input = activity.inputs[i];
        add(gradient + std::size_t(input) * hidden, back_hidden, 1, hidden);
        gradient[at.direct + input] += amount;
    }
}

CROSSBOARD_CLONES double add_batch(const NetSize& size, const Places& at, double steepness,
                                   std::span<const FitBoard> boards, std::span<const float> targets,
                                   std::span<const std::uint32_t> places, const float* weights,
                                   Activity& activity, float* gradient) {
    double loss = 0;
    for (const std::uint32_t place : places) {
        activity.take(boards[place]);
        const double odds = steepness * forward(size, at, weights, activity);
        const double target = targets[place], chance = (1 + quick_tanh(odds / 2)) / 2;
        // -(t log p + (1 - t) log(1 - p)) of p = 1 / (1 + exp(-odds)), for whatever odds.
        loss += std::max(odds, 0.0) - target * odds + std::log1p(std::exp(-std::abs(odds)));
        backward(size, at, weights, activity, static_cast<float>(steepness * (chance - target)),
                 gradient);
    }
    return loss;
}

CROSSBOARD_CLONES void judge_all(const NetSize& size, const Places& at,
                                 std::span<const FitBoard> boards, const float* weights,
                                 Activity& activity, std::span<float> values) {
    for (std::size_t i = 0; i < boards.size(); ++i) {
        activity.take(boards[i]);
        values[i] = forward(size, at, weights, activity);
    }
}

struct Step {
    float rate;  // with both means' corrections
    float root_correction;
    float momentum;
    float spread_memory;
};

CROSSBOARD_CLONES void move_weights(const Step& step, float share, std::size_t count,
                                    const float* __restrict gradient, float* __restrict means,
                                    float* __restrict spreads, float* __restrict weights) {
    for (std::size_t i = 0; i < count; ++i) {
        const float slope = share * gradient[i];
        means[i] = step.momentum * means[i] + (1 - step.momentum) * slope;
        spreads[i] = step.spread_memory * spreads[i] + (1 - step.spread_memory) * (slope * slope);
        weights[i] -= step.rate * means[i] / (std::sqrt(spreads[i]) * step.root_correction + TINY);
    }
}

// By products alone, which every processor rounds alike.
double power(double base, std::int64_t exponent) {
    double result = 1;
    for (; exponent > 0; exponent >>= 1, base *= base)
        if (exponent & 1) result *= base;
    return result;
}

void limit(std::span<float> weights, float most) {
    for (float& weight : weights) weight = std::clamp(weight, -most, most);
}

void check_length(std::size_t found, std::size_t wanted, const char* what) {
    if (found != wanted)
        throw std::invalid_argument(std::string(what) + ": there are " + std::to_string(wanted) +
                                    " weights, not " + std::to_string(found));
}

}  // namespace

SmallNetFit::SmallNetFit(const NetSize& size, const FitSettings& settings,
                         std::span<const float> weights, std::span<const float> means,
                         std::span<const float> spreads, std::int64_t batches)
    : size_(size), settings_(settings), batches_(batches) {
    const std::size_t count = small_net::weights_of_phase(size);
    for (const int units : {size.hidden, size.second})
        if (units % FIT_LANES != 0)
            throw std::invalid_argument("only layers of a multiple of " +
                                        std::to_string(FIT_LANES) + " units learn, not of " +
                                        std::to_string(units));
    if (settings.batch < 1) throw std::invalid_argument("a batch has at least one board");
    if (batches < 0) throw std::invalid_argument("fewer than 0 batches cannot have been learnt");
    check_length(weights.size(), count, "weights");
    check_length(means.size(), count, "means");
    check_length(spreads.size(), count, "spreads");
    weights_.assign(weights.begin(), weights.end());
    means_.assign(means.begin(), means.end());
    spreads_.assign(spreads.begin(), spreads.end());
    gradient_.resize(count);
}

double SmallNetFit::learn(std::span<const FitBoard> boards, std::span<const float> targets,
                          std::uint64_t seed) {
    if (boards.size() != targets.size())
        throw std::invalid_argument("every board needs a target: there are " +
                                    std::to_string(boards.size()) + " boards and " +
                                    std::to_string(targets.size()) + " targets");
    if (boards.empty()) return 0;
    std::vector<std::uint32_t> order(boards.size());
    std::iota(order.begin(), order.end(), 0U);
    Random random(seed);
    for (std::size_t left = order.size(); left > 1; --left)
        std::swap(order[left - 1], order[random.below(static_cast<int>(left))]);
    Activity activity(size_);
    const Places at(size_);
    double loss = 0;
    const auto size = static_cast<std::size_t>(settings_.batch);
    for (std::size_t begin = 0; begin < order.size(); begin += size) {
        const auto batch = std::span(order).subspan(begin, std::min(size, order.size() - begin));
        std::fill(gradient_.begin(), gradient_.end(), 0.0F);
        loss += add_batch(size_, at, settings_.steepness, boards, targets, batch, weights_.data(),
                          activity, gradient_.data());
        update(static_cast<int>(batch.size()));
    }
    return loss / static_cast<double>(boards.size());
}

void SmallNetFit::judge(std::span<const FitBoard> boards, std::span<float> values) const {
    assert(boards.size() == values.size());
    Activity activity(size_);
    const Places at(size_);
    judge_all(size_, at, boards, weights_.data(), activity, values);
}

// One step of Adam (Kingma and Ba 2015).
void SmallNetFit::update(int boards) {
    ++batches_;
    double rate = settings_.rate;
    if (batches_ <= settings_.warm_up) {
        rate *= static_cast<double>(batches_) / static_cast<double>(settings_.warm_up);
    } else {
        const double all = static_cast<double>(std::max<std::int64_t>(settings_.last, batches_));
        const double way = (static_cast<double>(batches_) - settings_.warm_up) /
                           std::max(1.0, all - settings_.warm_up);
        rate *= (1 + std::cos(std::numbers::pi * std::min(way, 1.0))) / 2;
    }
    Step step{};
    step.rate = static_cast<float>(rate / (1 - power(settings_.momentum, batches_)));
    step.root_correction =
        static_cast<float>(1 / std::sqrt(1 - power(settings_.spread_memory, batches_)));
    step.momentum = static_cast<float>(settings_.momentum);
    step.spread_memory = static_cast<float>(settings_.spread_memory);
    move_weights(step, 1.0F / static_cast<float>(boards), weights_.size(), gradient_.data(),
                 means_.data(), spreads_.data(), weights_.data());
    std::span<float> left = weights_;
    for (const small_net::GroupShape& shape : small_net::groups_of(size_)) {
        limit(left.first(shape.size()), shape.most);
        left = left.subspan(shape.size());
    }
}

}  // namespace crossboard
