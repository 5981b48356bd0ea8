// A board as a vector of attributes, by which a Kohonen map groups boards.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "eval/features/registry.h"

namespace crossboard::draughts::features {

// A board seen by the side to move, as if it had just moved: the map is asked at the player's turn,
// for the position as it stands.
class BoardAttributes {
  public:
    enum class Coding {
        presence,  // 1 where the count is above 0, or where there is no debit; else 0
        counts,    // Chosen: the count over the largest that the feature can have, from -1 to 1
    };

    // Throws std::invalid_argument for no, unknown or repeated features.
    explicit BoardAttributes(const std::vector<std::string>& names,
                             Coding coding = Coding::presence, bool with_material = false);

    std::size_t size() const { return features_.size() + (with_material_ ? 1 : 0); }
    std::vector<std::string> names() const;
    Coding coding() const { return coding_; }
    bool with_material() const { return with_material_; }

    // Needs room for size() numbers.
    void write(const Position& position, std::span<double> attributes) const;

    bool operator==(const BoardAttributes&) const = default;

  private:
    std::vector<const Feature*> features_;
    Coding coding_;
    bool with_material_;  // one more attribute behind the features: the material balance
};

// "presence" or "counts".
std::string_view name_of(BoardAttributes::Coding coding);

// Throws std::invalid_argument for any other name.
BoardAttributes::Coding coding_named(std::string_view name);

}  // namespace crossboard::draughts::features
