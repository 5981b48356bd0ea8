// Which of a player's agents judges a position.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "engine/phase.h"

namespace crossboard {

// The place of an agent among those of a player; none before a game's first choice. Several agents
// may search with the same evaluator.
using Choice = std::optional<std::size_t>;

// A selector keeps nothing: the last choice belongs to the game in progress, so that one selector
// serves any number of games at once.
template <GamePosition P>
class Selector {
  public:
    virtual ~Selector() = default;

    // Returns the agent for a position in which the player is to move, none if there is none for
    // it. `last` is the choice of the player's previous turn in the same game: none at the
    // start of a game, and for a position that is searched by itself.
    virtual Choice select(const P& position, Choice last) const = 0;

    // The number of agents to choose from.
    virtual std::size_t count() const = 0;
};

// Selects the agent of the first phase that holds, whatever was chosen before. An agent may have
// several phases.
template <GamePosition P>
class PhaseSelector final : public Selector<P> {
  public:
    using Role = std::pair<Phase<P>, std::size_t>;

    explicit PhaseSelector(std::vector<Role> roles) : roles_(std::move(roles)) {
        for (const Role& role : roles_) count_ = std::max(count_, role.second + 1);
    }

    Choice select(const P& position, Choice) const override {
        for (const auto& [phase, place] : roles_)
            if (phase.holds(position)) return place;
        return std::nullopt;
    }
    std::size_t count() const override { return count_; }

  private:
    std::vector<Role> roles_;
    std::size_t count_ = 0;
};

}  // namespace crossboard
