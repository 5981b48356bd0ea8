// What a search teaches its evaluation: RootStrap and TreeStrap (Veness, Silver, Uther, Blair).
#pragma once

#include <algorithm>
#include <cassert>
#include <concepts>
#include <cstddef>
#include <span>

#include "search/evaluator.h"
#include "search/trace.h"

namespace crossboard {

// An evaluation that can learn. It judges on a scale of its own, on which errors are taken and
// whose ends are a sure win and a sure loss: a squashed weighted sum, say.
template <class E, class P>
concept Learnable = Evaluator<E, P> && requires(const E& evaluator, const P& position, Value value,
                                                double number, std::span<double> sums) {
    { evaluator.weight_count() } -> std::same_as<std::size_t>;
    { evaluator.judge(position) } -> std::same_as<double>;  // for the side to move, unrounded
    { evaluator.worth(value) } -> std::same_as<double>;     // of a value from the search
    { evaluator.slope(number) } -> std::same_as<double>;    // of the scale, where it says `number`
    // Adds `number` times the derivative of what is judged, before it is squashed, by each weight.
    evaluator.add_gradient(position, number, sums);
};

struct StrapSettings {
    bool whole_tree = true;  // TreeStrap; otherwise the root alone: RootStrap
    double rate = 1;         // of the root
    double decay = 1;        // the rate of a node fades with each ply it lies below the root
    double clamp = 0;        // no weight changes by more than this for one search; 0: no limit
    // Positions with a capture pending teach nothing. Where captures are compulsory and the search
    // follows them, the evaluation is never asked of such positions.
    bool quiet_only = false;
    bool with_slope = false;  // otherwise errors count as for cross-entropy: the slope cancels out
    // Bounds are the edges of windows, as a search that fails hard gives them, instead of what the
    // first refutation was found to be worth.
    bool at_edges = false;
};

// By how much the judgement of a node must rise. A bound teaches only if the judgement breaks it.
inline double strap_error(double judged, double worth, Bound bound) {
    const double error = worth - judged;
    switch (bound) {
        case Bound::exact: return error;
        case Bound::lower: return std::max(error, 0.0);
        case Bound::upper: return std::min(error, 0.0);
        default: return 0;
    }
}

// Adds to `sums`, which has a number for each weight, what one search teaches: rate times error
// times gradient over its finished inner nodes. The search must have kept to full windows (neither
// null windows nor aspiration), or nearly every node is a bound that teaches nothing.
template <GamePosition P, Learnable<P> E>
void add_lesson(const Trace<P>& trace, const E& evaluator, const StrapSettings& settings,
                std::span<double> sums) {
    assert(sums.size() == evaluator.weight_count() && settings.rate >= 0 && settings.decay >= 0);
    double rates[MAX_PLY];
    double rate = settings.rate;
    for (double& each : rates) {
        each = rate;
        rate *= settings.decay;
    }
    for (const TracedNode<P>& node : trace) {
        assert(0 <= node.ply && node.ply < MAX_PLY && node.bound != Bound::none);
        if (!settings.whole_tree && node.ply > 0) continue;
        if (settings.quiet_only && node.position.has_capture()) continue;
        const bool at_edge = settings.at_edges && node.edge != TracedNode<P>::NONE;
        const double worth = evaluator.worth(at_edge ? node.edge : node.value);
        const double judged = node.judged == TracedNode<P>::NONE ? evaluator.judge(node.position)
                                                                 : evaluator.worth(node.judged);
        const double error = strap_error(judged, worth, node.bound);
        if (error == 0) continue;
        const double slope = settings.with_slope ? evaluator.slope(judged) : 1;
        evaluator.add_gradient(node.position, rates[node.ply] * error * slope, sums);
    }
}

inline void clamp_changes(std::span<double> changes, double clamp) {
    assert(clamp >= 0);
    for (double& change : changes) change = std::clamp(change, -clamp, clamp);
}

}  // namespace crossboard
