// Who attacks or defends whom: a board by cells, and every attack on it.
#pragma once

#include <array>
#include <cassert>
#include <cstdint>

#include "eval/duchess/weights.h"

namespace crossboard::duchess {

// A piece as one number: its kind and its seat. Kings come first, and the parity is the team.
using Code = std::uint8_t;
constexpr Code NOBODY = 0xff;

constexpr Code code_of(int players, Kind kind, int seat) {
    assert(is_number_of_players(players) && kind != Kind::none && 0 <= seat && seat < players);
    return static_cast<Code>(index(kind) * players + seat);
}

// Ways of attacking, as bits: along lines, over one edge or corner, by a leap.
enum Way : std::uint8_t {
    ROOK_LINE = 1,
    BISHOP_LINE = 2,
    KNIGHT_LEAP = 4,
    ROOK_STEP = 8,
    BISHOP_STEP = 16,
};

constexpr std::uint8_t ways_of(Kind kind) {
    switch (kind) {
        case Kind::king:
        case Kind::wizard: return ROOK_STEP | BISHOP_STEP;
        case Kind::queen: return ROOK_LINE | BISHOP_LINE;
        case Kind::duchess: return BISHOP_LINE | KNIGHT_LEAP;
        case Kind::fortress: return ROOK_LINE | KNIGHT_LEAP;
        case Kind::knight: return KNIGHT_LEAP;
        case Kind::rook: return ROOK_LINE;
        case Kind::bishop: return BISHOP_LINE;
        case Kind::pawn: return BISHOP_STEP;
        default: return 0;
    }
}

// What stands on each cell.
using Stand = std::array<Code, CELLS>;

inline Stand stand_of(const Position& position) {
    Stand stand;
    stand.fill(NOBODY);
    for (int seat = 0; seat < position.players(); ++seat)
        position.pieces(seat).for_each([&](int cell) {
            stand[cell] = code_of(position.players(), position.kind_at(cell), seat);
        });
    return stand;
}

// The place along a ray of the first piece, or the ray's length.
inline int first_on(const Ray& ray, const Stand& stand) {
    int place = 0;
    while (place < ray.length && stand[ray.cells[place]] == NOBODY) ++place;
    return place;
}

// The ways in which a piece at the given place of a ray attacks the ray's beginning.
constexpr int ways_along(Mode mode, int place) {
    assert(mode != Mode::knight && 0 <= place && place < MAX_RAY);
    const int line = mode == Mode::rook ? ROOK_LINE : BISHOP_LINE;
    const int step = mode == Mode::rook ? ROOK_STEP : BISHOP_STEP;
    return place == 0 ? line | step : line;
}

// Calls visit(mode, target) for each piece that the one on `cell` attacks or defends. Teleports do
// not count (section VI). Chosen: who sees another along two lines, which can meet again on this
// board, attacks twice.
template <class Visit>
void for_each_target(const Board& board, const Stand& stand, int cell, Kind kind, Visit visit) {
    assert(board.cells.has(cell) && stand[cell] != NOBODY);
    const int ways = ways_of(kind);
    const auto look = [&](Mode mode, const Rays& rays) {
        if (!(ways & ways_along(mode, 0))) return;
        for (const Ray& ray : rays) {
            const int place = first_on(ray, stand);
            if (place < ray.length && (ways & ways_along(mode, place)))
                visit(mode, int{ray.cells[place]});
        }
    };
    look(Mode::rook, board.rook_rays[cell]);
    look(Mode::bishop, board.bishop_rays[cell]);
    if (ways & KNIGHT_LEAP)
        board.knight[cell].for_each([&](int target) {
            if (stand[target] != NOBODY) visit(Mode::knight, target);
        });
}

}  // namespace crossboard::duchess
