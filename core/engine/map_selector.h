// Selects a specialist for the rest of a game of draughts, by a map of boards.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "engine/selector.h"
#include "eval/features/attributes.h"
#include "rules/draughts/position.h"

namespace crossboard::draughts {

// Down to a number of pieces another selector decides. At the first turn with no more than that
// number, the prototype that is nearest to the position's attributes picks the specialist. A
// selector that keeps its choice then leaves the game to that specialist.
//
// The places behind those of the other selector are the specialists, one for each prototype: two of
// them may search with the same evaluator, but they are two choices.
class MapSelector final : public Selector<Position> {
  public:
    struct Settings {
        int most_pieces;  // of both sides, for a specialist
        bool keeps;
    };

    // `prototypes` has a row of attributes for each specialist. Throws std::invalid_argument if
    // there is none, if the rows do not fit the attributes, or for a number that is not finite.
    MapSelector(std::shared_ptr<const Selector<Position>> base,
                features::BoardAttributes attributes, std::vector<double> prototypes,
                const Settings& settings);

    Choice select(const Position& position, Choice last) const override;
    std::size_t count() const override { return base_->count() + units(); }

    std::size_t units() const { return prototypes_.size() / attributes_.size(); }

    // The prototype at the least squared distance from a position's attributes, the first of
    // several.
    std::size_t nearest(const Position& position) const;

  private:
    std::shared_ptr<const Selector<Position>> base_;
    features::BoardAttributes attributes_;
    std::vector<double> prototypes_;  // by rows
    Settings settings_;
};

}  // namespace crossboard::draughts
