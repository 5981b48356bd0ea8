// Proves that MAX_MOVES is enough, from the tables of the larger board.
//
// A piece has at most as many moves of its own as on the empty board, where it stands best. Moves
// by teleport end next to a wizard of the team: on one of at most `zone` cells. If k of the
// player's pieces stand on such cells, at most zone - k of them are left to go to, so that
// teleports by those pieces number k * (zone - k) at most; the wizard's moves are counted apart,
// all of them. A pawn that can reach the Vortex has seven more moves there at most.
#include <algorithm>

#include "check.h"
#include "rules/duchess/board.h"
#include "rules/duchess/position.h"
#include "rules/duchess/show.h"

using namespace crossboard;
using namespace crossboard::duchess;

namespace {

int reach_on_empty_board(const Board& board, Kind kind, int cell) {
    switch (kind) {
        case Kind::king: return board.around[cell].count();
        case Kind::pawn: return board.around[cell].count();
        case Kind::rook: return board.rook[cell].count();
        case Kind::bishop: return board.bishop[cell].count();
        case Kind::knight: return board.knight[cell].count();
        case Kind::queen: return (board.rook[cell] | board.bishop[cell]).count();
        case Kind::fortress: return (board.rook[cell] | board.knight[cell]).count();
        case Kind::duchess: return (board.bishop[cell] | board.knight[cell]).count();
        default: return 0;
    }
}

// On any cell but the Vortex, where only one piece can stand.
int most_moves(const Board& board, Kind kind) {
    int most = 0;
    (board.cells - Cells::of(VORTEX)).for_each([&](int cell) {
        most = std::max(most, reach_on_empty_board(board, kind, cell));
    });
    return most;
}

int most_gained_on_the_vortex(const Board& board) {
    int most = 0;
    for (Kind kind : ALL_KINDS)
        most = std::max(most, reach_on_empty_board(board, kind, VORTEX) - most_moves(board, kind));
    return most;
}

int largest_zone(const Board& board, int wizards) {
    int most = 0, without_vortex = 0;
    board.cells.for_each([&](int cell) {
        most = std::max(most, board.around[cell].count());
        if (cell != VORTEX) without_vortex = std::max(without_vortex, board.around[cell].count());
    });
    return most + (wizards - 1) * without_vortex;
}

void test_no_position_has_more_moves_than_there_is_room_for() {
    for (int players : {4, 6}) {
        const Board& board = board_of(players);
        const int zone = largest_zone(board, players / 2);
        int bound = zone + most_gained_on_the_vortex(board);  // the wizard's, and one on the Vortex
        for (Kind kind : ALL_KINDS) bound += COMPLEMENT[index(kind)] * most_moves(board, kind);
        int teleports = 0;
        for (int k = 0; k <= MAX_PIECES - 1; ++k) teleports = std::max(teleports, k * (zone - k));
        constexpr int PAWNS = COMPLEMENT[index(Kind::pawn)], CHOICES = 7;
        bound += teleports + PAWNS * CHOICES;
        CHECK(bound <= MAX_MOVES) || check::note(std::to_string(bound));
    }
}

// A crowd around three wizards comes to a good part of the bound.
void test_a_crowded_position_is_generated() {
    const Position crowd = parse_position(
        "6; 1:K1c2 QV D1b3 F4c5 W1c3 N4d4 R4c3 R1c4 B1b4 B1d4 P1b2 P1d2 P1d3 P4b4 P4b3; 2:K2a1; "
        "3:K3a1 W4c4; 4:K4a1; 5:K5a1 W5c4; 6:K6a1; turn 1");
    CHECK(crowd.count_moves() > 200) || check::note(std::to_string(crowd.count_moves()));
    CHECK_EQUAL(crowd.legal_moves().size(), crowd.count_moves());
}

}  // namespace

int main() {
    test_no_position_has_more_moves_than_there_is_room_for();
    test_a_crowded_position_is_generated();
    return check::report();
}
