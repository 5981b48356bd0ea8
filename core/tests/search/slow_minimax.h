// The worth of a position by the plain definition, without windows: what every search must equal.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "eval/material.h"
#include "rules/draughts/notation.h"
#include "rules/draughts/perft.h"
#include "rules/draughts/position.h"
#include "rules/draughts/random_positions.h"
#include "rules/past.h"
#include "search/value.h"

namespace crossboard::slow {

using draughts::Colour;
using draughts::Move;
using draughts::Position;

inline constexpr DrawRules NO_DRAWS = {.repetitions = 0, .quiet_plies = 0, .max_plies = 0};

// Material, and up to `range` more or less that nobody can guess: with it nearly every position
// has a value of its own, so that no wrong window goes unnoticed.
struct Judge {
    int range = 0;
    std::uint64_t seed = 0;
    // Sleeps before every 16th position or so, for threads to get in each other's way.
    int nap_microseconds = 0;

    Value evaluate(const Position& position) const {
        Random random(position.key() ^ seed);
        const auto offset = random.below(2 * range + 1) - range;
        if (nap_microseconds && random.below(16) == 0)
            std::this_thread::sleep_for(std::chrono::microseconds(nap_microseconds));
        return Material().evaluate(position) + offset;
    }
    int units() const { return Material::MAN; }
};

// What a value at `ply` plies behind the root is at the root: wins there are counted from it.
inline Value at_ply(Value value, int ply) {
    return value > MAX_EVALUATION ? value - ply : value < -MAX_EVALUATION ? value + ply : value;
}

// Without any draws, so that a value depends on position and depth alone. Wins are counted from
// the position itself.
class Minimax {
  public:
    explicit Minimax(const Judge& judge, bool quiescence = true)
        : judge_(judge), quiescence_(quiescence) {}

    Value value(const Position& position, int depth) {
        const std::tuple key(position.key(), depth);
        if (const auto found = values_.find(key); found != values_.end()) return found->second;
        const Value value = depth > 0 ? best(position, depth) : settled(position);
        values_.emplace(key, value);
        return value;
    }

    // Every position that a search without windows enters.
    std::uint64_t count_nodes(const Position& position, int depth) const {
        std::uint64_t nodes = 1;
        if (depth > 0 || (quiescence_ && position.has_capture()))
            for (const Move& move : position.unique_moves())
                nodes += count_nodes(position.after(move), depth - 1);
        return nodes;
    }

  private:
    Value best(const Position& position, int depth) {
        Value best = -WIN;  // who cannot move has lost
        for (const Move& move : position.legal_moves())
            best = std::max(best, at_ply(-value(position.after(move), depth - 1), 1));
        return best;
    }

    Value settled(const Position& position) {
        if (position.is_over()) return -WIN;
        if (!quiescence_ || !position.has_capture()) return judge_.evaluate(position);
        Value best = -INFINITE;
        for (const Move& move : position.legal_moves())
            best = std::max(best, at_ply(-settled(position.after(move)), 1));
        return best;
    }

    Judge judge_;
    bool quiescence_;
    std::map<std::tuple<std::uint64_t, int>, Value> values_;
};

// With draws, which need the whole line of play; wins are counted from the line's last position.
// `root` is the place of the position that is searched: what stood up to there has been played.
inline Value value_of_line(std::vector<Position>& line, std::size_t root, int depth,
                           const Judge& judge, const DrawRules& rules) {
    const Position now = line.back();
    const auto legal = now.legal_moves();
    const auto is_quiet = [&line](std::size_t i) {
        const auto shape = [](const Position& p) {
            return std::tuple(p.black() & ~p.kings(), p.white() & ~p.kings(), count(p.black()),
                              count(p.white()));
        };
        return shape(line[i]) == shape(line[i - 1]);
    };
    if (line.size() - 1 > root) {
        const auto end = line.begin() + static_cast<std::ptrdiff_t>(root) + 1;
        if (rules.repetitions && std::find(line.begin(), end, now) != end) return 0;
        int quiet = 0;
        for (std::size_t i = line.size() - 1; i > 0 && is_quiet(i); --i) ++quiet;
        if (rules.quiet_plies && quiet >= rules.quiet_plies && !legal.empty()) return 0;
    }
    if (legal.empty()) return -WIN;
    if (depth <= 0 && !now.has_capture()) return judge.evaluate(now);
    Value best = -INFINITE;
    for (const Move& move : legal) {
        line.push_back(now.after(move));
        best = std::max(best, at_ply(-value_of_line(line, root, depth - 1, judge, rules), 1));
        line.pop_back();
    }
    return best;
}

// A position in which the game goes on: of a random game, a set-up of any size or a small ending.
inline Position random_position(Random& random) {
    for (;;) {
        Position position;
        switch (random.below(4)) {
            case 0: position = draughts::random_setup(random); break;
            case 1: {
                Bits pieces[2] = {}, kings = 0;
                const int size = 2 + random.below(4);
                for (int i = 0; i < size; ++i) {
                    const Bits here = bit(draughts::index_of(1 + random.below(draughts::SQUARES)));
                    if ((pieces[0] | pieces[1]) & here) continue;
                    const bool is_king = random.below(3) > 0 ||
                                         (here & (draughts::crowning_row(Colour::black) |
                                                  draughts::crowning_row(Colour::white))) != 0;
                    pieces[i % 2] |= here;
                    if (is_king) kings |= here;
                }
                position = Position(pieces[0], pieces[1], kings,
                                    random.below(2) ? Colour::white : Colour::black);
                break;
            }
            default:
                for (int plies = random.below(90); plies > 0 && !position.is_over(); --plies)
                    position =
                        position.after(position.move_at(random.below(position.count_moves())));
        }
        if (!position.is_over()) return position;
    }
}

// The greatest depth up to `most` whose full tree has at most so many leaves.
inline int affordable_depth(const Position& position, int most, std::uint64_t leaves) {
    int depth = 1;
    while (depth < most && perft(position, depth + 1) <= leaves) ++depth;
    return depth;
}

// What a failed check was at.
inline std::string at(const Position& position, int depth) {
    return draughts::format_fen(position) + " depth " + std::to_string(depth);
}

}  // namespace crossboard::slow
