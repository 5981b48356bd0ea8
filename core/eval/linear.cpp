// Checks what a weighted sum is made of.
#include "eval/linear.h"

#include <sstream>
#include <stdexcept>

namespace crossboard {

Linear::Linear(const std::vector<std::string>& features, std::span<const double> weights,
               double man) {
    if (features.size() != weights.size())
        throw std::invalid_argument(std::to_string(features.size()) + " features need as many " +
                                    "weights, not " + std::to_string(weights.size()));
    if (!(man > 0 && std::isfinite(UNITS / man) && std::isfinite(man)))
        throw std::invalid_argument("the weight of a man must be a number above 0, not " +
                                    std::to_string(man));
    for (std::size_t i = 0; i < features.size(); ++i) {
        const auto& feature = draughts::features::by_name(features[i]);
        if (std::count(features.begin(), features.end(), features[i]) > 1)
            throw std::invalid_argument(features[i] + " is named twice");
        const double weight = weights[i] * (UNITS / man);
        if (!(std::abs(weight) <= MAX_WEIGHT)) {
            std::ostringstream message;
            message << "the weight of " << features[i] << " is at most " << MAX_WEIGHT / UNITS
                    << " men, not " << weights[i] / man;
            throw std::invalid_argument(message.str());
        }
        terms_.push_back({feature.value, weight});
    }
}

}  // namespace crossboard
