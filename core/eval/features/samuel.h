// The 26 terms of Samuel's evaluation (1959, appendix C), one function for each.
//
// Samuel's passive side is `own`, his active side, which is to move, is `other`. A term's sign says
// nothing about who likes it: that is what weights are for. Where his wording leaves a choice, it
// is marked "Chosen:". "Can move to" never asks whether a jump is due.
#pragma once

#include "eval/features/board.h"

namespace crossboard::draughts::features::samuel {

// The files that begin with the squares 1, 2, 3 and 4.
constexpr Bits MOVE_SYSTEM = squares(1, 4) | squares(9, 12) | squares(17, 20) | squares(25, 28);

// Pieces on rows 5 and 6 less pieces on rows 3 and 4. Chosen: men.
inline int adv(const Board& b) {
    return count(b.own_men & squares(17, 24)) - count(b.own_men & squares(9, 16));
}

// A debit if there are no kings, and of 7 and 26 other holds one and own none.
inline int apex(const Board& b) {
    constexpr Bits POINTS = set_of({7, 26});
    const bool is_debit =
        !(b.own_kings | b.other_kings) && (b.other_men & POINTS) && !(b.own_men & POINTS);
    return is_debit ? -1 : 0;
}

// Other has no king, and own holds its bridge.
inline int back(const Board& b) {
    return !b.other_kings && (b.own() & BRIDGE) == BRIDGE;
}

// Centre squares that a man of own holds.
inline int cent(const Board& b) {
    return count(b.own_men & CENTRE);
}

// Centre squares that other holds or can move to.
inline int cntr(const Board& b) {
    return count((b.other() | b.reach()) & CENTRE);
}

// Other has little left, less than own, and can move into a double corner.
inline int corn(const Board& b) {
    constexpr int LITTLE = 6;
    const int material = b.other_material();
    return material <= LITTLE && material < b.own_material() && (b.reach() & DOUBLE_CORNERS);
}

// Own holds 13 and one of 9 and 14 while other holds all of 17, 21, 22 and 25. For White Samuel
// prints "19 or 20"; turned by 180 degrees 9 is 24, so that is a misprint.
inline int cramp(const Board& b) {
    constexpr Bits CRAMPED = set_of({17, 21, 22, 25});
    const bool is_cramp =
        (b.own() & set_of({13})) && (b.own() & set_of({9, 14})) && (b.other() & CRAMPED) == CRAMPED;
    return is_cramp ? 2 : 0;
}

// Squares of MOB on which the piece could be taken without an exchange. Chosen: own can take it so
// that other has no capture in reply.
inline int deny(const Board& b) {
    return count(b.answers().denied);
}

// Pieces on the diagonals that end in the double corners.
inline int dia(const Board& b) {
    return count(b.own() & DOUBLE_DIAGONALS);
}

// In halves: 3 for a piece on those diagonals, 2 for one removed, 1 for two removed.
inline int diav(const Board& b) {
    constexpr Bits ONE_REMOVED = set_of({2, 7, 11, 16, 20, 13, 17, 22, 26, 31});
    constexpr Bits TWO_REMOVED = set_of({3, 8, 12, 21, 25, 30});
    return 3 * count(b.own() & DOUBLE_DIAGONALS) + 2 * count(b.own() & ONE_REMOVED) +
           count(b.own() & TWO_REMOVED);
}

// The whole threes in the unbroken lines of `set` along one direction. Lines have 8 at most.
template <int D>
int count_threes(Bits set) {
    const Bits threes = set & step<-D>(set) & step<-2 * D>(set);
    const Bits first = threes & ~step<D>(set);
    return count(first) + count(step<3 * D>(first) & threes);
}

// Strings of three pieces on a diagonal. Chosen: a line of n has a third of n, rounded down.
inline int dyke(const Board& b) {
    return count_threes<4>(b.own()) + count_threes<5>(b.own());
}

// Squares to which other can move and force an exchange. Chosen: own then must take, and whatever
// it takes, other has a capture in reply.
inline int exch(const Board& b) {
    return count(b.answers().forced);
}

// Pieces that have both neighbours on a diagonal empty.
inline int expos(const Board& b) {
    const Bits e = b.empty;
    return count(b.own() & ((e << 4 & e >> 4) | (e << 5 & e >> 5)));
}

// Two pieces side by side that other can attack both at once, sure to take one. Chosen: from the
// square behind and between them, which is empty as are both landings; other, a king of necessity,
// can move there now, and own cannot take it there.
inline int fork(const Board& b) {
    const Bits own = b.own(), e = b.empty, kings = b.own_kings;
    const Bits points = e & own >> 4 & own >> 5 & e >> 8 & e >> 10;
    // Own kings strike back if the square behind the fork is free or has just become so.
    const Bits from_right = b.other_kings << 5 & ~(kings >> 5) & ~(kings >> 4 & e << 4);
    const Bits from_left = b.other_kings << 4 & ~(kings >> 4) & ~(kings >> 5 & e << 5);
    return count(points & (from_right | from_left));
}

// Single empty squares between two pieces on a diagonal, or between a piece and the edge. Chosen:
// a square counts once.
inline int gap(const Board& b) {
    const Bits p = b.own(), off = ~BOARD;
    const auto between = [p, off](Bits one, Bits two, Bits one_off, Bits two_off) {
        return (one & two) | (one & two_off) | (two & one_off);
    };
    return count(b.empty & (between(p << 4, p >> 4, off << 4 | 0xf, off >> 4) |
                            between(p << 5, p >> 5, off << 5 | 0x1f, off >> 5)));
}

// Other has no king, and own holds its bridge or its triangle of Oreo.
inline int guard(const Board& b) {
    return !b.other_kings && ((b.own() & BRIDGE) == BRIDGE || (b.own() & OREO) == OREO);
}

// The squares with at least three neighbours in `set`.
inline Bits crowded_by(Bits set) {
    const Bits a = set << 4, b = set << 5, c = set >> 4, d = set >> 5;
    return (a & b & (c | d)) | (c & d & (a | b));
}

// Empty squares with three pieces or more around them.
inline int hole(const Board& b) {
    return count(b.empty & crowded_by(b.own()));
}

// Centre squares that a king of own holds.
inline int kcent(const Board& b) {
    return count(b.own_kings & CENTRE);
}

// Squares that other can move to.
inline int mob(const Board& b) {
    return count(b.reach());
}

// MOB less DENY.
inline int mobil(const Board& b) {
    return mob(b) - deny(b);
}

// MOVE looks only where material is level and something has been taken: "less than 24", chosen
// for one side.
inline bool is_move_counted(const Board& b) {
    const int material = b.own_material();
    return material == b.other_material() && material < MAX_PIECES * MAN;
}

// An odd number of pieces stands in the move system. Chosen: in own's.
inline int move(const Board& b) {
    return is_move_counted(b) && count((b.own() | b.other()) & MOVE_SYSTEM) % 2;
}

// Pieces with three empty squares or more around them.
inline int node(const Board& b) {
    return count(b.own() & crowded_by(b.empty));
}

// Own holds its triangle of Oreo. Samuel adds "no passive kings"; chosen as in BACK and GUARD: no
// kings of other.
inline int oreo(const Board& b) {
    return !b.other_kings && (b.own() & OREO) == OREO;
}

// The same to Samuel's letter: no kings of own, who is his passive side.
inline int printed_oreo(const Board& b) {
    return !b.own_kings && (b.own() & OREO) == OREO;
}

// Men that stand alone. Chosen: not at the edge.
inline int pole(const Board& b) {
    const Bits e = b.empty;
    return count(b.own_men & e << 4 & e << 5 & e >> 4 & e >> 5);
}

// A control term of Samuel's, the same as EXCH.
inline int recap(const Board& b) {
    return exch(b);
}

// The squares to which a side can move a piece that then threatens to jump. The square it leaves
// makes no difference: no jump leads back there.
template <Colour C>
Bits threatening(const detail::Side<C>& side) {
    constexpr int S = detail::Side<C>::sign;
    const Bits men = side.own & ~side.kings;
    const Bits by_men = side.template targets<4 * S>(men) | side.template targets<5 * S>(men);
    const Bits by_kings = (up(side.kings) | down(side.kings)) & side.empty;
    const Bits as_kings = by_kings | (by_men & crowning_row(C));
    const Bits all = by_men | by_kings;
    return side.template jumpers<4 * S>(all) | side.template jumpers<5 * S>(all) |
           side.template jumpers<-4 * S>(as_kings) | side.template jumpers<-5 * S>(as_kings);
}

// Squares to which other can move a piece that then threatens to take one.
inline int thret(const Board& b) {
    return count(threatening(b.other_side()));
}

}  // namespace crossboard::draughts::features::samuel
