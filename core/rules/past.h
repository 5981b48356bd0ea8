// What a position does not know: how the game came to it, and the draws that follow from that.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <vector>

#include "rules/position.h"

namespace crossboard {

// The rules by which a game is drawn although there are legal moves. Zero switches a rule off.
struct DrawRules {
    int repetitions = 3;   // the position stands for the n-th time
    int quiet_plies = 80;  // plies in a row without a capture or a move by a man
    int max_plies = 0;     // the papers' caps on the length of a game
    // The rule of the MP-Draughts laboratory: after its 20th ply a game is a loop once each side
    // has taken its move back so many times in a row (there 5 in matches, 3 in training).
    int loop_moves = 0;

    constexpr bool is_valid() const {
        return repetitions >= 0 && quiet_plies >= 0 && max_plies >= 0 && loop_moves >= 0;
    }
    bool operator==(const DrawRules&) const = default;
};

enum class Draw { none, repetition, quiet, length, loop };

// The part of a game's history that draws depend on.
template <GamePosition P>
class Past {
  public:
    explicit Past(const P& start) { restart(start); }

    // Forgets everything; keeps the memory for the next game.
    void restart(const P& start) {
        keys_.assign(1, start.key());
        plies_ = 0;
        reversals_[0] = reversals_[1] = 0;
        last_[0] = last_[1] = {};
    }

    // Notes that `move` led from `before`, where the game stood, to `after`.
    void add(const P& before, const typename P::Move& move, const P& after) {
        assert(stands_at(before));
        assert(after == before.after(move));
        if (before.is_irreversible(move)) keys_.clear();
        keys_.push_back(after.key());
        auto& last = last_[plies_ % 2];
        int& reversals = reversals_[plies_ % 2];
        reversals = move.from == last.to && move.to == last.from ? reversals + 1 : 0;
        last = {move.from, move.to};
        ++plies_;
    }

    // Whether the position is the last that was noted.
    bool stands_at(const P& position) const { return keys_.back() == position.key(); }

    int plies() const { return plies_; }
    int quiet_plies() const { return static_cast<int>(keys_.size()) - 1; }

    // How often the last position has stood, this time included.
    int repetitions() const {
        int times = 1;
        // A position needs at least four plies to come back, and the same side must be to move.
        for (int i = quiet_plies() - 4; i >= 0; i -= 2) times += keys_[i] == keys_.back();
        return times;
    }

    Draw draw(const DrawRules& rules) const {
        assert(rules.is_valid());
        if (rules.max_plies && plies_ >= rules.max_plies) return Draw::length;
        if (rules.quiet_plies && quiet_plies() >= rules.quiet_plies) return Draw::quiet;
        // n repetitions take at least four plies each after the first.
        if (rules.repetitions && quiet_plies() >= 4 * (rules.repetitions - 1) &&
            repetitions() >= rules.repetitions)
            return Draw::repetition;
        if (rules.loop_moves && plies_ > PLIES_BEFORE_LOOPS &&
            std::min(reversals_[0], reversals_[1]) >= rules.loop_moves)
            return Draw::loop;
        return Draw::none;
    }

  private:
    static constexpr int PLIES_BEFORE_LOOPS = 20;

    using Square = decltype(P::Move::from);
    struct Step {
        Square from{}, to{};
    };

    std::vector<std::uint64_t> keys_;  // since the last irreversible move, oldest first
    int plies_ = 0;
    Step last_[2] = {};      // each side's last move
    int reversals_[2] = {};  // moves in a row that each side took back
};

}  // namespace crossboard
