// A chooser that learns: it plays by search and takes notes of what each search found.
#pragma once

#include <cassert>
#include <cstdint>
#include <utility>
#include <vector>

#include "engine/chooser.h"
#include "engine/strap.h"
#include "search/path.h"

namespace crossboard {

// What was found since the notes were taken last; one entry for each search, none for forced moves.
template <GamePosition P>
struct Notes {
    std::vector<P> roots;
    std::vector<double> values;  // for the side to move at the root, on the evaluation's scale
    std::vector<P> leaves;       // where the principal variation ends
    // 1 if the side to move at the root is to move at the leaf too, -1 if not; 0 if the value is
    // none of the evaluation's: a win, a loss, a draw by rule.
    std::vector<int> signs;
    std::vector<double> changes;  // of each weight, summed over the searches; empty for no lessons
    std::uint64_t nodes = 0;
};

struct StudentSettings {
    Settings search = {};
    Limits limits = {.depth = 5};
    bool takes_lessons = true;  // from the tree: see strap.h
    StrapSettings strap = {};
};

template <GamePosition P>
class Student : public Chooser<P> {
  public:
    // What was noted since the last call.
    virtual Notes<P> take_notes() = 0;
};

// Searches in full width, with full windows and without a table, so that lines are whole and nodes
// teach; the game's seed draws among equally good moves, which at first are all of them.
template <GamePosition P, Learnable<P> E>
class StudentWith final : public Student<P> {
  public:
    using Move = typename P::Move;

    StudentWith(const E& evaluator, StudentSettings settings)
        : settings_(std::move(settings)),
          evaluator_(evaluator),
          engine_(evaluator, {.search = taught_by(settings_.search), .table_megabytes = 0}) {
        start_notes();
    }

    void begin_game(std::uint64_t seed) override { random_ = Random(seed); }

    Move choose(const P& position, std::span<const P> history,
                const typename Chooser<P>::Poll& poll) override {
        if (is_forced(position)) return position.move_at(0);
        Question<P> question{.position = position, .limits = settings_.limits};
        question.wants_surprises = settings_.takes_lessons;
        question.tie_seed = random_.next();
        question.poll = poll;
        for (const P& earlier : history) question.history.push_back(earlier.key());
        const Answer<P> answer = engine_.ask(question);
        if (!answer.findings.stopped) note(question, answer);
        return answer.findings.best[0].move;
    }

    Notes<P> take_notes() override {
        Notes<P> taken = std::move(notes_);
        start_notes();
        return taken;
    }

  private:
    // Chosen: a position with one legal move is neither searched nor noted. A forced move is no
    // decision, and its position is worth what the next one is; so the sequences of TD-Root and
    // TD-Leaf go from one decision of a side to its next, and errors fade with decisions.
    static bool is_forced(const P& position) { return position.count_moves() == 1; }

    static Settings taught_by(const Settings& asked) {
        Settings search = asked.full_width();
        search.pvs = false;
        search.aspiration = false;
        return search;
    }

    void start_notes() {
        notes_ = {};
        if (settings_.takes_lessons) notes_.changes.assign(evaluator_.weight_count(), 0.0);
    }

    void note(const Question<P>& question, const Answer<P>& answer) {
        assert(!answer.findings.best.empty() && !answer.findings.stopped);
        const RankedMove<Move>& best = answer.findings.best[0];
        P leaf = question.position;
        Path path(question.history, leaf.key());
        int sign = 1;
        for (const Move& move : best.line) {
            const P next = leaf.after(move);
            path.push(next.key(), leaf.is_irreversible(move));
            leaf = next;
            sign = -sign;
        }
        // A draw by rule may be worth just what the evaluation says of it.
        const bool is_judged = !leaf.is_over() && path.draw(settings_.search.draws) == Draw::none &&
                               sign * evaluator_.evaluate(leaf) == best.value;
        notes_.roots.push_back(question.position);
        notes_.values.push_back(evaluator_.worth(best.value));
        notes_.leaves.push_back(leaf);
        notes_.signs.push_back(is_judged ? sign : 0);
        notes_.nodes += answer.nodes;
        if (settings_.takes_lessons) learn_from(answer.trace);
    }

    void learn_from(const Trace<P>& trace) {
        const E& evaluator = evaluator_;
        if (settings_.strap.clamp == 0)
            return add_lesson(trace, evaluator, settings_.strap, notes_.changes);
        lesson_.assign(notes_.changes.size(), 0.0);
        add_lesson(trace, evaluator, settings_.strap, lesson_);
        clamp_changes(lesson_, settings_.strap.clamp);
        for (std::size_t i = 0; i < lesson_.size(); ++i) notes_.changes[i] += lesson_[i];
    }

    StudentSettings settings_;
    E evaluator_;
    EngineWith<P, E> engine_;
    Notes<P> notes_;
    std::vector<double> lesson_;  // of one search, where it must be clamped
    Random random_{0};
};

}  // namespace crossboard
