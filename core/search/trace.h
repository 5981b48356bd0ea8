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
};

template <class P>
using Trace = std::vector<TracedNode<P>>;

}  // namespace crossboard
