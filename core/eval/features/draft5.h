// The twelve genes of DRAFT5-GA (Chisholm and Bradbeer 1997): what one side has more than the
// other.
//
// The paper gives names and ranges only, so every meaning here is chosen (docs/features.md).
#pragma once

#include "eval/features/board.h"
#include "eval/features/samuel.h"

namespace crossboard::draughts::features::draft5 {

inline int piece(const Board& b) {
    return count(b.own_men) - count(b.other_men);
}

inline int king(const Board& b) {
    return count(b.own_kings) - count(b.other_kings);
}

// Steps of men, whether or not a jump is due.
inline int mob(const Board& b) {
    return count(b.own_men << 4 & b.empty) + count(b.own_men << 5 & b.empty) -
           count(b.other_men >> 4 & b.empty) - count(b.other_men >> 5 & b.empty);
}

inline int king_steps(Bits kings, Bits empty) {
    return count(kings << 4 & empty) + count(kings << 5 & empty) + count(kings >> 4 & empty) +
           count(kings >> 5 & empty);
}

// Steps of kings.
inline int kmob(const Board& b) {
    if (!(b.own_kings | b.other_kings)) return 0;
    return king_steps(b.own_kings, b.empty) - king_steps(b.other_kings, b.empty);
}

// Men on the own back row, and one more for a bridge. Kings guard nothing: they come and go.
inline int back(const Board& b) {
    constexpr Bits OTHER_BRIDGE = turned(BRIDGE);
    const bool own_bridge = (b.own_men & BRIDGE) == BRIDGE;
    const bool other_bridge = (b.other_men & OTHER_BRIDGE) == OTHER_BRIDGE;
    return count(b.own_men & HOME_ROW) + own_bridge - count(b.other_men & FAR_ROW) - other_bridge;
}

inline int cent(const Board& b) {
    return count(b.own_men & CENTRE) - count(b.other_men & CENTRE);
}

inline int kcent(const Board& b) {
    return count(b.own_kings & CENTRE) - count(b.other_kings & CENTRE);
}

// The rows that men have behind them. A row counted from 0 is a number of three binary digits, and
// seen from the other side each digit is the opposite one: so three counts do for each side.
inline int adv1(const Board& b) {
    constexpr Bits ONES = squares(5, 8) | squares(13, 16) | squares(21, 24) | squares(29, 32);
    constexpr Bits TWOS = squares(9, 16) | squares(25, 32);
    constexpr Bits FOURS = squares(17, 32);
    return count(b.own_men & ONES) + 2 * count(b.own_men & TWOS) + 4 * count(b.own_men & FOURS) -
           count(b.other_men & ~ONES) - 2 * count(b.other_men & ~TWOS) -
           4 * count(b.other_men & ~FOURS);
}

// A king of the side behind stands in a double corner, where it is hard to catch.
inline int dblsq(const Board& b) {
    const int lead = b.own_material() - b.other_material();
    if (lead < 0) return (b.own_kings & DOUBLE_CORNERS) != 0;
    if (lead > 0) return -((b.other_kings & DOUBLE_CORNERS) != 0);
    return 0;
}

// The steps from each king to the nearest of `others`, summed.
inline int distances(Bits kings, Bits others) {
    if (!others) return 0;
    int sum = 0;
    for (Bits near = others; kings &= ~near; near = (near | up(near) | down(near)) & BOARD)
        sum += count(kings);
    return sum;
}

// The side ahead has to come near: minus the distances of its kings.
inline int near(const Board& b) {
    const int lead = b.own_material() - b.other_material();
    if (lead > 0) return -distances(b.own_kings, b.other());
    if (lead < 0) return distances(b.other_kings, b.own());
    return 0;
}

// The side ahead wants exchanges: the pieces it has given.
inline int exch(const Board& b) {
    const int lead = b.own_material() - b.other_material();
    if (lead > 0) return MAX_PIECES - count(b.own());
    if (lead < 0) return count(b.other()) - MAX_PIECES;
    return 0;
}

// Who has the move, in the cases in which Samuel's MOVE looks: an odd number of pieces in the
// move system gives it to the side to move.
inline int move(const Board& b) {
    if (!samuel::is_move_counted(b)) return 0;
    return samuel::move(b) ? -1 : 1;
}

}  // namespace crossboard::draughts::features::draft5
