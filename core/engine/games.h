// Plays whole games between choosers of moves, on the calling thread.
#pragma once

#include <cassert>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/chooser.h"
#include "rules/past.h"

namespace crossboard {

// Why a game is lost on time.
inline constexpr const char* OUT_OF_TIME = "out of time";

enum class Ending { no_move, repetition, quiet, length, loop, forfeit, stopped };

// From where a game is played on.
template <GamePosition P>
struct Opening {
    P start;
    std::vector<typename P::Move> moves;
};

template <GamePosition P>
struct PlayedGame {
    std::vector<typename P::Move> moves;  // those of the opening too
    Ending ending = Ending::stopped;
    int winner = -1;     // 0: who moved first in the opening's start, 1: the other, -1: nobody
    std::string reason;  // of a forfeit
};

inline Ending ending_of(Draw draw) {
    assert(draw != Draw::none);
    switch (draw) {
        case Draw::repetition: return Ending::repetition;
        case Draw::quiet: return Ending::quiet;
        case Draw::loop: return Ending::loop;
        default: return Ending::length;
    }
}

// What both sides have at the beginning of a game, and how it is counted.
struct TimeControl {
    GameTime time;
    TimeKind clock = TimeKind::wall;
};

// One game at a time; keeps its memory for the next.
template <GamePosition P>
class GameTable {
  public:
    using Move = typename P::Move;

    // Without a time control each side takes what time it likes.
    GameTable(Chooser<P>& first, Chooser<P>& second, const DrawRules& rules,
              std::optional<TimeControl> control = {})
        : sides_{&first, &second}, rules_(rules), control_(control) {
        assert(rules.is_valid());
    }

    // The opening's moves must be legal.
    PlayedGame<P> play(const Opening<P>& opening, std::uint64_t seed,
                       const typename Chooser<P>::Poll& poll) {
        PlayedGame<P> game;
        begin(opening.start);
        for (const Move& move : opening.moves) add(move, game);
        // Two streams, so that random choosers do not mirror each other.
        for (std::size_t side : {0, 1}) sides_[side]->begin_game(Random(seed, side).next());
        while (!is_over(game)) {
            const int side = past_.plies() % 2;
            try {
                const Move move = choose(side, poll);
                if (poll && poll()) return game;
                add(move, game);
            } catch (const Forfeit& forfeit) {
                // Whoever ends the games may end a chooser too: that is no loss.
                if (poll && poll()) return game;
                game.ending = Ending::forfeit;
                game.winner = 1 - side;
                game.reason = forfeit.what();
                return game;
            }
        }
        return game;
    }

  private:
    void begin(const P& start) {
        past_.restart(start);
        line_.assign(1, start);
        if (control_) left_[0] = left_[1] = control_->time;
    }

    // Throws Forfeit if it took longer than there was time.
    Move choose(int side, const typename Chooser<P>::Poll& poll) {
        Chooser<P>& chooser = *sides_[side];
        const std::span<const P> history(line_.data(), line_.size() - 1);
        if (!control_) return chooser.choose(line_.back(), history, poll);
        chooser.set_time(left_[side]);
        const Stopwatch watch(chooser.clock(control_->clock));
        const Move move = chooser.choose(line_.back(), history, poll);
        if (!left_[side].spend(watch.seconds())) throw Forfeit(OUT_OF_TIME);
        return move;
    }

    void add(const Move& move, PlayedGame<P>& game) {
        const P before = line_.back();
        const P after = before.after(move);
        past_.add(before, move, after);
        if (before.is_irreversible(move)) line_.clear();
        line_.push_back(after);
        game.moves.push_back(move);
    }

    bool is_over(PlayedGame<P>& game) const {
        if (line_.back().is_over()) {
            game.ending = Ending::no_move;
            if (line_.back().is_lost()) game.winner = 1 - past_.plies() % 2;
            return true;
        }
        const Draw draw = past_.draw(rules_);
        if (draw != Draw::none) game.ending = ending_of(draw);
        return draw != Draw::none;
    }

    Chooser<P>* sides_[2];
    DrawRules rules_;
    std::optional<TimeControl> control_;
    GameTime left_[2];
    Past<P> past_{P()};
    std::vector<P> line_;  // since the last irreversible move
};

}  // namespace crossboard
