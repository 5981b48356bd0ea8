// The twelve features of NeuroDraughts (Lynch 1997, appendix A), with their usual bits.
//
// Where a number does not fit into its bits it is the largest that does (registry.h). The second
// half are the encodings of the original program where they differ: `quirks="lynch"`.
#pragma once

#include <algorithm>

#include "eval/features/samuel.h"

namespace crossboard::draughts::features::lynch {

// ---- the features

inline int piece_advantage(const Board& b) {  // 4
    return std::max(b.own_material() - b.other_material(), 0);
}

inline int piece_disadvantage(const Board& b) {  // 4
    return std::max(b.other_material() - b.own_material(), 0);
}

// The pieces that a side could jump over now.
template <Colour C>
Bits victims(const detail::Side<C>& side) {
    constexpr int S = detail::Side<C>::sign;
    return step<4 * S>(side.template jumpers<4 * S>(side.own)) |
           step<5 * S>(side.template jumpers<5 * S>(side.own)) |
           step<-4 * S>(side.template jumpers<-4 * S>(side.kings)) |
           step<-5 * S>(side.template jumpers<-5 * S>(side.kings));
}

// Own pieces that other could take by a first jump.
inline int piece_threat(const Board& b) {  // 3
    return count(victims(b.other_side()));
}

// Pieces of other that own could take if it were to move.
inline int piece_take(const Board& b) {  // 3
    return count(victims(b.own_side()));
}

// Signed in the paper, but stored in bits without a sign. Chosen: moved up and halved.
inline int advancement(const Board& b) {  // 3
    return (samuel::adv(b) + 8) / 2;
}

inline int double_diagonal(const Board& b) {  // 4
    return samuel::dia(b);
}

// Men, and only while other has no king: so the program, the paper says neither.
inline int back_row_bridge(const Board& b) {  // 1
    return !b.other_kings && (b.own_men & BRIDGE) == BRIDGE;
}

// Chosen as in the program: men.
inline int centre_control(const Board& b) {  // 3
    return samuel::cent(b);
}

inline int x_centre_control(const Board& b) {  // 3
    return samuel::cntr(b);
}

inline int total_mobility(const Board& b) {  // 4
    return samuel::mob(b);
}

inline int exposure(const Board& b) {  // 3
    return samuel::expos(b);
}

inline int king_centre_control(const Board& b) {  // 3
    return samuel::kcent(b);
}

// ---- as the program of 1997 coded them

namespace quirks {

// Above the range only the lowest bit was forced on, the others were those of the value.
inline int overflowing(int value, int bits) {
    const int most = (1 << bits) - 1;
    return (value & most) | (value > most);
}

// A wrong test left the lowest bit off for all values but 1. Chosen: and those above the range.
inline int without_low_bit(int value, int bits) {
    const int most = (1 << bits) - 1;
    return (value & most & ~1) | (value == 1 || value > most);
}

inline int piece_advantage(const Board& b, int bits) {
    return overflowing(std::max(0, b.own_material() - b.other_material()), bits);
}

inline int piece_disadvantage(const Board& b, int bits) {
    return without_low_bit(std::max(0, b.other_material() - b.own_material()), bits);
}

// Counted the pieces that can jump, twice those with several ways; three ways of four counted once.
template <Colour C>
int count_jumpers(const detail::Side<C>& side) {
    const bool is_black = C == Colour::black;
    const Bits upwards = is_black ? side.own : side.kings;
    const Bits downwards = is_black ? side.kings : side.own;
    const Bits ne = side.template jumpers<4>(upwards), nw = side.template jumpers<5>(upwards);
    const Bits sw = side.template jumpers<-4>(downwards), se = side.template jumpers<-5>(downwards);
    const Bits several = (ne & nw) | (sw & se) | ((ne | nw) & (sw | se));
    return count(ne | nw | sw | se) + count(several & ~(ne & nw & se & ~sw));
}

inline int piece_threat(const Board& b, int bits) {
    return overflowing(count_jumpers(b.other_side()), bits);
}

inline int piece_take(const Board& b, int bits) {
    return overflowing(count_jumpers(b.own_side()), bits);
}

// The wrong test again. Chosen: the same as in PieceDisadvantage.
inline int advancement(const Board& b, int bits) {
    return without_low_bit(samuel::adv(b) + 8, bits);
}

inline int double_diagonal(const Board& b, int bits) {
    return overflowing(samuel::dia(b), bits);
}

inline int back_row_bridge(const Board& b, int bits) {
    return overflowing(lynch::back_row_bridge(b), bits);
}

// One less than there are, so that one looks like none.
inline int one_less(int value, int bits) {
    return overflowing(std::max(0, value - 1), bits);
}

inline int centre_control(const Board& b, int bits) {
    return one_less(samuel::cent(b), bits);
}

// Kings of other that stand there were forgotten.
inline int x_centre_control(const Board& b, int bits) {
    return one_less(count((b.other_men | b.reach()) & CENTRE), bits);
}

inline int total_mobility(const Board& b, int bits) {
    return overflowing(samuel::mob(b), bits);
}

inline int exposure(const Board& b, int bits) {
    return overflowing(samuel::expos(b), bits);
}

inline int king_centre_control(const Board& b, int bits) {
    return one_less(samuel::kcent(b), bits);
}

}  // namespace quirks

}  // namespace crossboard::draughts::features::lynch
