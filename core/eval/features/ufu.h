// What LS-Draughts and MP-Draughts add to Lynch's twelve features: Samuel's terms cut to their
// bits.
#pragma once

#include <algorithm>

#include "eval/features/samuel.h"

namespace crossboard::draughts::features::ufu {

// A term of Samuel's that has so many bits.
template <int (*Term)(const Board&), int Bits>
int cut(const Board& b) {
    return std::min(Term(b), (1 << Bits) - 1);
}

// Chosen: in Samuel's units, so that most boards fit into 4 bits.
inline int diagonal_moment(const Board& b) {
    return std::min(samuel::diav(b) / 2, 15);
}

// Chosen: on where there is no debit.
inline int apex(const Board& b) {
    return 1 + samuel::apex(b);
}

// THRET for the other side: where own could move and then threaten to take, if it were to move.
inline int taken(const Board& b) {
    return std::min(count(samuel::threatening(b.own_side())), 7);
}

}  // namespace crossboard::draughts::features::ufu
