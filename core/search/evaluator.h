// What the search asks of an evaluation.
#pragma once

#include <concepts>
#include <span>
#include <type_traits>

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

// One that squashes what it sums up into a scale with ends. A selective search compares differences
// everywhere on the scale, so it is given the sum itself, in hundredths of a man.
template <class E, class P>
concept SquashedEvaluator =
    Evaluator<E, P> && requires(E& evaluator, const P& position, Value hundredths) {
        { evaluator.hundredths(position) } -> std::same_as<Value>;  // within +-MAX_EVALUATION
        { evaluator.squashed(hundredths) } -> std::same_as<Value>;  // as evaluate() would say
    };

// One that carries sums from a position to the next instead of beginning anew: what a move does not
// change is not looked at again. `State` is what it carries, a value of its own for each position.
template <class E, class P>
concept CumulativeEvaluator =
    Evaluator<E, P> && requires(E& evaluator, const P& position, const typename P::Move& move,
                                const typename E::State& state) {
        { evaluator.begin(position) } -> std::same_as<typename E::State>;
        // The state of `next`, to which `move` leads from `position`, whose state is given.
        { evaluator.after(state, position, move, position) } -> std::same_as<typename E::State>;
        { evaluator.evaluate(position, state) } -> std::same_as<Value>;
    };

// One whose weights can be exchanged for others of the same number, all in a row.
template <class E>
concept Reweighable = requires(const E& evaluator, std::span<const double> weights) {
    { evaluator.with_weights(weights) } -> std::same_as<E>;
};

// What others carry: nothing, at no cost.
struct Nothing {};

template <class E>
struct Carried {
    using State = Nothing;
};
template <class E>
    requires requires { typename E::State; }
struct Carried<E> {
    using State = typename E::State;
};

}  // namespace crossboard
