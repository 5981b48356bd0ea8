// Plays games to learn from: both sides search, and what the searches find labels positions.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "engine/engine.h"
#include "engine/sampling.h"
#include "rules/draughts/position.h"
#include "rules/past.h"
#include "rules/random.h"

namespace crossboard {

struct LabelSettings {
    std::uint64_t nodes = 1000;  // of every search
    // So many of the positions that the search of each move has judged are searched as well.
    int samples = 1;
    // Half of the games begin with one of the given openings and up to so many random plies, the
    // others with `least` to `most` random plies from the start of the game.
    int plies_after_opening = 4;
    int least_random_plies = 4;
    int most_random_plies = 10;
    // Openings that a search finds worth more for either side are drawn anew.
    Value worst_opening = 150;
    // On average one of so many moves is random, among so many plies after the opening; 0: none.
    int random_every = 12;
    int random_plies = 24;
    // A game is over when the searches of both sides agree for so many plies in a row that it is
    // won by more than this, or when it has seen no capture and no move of a man for so many plies.
    Value clear_value = 700;
    int clear_plies = 6;
    int quiet_plies = 40;

    bool is_valid() const {
        return nodes > 0 && samples >= 0 && plies_after_opening >= 0 && least_random_plies >= 0 &&
               most_random_plies >= least_random_plies && worst_opening > 0 && random_every >= 0 &&
               random_plies >= 0 && clear_value > 0 && clear_plies > 0 && quiet_plies > 0;
    }
};

// Wins and losses that a search has proved, where labels are kept in 16 bits.
constexpr Value SURE_VALUE = 30'000;

// A position in which neither side can capture and the side to move has a choice.
struct Label {
    draughts::Position position;
    Value value;  // what a search says, for the side to move
    // How the game ended for the side to move: 1 won, 0 drawn, -1 lost. UNKNOWN of a position drawn
    // from a search, which never stood on the board.
    int result;

    static constexpr int UNKNOWN = 2;
};

struct LabelledGames {
    std::vector<Label> labels;
    std::uint64_t nodes = 0;
    std::uint64_t searches = 0;
    std::uint64_t plies = 0;
    std::uint64_t wins[2] = {};  // of the side that moved first, of the other
    std::uint64_t draws = 0;
};

// One game at a time; what it is depends on the settings, the evaluation and the game's seed alone.
template <Evaluator<draughts::Position> E>
class LabelTable {
  public:
    using P = draughts::Position;
    using Move = P::Move;

    // `openings` are positions to begin with; there must be one. No game begins with a `reserved`
    // position or with moves that lead through one. A game is over where `endgames` know its
    // result, and searches ask them. The engine's table is cleared before each game.
    LabelTable(const E& evaluator, const EngineSettings& engine, const LabelSettings& settings,
               std::span<const P> openings, std::span<const P> reserved = {},
               std::shared_ptr<const Endgames<P>> endgames = {})
        : settings_(settings),
          openings_(openings.begin(), openings.end()),
          rules_(engine.search.draws),
          endgames_(std::move(endgames)),
          engine_(Sampling<P, E>(evaluator, &sampler_), engine) {
        assert(!openings_.empty() && settings.is_valid());
        for (const P& each : reserved) reserved_.push_back(each.key());
        std::sort(reserved_.begin(), reserved_.end());
        if (endgames_) engine_.use_endgames(endgames_);
    }

    // Whether every opening, and the start of the game, may be played.
    bool can_begin() const {
        return !is_reserved(P()) && std::none_of(openings_.begin(), openings_.end(),
                                                 [this](const P& p) { return is_reserved(p); });
    }

    // Adds a game and its labels. True from `stop` ends it, and what it brought is left out.
    void play(std::uint64_t seed, const std::function<bool()>& stop, LabelledGames& games) {
        engine_.clear();
        random_ = Random(seed);
        first_label_ = games.labels.size();
        sides_.clear();
        clear_plies_ = 0;
        P position = draw_opening(games);
        past_.restart(position);
        history_.clear();
        int winner = NEITHER;
        while (!is_over(position, winner)) {
            if (stop && stop()) {
                games.labels.resize(first_label_);
                return;
            }
            const Move move = choose(position, winner, games);
            if (winner != NEITHER) break;
            position = make(position, move);
        }
        games.plies += static_cast<std::uint64_t>(past_.plies());
        ++(winner == NEITHER ? games.draws : games.wins[winner]);
        for (std::size_t i = 0; i < sides_.size(); ++i) {
            games.labels[first_label_ + i].result = sides_[i] == NEITHER  ? Label::UNKNOWN
                                                    : winner == NEITHER   ? 0
                                                    : winner == sides_[i] ? 1
                                                                          : -1;
        }
    }

  private:
    static constexpr int NEITHER = -1;
    // Of a search's nodes about so many are judged; those drawn beyond the last one are lost.
    static constexpr int NODES_A_CALL = 2;
    static constexpr int MOST_DRAWS = 100;

