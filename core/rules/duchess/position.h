// Duchess: board, boxes, turn and the rules of moving (docs/rules/duchess.md).
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>

#include "rules/duchess/board.h"
#include "rules/duchess/cells.h"
#include "rules/duchess/pieces.h"
#include "rules/move_list.h"
#include "rules/past.h"
#include "rules/position.h"
#include "rules/random.h"

namespace crossboard::duchess {

// More than 15 pieces can have, all teleports and promotions counted
// (core/tests/rules/duchess/bounds.cpp).
constexpr int MAX_MOVES = 512;

// A game without captures and promotions is drawn after 200 plies, skipped turns included; there
// is no rule of repetition.
constexpr DrawRules DRAW_RULES = {.repetitions = 0, .quiet_plies = 200};

// Seats count from zero, in order of play. Those with even numbers, which people call the first,
// third and fifth player, are the odd team.
enum class Team : std::uint8_t { odd, even };

constexpr Team team_of(int seat) {
    assert(0 <= seat && seat < MAX_SEATS);
    return seat % 2 ? Team::even : Team::odd;
}
constexpr Team opponent(Team team) {
    return team == Team::odd ? Team::even : Team::odd;
}

// A step, leap or teleport, which need no difference; or the pass of a player who cannot move.
struct Move {
    std::uint8_t from = 0;
    std::uint8_t to = 0;
    Kind kind = Kind::none;  // of the piece that moves; none: a pass
    Kind promoted = Kind::none;
    bool is_capture = false;

    constexpr bool is_pass() const { return kind == Kind::none; }
    constexpr bool is_promotion() const { return promoted != Kind::none; }
    constexpr bool operator==(const Move&) const = default;
};

// A piece on the board.
struct Piece {
    int seat = 0;
    Kind kind = Kind::none;
    int cell = 0;
    constexpr bool operator==(const Piece&) const = default;
};

namespace zobrist {

struct Table {
    std::uint64_t piece[MAX_SEATS][KINDS][CELLS] = {};
    std::uint64_t box[MAX_SEATS][KINDS][8] = {};  // so many of a kind in a box
    std::uint64_t turn[MAX_SEATS] = {};
    std::uint64_t six_players = 0;
};

constexpr Table make_table() {
    Table table;
    Random random(0x44756368657373);  // any seed will do
    for (auto& seat : table.piece)
        for (auto& kind : seat)
            for (auto& key : kind) key = random.next();
    for (auto& seat : table.box)
        for (auto& kind : seat)
            for (int number = 1; number < 8; ++number) kind[number] = random.next();
    for (auto& key : table.turn) key = random.next();
    table.six_players = random.next();
    return table;
}

extern const Table TABLE;

}  // namespace zobrist

// How a player stands who is, or were, on turn now.
enum class Standing : std::uint8_t { free, check, mate, stalemate };

namespace detail {
class Side;
}

class Position {
  public:
    using Move = duchess::Move;
    using Moves = MoveList<Move, duchess::MAX_MOVES>;
    static constexpr int MAX_MOVES = duchess::MAX_MOVES;
    static constexpr int MOVE_SLOTS = CELLS * CELLS;
    static constexpr bool MUST_CAPTURE = false;

    // The start of a game.
    explicit Position(int players);
    Position() : Position(4) {}

    // Every seat has one king, and no more of a kind, box included, than at the start.
    Position(int players, std::span<const Piece> pieces, std::span<const Box> boxes, int turn);

    int players() const { return players_; }
    bool has_seat(int seat) const { return 0 <= seat && seat < players_; }
    int turn() const { return turn_; }
    Team team() const { return team_of(turn_); }
    const Board& board() const { return board_of(players_); }
    const Box& box(int seat) const {
        assert(has_seat(seat));
        return boxes_[seat];
    }
    std::uint64_t key() const { return key_; }
    bool operator==(const Position&) const = default;

    // The cells of one player's pieces, of all his team's, of everybody's.
    const Cells& pieces(int seat) const {
        assert(has_seat(seat));
        return seats_[seat];
    }
    Cells pieces(Team team) const {
        const int first = static_cast<int>(team);
        return seats_[first] | seats_[first + 2] | seats_[first + 4];
    }
    Cells occupied() const { return pieces(Team::odd) | pieces(Team::even); }

