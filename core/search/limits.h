// When a search must end.
#pragma once

#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cassert>
#include <chrono>
#include <cstdint>
#include <ctime>
#include <functional>
#include <limits>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "search/value.h"

namespace crossboard {

// With fewer than so many pieces on the board a search goes at least so deep.
struct DepthFloor {
    int pieces;
    int depth;
};

// Which seconds a limit counts: everybody's, or those that a processor works for the thread that
// asks, so that a busy machine takes nothing away.
enum class TimeKind { wall, cpu };

// Counts seconds from its making. Other threads may read it as long as the thread that made it is
// there.
class Stopwatch {
  public:
    explicit Stopwatch(TimeKind kind = TimeKind::wall) {
        if (kind == TimeKind::cpu) clock_ = clock_of_this_thread();
        start_ = now();
    }

    double seconds() const { return static_cast<double>(now() - start_) * 1e-9; }

  private:
    static clockid_t clock_of_this_thread() {
        clockid_t clock = CLOCK_MONOTONIC;
#if defined(_POSIX_THREAD_CPUTIME) && _POSIX_THREAD_CPUTIME >= 0
        if (pthread_getcpuclockid(pthread_self(), &clock) == 0) return clock;
#endif
        // As on macOS, where no thread can read another one's clock.
        throw std::invalid_argument("the clock cpu is not available on this system: use wall");
    }

    std::int64_t now() const {
        timespec time{};
        clock_gettime(clock_, &time);
        return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
    }

    clockid_t clock_ = CLOCK_MONOTONIC;
    std::int64_t start_ = 0;  // in nanoseconds
};

// When time is up. Other threads may look at it, as at a stopwatch.
class Deadline {
  public:
    Deadline() = default;  // never

    Deadline(double seconds, TimeKind kind) : watch_(kind), seconds_(seconds) {
        assert(seconds >= 0);
    }

    bool is_never() const { return seconds_ == NEVER; }
    bool has_passed() const { return !is_never() && seconds_used() >= seconds_; }
    double seconds_used() const { return watch_.seconds(); }

  private:
    static constexpr double NEVER = std::numeric_limits<double>::infinity();

    Stopwatch watch_;
    double seconds_ = NEVER;
};

// What a side has for the moves that are left: seconds, and more before each of its moves.
struct GameTime {
    double seconds = 0;
    double increment = 0;
    int moves = 0;  // for which it must do; 0: to the end of the game

    double for_next_move() const { return seconds + increment; }

    // Takes off what a move has used; false if that was more than there was.
    bool spend(double used) {
        seconds += increment - used;
        return seconds >= 0;
    }
};

// Zero means no limit, but a depth there always is.
struct Limits {
    int depth = MAX_DEPTH;
    std::uint64_t nodes = 0;
    double seconds = 0;
    TimeKind clock = TimeKind::wall;
    std::vector<DepthFloor> floors = {};
    std::optional<GameTime> time = {};  // of which a move takes a share: see move_time.h

    int depth_with(int pieces) const {
        assert(pieces >= 0);
        int deepest = depth;
        for (const DepthFloor& floor : floors)
            if (pieces < floor.pieces) deepest = std::max(deepest, floor.depth);
        return deepest;
    }
};

// Thrown through the search when it must end at once; what was finished before is kept.
struct Stopped {};

// Counts the nodes of one thread and looks at the clock now and then.
class Meter {
  public:
    using Clock = std::chrono::steady_clock;

    Meter() = default;

    // `stop` is set from outside.
    Meter(std::uint64_t node_limit, const Deadline& deadline, const std::atomic<bool>& stop,
          std::uint64_t nodes_between_looks = NODES_BETWEEN_LOOKS)
        : node_limit_(node_limit),
          deadline_(deadline),
          stop_(&stop),
          nodes_between_looks_(nodes_between_looks) {
        assert(nodes_between_looks > 0);
        plan();
    }

    // Calls `poll` now and then from the search; true from it means stop.
    void set_poll(std::function<bool()> poll, Clock::duration interval = TIME_BETWEEN_POLLS) {
        assert(interval > Clock::duration::zero());
        poll_ = std::move(poll);
        poll_interval_ = interval;
    }

    // Counts one node; throws Stopped when a limit is reached.
    void count() {
        if (++nodes_ >= look_at_) look();
    }

    // Looks at the limits without a node; for those who wait.
    void look_now() { look(); }

    std::uint64_t nodes() const { return nodes_; }

    // Some tens of microseconds of search: no stop waits longer.
    static constexpr std::uint64_t NODES_BETWEEN_LOOKS = 1024;
    static constexpr Clock::duration TIME_BETWEEN_POLLS = std::chrono::milliseconds(10);

  private:
    void plan() {
        look_at_ = nodes_ + nodes_between_looks_;
        if (node_limit_ && node_limit_ < look_at_) look_at_ = node_limit_ + 1;
    }

    void look() {
        assert(stop_);  // a meter without limits counts nothing
        if (stop_->load(std::memory_order_relaxed)) throw Stopped{};
        if (node_limit_ && nodes_ > node_limit_) {
            --nodes_;
            throw Stopped{};
        }
        if (deadline_.has_passed()) throw Stopped{};
        if (poll_) {
            const auto now = Clock::now();
            if (now >= next_poll_) {
                next_poll_ = now + poll_interval_;
                if (poll_()) throw Stopped{};
            }
        }
        plan();
    }

    std::uint64_t nodes_ = 0;
    std::uint64_t look_at_ = 0;
    std::uint64_t node_limit_ = 0;
    Deadline deadline_;
    const std::atomic<bool>* stop_ = nullptr;
    std::uint64_t nodes_between_looks_ = NODES_BETWEEN_LOOKS;
    std::function<bool()> poll_;
    Clock::duration poll_interval_ = TIME_BETWEEN_POLLS;
    Clock::time_point next_poll_{};
};

}  // namespace crossboard
