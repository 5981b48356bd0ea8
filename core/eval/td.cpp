// TD(lambda) with traces and momentum.
#include "eval/td.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <stdexcept>
#include <string>

#include "eval/tanh.h"

namespace crossboard {

namespace {

// What no weight survives must not reach them.
void require_reward(double reward) {
    if (!std::isfinite(reward))
        throw std::invalid_argument("a reward must be a finite number, not " +
                                    std::to_string(reward));
}

bool are_finite(std::span<const double> numbers) {
    return std::all_of(numbers.begin(), numbers.end(), [](double x) { return std::isfinite(x); });
}

}  // namespace

TdLearner::TdLearner(const std::vector<EvalNet>& nets, const TdSettings& settings)
    : nets_(static_cast<int>(nets.size())), settings_(settings) {
    if (nets.empty()) throw std::invalid_argument("there is no net to learn");
    const EvalNet& first = nets.front();
    inputs_ = first.inputs();
    hidden_ = first.hidden();
    w2_ = static_cast<std::size_t>(inputs_ + 1) * hidden_;
    w3_ = w2_ + hidden_ + 1;
    size_ = first.weight_count();
    for (const EvalNet& net : nets) {
        if (net.inputs() != inputs_ || net.hidden() != hidden_ || net.weight_count() != size_)
            throw std::invalid_argument("nets that learn together must have the same shape");
        for (int i = 0; i <= inputs_; ++i)
            weights_.insert(weights_.end(), net.from_input(i).begin(), net.from_input(i).end());
        weights_.insert(weights_.end(), net.from_hidden().begin(), net.from_hidden().end());
        if (net.has_direct_links())
            for (int i = 0; i <= inputs_; ++i) weights_.push_back(net.direct(i));
    }
    trace_.resize(weights_.size());
    change_.resize(weights_.size());
    x_.assign(inputs_ + 1, 1.0);
    units_.resize(hidden_);
    ones_.assign(hidden_, 1.0);
    gradient_.resize(size_);
}

void TdLearner::start(std::span<const double> x, int net) {
    look_at(x, net);
    std::fill(trace_.begin(), trace_.end(), 0.0);
    std::fill(change_.begin(), change_.end(), 0.0);
    give_credit();
}

double TdLearner::step(std::span<const double> x, int net, double reward) {
    const double before = last_prediction();
    require_reward(reward);
    look_at(x, net);
    const double error = reward + settings_.gamma * predict() - before;
    update(error);
    give_credit();
    return error;
}

double TdLearner::finish(double reward) {
    const double error = reward - last_prediction();
    require_reward(reward);
    update(error);
    prediction_.reset();
    return error;
}

void TdLearner::resume(std::span<const double> trace, std::span<const double> change,
                       std::optional<double> prediction) {
    if (trace.size() != trace_.size() || change.size() != change_.size())
        throw std::invalid_argument("there are " + std::to_string(weights_.size()) +
                                    " weights, and credit and changes for " +
                                    std::to_string(trace.size()) + " and " +
                                    std::to_string(change.size()));
    if (!are_finite(trace) || !are_finite(change) || !std::isfinite(prediction.value_or(0)))
        throw std::invalid_argument("credit, changes and a prediction must be finite numbers");
    trace_.assign(trace.begin(), trace.end());
    change_.assign(change.begin(), change.end());
    prediction_ = prediction;
}

void TdLearner::look_at(std::span<const double> x, int net) {
    if (x.size() != static_cast<std::size_t>(inputs_))
        throw std::invalid_argument("the net has " + std::to_string(inputs_) + " inputs, not " +
                                    std::to_string(x.size()));
    if (net < 0 || net >= nets_)
        throw std::invalid_argument("there are " + std::to_string(nets_) + " nets, no number " +
                                    std::to_string(net));
    if (!are_finite(x)) throw std::invalid_argument("inputs must be finite numbers");
    std::copy(x.begin(), x.end(), x_.begin());
    base_ = static_cast<std::size_t>(net) * size_;
}

double TdLearner::last_prediction() const {
    if (!prediction_) throw std::invalid_argument("a sequence begins with start()");
    return *prediction_;
}

double TdLearner::predict() {
    assert(base_ + size_ <= weights_.size() && x_.back() == 1);
    const double *w1 = weights_.data() + base_, *w2 = w1 + w2_, *w3 = w1 + w3_;
    std::fill(units_.begin(), units_.end(), 0.0);
    for (double x : x_)
        for (double& unit : units_) unit += x * *w1++;
    double sum = w2[hidden_];
    for (int j = 0; j < hidden_; ++j) {
        units_[j] = quick_tanh(units_[j]);
        sum += units_[j] * w2[j];
    }
    for (std::size_t i = 0; i < size_ - w3_; ++i) sum += x_[i] * w3[i];
    return quick_tanh(sum);
}

// Predicts with the weights as they are now, and gives the prediction its credit.
void TdLearner::give_credit() {
    const double value = predict();
    const auto for_each_input = [this](auto visit) {
        for (int i = 0; i <= inputs_; ++i) visit(i, x_[i]);
    };
    const double* weights = weights_.data() + base_;
    std::fill(gradient_.begin(), gradient_.end(), 0.0);
    go_back(for_each_input, inputs_, w3_ < size_,
            settings_.quirk ? ones_ : std::span(weights + w2_, hidden_), 1 - value * value, units_,
            gradient_.data());
    if (settings_.quirk)
        for (std::size_t i = 0; i < w2_; ++i) gradient_[i] *= weights[i];
    for (double& credit : trace_) credit *= settings_.fading;
    for (std::size_t i = 0; i < size_; ++i) trace_[base_ + i] += gradient_[i];
    prediction_ = value;
}

void TdLearner::update(double error) {
    assert(prediction_ && std::isfinite(error));
    for (std::size_t net = 0; net < weights_.size(); net += size_) {
        update_group(net, net + w2_, settings_.rate1 * error);
        update_group(net + w2_, net + w3_, settings_.rate2 * error);
        update_group(net + w3_, net + size_, settings_.rate1 * error);
    }
}

void TdLearner::update_group(std::size_t first, std::size_t end, double amount) {
    assert(first <= end && end <= weights_.size());
    for (std::size_t i = first; i < end; ++i) {
        double change = amount * trace_[i];
        // Momentum, as a rule, only where two changes have the same direction.
        if (!settings_.direction_check || change * change_[i] > 0)
            change += settings_.momentum * change_[i];
        change_[i] = change;
        weights_[i] += change;
    }
}

}  // namespace crossboard
