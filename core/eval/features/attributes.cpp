// Checks the list of attributes and counts them on a board.
#include "eval/features/attributes.h"

#include <algorithm>
#include <cassert>
#include <cstdlib>
#include <stdexcept>

namespace crossboard::draughts::features {

namespace {

using Coding = BoardAttributes::Coding;

constexpr std::string_view CODINGS[] = {"presence", "counts"};

// Chosen: a full side of men is 1, so that material weighs about as much as any other attribute.
constexpr double FULL_SIDE = 12 * MAN;

double presence(const Feature& feature, int value) {
    // A feature that is never above 0 is a debit: present is what is not debited.
    return value > 0 || (feature.most == 0 && value == 0) ? 1 : 0;
}

double share(const Feature& feature, int value) {
    return static_cast<double>(value) / std::max(std::abs(feature.least), std::abs(feature.most));
}

}  // namespace

BoardAttributes::BoardAttributes(const std::vector<std::string>& names, Coding coding,
                                 bool with_material)
    : coding_(coding), with_material_(with_material) {
    if (names.empty()) throw std::invalid_argument("board attributes need at least one feature");
    for (const std::string& name : names) {
        const Feature* feature = &by_name(name);
        if (std::find(features_.begin(), features_.end(), feature) != features_.end())
            throw std::invalid_argument("the feature " + name +
                                        " is named twice among the board attributes");
        features_.push_back(feature);
    }
}

std::vector<std::string> BoardAttributes::names() const {
    std::vector<std::string> names;
    for (const Feature* feature : features_) names.emplace_back(feature->name);
    return names;
}

void BoardAttributes::write(const Position& position, std::span<double> attributes) const {
    assert(attributes.size() == size());
    const Board board(position, position.turn());
    for (std::size_t i = 0; i < features_.size(); ++i) {
        const int value = features_[i]->value(board);
        attributes[i] = coding_ == Coding::presence ? presence(*features_[i], value)
                                                    : share(*features_[i], value);
    }
    if (with_material_)
        attributes.back() = (board.own_material() - board.other_material()) / FULL_SIDE;
}

std::string_view name_of(Coding coding) {
    return CODINGS[static_cast<int>(coding)];
}

Coding coding_named(std::string_view name) {
    for (const Coding coding : {Coding::presence, Coding::counts})
        if (name == name_of(coding)) return coding;
    throw std::invalid_argument("the coding of board attributes is 'presence' or 'counts', not '" +
                                std::string(name) + "'");
}

}  // namespace crossboard::draughts::features
