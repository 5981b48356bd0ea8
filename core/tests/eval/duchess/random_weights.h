// Evaluations of Duchess to try things on.
#pragma once

#include <vector>

#include "eval/duchess/one_layer.h"
#include "rules/random.h"

namespace crossboard::duchess {

// Up to a tenth either way, so that hardly two positions are worth the same.
inline std::vector<double> random_weights(const Layout& layout, std::uint64_t seed) {
    Random random(seed);
    std::vector<double> weights;
    for (int i = 0; i < layout.size(); ++i)
        weights.push_back((random.below(200'001) - 100'000) * 1e-6);
    return weights;
}

template <int Players>
OneLayer<Players> random_evaluation(Design design, std::uint64_t seed) {
    design.players = Players;
    const Layout layout(design);
    return OneLayer<Players>(layout, random_weights(layout, seed));
}

}  // namespace crossboard::duchess
