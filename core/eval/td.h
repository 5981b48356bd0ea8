// TD(lambda) with traces and momentum: weights change after every step of a sequence.
//
// src/crossboard/learn/td.py says what it is told; the equations are those of the paper (Lynch
// 1997, 5.1, 9.1). tests/learn/test_td.py has them once more, in numpy and a weight at a time.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "eval/network.h"

namespace crossboard {

struct TdSettings {
    double rate1 = 0;  // of w1 and w3
    double rate2 = 0;  // of w2
    double momentum = 0;
    double gamma = 1;   // how much of a later prediction counts
    double fading = 0;  // of the credit of earlier predictions
    bool direction_check = true;
    bool quirk = false;  // the gradient of w1 as the program of 1997 had it
};

// Of one net, or of several that take turns: each predicts from boards of its own, but credit goes
// back through the whole sequence, whichever of them predicted.
class TdLearner {
  public:
    // Throws std::invalid_argument for no net, and for nets that differ in shape.
    TdLearner(const std::vector<EvalNet>& nets, const TdSettings& settings);

    // Begins a sequence with what a net, by its number, says of x. Inputs are without the bias;
    // throws std::invalid_argument for too few or too many, and for a net that is not there.
    void start(std::span<const double> x, int net = 0);

    // Move the last prediction toward the one for x and the reward on the way there, or toward the
    // reward at the end; return by how much it was wrong. Throw std::invalid_argument before the
    // start of a sequence, and for what is no number.
    double step(std::span<const double> x, int net = 0, double reward = 0);
    double finish(double reward);

    // As they are now: w1 by rows, w2, w3, of one net after the other.
    std::span<const double> weights() const { return weights_; }

    // The rest of its state, in the order of the weights: the credit that earlier predictions still
    // have, and the last changes. No prediction: between two sequences.
    std::span<const double> trace() const { return trace_; }
    std::span<const double> change() const { return change_; }
    std::optional<double> prediction() const { return prediction_; }

    // Goes on from such a state; throws std::invalid_argument if it is not this net's.
    void resume(std::span<const double> trace, std::span<const double> change,
                std::optional<double> prediction);

  private:
    void look_at(std::span<const double> x, int net);
    double last_prediction() const;
    double predict();
    void give_credit();
    void update(double error);
    void update_group(std::size_t first, std::size_t end, double amount);

    int inputs_, hidden_, nets_;
    std::size_t w2_, w3_, size_;  // where a net's second and third group begin, where it ends
    std::size_t base_ = 0;        // where the net begins whose turn it is
    TdSettings settings_;
    std::vector<double> weights_, trace_, change_;
    std::vector<double> x_;      // the bias last
    std::vector<double> units_;  // the hidden ones, as predict() left them
    std::vector<double> ones_;   // in place of w2 where the gradient has its slip
    std::vector<double> gradient_;
    std::optional<double> prediction_;
};

}  // namespace crossboard
