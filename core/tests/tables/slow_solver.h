// Solves endgames plainly, from the rules alone: every position for itself, both colours to move,
// nothing turned, all moves by the games' own move generator.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "rules/draughts/position.h"

namespace crossboard::tables {

class SlowSolver {
  public:
    using Position = draughts::Position;
    using Colour = draughts::Colour;
    // Black's men and kings, White's men and kings.
    using Material = std::array<int, 4>;

    struct Found {
        int outcome = UNKNOWN;  // -1, 0 and 1 for the side to move
        int distance = 0;
    };

    // All that captures and promotions lead to must have been solved.
    void solve(const Material& material);

    Found operator()(const Position& position) const {
        const auto& found = solved_.at(material_of(position));
        return found[static_cast<int>(position.turn())][place_of(position)];
    }

    // Calls visit(position) for each with this material, Black to move or White.
    template <class Visit>
    static void for_each(const Material& material, Colour turn, Visit visit) {
        add_pieces(material, turn, {}, 0, 0, visit);
    }

  private:
    static constexpr int UNKNOWN = 2;

    struct Node {
        Colour turn;
        std::size_t place;
        std::vector<std::size_t> next;  // places with the other side to move
        bool wins_at_once = false, draws_at_once = false, moves_at_once = false;
    };

    static std::array<Bits, 4> kinds_of(const Position& p) {
        return {p.black() & ~p.kings(), p.black() & p.kings(), p.white() & ~p.kings(),
                p.white() & p.kings()};
    }
    static Material material_of(const Position& position) {
        Material material{};
        const auto kinds = kinds_of(position);
        for (int kind = 0; kind < 4; ++kind) material[kind] = count(kinds[kind]);
        return material;
    }
    // Five bits for each piece, kind by kind.
    static std::size_t place_of(const Position& position) {
        std::size_t place = 0;
        for (const Bits kind : kinds_of(position))
            for (const int index : Members(kind))
                place = place * 32 + static_cast<std::size_t>(draughts::square_at(index) - 1);
        return place;
    }

    template <class Visit>
    static void add_pieces(Material left, Colour turn, std::array<Bits, 4> kinds, int kind,
                           int from, Visit& visit) {
        while (kind < 4 && left[kind] == 0) ++kind, from = 0;
        const Bits black = kinds[0] | kinds[1], white = kinds[2] | kinds[3];
        if (kind == 4) {
            visit(Position(black, white, kinds[1] | kinds[3], turn));
            return;
        }
        --left[kind];
        for (int square = from; square < 32; ++square) {
            const Bits piece = bit(draughts::index_of(square + 1));
            const bool on_last_row =
                (kind == 0 && (piece & draughts::crowning_row(Colour::black))) ||
                (kind == 2 && (piece & draughts::crowning_row(Colour::white)));
            if (on_last_row || (piece & (black | white))) continue;
            auto more = kinds;
            more[kind] |= piece;
            add_pieces(left, turn, more, kind, square + 1, visit);
        }
    }

    Node node_of(const Position& position, const Material& material) const;
    // What a position is if all that is nearer than `distance` is known; nothing if that is not
    // enough.
    std::optional<Found> judge(const Node& node, const std::vector<Found>& others,
                               int distance) const;

    std::map<Material, std::array<std::vector<Found>, 2>> solved_;
};

inline SlowSolver::Node SlowSolver::node_of(const Position& position,
                                            const Material& material) const {
    Node node{position.turn(), place_of(position), {}};
    for (const auto& move : position.legal_moves()) {
        const Position next = position.after(move);
        if (material_of(next) == material) {
            node.next.push_back(place_of(next));
            continue;
        }
        node.moves_at_once = true;
        const int outcome = next.pieces(next.turn()) ? -(*this)(next).outcome : 1;
        node.wins_at_once |= outcome > 0;
        node.draws_at_once |= outcome == 0;
    }
    return node;
}

inline std::optional<SlowSolver::Found> SlowSolver::judge(const Node& node,
                                                          const std::vector<Found>& others,
                                                          int distance) const {
    bool is_lost = !node.draws_at_once;
    int longest = node.moves_at_once ? 1 : 0;
    for (const std::size_t place : node.next) {
        const Found& next = others[place];
        if (next.outcome == -1 && next.distance == distance - 1) return Found{1, distance};
        is_lost &= next.outcome == 1;
        longest = std::max(longest, next.distance + 1);
    }
    if (node.wins_at_once) return distance == 1 ? std::optional(Found{1, 1}) : std::nullopt;
    return is_lost && longest == distance ? std::optional(Found{-1, distance}) : std::nullopt;
}

inline void SlowSolver::solve(const Material& material) {
    std::size_t places = 1;
    for (const int pieces : material)
        for (int i = 0; i < pieces; ++i) places *= 32;
    std::vector<Node> open;
    for (const Colour turn : {Colour::black, Colour::white})
        for_each(material, turn, [&](const Position& p) { open.push_back(node_of(p, material)); });
    auto& found = solved_[material];
    found.fill(std::vector<Found>(places));
    bool changes = true;
    for (int distance = 0; distance <= 2 || changes; ++distance) {
        std::vector<std::pair<const Node*, Found>> settled;
        for (const Node& node : open) {
            const int turn = static_cast<int>(node.turn);
            if (found[turn][node.place].outcome != UNKNOWN) continue;
            if (const auto judged = judge(node, found[1 - turn], distance))
                settled.emplace_back(&node, *judged);
        }
        for (const auto& [node, judged] : settled)
            found[static_cast<int>(node->turn)][node->place] = judged;
        changes = !settled.empty();
    }
    for (auto& side : found)
        for (Found& place : side)
            if (place.outcome == UNKNOWN) place.outcome = 0;
}

}  // namespace crossboard::tables
