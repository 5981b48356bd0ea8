// The root of a search: deeper and deeper until a limit is reached, the n best moves if asked.
#pragma once

#include <algorithm>
#include <cassert>
#include <functional>
#include <numeric>
#include <vector>

#include "rules/random.h"
#include "search/move_time.h"
#include "search/searcher.h"

namespace crossboard {

template <class Move>
struct RankedMove {
    Move move;
    Value value = 0;
    std::vector<Move> line;  // begins with the move
};

template <class Move>
struct Findings {
    std::vector<RankedMove<Move>> best;  // as many as were asked for, best first
    int depth = 0;                       // the last that was finished
    bool stopped = false;                // before the depth asked for
};

// Works on one root position with a searcher that somebody else has set up.
template <GamePosition P, Evaluator<P> E>
class Deepening {
  public:
    using Move = typename P::Move;

    Deepening(const P& root, Searcher<P, E>& searcher, const Settings& settings)
        : root_(root),
          searcher_(searcher),
          settings_(settings),
          moves_(root.unique_moves()),
          order_(static_cast<std::size_t>(moves_.size())) {
        assert(searcher_.man() > 0);
        std::iota(order_.begin(), order_.end(), 0);
    }

    // Of equally good moves the first one searched is chosen: this makes it any of them.
    void shuffle(Random random) {
        for (std::size_t left = order_.size(); left > 1; --left)
            std::swap(order_[left - 1], order_[random.below(static_cast<int>(left))]);
    }

    // The root has no other moves than these, given by their index among unique_moves().
    void keep_only(const std::vector<int>& moves) {
        std::erase_if(order_, [&](int index) {
            return std::find(moves.begin(), moves.end(), index) == moves.end();
        });
        assert(!order_.empty());
    }

    // There may be no time for the whole depth: an answer of every depth on the way is wanted.
    void hurry() { is_hurried_ = true; }

    // After every depth the time of the move decides whether the next one begins.
    void set_time(MoveTime& time) {
        time_ = &time;
        hurry();
    }

    // The root must have a legal move. `count` is how many best moves are wanted; `on_depth` is
    // told about every depth that is finished.
    Findings<Move> run(int depth, int count,
                       const std::function<void(const Findings<Move>&)>& on_depth = {}) {
        assert(!moves_.empty() && 0 < depth && depth <= MAX_DEPTH && count > 0);
        // A search that others may end has only one way of having an answer then; so has one
        // without a depth to go to.
        const bool deepen = is_hurried_ || depth == MAX_DEPTH ||
                            (settings_.deepening && settings_.algorithm == Algorithm::alphabeta);
        count = std::min(count, static_cast<int>(order_.size()));
        Findings<Move> findings = first_guess(count);
        try {
            for (int now = deepen ? 1 : depth; now <= depth; ++now) {
                const Move expected = findings.best[0].move;
                findings.best = rank(now, count, findings);
                findings.depth = now;
                if (on_depth) on_depth(findings);
                // A win that the depth has proved shortest gets no better.
                if (deepen && is_decided(findings.best, now)) break;
                const bool is_new = now > 1 && !(findings.best[0].move == expected);
                const Value value = findings.best[0].value;
                if (time_ && !time_->allows_next(is_new, value, searcher_.man())) break;
            }
        } catch (const Stopped&) {
            findings.stopped = true;
        }
        return findings;
    }

  private:
    // What to answer if there is no time for anything.
    Findings<Move> first_guess(int count) {
        Findings<Move> findings;
        for (int i = 0; i < count; ++i) {
            const Move& move = moves_[order_[static_cast<std::size_t>(i)]];
            findings.best.push_back({move, searcher_.judge(root_), {move}});
        }
        return findings;
    }

    static bool is_decided(const std::vector<RankedMove<Move>>& best, int depth) {
        return std::all_of(best.begin(), best.end(), [depth](const RankedMove<Move>& ranked) {
            return (is_win(ranked.value) || is_loss(ranked.value)) &&
                   plies_to_end(ranked.value) <= depth;
        });
    }

    std::vector<RankedMove<Move>> rank(int depth, int count, const Findings<Move>& before) {
        std::vector<RankedMove<Move>> ranked;
        for (int place = 0; place < count; ++place) {
            const std::span<const int> candidates =
                std::span(order_).subspan(static_cast<std::size_t>(place));
            const Value value =
                count == 1 && before.depth > 0
                    ? search_near(before.best[0].value, candidates, depth)
                    : searcher_.search_root(root_, candidates, depth, -INFINITE, INFINITE);
            const auto& line = searcher_.line();
            assert(line.size > 0);
            ranked.push_back({line.moves[0], value, {line.moves, line.moves + line.size}});
            move_to(place, line.moves[0]);
        }
        return ranked;
    }

    // The best move of this depth is the first to be tried at the next.
    void move_to(int place, const Move& move) {
        const auto found = std::find_if(order_.begin() + place, order_.end(),
                                        [&](int index) { return moves_[index] == move; });
        assert(found != order_.end());
        std::rotate(order_.begin() + place, found, found + 1);
    }

    // Expects the value near the last depth's and widens the window where it is not.
    Value search_near(Value expected, std::span<const int> moves, int depth) {
        assert(is_value(expected));
        // Chosen: four times as much after each miss.
        Value margin = searcher_.window();
        const bool wide = !settings_.aspiration || is_win(expected) || is_loss(expected);
        Value alpha = wide ? -INFINITE : expected - margin;
        Value beta = wide ? INFINITE : expected + margin;
        for (;;) {
            const Value value = searcher_.search_root(root_, moves, depth, alpha, beta);
            margin *= 4;
            const bool give_up = margin > 40 * searcher_.man();
            if (value <= alpha && alpha > -INFINITE) {
                alpha = give_up ? -INFINITE : std::max(-INFINITE, value - margin);
            } else if (value >= beta && beta < INFINITE) {
                beta = give_up ? INFINITE : std::min(INFINITE, value + margin);
            } else {
                return value;
            }
        }
    }

    P root_;
    Searcher<P, E>& searcher_;
    Settings settings_;
    typename P::Moves moves_;
    std::vector<int> order_;  // of the root's moves, best first
    bool is_hurried_ = false;
    MoveTime* time_ = nullptr;
};

}  // namespace crossboard
