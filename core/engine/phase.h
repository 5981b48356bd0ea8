// The part of a game in which one of a player's evaluations is asked.
#pragma once

#include "eval/material.h"
#include "rules/draughts/position.h"
#include "rules/duchess/position.h"

namespace crossboard {

// By how much the side to move is ahead in material: in men, or in pieces where nobody has said
// what they are worth.
inline int lead_of(const draughts::Position& position) {
    return Material().evaluate(position);
}
inline int lead_of(const duchess::Position& position) {
    return 2 * position.pieces(position.team()).count() - position.count_pieces();
}

template <GamePosition P>
struct Phase {
    enum class Balance { any, ahead, level, behind };

    int least_pieces = 0;            // of both sides
    int most_pieces = 90;            // six armies of Duchess: no game has more
    Balance balance = Balance::any;  // of the side to move, in material

    bool holds(const P& position) const {
        const int pieces = position.count_pieces();
        if (pieces < least_pieces || pieces > most_pieces) return false;
        const int lead = lead_of(position);
        switch (balance) {
            case Balance::ahead: return lead > 0;
            case Balance::level: return lead == 0;
            case Balance::behind: return lead < 0;
            default: return true;
        }
    }
};

}  // namespace crossboard
