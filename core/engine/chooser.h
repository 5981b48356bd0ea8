// Whoever chooses moves in the games that the core plays.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "engine/engine.h"
#include "engine/selector.h"
#include "rules/random.h"

namespace crossboard {

// Thrown by a chooser that cannot go on: it loses the game, for the reason given.
struct Forfeit : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Plays one game at a time: who plays several at once needs as many choosers.
template <GamePosition P>
class Chooser {
  public:
    using Move = typename P::Move;
    using Poll = std::function<bool()>;

    virtual ~Chooser() = default;

    // Forgets earlier games: what comes depends on the seed and the game alone.
    virtual void begin_game(std::uint64_t seed) = 0;

    // In a game with a clock: what is left before the next choice.
    virtual void set_time(const GameTime&) {}

    // How its own time is counted where searches count theirs in this way.
    virtual TimeKind clock(TimeKind of_searches) const { return of_searches; }

    // `history` are the positions since the last irreversible move, oldest first, without the
    // present one. True from `poll` means that any move will do: the game is not wanted any more.
    virtual Move choose(const P& position, std::span<const P> history, const Poll& poll) = 0;
};

// Plays each legal move with the same probability.
template <GamePosition P>
class RandomChooser final : public Chooser<P> {
  public:
    void begin_game(std::uint64_t seed) override { random_ = Random(seed); }
    typename P::Move choose(const P& position, std::span<const P>,
                            const typename Chooser<P>::Poll&) override {
        return position.move_at(random_.below(position.count_moves()));
    }

  private:
    Random random_{0};
};

template <GamePosition P>
class EngineChooser final : public Chooser<P> {
  public:
    // With `random_ties` the game's seed draws among equally good moves: for learners, who would
    // otherwise meet the same few games for ever. It draws the noise too.
    EngineChooser(std::shared_ptr<Engine<P>> engine, const Limits& limits, bool random_ties = false,
                  const Noise& noise = {})
        : engine_(std::move(engine)),
          limits_(limits),
          given_(limits),
          random_ties_(random_ties),
          noise_(noise) {
        check_noise(noise);
    }

    void begin_game(std::uint64_t seed) override {
        engine_->clear();
        random_ = Random(seed);
        limits_.time = given_.time;
        delay_ = 0;
    }
    void set_time(const GameTime& left) override {
        limits_.time = left;
        // Every move to come may be late as well: what they need for that is not there to think.
        // But one long delay must not leave the moves after it without any time.
        limits_.time->seconds -= std::min(MoveTime::MOVES_TO_GO * delay_, left.seconds / 2);
    }
    typename P::Move choose(const P& position, std::span<const P> history,
                            const typename Chooser<P>::Poll& poll) override {
        // One move needs no thought, and time that it would take is nobody's gain.
        if (position.count_moves() == 1) return position.move_at(0);
        Question<P> question{
            .position = position, .limits = limits_, .noise = noise_, .poll = poll};
        if (random_ties_) question.tie_seed = random_.next();
        if (noise_.moves > 1) question.noise_seed = random_.next();
        for (const P& earlier : history) question.history.push_back(earlier.key());
        const Answer<P> answer = engine_->ask(question);
        if (limits_.time && limits_.clock == TimeKind::wall) note_delay(answer.seconds);
        return answer.findings.best[0].move;
    }

  private:
    // A machine with much to do lets a search wait beyond its limit; by and by that is forgotten.
    void note_delay(double used) {
        const double delay = used - MoveTime(limits_).most();
        delay_ = std::max(KEPT_DELAY * delay_, delay);
    }

    static constexpr double KEPT_DELAY = 0.9;  // chosen

    std::shared_ptr<Engine<P>> engine_;
    Limits limits_;
    Limits given_;
    double delay_ = 0;  // of moves so far, in seconds
    bool random_ties_;
    Noise noise_;
    Random random_{0};
};

// Gives each position to the chooser of one of several agents, as a selector decides; agents may
// share a chooser. The last choice is the game's in progress.
template <GamePosition P>
class SelectingChooser final : public Chooser<P> {
  public:
    using Members = std::vector<std::shared_ptr<Chooser<P>>>;

    SelectingChooser(std::shared_ptr<const Selector<P>> selector, Members choosers)
        : selector_(std::move(selector)), choosers_(std::move(choosers)) {
        if (selector_->count() > choosers_.size())
            throw std::invalid_argument("a selector among " + std::to_string(selector_->count()) +
                                        " needs as many choosers, not " +
                                        std::to_string(choosers_.size()));
        for (const auto& chooser : choosers_)
            if (std::find(distinct_.begin(), distinct_.end(), chooser) == distinct_.end())
                distinct_.push_back(chooser);
    }

    void begin_game(std::uint64_t seed) override {
        last_ = std::nullopt;
        for (const auto& chooser : distinct_) chooser->begin_game(seed);
    }
    void set_time(const GameTime& left) override {
        for (const auto& chooser : distinct_) chooser->set_time(left);
    }
    typename P::Move choose(const P& position, std::span<const P> history,
                            const typename Chooser<P>::Poll& poll) override {
        last_ = selector_->select(position, last_);
        if (!last_) throw Forfeit("no phase of the player fits the position");
        assert(*last_ < choosers_.size());
        return choosers_[*last_]->choose(position, history, poll);
    }

  private:
    std::shared_ptr<const Selector<P>> selector_;
    Members choosers_;  // by the places of their agents
    Members distinct_;  // each once
    Choice last_;
};

}  // namespace crossboard
