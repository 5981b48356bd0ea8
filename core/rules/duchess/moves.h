// The rules of moving: where pieces reach, what check forbids, what a move leaves behind.
#pragma once

#include "rules/duchess/position.h"

namespace crossboard::duchess {

namespace detail {

// Whether a slider of `sliders` sees the beginning of the rays.
inline bool is_seen(const Rays& rays, const Cells& sliders, const Cells& occupied) {
    for (const Ray& ray : rays)
        for (int i = 0; i < ray.length; ++i) {
            const int cell = ray.cells[i];
            if (!occupied.has(cell)) continue;
            if (sliders.has(cell)) return true;
            break;
        }
    return false;
}

inline void slide(const Rays& rays, const Cells& occupied, Cells& reached) {
    for (const Ray& ray : rays)
        for (int i = 0; i < ray.length; ++i) {
            reached.add(ray.cells[i]);
            if (occupied.has(ray.cells[i])) break;
        }
}

// One team's pieces by the ways they attack. A teleport never gives check: a king on a cell next
// to a wizard is attacked by that wizard anyway.
struct Attackers {
    const Board& board;
    Cells rooks, bishops, knights, steppers, pawns;

    Attackers(const Position& p, Team team) : Attackers(p, p.pieces(team)) {}
    Attackers(const Position& p, const Cells& own)
        : board(p.board()),
          rooks(own & p.rooks()),
          bishops(own & p.bishops()),
          knights(own & p.knights()),
          steppers(own & (p.kings() | p.wizards())),
          pawns(own & p.pawns()) {}

    // Those that attack a cell from nearby or by a leap.
    Cells leapers_at(int cell) const {
        return (board.knight[cell] & knights) | (board.around[cell] & steppers) |
               (board.diagonal[cell] & pawns);
    }

    bool attack(int cell, const Cells& occupied) const {
        if (!leapers_at(cell).empty()) return true;
        // Most cells have no slider on their lines, and then no ray need be walked.
        if (!(board.rook[cell] & rooks).empty() && is_seen(board.rook_rays[cell], rooks, occupied))
            return true;
        return !(board.bishop[cell] & bishops).empty() &&
               is_seen(board.bishop_rays[cell], bishops, occupied);
    }
};

// One player's view of a board: everything needed to tell where his pieces may go.
class Side {
  public:
    Side(const Position& p, int seat)
        : position_(p),
          board_(p.board()),
          own_(p.pieces(seat)),
          team_(p.pieces(team_of(seat))),
          enemies_(p.pieces(opponent(team_of(seat)))),
          occupied_(team_ | enemies_),
          open_(board_.cells - (team_ | p.kings())),
          attackers_(p, enemies_),
          king_((own_ & p.kings()).first()),
          evasions_(Cells::all()) {
        (team_ & p.wizards()).for_each([&](int wizard) { zone_ |= board_.around[wizard]; });
        look_for_checks();
    }

    bool is_in_check() const { return is_in_check_; }
    const Cells& enemies() const { return enemies_; }

    // Where a piece may go if it were not for its king's safety.
    Cells reach(Kind kind, int from) const {
        assert(own_.has(from) && position_.kind_at(from) == kind);
        Cells reached;
        switch (kind) {
            case Kind::king: reached = board_.around[from]; break;
            case Kind::pawn:
                reached = (board_.beside[from] - occupied_) | (board_.diagonal[from] & enemies_);
                break;
            // A wizard goes next to any other wizard of its team from anywhere, and next to itself.
            case Kind::wizard: reached = zone_; break;
            default:
                if (position_.rooks().has(from)) slide(board_.rook_rays[from], occupied_, reached);
                if (position_.bishops().has(from))
                    slide(board_.bishop_rays[from], occupied_, reached);
                if (position_.knights().has(from)) reached |= board_.knight[from];
        }
        // Next to a wizard of the team every piece may go next to any of them.
        if (zone_.has(from)) reached |= zone_;
        return reached & open_;
    }

