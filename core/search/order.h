// In which order brothers are searched: the sooner the refutation, the smaller the tree.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>
#include <cstring>

#include "rules/position.h"
#include "search/settings.h"
#include "search/table.h"
#include "search/value.h"

namespace crossboard {

// What the search has learnt about moves so far.
template <GamePosition P>
class Experience {
  public:
    using Move = typename P::Move;

    void note_refutation(const P& position, const Move& move, int ply, int depth) {
        assert(0 <= ply && ply < MAX_PLY && 0 < depth && depth <= MAX_DEPTH);
        assert(position.unique_moves().has(move));
        auto& killers = killers_[static_cast<std::size_t>(ply)];
        if (!(killers[0] == move)) {
            killers[1] = killers[0];
            killers[0] = move;
        }
        std::int32_t& score = history_[static_cast<std::size_t>(position.move_slot(move))];
        score += depth * depth;
        // Old lessons fade, and the scores stay below those of killers.
        if (score > MAX_HISTORY)
            for (auto& each : history_) each /= 2;
    }

    // The move was tried before the one that refuted.
    void note_failure(const Move& move, int depth) {
        std::int32_t& score = history_[static_cast<std::size_t>(P::move_slot(move))];
        score = std::max(score - depth * depth, -MAX_HISTORY);
    }

    // Above zero for the last `most` refutations at this ply, the last one first.
    std::int32_t killer_score(const Move& move, int ply, int most = MAX_KILLERS) const {
        assert(0 <= ply && ply < MAX_PLY && 0 <= most && most <= MAX_KILLERS);
        const auto& killers = killers_[static_cast<std::size_t>(ply)];
        if (most > 0 && move == killers[0]) return KILLER + 1;
        return most > 1 && move == killers[1] ? KILLER : 0;
    }

    std::int32_t history_score(const P& position, const Move& move) const {
        return history_[static_cast<std::size_t>(position.move_slot(move))];
    }

    // What was learnt for one search counts less in the next, whose plies are others.
    void fade() {
        killers_ = {};
        for (auto& each : history_) each /= 8;
    }

    void clear() {
        killers_ = {};
        history_ = {};
    }

    static constexpr std::int32_t TABLE_MOVE = 1 << 30;

  private:
    static constexpr std::int32_t MAX_HISTORY = 1 << 20;
    static constexpr std::int32_t KILLER = 1 << 24;

    std::array<std::array<Move, MAX_KILLERS>, MAX_PLY> killers_{};
    std::array<std::int32_t, P::MOVE_SLOTS> history_{};
};

}  // namespace crossboard
