// A position as features see it: turned so that one side, usually the last mover, plays as Black.
#pragma once

#include <initializer_list>

#include "rules/draughts/position.h"

namespace crossboard::draughts::features {

constexpr Bits set_of(std::initializer_list<int> numbers) {
    Bits set = 0;
    for (int number : numbers) set |= bit(index_of(number));
    return set;
}

// Standard numbers, for a side that plays as Black; its row 1 is 1-4, its row 8 is 29-32.
constexpr Bits CENTRE = set_of({10, 11, 14, 15, 18, 19, 22, 23});
constexpr Bits DOUBLE_CORNERS = set_of({1, 5, 28, 32});
constexpr Bits DOUBLE_DIAGONALS = set_of({1, 6, 10, 15, 19, 24, 28, 5, 9, 14, 18, 23, 27, 32});
constexpr Bits HOME_ROW = squares(1, 4);
constexpr Bits FAR_ROW = squares(29, 32);
constexpr Bits BRIDGE = set_of({1, 3});
constexpr Bits OREO = set_of({2, 3, 7});

// The usual worth of pieces, in Samuel's units.
constexpr int MAN = 2;
constexpr int KING = 3;

// One step up or down the board; what leaves the board lands where no square is.
constexpr Bits up(Bits set) {
    return set << 4 | set << 5;
}
constexpr Bits down(Bits set) {
    return set >> 4 | set >> 5;
}

// What own can answer to steps of other: the squares of those steps.
struct Answers {
    Bits denied = 0;  // own can take the piece there, and other has no capture in reply
    Bits forced = 0;  // own must take something, and other always has a capture in reply
    bool are_known = false;
};

// Samuel calls the side that has just moved passive and the side to move active. A player judges
// the board that its own move left behind, so here the passive side is `own`, the active one
// `other`. Own men step by +4 and +5, other men by -4 and -5.
struct Board {
    Bits own_men, own_kings, other_men, other_kings, empty;

    explicit Board(const Position& position) : Board(position, opponent(position.turn())) {}

    // Seen by a side of one's choice, as if that side had just moved.
    Board(const Position& position, Colour side) {
        const Bits kings = position.kings();
        const Bits men = (position.black() | position.white()) & ~kings;
        if (side == Colour::black) {
            own_men = position.black() & men;
            own_kings = position.black() & kings;
            other_men = position.white() & men;
            other_kings = position.white() & kings;
        } else {
            own_men = turned(position.white() & men);
            other_men = turned(position.black() & men);
            own_kings = kings ? turned(position.white() & kings) : 0;
            other_kings = kings ? turned(position.black() & kings) : 0;
        }
        empty = BOARD & ~(own() | other());
    }

    Bits own() const { return own_men | own_kings; }
    Bits other() const { return other_men | other_kings; }

    int own_material() const { return MAN * count(own_men) + KING * count(own_kings); }
    int other_material() const { return MAN * count(other_men) + KING * count(other_kings); }

    // The squares to which other can step.
    Bits reach() const { return (down(other()) | up(other_kings)) & empty; }

    detail::Side<Colour::black> own_side() const { return {own(), other(), own_kings}; }
    detail::Side<Colour::white> other_side() const { return {other(), own(), other_kings}; }

    // Found once: three features need them, and nothing else costs as much.
    const Answers& answers() const {
        if (!answers_.are_known) find_answers();
        return answers_;
    }

  private:
    void find_answers() const {
        answers_.are_known = true;
        find_answers<-4>(other());
        find_answers<-5>(other());
        if (!other_kings) return;
        find_answers<4>(other_kings);
        find_answers<5>(other_kings);
    }

    template <int D>
    void find_answers(Bits movers) const {
        assert((movers & ~other()) == 0);
        for (int index : Members(step<D>(movers) & empty)) {
            const Bits to = bit(index), from = step<-D>(to);
            const Bits stepped = other() ^ from ^ to;
            const bool is_king = (other_kings & from) || (to & HOME_ROW);
            const Bits kings = (other_kings & ~from) | (is_king ? to : 0);
            const detail::Side<Colour::black> own_turn(own(), stepped, own_kings);
            const Bits jumpers = own_turn.jumpers();
            if (!jumpers) continue;
            bool is_forced = true;
            const auto try_capture = [&](const Move& move) {
                const Bits left = stepped & ~move.captured;
                const Bits landed = own() ^ bit(move.from) ^ bit(move.to);
                if (detail::Side<Colour::white>(left, landed, kings & left).jumpers()) return;
                is_forced = false;
                if (move.captured & to) answers_.denied |= to;
            };
            own_turn.jumps(jumpers, try_capture);
            if (is_forced) answers_.forced |= to;
        }
    }

    mutable Answers answers_;
};

}  // namespace crossboard::draughts::features
