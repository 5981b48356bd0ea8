// Counts moves on the empty board, from every cell and for every kind of piece.
#include "eval/duchess/reach.h"

namespace crossboard::duchess {

namespace {

Cells moves_from(const Board& board, Kind kind, int cell) {
    switch (kind) {
        case Kind::wizard: return board.around[cell];
        case Kind::queen: return board.rook[cell] | board.bishop[cell];
        case Kind::duchess: return board.bishop[cell] | board.knight[cell];
        case Kind::fortress: return board.rook[cell] | board.knight[cell];
        case Kind::knight: return board.knight[cell];
        case Kind::rook: return board.rook[cell];
        case Kind::bishop: return board.bishop[cell];
        case Kind::pawn: return board.beside[cell] | board.diagonal[cell];
        default: return {};
    }
}

}  // namespace

Reach::Reach(const Board& board) {
    for (Kind kind : ALL_KINDS)
        for (int from = 0; from < CELLS; ++from) {
            auto& reaches = reaches_[index(kind)][from];
            reaches.fill(REACHES - 1);
            if (!board.cells.has(from)) continue;
            Cells reached, edge = Cells::of(from);
            for (int moves = 0; moves < REACHES - 1; ++moves) {
                Cells next;
                edge.for_each([&](int cell) { next |= moves_from(board, kind, cell); });
                edge = next - reached;
                edge.for_each([&](int cell) { reaches[cell] = static_cast<std::uint8_t>(moves); });
                reached |= edge;
            }
        }
}

const Reach& reach_of(int players) {
    assert(is_number_of_players(players));
    static const Reach four(BOARD_OF_FOUR), six(BOARD_OF_SIX);
    return players == 4 ? four : six;
}

}  // namespace crossboard::duchess
