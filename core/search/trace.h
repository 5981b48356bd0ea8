// What a learner may ask of a search: the inner nodes that were finished, with what came out.
#pragma once

#include <vector>

#include "search/value.h"

namespace crossboard {

template <class P>
struct TracedNode {
    P position;
    Value value;  // for the side to move, wins counted from the root
    Bound bound;
    int depth;
    int ply;
    // The edge of the window that the value lies beyond: the weaker bound. Exact values have none.
    Value edge = NONE;
    // What the evaluation says of the position itself, where that is carried along.
    Value judged = NONE;

    static constexpr Value NONE = INFINITE;
};

// Whether a judgement is not what a search found: a bound surprises only if it is broken.
constexpr bool is_surprise(Value judged, Value value, Bound bound) {
    switch (bound) {
        case Bound::exact: return judged != value;
        case Bound::lower: return judged < value;
        case Bound::upper: return judged > value;
        default: return false;
    }
}

template <class P>
using Trace = std::vector<TracedNode<P>>;

}  // namespace crossboard
