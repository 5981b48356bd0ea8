// What the evaluation of Duchess sees of a position, feature by feature: for learning, and as the
// definition that the fast evaluation is held to.
#pragma once

#include "eval/duchess/attacks.h"
#include "eval/duchess/weights.h"

namespace crossboard::duchess {

// Material is tied over the players: a partner's piece counts as an own one, an enemy's against it.
constexpr int sign_of(int seat, int mover) {
    return team_of(seat) == team_of(mover) ? 1 : -1;
}

// Calls visit(seat) for each player of the other team.
template <class Visit>
void for_each_enemy(int players, int seat, Visit visit) {
    assert(is_number_of_players(players) && 0 <= seat && seat < players);
    for (int enemy = 1 - seat % 2; enemy < players; enemy += 2) visit(enemy);
}

// Calls visit(weight, value) for each feature that is not zero; a weight may come several times.
template <class Visit>
void for_each_feature(const Layout& layout, const Position& position, Visit visit) {
    assert(position.players() == layout.players());
    const int mover = position.turn(), set = layout.set_of(mover), players = position.players();
    const Board& board = position.board();
    const Stand stand = stand_of(position);
    const Design& design = layout.design();
    const bool has_attack = design.attack || design.attack_modes;
    for (int seat = 0; seat < players; ++seat) {
        const int player = layout.relative(seat, mover);
        position.pieces(seat).for_each([&](int cell) {
            const Kind kind = position.kind_at(cell);
            const int seen = layout.cell(cell, mover);
            visit(layout.material(set, kind), sign_of(seat, mover));
            if (kind == Kind::pawn) visit(layout.pawn_square(set, player, seen), 1);
            if (design.piece_square) visit(layout.piece_square(set, seen, kind, player), 1);
            if (design.king_reach && kind != Kind::king)
                for_each_enemy(players, seat, [&](int enemy) {
                    const int reach = reach_of(players).of(kind, cell, position.king_of(enemy));
                    const int whom = layout.relative(enemy, mover);
                    visit(layout.king_reach(set, kind, player, whom, reach), 1);
                });
            if (!has_attack) return;
            for_each_target(board, stand, cell, kind, [&](Mode mode, int target) {
                const int whom = stand[target] % players;
                visit(layout.attack(set, mode, kind, player, position.kind_at(target),
                                    layout.relative(whom, mover)),
                      1);
            });
        });
        // A mated player is in check as well.
        const Standing standing = position.standing(seat);
        const bool is_mated = standing == Standing::mate;
        if (is_mated || standing == Standing::check) visit(layout.check(set, player), 1);
        if (is_mated) visit(layout.checkmate(set, player), 1);
    }
    for (Team team : {Team::odd, Team::even}) {
        const int wizards = (position.pieces(team) & position.wizards()).count();
        const int sign = sign_of(static_cast<int>(team), mover);
        for (int more = 0; more < wizards - 1; ++more) visit(layout.wizards(set, more), sign);
    }
    visit(layout.bias(set), 1);
}

}  // namespace crossboard::duchess
