// The rules of moving: who may jump, where jumps lead, what a move leaves behind.
#pragma once

#include "rules/draughts/position.h"

namespace crossboard::draughts {

namespace detail {

// One side's view of a board; everything below is written once for both colours.
template <Colour C>
struct Side {
    Bits own, other, kings, empty;

    explicit Side(const Position& p)
        : own(p.pieces(C)),
          other(p.pieces(opponent(C))),
          kings(p.kings() & own),
          empty(p.empty()) {}

    Side(Bits own_pieces, Bits other_pieces, Bits own_kings)
        : own(own_pieces),
          other(other_pieces),
          kings(own_kings),
          empty(BOARD & ~(own_pieces | other_pieces)) {
        assert((own & other) == 0 && ((own | other) & ~BOARD) == 0 && (kings & ~own) == 0);
    }

    // Black's forward is up the indices, White's down.
    static constexpr int sign = C == Colour::black ? 1 : -1;

    // The pieces of `movers` that have a jump in direction D.
    template <int D>
    Bits jumpers(Bits movers) const {
        return step<-D>(step<-D>(empty) & other) & movers;
    }

    Bits jumpers() const {
        return jumpers<4 * sign>(own) | jumpers<5 * sign>(own) | jumpers<-4 * sign>(kings) |
               jumpers<-5 * sign>(kings);
    }

    // The squares reached by steps of `movers` in direction D.
    template <int D>
    Bits targets(Bits movers) const {
        return step<D>(movers) & empty;
    }

    int count_steps() const {
        int steps = count(targets<4 * sign>(own)) + count(targets<5 * sign>(own));
        if (kings) steps += count(targets<-4 * sign>(kings)) + count(targets<-5 * sign>(kings));
        return steps;
    }

    template <int D, class Visit>
    void steps(Bits movers, Visit& visit) const {
        for (int to : Members(targets<D>(movers)))
            visit(Move{.from = static_cast<std::uint8_t>(to - D),
                       .to = static_cast<std::uint8_t>(to)});
    }

    template <class Visit>
    void steps(Visit& visit) const {
        steps<4 * sign>(own, visit);
        steps<5 * sign>(own, visit);
        if (kings) {
            steps<-4 * sign>(kings, visit);
            steps<-5 * sign>(kings, visit);
        }
    }

    // The index-th step, in the order of steps().
    Move step_at(int index) const {
        assert(0 <= index && index < count_steps());
        const auto pick = [&index]<int D>(Bits reached, Move& move) {
            const int size = count(reached);
            if (index >= size) {
                index -= size;
                return false;
            }
            for (; index > 0; --index) reached &= reached - 1;
            move.to = static_cast<std::uint8_t>(first_index(reached));
            move.from = static_cast<std::uint8_t>(move.to - D);
            return true;
        };
        Move move;
        pick.template operator()<4 * sign>(targets<4 * sign>(own), move) ||
            pick.template operator()<5 * sign>(targets<5 * sign>(own), move) ||
            pick.template operator()<-4 * sign>(targets<-4 * sign>(kings), move) ||
            pick.template operator()<-5 * sign>(targets<-5 * sign>(kings), move);
        return move;
    }

    // The start square counts as empty while its piece is in the air: a king may come back to it.
    template <class Visit>
    void jumps(Bits jumpers, Visit& visit) const {
        assert((jumpers & ~this->jumpers()) == 0);
        for (int from : Members(jumpers)) {
            const Move start{.from = static_cast<std::uint8_t>(from),
                             .to = static_cast<std::uint8_t>(from)};
            const Bits open = empty | bit(from);
            if (kings & bit(from)) {
                continue_jump<true>(start, open, visit);
            } else {
                continue_jump<false>(start, open, visit);
            }
        }
    }

    // A jump goes on for as long as it can. A man that reaches the back row stops there, even if
    // it could jump on as a king: no forward jump leaves that row, and a man has no other.
    template <bool King, class Visit>
    void continue_jump(const Move& move, Bits open, Visit& visit) const {
        bool ended = true;
        if (try_jump<4 * sign, King>(move, open, visit)) ended = false;
        if (try_jump<5 * sign, King>(move, open, visit)) ended = false;
        if constexpr (King) {
            if (try_jump<-4 * sign, King>(move, open, visit)) ended = false;
            if (try_jump<-5 * sign, King>(move, open, visit)) ended = false;
        }
        if (ended) visit(move);
    }

