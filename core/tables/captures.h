// What captures and promotions lead to, looked up in solved slices.
#pragma once

#include "rules/draughts/position.h"
#include "tables/outcomes.h"

namespace crossboard::tables {

// A board as the rules know it: with gaps, seen by the side to move as if it were Black.
struct WideBoard {
    Bits men = 0, kings = 0, other_men = 0, other_kings = 0;

    using Side = draughts::detail::Side<draughts::Colour::black>;
    Side side() const { return Side(men | kings, other_men | other_kings, kings); }
};

// For the side that has moved and now sees this board.
Outcome outcome_after(const WideBoard& moved, const SolvedSlices& solved);

// Of a position with a capture; `side` is that of the board.
Outcome best_capture(const WideBoard& board, const WideBoard::Side& side,
                     const SolvedSlices& solved);

}  // namespace crossboard::tables
