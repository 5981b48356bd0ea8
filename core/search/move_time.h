// How long one move may take of a game's time.
#pragma once

#include <algorithm>
#include <cassert>
#include <optional>

#include "search/limits.h"

namespace crossboard {

// A share of what is left, more when the best move changes or the value drops. It counts from its
// making, by the thread that searches.
class MoveTime {
  public:
    // The limits must have a time of the game.
    explicit MoveTime(const Limits& limits)
        : share_(share_of(limits)),
          most_(most_of(limits, share_)),
          deadline_(most_, limits.clock) {}

    // When the search must end, whatever it has found.
    const Deadline& deadline() const { return deadline_; }

    // Aimed at while nothing unexpected happens, and not exceeded whatever happens; in seconds.
    double share() const { return share_; }
    double most() const { return most_; }

    // Whether another depth shall begin, after one that found a value, and the same best move as
    // the depth before or a new one. `units` are the evaluation's.
    bool allows_next(bool is_new_move, Value value, int units) {
        return deadline_.seconds_used() < limit_after(is_new_move, value, units);
    }

    // The seconds before which another depth may begin; called once a depth.
    double limit_after(bool is_new_move, Value value, int units) {
        assert(units > 0);
        const double now = static_cast<double>(value) / units;
        const double drop = expected_ ? std::clamp(*expected_ - now, 0.0, FULL_DROP) : 0.0;
        expected_ = expected_ ? (*expected_ + now) / 2 : now;
        unrest_ = unrest_ / 2 + (is_new_move ? 1 : 0);
        const double trouble = CHANGE_WEIGHT * unrest_ + DROP_WEIGHT * drop / FULL_DROP;
        return std::min(most_, BEGIN_BEFORE * share_ * (1 + trouble));
    }

    // Chosen: time is shared out over so many moves, or over fewer if the clock says so.
    static constexpr int MOVES_TO_GO = 25;
    // Chosen: so much is never used: moves travel to the other side, and machines are busy.
    static constexpr double USED_SHARE = 0.9, MARGIN_SECONDS = 0.1;
    // Chosen: what a move gets even then, a few plies: so short that a busy machine seldom takes
    // the processor away meanwhile.
    static constexpr double LEAST_SECONDS = 0.0001;

  private:
    // Chosen: a depth takes about as long as all before it, so one that begins later than this
    // would not end within the share.
    static constexpr double BEGIN_BEFORE = 0.6;
    // Chosen: a drop of a quarter of a unit, or of more, triples the time; a new best move doubles
    // it, and half as much is added after each depth that keeps the move.
    static constexpr double FULL_DROP = 0.25, DROP_WEIGHT = 2, CHANGE_WEIGHT = 1;
    // Chosen: even then a move takes at most so many shares, and such a part of what is left.
    static constexpr double MOST_SHARES = 4, MOST_PART = 1.0 / 3;

    static double usable(const GameTime& time) {
        return std::max(LEAST_SECONDS, USED_SHARE * time.for_next_move() - MARGIN_SECONDS);
    }

    static double at_most(const Limits& limits, double seconds) {
        return limits.seconds > 0 ? std::min(seconds, limits.seconds) : seconds;
    }

    static double share_of(const Limits& limits) {
        const GameTime& time = *limits.time;
        const int moves = time.moves > 0 ? std::min(time.moves, MOVES_TO_GO) : MOVES_TO_GO;
        const double share = std::max(time.seconds, 0.0) / moves + time.increment;
        return at_most(limits, std::clamp(share, LEAST_SECONDS, usable(time)));
    }

    static double most_of(const Limits& limits, double share) {
        const double part = std::min(MOST_SHARES * share, MOST_PART * usable(*limits.time));
        return at_most(limits, std::max(share, part));
    }

    double share_;
    double most_;
    Deadline deadline_;
    std::optional<double> expected_;  // from the depths before, the last ones most
    double unrest_ = 0;
};

}  // namespace crossboard
