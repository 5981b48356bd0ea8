// How to search: every way of the papers is a setting here.
#pragma once

#include "rules/past.h"

namespace crossboard {

enum class Algorithm { minimax, alphabeta };

struct Settings {
    Algorithm algorithm = Algorithm::alphabeta;
    // Follow captures behind the last ply until none is pending; otherwise judge at once.
    bool quiescence = true;
    // What follows is alpha-beta's. None of it prunes forward: the value stays minimax's.
    bool deepening = true;   // depth 1, 2, 3 ... instead of the full depth at once
    int killers = 2;         // so many moves of a ply that refuted a brother come early, 2 at most
    bool history = true;     // moves that refuted anything come earlier than others
    bool pvs = true;         // younger brothers are first asked only whether they are better
    bool aspiration = true;  // deepening expects a value near the last one
    // Table hits need exactly the depth asked for, so that the value stays minimax's.
    bool exact_depth_hits = false;
    bool order_only = false;  // the table's best moves come first, but its values answer nothing
    DrawRules draws = {};
};

}  // namespace crossboard