    // Draws openings until one is fair, or for long enough.
    P draw_opening(LabelledGames& games) {
        for (int draw = 1;; ++draw) {
            P position;
            int plies = random_.below(settings_.plies_after_opening + 1);
            if (random_.below(2) == 0) {
                position = openings_[random_.below(static_cast<int>(openings_.size()))];
            } else {
                plies =
                    settings_.least_random_plies +
                    random_.below(settings_.most_random_plies - settings_.least_random_plies + 1);
            }
            bool is_open = true;
            for (; plies > 0 && !position.is_over(); --plies) {
                position = position.after(random_move(position));
                is_open &= !is_reserved(position);
            }
            if (position.is_over() || !is_open) continue;
            sampler_.plan(0, 0, random_);
            const Value value = search(position, {}, games).value;
            if (std::abs(value) <= settings_.worst_opening || draw >= MOST_DRAWS) return position;
        }
    }

    bool is_reserved(const P& position) const {
        return std::binary_search(reserved_.begin(), reserved_.end(), position.key());
    }

    bool is_over(const P& position, int& winner) const {
        if (position.is_over()) {
            winner = 1 - side();
            return true;
        }
        if (endgames_)
            if (const auto verdict = settled_verdict(*endgames_, position)) {
                if (*verdict != Verdict::draw)
                    winner = *verdict == Verdict::win ? side() : 1 - side();
                return true;
            }
        return past_.draw(rules_) != Draw::none || past_.quiet_plies() >= settings_.quiet_plies;
    }

    // The side to move: 0 for the one that moved first.
    int side() const { return past_.plies() % 2; }

    // Searches and labels the position; names the winner instead where the game is decided.
    Move choose(const P& position, int& winner, LabelledGames& games) {
        if (position.count_moves() == 1) return position.move_at(0);
        sampler_.plan(settings_.samples, settings_.nodes / NODES_A_CALL, random_);
        const RankedMove<Move> best = search(position, history_, games);
        if (is_quiet(position)) add_label(position, best.value, side(), games);
        if (is_win(best.value) || is_loss(best.value)) {
            winner = is_win(best.value) ? side() : 1 - side();
            return best.move;
        }
        const std::vector<P> drawn = sampler_.taken();
        for (const P& each : drawn) label_alone(each, games);
        winner = clear_winner(best.value);
        return is_random_turn() ? random_move(position) : best.move;
    }

    // The side that both have found to be winning for long enough.
    int clear_winner(Value value) {
        const int ahead = value > 0 ? side() : 1 - side();
        const bool is_clear = std::abs(value) > settings_.clear_value;
        clear_plies_ = !is_clear ? 0 : ahead == clear_side_ ? clear_plies_ + 1 : 1;
        clear_side_ = ahead;
        return clear_plies_ >= settings_.clear_plies ? ahead : NEITHER;
    }

    void label_alone(const P& position, LabelledGames& games) {
        if (position.is_over() || position.count_moves() == 1 || !is_quiet(position)) return;
        sampler_.plan(0, 0, random_);
        add_label(position, search(position, {}, games).value, NEITHER, games);
    }

    void add_label(const P& position, Value value, int side, LabelledGames& games) {
        games.labels.push_back({position, value, 0});
        sides_.push_back(side);
    }

    static bool is_quiet(const P& position) {
        const P passed(position.black(), position.white(), position.kings(),
                       opponent(position.turn()));
        return !position.has_capture() && !passed.has_capture();
    }

    bool is_random_turn() {
        return settings_.random_every > 0 && past_.plies() < settings_.random_plies &&
               random_.below(settings_.random_every) == 0;
    }

    Move random_move(const P& position) {
        return position.move_at(random_.below(position.count_moves()));
    }

    RankedMove<Move> search(const P& position, std::span<const std::uint64_t> history,
                            LabelledGames& games) {
        Question<P> question{.position = position};
        question.history.assign(history.begin(), history.end());
        question.limits.nodes = settings_.nodes;
        const Answer<P> answer = engine_.ask(question);
        games.nodes += answer.nodes;
        ++games.searches;
        return answer.findings.best[0];
    }

    P make(const P& position, const Move& move) {
        const P next = position.after(move);
        past_.add(position, move, next);
        if (position.is_irreversible(move)) {
            history_.clear();
        } else {
            history_.push_back(position.key());
        }
        return next;
    }

    LabelSettings settings_;
    std::vector<P> openings_;
    std::vector<std::uint64_t> reserved_;  // keys, in order
    DrawRules rules_;
    Sampler<P> sampler_;
    std::shared_ptr<const Endgames<P>> endgames_;  // may be none
    EngineWith<P, Sampling<P, E>> engine_;
    Random random_{0};
    Past<P> past_{P()};
    std::vector<std::uint64_t> history_;  // keys since the last irreversible move
    std::size_t first_label_ = 0;         // of the game
    std::vector<int> sides_;              // that were to move, for each of its labels
    int clear_side_ = 0;
    int clear_plies_ = 0;
};

class SmallNet;

// Plays a game for each seed, one after the other; true from `stop` ends that, and the game in
// progress is left out. Throws std::invalid_argument for no openings, for one that is reserved, and
// for settings that make no sense.
LabelledGames play_label_games(const SmallNet& net, const EngineSettings& engine,
                               const LabelSettings& settings,
                               std::span<const draughts::Position> openings,
                               std::span<const draughts::Position> reserved,
                               std::shared_ptr<const Endgames<draughts::Position>> endgames,
                               std::span<const std::uint64_t> seeds,
                               const std::function<bool()>& stop);

}  // namespace crossboard