    // What moves and captures in a certain way, of all players: queens are rooks and bishops here,
    // fortresses rooks and knights, duchesses bishops and knights.
    const Cells& rooks() const { return rooks_; }
    const Cells& bishops() const { return bishops_; }
    const Cells& knights() const { return knights_; }
    const Cells& wizards() const { return wizards_; }
    const Cells& pawns() const { return pawns_; }
    const Cells& kings() const { return kings_; }

    std::optional<Piece> piece_at(int cell) const;
    // Of a cell that is not empty.
    Kind kind_at(int cell) const;
    int seat_at(int cell) const;
    int king_of(int seat) const { return (pieces(seat) & kings_).first(); }

    // What the player on turn may do. Who cannot move must pass, and that is then the only move;
    // there is none once the game is over.
    Moves legal_moves() const;
    // No two moves lead to the same position.
    Moves unique_moves() const { return legal_moves(); }
    template <class Visit>
    void for_each_move(Visit visit) const;
    int count_moves() const;
    Move move_at(int index) const { return legal_moves()[index]; }
    static constexpr int move_slot(const Move& move) {
        assert(is_cell(move.from) && is_cell(move.to));
        return move.from * CELLS + move.to;
    }
    bool has_capture() const;
    Moves captures() const;
    int count_pieces() const { return occupied().count(); }

    // Whether a player could move were it his turn now.
    bool can_move(int seat) const;
    // The same of one who is in check, and sooner.
    bool can_answer_check(int seat) const;
    bool must_pass() const { return !can_move(turn_) && !is_over(); }
    bool is_attacked(int cell, Team by) const;
    bool is_in_check(int seat) const { return is_attacked(king_of(seat), opponent(team_of(seat))); }
    // All who are in check, seat by seat as bits from the lowest.
    unsigned seats_in_check() const;
    Standing standing(int seat) const;

    // The team to move is mated to the last player, or nobody at all can move.
    bool is_over() const;
    // Of a game that is over; none where nobody can move but not all are mated.
    std::optional<Team> winner() const;
    bool is_lost() const { return is_whole_team_mated(); }

    Position after(const Move& move) const;

    // A capture or a promotion: the box has changed for good, and the quiet plies start anew.
    bool is_irreversible(const Move& move) const { return move.is_capture || move.is_promotion(); }

    // Captures and promotions change a box, and none of them can be undone.
    bool is_unchanged_since(const Position& earlier) const {
        return std::equal(std::begin(boxes_), std::end(boxes_), std::begin(earlier.boxes_));
    }
    bool is_turn_after(const Position& before) const {
        return players_ == before.players_ && turn_ == (before.turn_ + 1) % players_;
    }

    // The same position with every player one seat further: the board turned by a sector with six
    // players. With four only half a turn brings flaps to flaps, so that partners change places.
    Position rotated() const;

  private:
    template <class Visit>
    bool visit_moves(const detail::Side& side, const Cells& ends, Visit visit) const;
    void put(int seat, Kind kind, int cell);
    // Takes a piece off or puts it on, in the sets and in the key.
    void toggle(int seat, Kind kind, int cell);
    void add_to_box(int seat, Kind kind);
    void remove_from_box(int seat, Kind kind);
    void pass_turn();
    // Whether a move of a player is plain to see, if he is not in check. There may be others.
    bool has_plain_move(int seat) const;
    bool is_whole_team_mated() const;
    // Whether the game is over, given that the player on turn cannot move. Rare, so not inlined.
    bool is_over_without_a_move() const;
    bool has_no_more_than_at_the_start(int seat) const;
    std::uint64_t key_from_scratch() const;

    Cells seats_[MAX_SEATS];
    Cells rooks_, bishops_, knights_, wizards_, pawns_, kings_;
    std::uint64_t key_ = 0;
    Box boxes_[MAX_SEATS];
    std::uint8_t players_ = 4;
    std::uint8_t turn_ = 0;
};

}  // namespace crossboard::duchess

#include "rules/duchess/moves.h"

namespace crossboard::duchess {
static_assert(GamePosition<Position>);
static_assert(std::is_trivially_copyable_v<Position>);
}  // namespace crossboard::duchess
