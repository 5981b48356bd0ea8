// What captures and promotions lead to, looked up in solved slices.
#include "tables/captures.h"

#include <algorithm>

namespace crossboard::tables {

Outcome outcome_after(const WideBoard& moved, const SolvedSlices& solved) {
    if (!(moved.other_men | moved.other_kings)) return Outcome::win;
    const Board board{squeezed(moved.men), squeezed(moved.kings), squeezed(moved.other_men),
                      squeezed(moved.other_kings)};
    return reversed(solved(board.passed()));
}

Outcome best_capture(const WideBoard& board, const WideBoard::Side& side,
                     const SolvedSlices& solved) {
    constexpr Bits LAST_ROW = draughts::crowning_row(draughts::Colour::black);
    Outcome best = Outcome::loss;
    const auto visit = [&](const draughts::Move& move) {
        if (best == Outcome::win) return;
        const Bits from = bit(move.from), to = bit(move.to);
        const Bits king = ((board.kings & from) != 0 || (to & LAST_ROW) != 0) ? to : 0;
        const WideBoard moved{(board.men & ~from) | (to & ~king), (board.kings & ~from) | king,
                              board.other_men & ~move.captured, board.other_kings & ~move.captured};
        best = std::max(best, outcome_after(moved, solved));
    };
    side.jumps(side.jumpers(), visit);
    return best;
}

}  // namespace crossboard::tables
