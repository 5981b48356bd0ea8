// English draughts: board, turn and the rules of moving (docs/rules/draughts.md).
#pragma once

#include <array>
#include <cassert>
#include <cstdint>

#include "rules/draughts/squares.h"
#include "rules/move_list.h"
#include "rules/position.h"
#include "rules/random.h"

namespace crossboard::draughts {

constexpr int MAX_PIECES = 12;  // of one colour

// A jump stays within one of four families of landing squares, and nine inner squares at most lie
// between the squares of a family, each of which is jumped once.
constexpr int MAX_JUMPS = 9;

// Twelve kings have four steps each. Captures are fewer: 34 at most for a whole side, as trying
// every set of pieces shows (core/tests/rules/draughts/bounds.cpp, which also checks MAX_JUMPS).
constexpr int MAX_MOVES = 48;

// A step or a whole multi-jump. Two routes over the same pieces to the same square are two moves.
struct Move {
    Bits captured = 0;
    std::uint32_t route = 0;  // the jumps as indices into DIRECTIONS, two bits each, first lowest
    std::uint8_t from = 0;
    std::uint8_t to = 0;
    std::uint8_t jumps = 0;

    constexpr bool is_capture() const { return jumps != 0; }
    constexpr bool operator==(const Move&) const = default;
};

// Calls visit(index) for each square the piece touches: start, landings, end.
template <class Visit>
constexpr void walk(const Move& move, Visit visit) {
    assert(move.jumps <= MAX_JUMPS && count(move.captured) == move.jumps);
    visit(int{move.from});
    if (!move.is_capture()) visit(int{move.to});
    for (int jump = 0, at = move.from; jump < move.jumps; ++jump) {
        at += 2 * DIRECTIONS[move.route >> (2 * jump) & 3];
        visit(at);
    }
}

namespace zobrist {

struct Table {
    std::uint64_t piece[2][2][INDICES] = {};  // colour, man or king, index
    std::uint64_t white_to_move = 0;
};

constexpr Table make_table() {
    Table table;
    Random random(0x43726f7373626f61);  // any seed will do
    for (auto& colour : table.piece)
        for (auto& kind : colour)
            for (auto& key : kind) key = random.next();
    table.white_to_move = random.next();
    return table;
}

inline constexpr Table TABLE = make_table();

}  // namespace zobrist

class Position {
  public:
    using Move = draughts::Move;
    using Moves = MoveList<Move, draughts::MAX_MOVES>;
    static constexpr int MAX_MOVES = draughts::MAX_MOVES;
    static constexpr int MOVE_SLOTS = INDICES * INDICES;
    static constexpr bool MUST_CAPTURE = true;

    // The start of a game.
    constexpr Position() : Position(squares(1, 12), squares(21, 32), 0, Colour::black) {}

    constexpr Position(Bits black, Bits white, Bits kings, Colour turn)
        : black_(black), white_(white), kings_(kings), turn_(turn), key_(key_from_scratch()) {
        assert((black & white) == 0 && ((black | white) & ~BOARD) == 0);
        assert((kings & ~(black | white)) == 0);
        assert((black & ~kings & crowning_row(Colour::black)) == 0);
        assert((white & ~kings & crowning_row(Colour::white)) == 0);
        assert(count(black) <= MAX_PIECES && count(white) <= MAX_PIECES);
    }

    constexpr Bits black() const { return black_; }
    constexpr Bits white() const { return white_; }
    constexpr Bits kings() const { return kings_; }
    constexpr Bits pieces(Colour colour) const { return colour == Colour::black ? black_ : white_; }
    constexpr Bits empty() const { return BOARD & ~(black_ | white_); }
    constexpr Colour turn() const { return turn_; }
    constexpr std::uint64_t key() const { return key_; }
    constexpr bool operator==(const Position&) const = default;

    // Capture is compulsory, but any capture will do: no need to take the most.
    Moves legal_moves() const;
    // Calls visit(move) for each of legal_moves(), in the same order, without storing them.
    template <class Visit>
    void for_each_move(Visit visit) const;
    // Without routes that lead to the same position as an earlier one: a search needs one of them.
    Moves unique_moves() const;
    // Where statistics of a move are kept: moves with the same ends share a slot.
    static constexpr int move_slot(const Move& move) {
        assert(move.from < INDICES && move.to < INDICES);
        return move.from * INDICES + move.to;
    }
    int count_moves() const;
    Move move_at(int index) const;
    bool has_capture() const;
    // Whether the other side could capture if it were its turn.
    bool is_threatened() const;
    Moves captures() const { return has_capture() ? unique_moves() : Moves(); }
    constexpr int count_pieces() const { return count(black_ | white_); }
    bool is_over() const;
    constexpr bool is_lost() const { return true; }  // who cannot move

    Position after(const Move& move) const;

    // A capture or a move by a man: neither can be taken back.
    constexpr bool is_irreversible(const Move& move) const {
        assert(pieces(turn_) & bit(move.from));
        return move.is_capture() || (kings_ & bit(move.from)) == 0;
    }

    bool is_unchanged_since(const Position& earlier) const {
        return (black_ & ~kings_) == (earlier.black_ & ~earlier.kings_) &&
               (white_ & ~kings_) == (earlier.white_ & ~earlier.kings_) &&
               count(black_) == count(earlier.black_) && count(white_) == count(earlier.white_);
    }
    bool is_turn_after(const Position& before) const { return turn_ != before.turn_; }

    // The same position for the other side: board turned by 180 degrees, colours exchanged.
    Position mirrored() const {
        return Position(turned(white_), turned(black_), turned(kings_), opponent(turn_));
    }

  private:
    template <Colour C>
    Position after_move_of(const Move& move) const;

    constexpr std::uint64_t key_from_scratch() const {
        const auto& table = zobrist::TABLE;
        std::uint64_t key = turn_ == Colour::white ? table.white_to_move : 0;
        for (int i : Members(black_ | white_)) {
            const bool white = (white_ & bit(i)) != 0, king = (kings_ & bit(i)) != 0;
            key ^= table.piece[white][king][i];
        }
        return key;
    }

    Bits black_;
    Bits white_;
    Bits kings_;
    Colour turn_;
    std::uint64_t key_;
};

static_assert(GamePosition<Position>);

}  // namespace crossboard::draughts

#include "rules/draughts/moves.h"
