// Duchess's evaluation as Python holds it.
#pragma once

#include <variant>

#include "engine/duchess_engines.h"

namespace crossboard::bindings {

// For four players or for six.
struct AnyOneLayer {
    std::variant<duchess::OneLayer<4>, duchess::OneLayer<6>> evaluator;
    bool cumulative;

    std::int32_t evaluate(const duchess::Position& position) const {
        return std::visit(
            [&](const auto& one) {
                one.require(position);
                return one.evaluate(position);
            },
            evaluator);
    }
    const duchess::Layout& layout() const {
        return std::visit([](const auto& one) -> const duchess::Layout& { return one.layout(); },
                          evaluator);
    }
};

}  // namespace crossboard::bindings
