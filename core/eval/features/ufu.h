// What LS-Draughts and MP-Draughts add to Lynch's twelve features, but for terms that are Samuel's.
#pragma once

#include "eval/features/lynch.h"
#include "eval/features/samuel.h"

namespace crossboard::draughts::features::ufu {

// Chosen: in Samuel's units, so that most boards fit into 4 bits.
inline int diagonal_moment(const Board& b) {
    return samuel::diav(b) / 2;
}

// The program of 1997 had it too, in halves; its feature file left it out.
inline int diagonal_moment_in_halves(const Board& b, int bits) {
    return lynch::quirks::overflowing(samuel::diav(b), bits);
}

// Chosen: on where there is no debit.
inline int apex(const Board& b) {
    return 1 + samuel::apex(b);
}

// THRET for the other side: where own could move and then threaten to take, if it were to move.
inline int taken(const Board& b) {
    return count(samuel::threatening(b.own_side()));
}

}  // namespace crossboard::draughts::features::ufu