    // No piece is jumped twice.
    template <int D, bool King, class Visit>
    bool try_jump(const Move& move, Bits open, Visit& visit) const {
        const Bits over = step<D>(bit(move.to)) & other & ~move.captured;
        const Bits landing = step<D>(over) & open;
        if (!landing) return false;
        assert(move.jumps < MAX_JUMPS);
        constexpr std::uint32_t direction = D == 4 ? 0 : D == 5 ? 1 : D == -4 ? 2 : 3;
        static_assert(DIRECTIONS[direction] == D);
        continue_jump<King>(Move{.captured = move.captured | over,
                                 .route = move.route | direction << (2 * move.jumps),
                                 .from = move.from,
                                 .to = static_cast<std::uint8_t>(move.to + 2 * D),
                                 .jumps = static_cast<std::uint8_t>(move.jumps + 1)},
                            open, visit);
        return true;
    }

    // The complete routes of men that jumped onto `landings`, counted for all of them at once: a
    // man only goes forward, so it meets neither its start nor a piece it has jumped.
    int count_routes(Bits landings) const {
        if (!landings) return 0;
        const Bits left = jumpers<4 * sign>(landings), right = jumpers<5 * sign>(landings);
        return count(landings & ~(left | right)) + count_routes(step<8 * sign>(left)) +
               count_routes(step<10 * sign>(right));
    }

    int count_jumps() const {
        const Bits men = own & ~kings;
        int routes = count_routes(step<8 * sign>(jumpers<4 * sign>(men))) +
                     count_routes(step<10 * sign>(jumpers<5 * sign>(men)));
        const auto add_one = [&routes](const Move&) { ++routes; };
        if (kings) jumps(jumpers() & kings, add_one);
        return routes;
    }

    template <class Visit>
    void moves(Visit& visit) const {
        if (const Bits jumping = jumpers()) {
            jumps(jumping, visit);
        } else {
            steps(visit);
        }
    }
};

// Calls use(Side) for the side to move.
template <class Use>
auto with_side(const Position& position, Use use) {
    return position.turn() == Colour::black ? use(Side<Colour::black>(position))
                                            : use(Side<Colour::white>(position));
}

}  // namespace detail

template <class Visit>
void Position::for_each_move(Visit visit) const {
    detail::with_side(*this, [&](auto side) { side.moves(visit); });
}

inline Position::Moves Position::legal_moves() const {
    Moves moves;
    for_each_move([&moves](const Move& move) { moves.add(move); });
    return moves;
}

inline Position::Moves Position::unique_moves() const {
    Moves moves;
    for_each_move([&moves](const Move& move) {
        // Two routes over the same pieces go around a circle, which takes four jumps.
        if (move.jumps >= 4)
            for (const Move& other : moves)
                if (other.from == move.from && other.to == move.to &&
                    other.captured == move.captured)
                    return;
        moves.add(move);
    });
    return moves;
}

inline int Position::count_moves() const {
    return detail::with_side(
        *this, [](auto side) { return side.jumpers() ? side.count_jumps() : side.count_steps(); });
}

inline Move Position::move_at(int index) const {
    assert(0 <= index && index < count_moves());
    return has_capture() ? legal_moves()[index]
                         : detail::with_side(*this, [=](auto side) { return side.step_at(index); });
}

inline bool Position::has_capture() const {
    return detail::with_side(*this, [](auto side) { return side.jumpers() != 0; });
}

inline bool Position::is_threatened() const {
    return turn_ == Colour::black ? detail::Side<Colour::white>(*this).jumpers() != 0
                                  : detail::Side<Colour::black>(*this).jumpers() != 0;
}

inline bool Position::is_over() const {
    return detail::with_side(
        *this, [](auto side) { return side.jumpers() == 0 && side.count_steps() == 0; });
}

// Written once for both colours, and with the colour known: this is the inner loop of everything.
template <Colour C>
Position Position::after_move_of(const Move& move) const {
    assert(turn_ == C && legal_moves().has(move));
    constexpr auto& own_keys = zobrist::TABLE.piece[static_cast<int>(C)];
    constexpr auto& other_keys = zobrist::TABLE.piece[static_cast<int>(opponent(C))];
    const Bits from = bit(move.from), to = bit(move.to);
    const bool was_king = (kings_ & from) != 0;
    const bool is_king = was_king || (to & crowning_row(C)) != 0;

    Position next = *this;
    next.turn_ = opponent(C);
    next.key_ ^=
        zobrist::TABLE.white_to_move ^ own_keys[was_king][move.from] ^ own_keys[is_king][move.to];
    (C == Colour::black ? next.black_ : next.white_) ^= from ^ to;
    next.kings_ = (kings_ & ~from) | (is_king ? to : 0);
    if (move.captured) {
        for (int index : Members(move.captured))
            next.key_ ^= other_keys[(kings_ >> index) & 1][index];
        (C == Colour::black ? next.white_ : next.black_) &= ~move.captured;
        next.kings_ &= ~move.captured;
    }
    return next;
}

inline Position Position::after(const Move& move) const {
    return turn_ == Colour::black ? after_move_of<Colour::black>(move)
                                  : after_move_of<Colour::white>(move);
}

}  // namespace crossboard::draughts
