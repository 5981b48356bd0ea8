// The network of NeuroDraughts (Lynch 1997, chapter 5): one hidden layer, tanh, direct links.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "eval/mapping.h"

namespace crossboard {

// Plain vectors in, one number between -1 and 1 out:
//   h_j = tanh(sum_i w1[i][j] x_i),  out = tanh(sum_j w2[j] h_j + sum_i w3[i] x_i)
// where x and h have one more member at their end, the bias, which is 1.
class EvalNet {
  public:
    // w1 row by row: (inputs + 1) rows of `hidden`; w2: hidden + 1; w3: inputs + 1, or empty for a
    // net without direct links. Throws std::invalid_argument for sizes that do not fit together and
    // for weights that are not finite.
    EvalNet(int inputs, int hidden, std::vector<double> w1, std::vector<double> w2,
            std::vector<double> w3 = {});

    int inputs() const { return inputs_; }
    int hidden() const { return hidden_; }
    bool has_direct_links() const { return !w3_.empty(); }

    double forward(std::span<const double> x) const;

    // The weights that leave an input, the bias last.
    std::span<const double> from_input(int input) const {
        return std::span(w1_).subspan(static_cast<std::size_t>(input) * hidden_, hidden_);
    }
    double direct(int input) const { return w3_.empty() ? 0 : w3_[input]; }
    std::span<const double> from_hidden() const { return w2_; }

  private:
    int inputs_, hidden_;
    std::vector<double> w1_, w2_, w3_;
};

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

    // What the net says for the side that has just moved, unrounded.
    double output(const draughts::Position& position) const;

    static constexpr int UNITS = 1'000'000;

  private:
    struct Layers {
        Mapping mapping;
        int hidden;
        int width;                    // of a row: hidden, direct links, zeros up to a multiple of 4
        std::vector<double> start;    // the row of the bias, and of an empty board
        std::vector<double> rows;     // by group and code
        std::vector<int> first_rows;  // of each group
        std::vector<double> second;   // w2 by column, 0 for columns that are not hidden
        double second_bias;
    };

    std::shared_ptr<const Layers> layers_;  // copies for other threads share them
};

}  // namespace crossboard