    // Calls visit(kind, from, targets) for each piece, with the cells it may legally go to, until
    // that gives false; returns whether it never did. The king comes last: his cells cost most.
    template <class Visit>
    bool for_each_piece(Visit visit) const {
        if (!for_each_but_king(visit)) return false;
        const Cells targets = safe(reach(Kind::king, king_));
        return targets.empty() || visit(Kind::king, king_, targets);
    }

    bool can_move() const {
        if (!for_each_but_king([](Kind, int, const Cells&) { return false; })) return true;
        // One safe cell will do.
        return !reach(Kind::king, king_).all_of([&](int to) { return !is_safe(to); });
    }

  private:
    struct Pin {
        int cell;
        Cells allowed;
    };
    static constexpr int MAX_PINS = 12;  // at most one on each line from the king

    template <class Visit>
    bool for_each_but_king(Visit visit) const {
        if (evasions_.empty()) return true;
        const Position& p = position_;
        const Cells pawns = own_ & p.pawns(), wizards = own_ & p.wizards();
        const auto visit_kind = [&](Kind kind, int from) {
            Cells targets = reach(kind, from) & evasions_;
            if (pinned_.has(from)) targets &= allowed_to_pinned(from);
            return targets.empty() || visit(kind, from, targets);
        };
        const Cells others = own_ - (pawns | wizards | p.kings());
        return pawns.all_of([&](int from) { return visit_kind(Kind::pawn, from); }) &&
               wizards.all_of([&](int from) { return visit_kind(Kind::wizard, from); }) &&
               others.all_of([&](int from) { return visit_kind(p.kind_at(from), from); });
    }

    void look_for_checks() {
        attackers_.leapers_at(king_).for_each([&](int cell) { add_check(Cells::of(cell)); });
        if (!(board_.rook[king_] & attackers_.rooks).empty())
            look_along(board_.rook_rays[king_], attackers_.rooks);
        if (!(board_.bishop[king_] & attackers_.bishops).empty())
            look_along(board_.bishop_rays[king_], attackers_.bishops);
    }

    // Two lines from one cell may meet again on this board, so a piece may be pinned twice, and one
    // move may answer two checks: what is allowed is what all of them allow.
    void add_check(const Cells& answers) {
        is_in_check_ = true;
        evasions_ &= answers;
    }

    void look_along(const Rays& rays, const Cells& sliders) {
        for (const Ray& ray : rays) {
            int shield = -1;
            Cells between;
            for (int i = 0; i < ray.length; ++i) {
                const int cell = ray.cells[i];
                between.add(cell);
                if (!occupied_.has(cell)) continue;
                if (sliders.has(cell)) {
                    if (shield < 0) {
                        add_check(between);
                    } else {
                        assert(pin_count_ < MAX_PINS);
                        pinned_.add(shield);
                        pins_[pin_count_++] = {shield, between};
                    }
                    break;
                }
                // A partner's piece does not move at this turn, so only an own one can be pinned.
                if (shield >= 0 || !own_.has(cell)) break;
                shield = cell;
            }
        }
    }

    Cells allowed_to_pinned(int from) const {
        Cells allowed = Cells::all();
        for (int i = 0; i < pin_count_; ++i)
            if (pins_[i].cell == from) allowed &= pins_[i].allowed;
        return allowed;
    }

    // The king does not hide behind himself from a slider he walks away from.
    bool is_safe(int to) const { return !attackers_.attack(to, occupied_ - Cells::of(king_)); }
    Cells safe(const Cells& targets) const {
        Cells safe;
        targets.for_each([&](int to) {
            if (is_safe(to)) safe.add(to);
        });
        return safe;
    }

