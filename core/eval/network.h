// The network of NeuroDraughts (Lynch 1997, chapter 5): one hidden layer, tanh, direct links.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "eval/mapping.h"
#include "eval/tanh.h"

namespace crossboard {

// Plain vectors in, one number between -1 and 1 out:
//   h_j = tanh(sum_i w1[i][j] x_i),  out = tanh(sum_j w2[j] h_j + sum_i w3[i] x_i)
// where x and h have one more member at their end, the bias, which is 1.
class EvalNet {
  public:
    // w1 row by row: (inputs + 1) rows of `hidden`; w2: hidden + 1; w3: inputs + 1, or empty for a
    // net without direct links. Without hidden units w3 is all there is: a net of one layer. Throws
    // std::invalid_argument for sizes that do not fit together and for weights beyond MAX_WEIGHT.
    EvalNet(int inputs, int hidden, std::vector<double> w1, std::vector<double> w2,
            std::vector<double> w3 = {});

    // No sum of such weights leaves the numbers.
    static constexpr double MAX_WEIGHT = 1e100;

    int inputs() const { return inputs_; }
    int hidden() const { return hidden_; }
    bool has_direct_links() const { return !w3_.empty(); }
    std::size_t weight_count() const { return w1_.size() + w2_.size() + w3_.size(); }

    double forward(std::span<const double> x) const;

    // The weights that leave an input, the bias last.
    std::span<const double> from_input(int input) const {
        assert(0 <= input && input <= inputs_);
        return std::span(w1_).subspan(static_cast<std::size_t>(input) * hidden_, hidden_);
    }
    double direct(int input) const {
        assert(0 <= input && input <= inputs_);
        return w3_.empty() ? 0 : w3_[input];
    }
    std::span<const double> from_hidden() const { return w2_; }

    // The same net with other weights, in the order w1, w2, w3.
    EvalNet with_weights(std::span<const double> weights) const;

    // Adds `amount` times the derivative of what arrives at the output by each weight, in the order
    // w1, w2, w3. `for_each_input` calls what it is given with each input that is not 0 and its
    // level.
    template <class ForEachInput>
    void add_gradient(ForEachInput for_each_input, double amount, double* sums) const;

  private:
    int inputs_, hidden_;
    std::vector<double> w1_, w2_, w3_;
};

// Goes back through a net: adds to `sums`, which are in the order w1, w2, w3, `amount` times the
// derivative of what arrives at the output by each weight. `units` are what the hidden units said;
// what goes back to them, by the weights `second`, takes their place. `for_each_input` has the bias
// among its inputs.
template <class ForEachInput>
void go_back(ForEachInput for_each_input, int inputs, bool has_direct_links,
             std::span<const double> second, double amount, std::span<double> units, double* sums) {
    const std::size_t hidden = units.size();
    assert(second.size() >= hidden);
    double *w2 = sums + (inputs + 1) * hidden, *w3 = w2 + hidden + 1;
    w2[hidden] += amount;
    for (std::size_t j = 0; j < hidden; ++j) {
        w2[j] += amount * units[j];
        units[j] = amount * (1 - units[j] * units[j]) * second[j];
    }
    for_each_input([&](int input, double level) {
        assert(0 <= input && input <= inputs);
        double* row = sums + input * hidden;
        for (std::size_t j = 0; j < hidden; ++j) row[j] += level * units[j];
        if (has_direct_links) w3[input] += level * amount;
    });
}

template <class ForEachInput>
void EvalNet::add_gradient(ForEachInput for_each_input, double amount, double* sums) const {
    const auto with_bias = [&](auto visit) {
        for_each_input(visit);
        visit(inputs_, 1.0);
    };
    std::vector<double> units(hidden_);
    if (hidden_ > 0)
        with_bias([&](int input, double level) {
            for (int j = 0; j < hidden_; ++j) units[j] += from_input(input)[j] * level;
        });
    for (double& unit : units) unit = quick_tanh(unit);
    go_back(with_bias, inputs_, has_direct_links(), w2_, amount, units, sums);
}

// A net behind a mapping, as an evaluation of draughts.
//
// The first layer is kept as one row for each code of each group of inputs, already summed: so a
// board costs one addition of a row for each feature or piece. Nothing is kept from board to board:
// with so few rows there is little to save, and sums of doubles would depend on the way there.
class Network {
  public:
    // Throws std::invalid_argument if the mapping does not have the inputs of the net.
    Network(const Mapping& mapping, const EvalNet& net);

    // The net judges for the side that has just moved, the search asks for the other.
    std::int32_t evaluate(const draughts::Position& position) const;
    int units() const { return UNITS; }

    // What arrives at the output, for the side to move, in hundredths of a man.
    std::int32_t hundredths(const draughts::Position& position) const;
    // The value that evaluate() gives where hundredths() gives this.
    std::int32_t squashed(std::int32_t hundredths) const;
    // What a man adds to what arrives at the output: measured on the board where games begin.
    double man() const { return layers_->man; }

    // What the net says for the side that has just moved, unrounded.
    double output(const draughts::Position& position) const;

    // The same with other weights: w1 by rows, w2, w3. Throws std::invalid_argument for too few or
    // too many, and for such as are not finite.
    Network with_weights(std::span<const double> weights) const;

    static constexpr int UNITS = 1'000'000;
    // Nets that know nothing yet are taken to judge a man by so much.
    static constexpr double LEAST_MAN = 0.01;
    // No board is worth more men.
    static constexpr double MOST_MEN = 100;
    // Of the sums that are kept for each code of the mapping: 1.6 GB.
    static constexpr std::size_t MAX_ROW_NUMBERS = 200'000'000;

    // What a learner asks: see engine/strap.h. The scale is that of the output, -1 to 1.
    std::size_t weight_count() const { return layers_->net.weight_count(); }
    double judge(const draughts::Position& position) const { return -output(position); }
    double worth(std::int32_t value) const {
        return std::clamp(static_cast<double>(value) / UNITS, -1.0, 1.0);
    }
    double slope(double judged) const {
        assert(-1 <= judged && judged <= 1);
        return 1 - judged * judged;
    }
    void add_gradient(const draughts::Position& position, double amount,
                      std::span<double> sums) const;

  private:
    struct Layers {
        Mapping mapping;
        EvalNet net;
        int hidden;
        // Of a row: hidden, direct links, zeros up to a multiple of 4; 1 if there is one layer.
        int width;
        std::vector<double> start;    // the row of the bias, and of an empty board
        std::vector<double> rows;     // by group and code
        std::vector<int> first_rows;  // of each group
        std::vector<double> second;   // w2 by column, 0 for columns that are not hidden
        double second_bias;
        double man;
    };

    // What arrives at the output, for the side that has just moved.
    double sum(const draughts::Position& position) const;
    double measured_man() const;

    // What arrives at the output but for the bias of the second layer.
    double sum_of_one_layer(const draughts::features::Board& board) const;
    double sum_of_layers(const draughts::features::Board& board) const;

    std::shared_ptr<const Layers> layers_;  // copies for other threads share them
};

}  // namespace crossboard
