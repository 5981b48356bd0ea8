// Sums up the one-layer evaluation of Duchess: from nothing, and from the position before.
#include "eval/duchess/one_layer.h"

#include <bit>
#include <cassert>
#include <cmath>
#include <stdexcept>
#include <string>

namespace crossboard::duchess {

namespace {

// So large that no sum of a board's weights overflows, and far larger than any that is learnt.
constexpr double LARGEST_WEIGHT = 2;

void check_weights(const Layout& layout, std::span<const double> weights) {
    if (weights.size() != static_cast<std::size_t>(layout.size()))
        throw std::invalid_argument(std::to_string(layout.size()) + " weights are needed, not " +
                                    std::to_string(weights.size()));
    for (const Group& group : layout.groups())
        for (int i = 0; i < layout.sets() * group.size; ++i) {
            const double weight = weights[static_cast<std::size_t>(group.offset + i)];
            if (!(std::abs(weight) <= LARGEST_WEIGHT))
                throw std::invalid_argument("a weight of " + group.name +
                                            " must be a number within +-2, not " +
                                            std::to_string(weight));
        }
}

}  // namespace

template <int Players>
OneLayer<Players>::OneLayer(const Layout& layout, std::span<const double> weights) {
    if (layout.players() != Players)
        throw std::invalid_argument("the evaluation is for " + std::to_string(Players) +
                                    " players, the weights are for " +
                                    std::to_string(layout.players()));
    check_weights(layout, weights);
    tables_ = std::make_shared<const Tables>(layout, weights);
}

template <int Players>
OneLayer<Players>::Tables::Tables(const Layout& its_layout, std::span<const double> all)
    : layout(its_layout),
      weights(all),
      has_attack(its_layout.design().attack || its_layout.design().attack_modes),
      has_reach(its_layout.design().king_reach) {
    for (int mover = 0; mover < Players; ++mover) {
        fill_pieces(mover);
        if (has_attack) fill_attacks(mover);
        if (has_reach) fill_reaches(mover);
        fill_teams(mover);
    }
    weights = {};
}

template <int Players>
std::int32_t OneLayer<Players>::Tables::units(int weight) const {
    assert(0 <= weight && static_cast<std::size_t>(weight) < weights.size());
    return static_cast<std::int32_t>(
        std::lround(weights[static_cast<std::size_t>(weight)] * UNITS));
}

template <int Players>
void OneLayer<Players>::Tables::fill_pieces(int mover) {
    const int set = layout.set_of(mover);
    for (int seat = 0; seat < Players; ++seat)
        for (Kind kind : ALL_KINDS) {
            const int player = layout.relative(seat, mover);
            const int worth = sign_of(seat, mover) * units(layout.material(set, kind));
            board_of(Players).cells.for_each([&](int cell) {
                const int seen = layout.cell(cell, mover);
                int sum = worth;
                if (kind == Kind::pawn) sum += units(layout.pawn_square(set, player, seen));
                if (layout.design().piece_square)
                    sum += units(layout.piece_square(set, seen, kind, player));
                piece[cell][code_of(Players, kind, seat)].by_mover[mover] = sum;
            });
        }
}

template <int Players>
void OneLayer<Players>::Tables::fill_attacks(int mover) {
    const int set = layout.set_of(mover);
    const auto kind_of = [](int code) { return static_cast<Kind>(code / Players); };
    const auto player_of = [&](int code) { return layout.relative(code % Players, mover); };
    for (Mode mode : {Mode::rook, Mode::bishop, Mode::knight})
        for (int from = 0; from < CODES; ++from)
            for (int to = 0; to < CODES; ++to)
                attack[static_cast<int>(mode)][from][to].by_mover[mover] = units(layout.attack(
                    set, mode, kind_of(from), player_of(from), kind_of(to), player_of(to)));
}

template <int Players>
void OneLayer<Players>::Tables::fill_reaches(int mover) {
    const int set = layout.set_of(mover);
    for (int seat = 0; seat < Players; ++seat)
        for (Kind kind : ALL_KINDS)
            for_each_enemy(Players, seat, [&](int enemy) {
                for (int far = 0; far < REACHES; ++far)
                    reach[code_of(Players, kind, seat)][enemy][far].by_mover[mover] =
                        units(layout.king_reach(set, kind, layout.relative(seat, mover),
                                                layout.relative(enemy, mover), far));
            });
}

template <int Players>
void OneLayer<Players>::Tables::fill_teams(int mover) {
    const int set = layout.set_of(mover);
    for (int seat = 0; seat < Players; ++seat) {
        const int player = layout.relative(seat, mover);
        check[seat].by_mover[mover] = units(layout.check(set, player));
        mate[seat].by_mover[mover] = units(layout.checkmate(set, player));
    }
    for (int team : {0, 1})
        for (int count = 2; count <= Players / 2; ++count)
            wizards[team][count].by_mover[mover] =
                wizards[team][count - 1].by_mover[mover] +
                sign_of(team, mover) * units(layout.wizards(set, count - 2));
    bias.by_mover[mover] = units(layout.bias(set));
}

template <int Players>
auto OneLayer<Players>::begin(const Position& position) const -> State {
    assert(position.players() == Players);
    State state{.sum = {}, .stand = stand_of(position), .checkers = {}, .kings = {}};
    const Board& board = board_of(Players);
    position.occupied().for_each([&](int cell) {
        const Code code = state.stand[cell];
        state.sum += tables_->piece[cell][code];
        if (!tables_->has_attack) return;
        for_each_target(board, state.stand, cell, static_cast<Kind>(code / Players),
                        [&](Mode mode, int target) {
                            count_attack<true>(state, mode, code, state.stand[target]);
                        });
    });
    if (tables_->has_reach) {
        for (int seat = 0; seat < Players; ++seat)
            state.kings[seat] = static_cast<std::uint8_t>(position.king_of(seat));
        for (int seat = 0; seat < Players; ++seat) count_ways_to_king<true>(state, seat, position);
    }
    return state;
}

template <int Players>
auto OneLayer<Players>::after(const State& state, const Position& position, const Move& move,
                              const Position& next) -> State {
    assert(position.players() == Players && next == position.after(move));
    assert(state.stand == stand_of(position));
    State changed = state;
    if (move.is_pass()) return changed;
    take_up(changed, move.from, position);
    if (tables_->has_reach) move_reaches(changed, position, move, next);
    const Kind kind = move.is_promotion() ? move.promoted : move.kind;
    const Code code = code_of(Players, kind, position.turn());
    if (move.is_capture) {
        replace(changed, move.to, code);
    } else {
        add(changed, move.to, code);
    }
    return changed;
}

template <int Players>
void OneLayer<Players>::add(State& state, int cell, Code code) const {
    assert(state.stand[cell] == NOBODY && code < CODES);
    if (tables_->has_attack) count_attacks<true, true>(state, cell, code);
    state.sum += tables_->piece[cell][code];
    state.stand[cell] = code;
}

template <int Players>
void OneLayer<Players>::take_up(State& state, int cell, const Position& position) {
    assert(position.pieces(position.turn()).has(cell) && state.stand[cell] != NOBODY);
    if (!tables_->has_attack) return remove(state, cell);  // a look-up would cost more
    TakenUp& last = taken_up_[cell];
    if (last.key == position.key()) {
        state.stand[cell] = NOBODY;
        state.sum = last.sum;
        state.checkers = last.checkers;
        return;
    }
    remove(state, cell);
    last = {state.sum, position.key(), state.checkers};
}

template <int Players>
void OneLayer<Players>::remove(State& state, int cell) const {
    assert(state.stand[cell] != NOBODY);
    const Code code = std::exchange(state.stand[cell], NOBODY);
    state.sum -= tables_->piece[cell][code];
    if (tables_->has_attack) count_attacks<false, true>(state, cell, code);
}

template <int Players>
void OneLayer<Players>::replace(State& state, int cell, Code code) const {
    assert(state.stand[cell] != NOBODY && code < CODES);
    const Code old = std::exchange(state.stand[cell], code);
    state.sum += tables_->piece[cell][code];
    state.sum -= tables_->piece[cell][old];
    if (!tables_->has_attack) return;
    count_attacks<false, false>(state, cell, old);
    count_attacks<true, false>(state, cell, code);
}

// Steps 1 to 5 of section V.A for one cell: who attacks the piece there, whom it attacks, and, if
// the cell is or will be empty otherwise, who sees whom across it. With counters of the attacks on
// kings nothing need be computed anew when one appears or disappears (step 6).
template <int Players>
template <bool IsNew, bool BlocksLines>
void OneLayer<Players>::count_attacks(State& state, int cell, Code code) const {
    const Board& board = board_of(Players);
    const int ways = WAYS[code];
    const auto look = [&](Mode mode, const Rays& rays) {
        const int line = ways_along(mode, 1);
        std::array<Code, 6> seen;
        for (int i = 0; i < rays.count; ++i) {
            const Ray& ray = rays.rays[i];
            const int place = first_on(ray, state.stand);
            seen[i] = place < ray.length ? state.stand[ray.cells[place]] : NOBODY;
            if (seen[i] == NOBODY) continue;
            const int along = ways_along(mode, place);
            if (WAYS[seen[i]] & along) count_attack<IsNew>(state, mode, seen[i], code);
            if (ways & along) count_attack<IsNew>(state, mode, code, seen[i]);
        }
        if constexpr (BlocksLines)
            for (int i = 0; i < rays.count; ++i) {
                if (seen[i] == NOBODY || !(WAYS[seen[i]] & line) || rays.opposite[i] < 0) continue;
                const Code beyond = seen[rays.opposite[i]];
                if (beyond != NOBODY) count_attack<!IsNew>(state, mode, seen[i], beyond);
            }
    };
    look(Mode::rook, board.rook_rays[cell]);
    look(Mode::bishop, board.bishop_rays[cell]);
    for (int i = 0; i < board.leaps[cell].length; ++i) {
        const Code other = state.stand[board.leaps[cell].cells[i]];
        if (other == NOBODY) continue;
        if (WAYS[other] & KNIGHT_LEAP) count_attack<IsNew>(state, Mode::knight, other, code);
        if (ways & KNIGHT_LEAP) count_attack<IsNew>(state, Mode::knight, code, other);
    }
}

template <int Players>
template <bool IsNew>
void OneLayer<Players>::count_reach(State& state, int cell, Code code, int enemy) const {
    assert(tables_->has_reach && code < CODES && team_of(code % Players) != team_of(enemy));
    const int far =
        reach_of(Players).of(static_cast<Kind>(code / Players), cell, state.kings[enemy]);
    const Sum& weight = tables_->reach[code][enemy][far];
    if constexpr (IsNew) {
        state.sum += weight;
    } else {
        state.sum -= weight;
    }
}

template <int Players>
template <bool IsNew>
void OneLayer<Players>::count_reaches(State& state, int cell, Code code) const {
    for_each_enemy(Players, code % Players,
                   [&](int enemy) { count_reach<IsNew>(state, cell, code, enemy); });
}

template <int Players>
template <bool IsNew>
void OneLayer<Players>::count_ways_to_king(State& state, int seat, const Position& position) const {
    for_each_enemy(Players, seat, [&](int enemy) {
        (position.pieces(enemy) - position.kings()).for_each([&](int cell) {
            count_reach<IsNew>(state, cell, code_of(Players, position.kind_at(cell), enemy), seat);
        });
    });
}

// When the piece that moves has been taken up, and nothing else has changed.
template <int Players>
void OneLayer<Players>::move_reaches(State& state, const Position& position, const Move& move,
                                     const Position& next) const {
    const int seat = position.turn();
    const bool is_king = move.kind == Kind::king;
    if (move.is_capture) count_reaches<false>(state, move.to, state.stand[move.to]);
    if (is_king) {
        // What it captures is gone already and must not be taken away twice.
        if (move.is_capture) count_reach<true>(state, move.to, state.stand[move.to], seat);
        count_ways_to_king<false>(state, seat, position);
        state.kings[seat] = move.to;
        count_ways_to_king<true>(state, seat, next);
    } else {
        const Kind kind = move.is_promotion() ? move.promoted : move.kind;
        count_reaches<false>(state, move.from, code_of(Players, move.kind, seat));
        count_reaches<true>(state, move.to, code_of(Players, kind, seat));
    }
}

template <int Players>
std::int32_t OneLayer<Players>::evaluate(const Position& position, const State& state) const {
    assert(position.players() == Players && state.stand == stand_of(position));
    const int mover = position.turn();
    std::int32_t sum = state.sum.by_mover[mover] + tables_->bias.by_mover[mover];
    for (Team team : {Team::odd, Team::even}) {
        const Cells wizards = position.pieces(team) & position.wizards();
        sum += tables_->wizards[static_cast<int>(team)][wizards.count()].by_mover[mover];
    }
    unsigned checked = tables_->has_attack ? state.seats_in_check() : position.seats_in_check();
    for (; checked; checked &= checked - 1) {
        const int seat = std::countr_zero(checked);
        sum += tables_->check[seat].by_mover[mover];
        if (!position.can_answer_check(seat)) sum += tables_->mate[seat].by_mover[mover];
    }
    return std::clamp(sum, -MOST, MOST);
}

template class OneLayer<4>;
template class OneLayer<6>;

}  // namespace crossboard::duchess
