// A weighted sum of features: the evaluation of Samuel, of DRAFT5 and of TreeStrap.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "eval/features/registry.h"

namespace crossboard {

class Linear {
  public:
    // Throws std::invalid_argument for an unknown feature, a missing or an endless weight.
    // `man` is the weight that makes one man: values are told in thousandths of it.
    Linear(const std::vector<std::string>& features, std::span<const double> weights, double man);

    // Features look at the board from the side that has just moved, the search from the other.
    std::int32_t evaluate(const draughts::Position& position) const {
        const draughts::features::Board board(position);
        double sum = 0;
        for (const Term& term : terms_) sum += term.weight * term.value(board);
        return static_cast<std::int32_t>(std::nearbyint(std::min(MOST, std::max(-MOST, -sum))));
    }

    int units() const { return UNITS; }

    static constexpr int UNITS = 1000;
    static constexpr double MOST = 100'000'000;  // what the search takes for an evaluation
    static constexpr double MAX_WEIGHT = 1e303;  // in units: no sum of such terms is endless

  private:
    struct Term {
        int (*value)(const draughts::features::Board&);
        double weight;  // in units
    };

    std::vector<Term> terms_;
};

}  // namespace crossboard