    const Position& position_;
    const Board& board_;
    Cells own_, team_, enemies_, occupied_;
    Cells open_;  // where a move may end: empty, or an enemy's that is no king
    Cells zone_;  // next to any wizard of the team
    Attackers attackers_;
    int king_;
    Cells evasions_;  // where a move of another piece than the king answers all checks
    Cells pinned_;
    Pin pins_[MAX_PINS];
    int pin_count_ = 0;
    bool is_in_check_ = false;
};

}  // namespace detail

inline Kind Position::kind_at(int cell) const {
    assert(occupied().has(cell));
    if (pawns_.has(cell)) return Kind::pawn;
    constexpr Kind BY_WAYS[8] = {Kind::none,   Kind::rook,     Kind::bishop,  Kind::queen,
                                 Kind::knight, Kind::fortress, Kind::duchess, Kind::none};
    const int ways = rooks_.has(cell) | bishops_.has(cell) << 1 | knights_.has(cell) << 2;
    if (ways) return BY_WAYS[ways];
    return wizards_.has(cell) ? Kind::wizard : Kind::king;
}

inline int Position::seat_at(int cell) const {
    assert(occupied().has(cell));
    int seat = 0;
    while (seat < MAX_SEATS && !seats_[seat].has(cell)) ++seat;
    return seat;
}

inline std::optional<Piece> Position::piece_at(int cell) const {
    if (!occupied().has(cell)) return std::nullopt;
    return Piece{seat_at(cell), kind_at(cell), cell};
}

// Calls visit(move) for each legal move that ends on one of the given cells; whether there was one.
template <class Visit>
bool Position::visit_moves(const detail::Side& side, const Cells& ends, Visit visit) const {
    bool has_moved = false;
    side.for_each_piece([&](Kind kind, int from, const Cells& reached) {
        const Cells targets = reached & ends;
        has_moved |= !targets.empty();
        Move move{.from = static_cast<std::uint8_t>(from), .kind = kind};
        targets.for_each([&](int to) {
            move.to = static_cast<std::uint8_t>(to);
            move.is_capture = side.enemies().has(to);
            visit(static_cast<const Move&>(move));
            // A pawn that arrives on the Vortex may be exchanged, but need not.
            if (to != VORTEX || kind != Kind::pawn) return;
            boxes_[turn_].for_each_choice([&](Kind promoted) {
                Move promotion = move;
                promotion.promoted = promoted;
                visit(static_cast<const Move&>(promotion));
            });
        });
        return true;
    });
    return has_moved;
}

template <class Visit>
void Position::for_each_move(Visit visit) const {
    const detail::Side side(*this, turn_);
    if (!visit_moves(side, Cells::all(), visit) && !is_over_without_a_move()) visit(Move{});
}

inline int Position::count_moves() const {
    int total = 0;
    detail::Side(*this, turn_).for_each_piece([&](Kind kind, int, const Cells& targets) {
        total += targets.count();
        if (kind == Kind::pawn && targets.has(VORTEX)) total += boxes_[turn_].choices();
        return true;
    });
    return total || is_over_without_a_move() ? total : 1;
}

inline Position::Moves Position::legal_moves() const {
    Moves moves;
    for_each_move([&](const Move& move) { moves.add(move); });
    return moves;
}

inline Position::Moves Position::captures() const {
    const detail::Side side(*this, turn_);
    Moves moves;
    visit_moves(side, side.enemies(), [&](const Move& move) { moves.add(move); });
    return moves;
}

inline bool Position::has_capture() const {
    const detail::Side side(*this, turn_);
    return !side.for_each_piece(
        [&](Kind, int, const Cells& targets) { return (targets & side.enemies()).empty(); });
}

// Nobody is pinned who stands on no line of his king's, and most have somewhere to step.
inline bool Position::has_plain_move(int seat) const {
    const Cells all = occupied();
    const int king = king_of(seat);
    const Cells loose = seats_[seat] - (board().rook[king] | board().bishop[king]);
    const auto is_shut_in = [&](const Cells& around) { return (around - all).empty(); };
    const Cells edgewise = loose & (pawns_ | rooks_ | wizards_);
    return !edgewise.all_of([&](int from) { return is_shut_in(board().beside[from]); }) ||
           !(loose & bishops_).all_of([&](int from) { return is_shut_in(board().diagonal[from]); });
}

inline bool Position::can_move(int seat) const {
    // Searches ask this of every leaf, and the whole of a side's view costs more.
    if (has_plain_move(seat) && !is_in_check(seat)) return true;
    return detail::Side(*this, seat).can_move();
}

inline bool Position::can_answer_check(int seat) const {
    assert(is_in_check(seat));
    return detail::Side(*this, seat).can_move();
}

inline bool Position::is_attacked(int cell, Team by) const {
    assert(board().cells.has(cell));
    return detail::Attackers(*this, by).attack(cell, occupied());
}

inline unsigned Position::seats_in_check() const {
    const Cells all = occupied();
    unsigned checked = 0;
    for (Team team : {Team::odd, Team::even}) {
        const detail::Attackers enemies(*this, opponent(team));
        for (int seat = static_cast<int>(team); seat < players_; seat += 2)
            if (enemies.attack(king_of(seat), all)) checked |= 1u << seat;
    }
    return checked;
}

inline bool Position::is_over() const {
    return !can_move(turn_) && is_over_without_a_move();
}

inline void Position::put(int seat, Kind kind, int cell) {
    assert(has_seat(seat) && board().cells.has(cell));
    seats_[seat].toggle(cell);
    switch (kind) {
        case Kind::king: kings_.toggle(cell); break;
        case Kind::wizard: wizards_.toggle(cell); break;
        case Kind::pawn: pawns_.toggle(cell); break;
        case Kind::rook: rooks_.toggle(cell); break;
        case Kind::bishop: bishops_.toggle(cell); break;
        case Kind::knight: knights_.toggle(cell); break;
        case Kind::queen: rooks_.toggle(cell), bishops_.toggle(cell); break;
        case Kind::fortress: rooks_.toggle(cell), knights_.toggle(cell); break;
        case Kind::duchess: bishops_.toggle(cell), knights_.toggle(cell); break;
        case Kind::none: assert(false);
    }
}

inline void Position::toggle(int seat, Kind kind, int cell) {
    put(seat, kind, cell);
    key_ ^= zobrist::TABLE.piece[seat][index(kind)][cell];
}

inline void Position::add_to_box(int seat, Kind kind) {
    const auto& keys = zobrist::TABLE.box[seat][index(kind)];
    const int number = boxes_[seat].count(kind);
    boxes_[seat].add(kind);
    key_ ^= keys[number] ^ keys[number + 1];
}

inline void Position::remove_from_box(int seat, Kind kind) {
    assert(kind != Kind::pawn);  // no pawn becomes a pawn
    const auto& keys = zobrist::TABLE.box[seat][index(kind)];
    const int number = boxes_[seat].count(kind);
    boxes_[seat].remove(kind);
    key_ ^= keys[number] ^ keys[number - 1];
}

inline void Position::pass_turn() {
    key_ ^= zobrist::TABLE.turn[turn_];
    turn_ = static_cast<std::uint8_t>(turn_ + 1 == players_ ? 0 : turn_ + 1);
    key_ ^= zobrist::TABLE.turn[turn_];
}

inline Position Position::after(const Move& move) const {
    assert(legal_moves().has(move));
    Position next = *this;
    if (!move.is_pass()) {
        if (move.is_capture) {
            const Kind captured = kind_at(move.to);
            const int victim = seat_at(move.to);
            next.toggle(victim, captured, move.to);
            next.add_to_box(victim, captured);
        }
        next.toggle(turn_, move.kind, move.from);
        if (move.is_promotion()) {
            next.remove_from_box(turn_, move.promoted);
            next.add_to_box(turn_, Kind::pawn);
        }
        next.toggle(turn_, move.is_promotion() ? move.promoted : move.kind, move.to);
    }
    next.pass_turn();
    return next;
}

}  // namespace crossboard::duchess
