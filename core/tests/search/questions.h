// Questions to an engine, as tests put them.
#pragma once

#include "engine/engine.h"
#include "search/slow_minimax.h"

namespace crossboard::slow {

using Tested = EngineWith<Position, Judge>;

inline Question<Position> question(const Position& position, const Limits& limits,
                                   int best_moves = 1) {
    Question<Position> asked;
    asked.position = position;
    asked.limits = limits;
    asked.best_moves = best_moves;
    return asked;
}

// Does not end by itself.
inline Question<Position> endless_question() {
    return question(Position(), {.depth = MAX_DEPTH});
}

}  // namespace crossboard::slow
