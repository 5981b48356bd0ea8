// What is done once a game and not once a node: setting up, and telling how it ended.
#include "rules/duchess/position.h"

#include <vector>

namespace crossboard::duchess {

namespace zobrist {
constinit const Table TABLE = make_table();
}

namespace {

std::vector<Piece> start_of(int players) {
    assert(is_number_of_players(players));
    std::vector<Piece> pieces;
    for (int seat = 0; seat < players; ++seat)
        for (int rank = 0; rank < 3; ++rank)
            for (int file = 0; file < FILES; ++file)
                pieces.push_back({seat, kind_from(SET_UP[rank][file]),
                                  cell_at({sectors_of(players)[seat], file, rank})});
    return pieces;
}

}  // namespace

Position::Position(int players) : Position(players, start_of(players), {}, 0) {}

Position::Position(int players, std::span<const Piece> pieces, std::span<const Box> boxes, int turn)
    : players_(static_cast<std::uint8_t>(players)), turn_(static_cast<std::uint8_t>(turn)) {
    assert(is_number_of_players(players) && has_seat(turn) && boxes.size() <= MAX_SEATS);
    for (const Piece& piece : pieces) {
        assert(has_seat(piece.seat) && board().cells.has(piece.cell));
        assert(!occupied().has(piece.cell));
        put(piece.seat, piece.kind, piece.cell);
    }
    for (std::size_t seat = 0; seat < boxes.size(); ++seat) boxes_[seat] = boxes[seat];
    for (int seat = 0; seat < players; ++seat) {
        assert((seats_[seat] & kings_).count() == 1);
        assert(has_no_more_than_at_the_start(seat));
    }
    key_ = key_from_scratch();
}

bool Position::has_no_more_than_at_the_start(int seat) const {
    for (Kind kind : ALL_KINDS) {
        int total = kind == Kind::king ? 0 : boxes_[seat].count(kind);
        seats_[seat].for_each([&](int cell) { total += kind_at(cell) == kind; });
        if (total > COMPLEMENT[index(kind)]) return false;
    }
    return true;
}

std::uint64_t Position::key_from_scratch() const {
    std::uint64_t key = zobrist::TABLE.turn[turn_];
    if (players_ == 6) key ^= zobrist::TABLE.six_players;
    for (int seat = 0; seat < players_; ++seat) {
        seats_[seat].for_each(
            [&](int cell) { key ^= zobrist::TABLE.piece[seat][index(kind_at(cell))][cell]; });
        for (Kind kind : ALL_KINDS)
            if (kind != Kind::king)
                key ^= zobrist::TABLE.box[seat][index(kind)][boxes_[seat].count(kind)];
    }
    return key;
}

Standing Position::standing(int seat) const {
    const detail::Side side(*this, seat);
    const bool check = side.is_in_check();
    if (side.can_move()) return check ? Standing::check : Standing::free;
    return check ? Standing::mate : Standing::stalemate;
}

// The other team need not be looked at: after a move the mover is never in check.
bool Position::is_whole_team_mated() const {
    for (int seat = turn_ % 2; seat < players_; seat += 2)
        if (standing(seat) != Standing::mate) return false;
    return true;
}

bool Position::is_over_without_a_move() const {
    if (is_whole_team_mated()) return true;
    for (int seat = 0; seat < players_; ++seat)
        if (can_move(seat)) return false;
    return true;
}

std::optional<Team> Position::winner() const {
    if (can_move(turn_) || !is_whole_team_mated()) return std::nullopt;
    return opponent(team());
}

Position Position::rotated() const {
    const int seats = players_ == 4 ? 2 : 1, sectors = players_ == 4 ? 3 : 1;
    const auto moved = [&](int seat) { return (seat + seats) % players_; };
    std::vector<Piece> pieces;
    occupied().for_each([&](int cell) {
        pieces.push_back({moved(seat_at(cell)), kind_at(cell), turned(cell, sectors)});
    });
    std::array<Box, MAX_SEATS> boxes;
    for (int seat = 0; seat < players_; ++seat) boxes[moved(seat)] = boxes_[seat];
    return Position(players_, pieces, boxes, moved(turn_));
}

}  // namespace crossboard::duchess
