// What the search asks of an evaluation.
#pragma once

#include <concepts>

#include "rules/position.h"
#include "search/value.h"

namespace crossboard {

// Judges a position in which the game goes on, from the view of the side to move. One search
// thread calls one copy, so an evaluator may keep what it likes between calls. One that has a
// member IS_SLOW makes the search look at its limits after every node.
template <class E, class P>
concept Evaluator =
    GamePosition<P> && std::copyable<E> && requires(E& evaluator, const P& position) {
        { evaluator.evaluate(position) } -> std::same_as<Value>;  // within +-MAX_EVALUATION
        {
            evaluator.units()
        } -> std::same_as<int>;  // so many make one man, or a sure win for a network
    };

}  // namespace crossboard
