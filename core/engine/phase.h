// The part of a game of draughts in which one of a player's evaluations is asked.
#pragma once

#include "eval/material.h"
#include "rules/draughts/position.h"

namespace crossboard::draughts {

struct Phase {
    enum class Balance { any, ahead, level, behind };

    int least_pieces = 0;  // of both sides
    int most_pieces = 24;
    Balance balance = Balance::any;  // of the side to move, in material

    bool holds(const Position& position) const {
        const int pieces = count(position.black() | position.white());
        if (pieces < least_pieces || pieces > most_pieces) return false;
        const auto lead = Material().evaluate(position);
        switch (balance) {
            case Balance::ahead: return lead > 0;
            case Balance::level: return lead == 0;
            case Balance::behind: return lead < 0;
            default: return true;
        }
    }
};

}  // namespace crossboard::draughts
