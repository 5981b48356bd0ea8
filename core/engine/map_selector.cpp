// Finds the nearest prototype of a map, and keeps the choice of it.
#include "engine/map_selector.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

namespace crossboard::draughts {

MapSelector::MapSelector(std::shared_ptr<const Selector<Position>> base,
                         features::BoardAttributes attributes, std::vector<double> prototypes,
                         const Settings& settings)
    : base_(std::move(base)),
      attributes_(std::move(attributes)),
      prototypes_(std::move(prototypes)),
      settings_(settings) {
    if (prototypes_.empty() || prototypes_.size() % attributes_.size() != 0)
        throw std::invalid_argument("prototypes are rows of " + std::to_string(attributes_.size()) +
                                    " attributes, not " + std::to_string(prototypes_.size()) +
                                    " numbers");
    if (!std::all_of(prototypes_.begin(), prototypes_.end(),
                     [](double number) { return std::isfinite(number); }))
        throw std::invalid_argument("a prototype has an attribute that is no finite number");
}

Choice MapSelector::select(const Position& position, Choice last) const {
    const bool is_specialist = last && *last >= base_->count();
    if (is_specialist && settings_.keeps) return last;
    if (position.count_pieces() > settings_.most_pieces)
        return base_->select(position, is_specialist ? std::nullopt : last);
    return base_->count() + nearest(position);
}

std::size_t MapSelector::nearest(const Position& position) const {
    std::vector<double> attributes(attributes_.size());
    attributes_.write(position, attributes);
    std::size_t best = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t unit = 0; unit < units(); ++unit) {
        const double* prototype = &prototypes_[unit * attributes.size()];
        double distance = 0;
        for (std::size_t i = 0; i < attributes.size(); ++i) {
            const double difference = attributes[i] - prototype[i];
            distance += difference * difference;
        }
        if (distance >= least) continue;
        best = unit;
        least = distance;
    }
    return best;
}

}  // namespace crossboard::draughts
