// One thread's search: minimax and alpha-beta over the same leaves, draws and limits.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <span>
#include <type_traits>

#include "search/endgames.h"
#include "search/evaluator.h"
#include "search/limits.h"
#include "search/line.h"
#include "search/order.h"
#include "search/path.h"
#include "search/selective.h"
#include "search/settings.h"
#include "search/table.h"
#include "search/trace.h"

namespace crossboard {

template <GamePosition P, Evaluator<P> E>
class Searcher {
  public:
    using Move = typename P::Move;
    using Moves = typename P::Moves;
    using State = typename Carried<E>::State;
    // As an argument it costs nothing if there is nothing in it.
    using StateOf = std::conditional_t<std::is_empty_v<State>, State, const State&>;

    Searcher(const E& evaluator, const Settings& settings, Table* table)
        : evaluator_(evaluator),
          settings_(settings.algorithm == Algorithm::minimax ? settings.full_width() : settings),
          killers_(settings.killers.value_or(MAX_KILLERS)),
          is_selective_(settings_.selective.any()),
          table_(table) {
        assert(0 <= killers_ && killers_ <= MAX_KILLERS);
        assert(settings.draws.is_valid());
    }
    virtual ~Searcher() = default;

    // Judges by another one from now on; not during a search.
    void take_evaluator(const E& evaluator) { evaluator_ = evaluator; }

    // Knows these endgames from now on; none without any. Not during a search, which they outlive.
    void use_endgames(const Endgames<P>* endgames) {
        endgames_ = endgames;
        known_pieces_ = endgames ? endgames->most_pieces() : 0;
    }

    // Begins anew: nothing is left of the last search but what the table keeps.
    void prepare(const Meter& meter, const Path& path) {
        meter_ = meter;
        path_ = path;
        trace_ = nullptr;
        if (settings_.selective.kept_history) {
            experience_.fade();
        } else {
            experience_.clear();
        }
        rests_on_ = RESTS_ON_NOTHING;
        selective_depth_ = 0;
    }

    // Forgets what earlier searches have learnt about moves.
    void forget() { experience_.clear(); }

    using Node = crossboard::Node<P, State>;

    // Searches the root's moves, given by their index among unique_moves(), in the given order.
    // Returns as search() does; line() is the principal variation where one was found.
    Value search_root(const P& position, std::span<const int> moves, int depth, Value alpha,
                      Value beta) {
        assert(path_.ends_at(position.key()) && !moves.empty());
        Node node(position, begin(position), 0, depth, alpha, beta);
        if (enter(node)) return node.best;
        node.brothers = 0;
        for (int move : moves) {
            assert(0 <= move && move < node.moves.size());
            node.scores[node.brothers] = -node.brothers;
            node.order[node.brothers++] = static_cast<typename Node::MoveIndex>(move);
        }
        return search_brothers(node);
    }

    // Returns r with v <= r <= alpha if it fails low, beta <= r <= v if it fails high, else v,
    // where v is the minimax value. The position stands at the end of the path.
    Value search(const P& position, StateOf state, int ply, int depth, Value alpha, Value beta) {
        assert(0 <= ply && ply < MAX_PLY && -1 <= depth && depth <= MAX_DEPTH);
        assert(is_window(alpha, beta) && path_.ends_at(position.key()));
        const bool adds_ply = depth == 0 && settings_.selective.threats &&
                              selective::may_extend(ply, depth) &&
                              selective::is_threatened(position) && !position.has_capture();
        if (depth <= 0 && !adds_ply) return leaf(position, state, ply, alpha, beta);
        Node node(position, state, ply, depth + adds_ply, alpha, beta);
        node.is_last = adds_ply;
        if (enter(node)) return node.best;
        if (is_selective_ && prepare_moves(node)) return node.best;
        return search_brothers(node);
    }

    // What the evaluation says of a position by itself, on the scale of the search.
    Value judge(const P& position) { return judge(position, begin(position)); }

    // So many of the search's values make a man.
    Value man() const {
        return is_selective_ && SquashedEvaluator<E, P> ? 100 : evaluator_.units();
    }

    // What a man adds to the value of a level game.
    Value worth_of_man() {
        if constexpr (SquashedEvaluator<E, P>)
            if (!is_selective_) return evaluator_.squashed(100);
        return man();
    }

    // How near the last depth's value the next one's is expected.
    Value window() const {
        // Chosen: a third of a man, or of a sure win where a network judges.
        const Value width = is_selective_ ? man() * selective::WINDOW / 100 : man() / 3;
        return std::max(1, width);
    }

    // A value as the evaluation itself would say it.
    Value told(Value value) {
        if constexpr (SquashedEvaluator<E, P>)
            if (is_selective_ && selective::is_evaluation(value)) return evaluator_.squashed(value);
        return value;
    }

    std::uint64_t nodes() const { return meter_.nodes(); }
    int selective_depth() const { return selective_depth_; }
    const Line<Move>& line() const { return lines_[0]; }
    // With `only_surprises` nodes of which the evaluation was right may be left out.
    void set_trace(Trace<P>* trace, bool only_surprises = false) {
        trace_ = trace;
        only_surprises_ = only_surprises;
    }
    Meter& meter() { return meter_; }

  protected:
    // Does what comes before the moves; true if the value, node.best, is settled by that.
    bool enter(Node& node) {
        meter_.count();
        selective_depth_ = std::max(selective_depth_, node.ply);
        lines_[node.ply].clear();
        rests_on_ = RESTS_ON_NOTHING;
        if (node.ply > 0 && is_drawn(node.position)) {
            node.best = 0;
            return true;
        }
        // The moves are made while the table's entry is on its way from memory.
        ::new (&node.moves) Moves(node.position.unique_moves());  // in place: no copy
        int table_move = TableEntry::NO_MOVE;
        if (uses_table(node)) {
            if (const auto entry = table_->find(table_key(node.position))) {
                assert(is_value(entry->value) && entry->depth <= MAX_DEPTH);
                assert(entry->has_move_of(node.moves.size()));
                table_move = entry->move;
                node.entry = *entry;
                node.entry.value = absolute(entry->value, node.ply);
                if (node.ply > 0 && !settings_.order_only && !nears_quiet_draw(node) &&
                    is_answer(node))
                    return true;
            }
        }
        node.brothers = node.moves.size();
        if (node.brothers == 0) {
            node.best = ended(node.position, node.ply);
            return true;
        }
        if (node.ply > 0 && is_known(node.position, node.ply, node.best)) return true;
        assert(node.ply < MAX_PLY - 1);
        score_moves(node, table_move);
        return false;
    }

    // The place of the brother that comes next, best expected first.
    static int next_place(const Node& node) {
        assert(node.searched < node.brothers);
        int best = node.searched;
        for (int i = best + 1; i < node.brothers; ++i)
            if (node.scores[i] > node.scores[best]) best = i;
        return best;
    }

    Pick pick(Node& node) {
        const int place = node.searched;
        const int best = next_place(node);
        std::swap(node.scores[place], node.scores[best]);
        std::swap(node.order[place], node.order[best]);
        ++node.searched;
        if (!is_selective_) return {node.order[place], 0, 0};
        return selective::choose(settings_.selective, node, place);
    }

    // Undoes a pick, which need not be the last one.
    void put_back(Node& node, int index) {
        assert(std::find(node.order, node.order + node.searched, index) !=
               node.order + node.searched);
        --node.searched;
        const auto picked = std::find(node.order, node.order + node.searched, index);
        std::swap(node.order[picked - node.order], node.order[node.searched]);
        std::swap(node.scores[picked - node.order], node.scores[node.searched]);
    }

    // Searches the moves of a node that has been entered, and leaves it.
    virtual Value search_brothers(Node& node) {
        while (node.searched < node.brothers) {
            const Pick choice = pick(node);
            const Value value =
                search_brother<true>(node, choice, node.alpha, node.beta, node.best == -INFINITE);
            if (merge(node, choice.index, value, rests_on_, lines_[node.ply + 1])) break;
        }
        return leave(node);
    }

    // The value of one move of `node`, from its side's view. Who has the node to himself can look
    // ahead: what the table knows of the next brother will be there when its turn comes.
    template <bool LooksAhead = false>
    Value search_brother(const Node& node, const Pick& choice, Value alpha, Value beta,
                         bool is_eldest) {
        const Move& move = node.moves[choice.index];
        const P child = node.position.after(move);
        const State state = step(node.state, node.position, move, child);
        path_.push(child.key(), node.position.is_irreversible(move));
        if (table_ && node.depth > TABLE_DEPTH) {
            table_->prefetch(table_key(child));
            if (LooksAhead && node.searched < node.brothers) {
                const Move& next = node.moves[node.order[next_place(node)]];
                table_->prefetch(table_key(node.position.after(next)));
            }
        }
        const Value value = search_child(child, state, node.ply + 1, child_depth(node, choice),
                                         choice.reduction, alpha, beta, is_eldest);
        path_.pop();
        return value;
    }

    // The value of a child that stands at the end of the path, from its parent's view.
    Value search_child(const P& child, StateOf state, int ply, int depth, int reduction,
                       Value alpha, Value beta, bool is_eldest) {
        assert(is_window(alpha, beta) && 0 <= reduction && reduction <= std::max(depth, 0));
        if (reduction > 0) {
            const Value value = -search(child, state, ply, depth - reduction, -alpha - 1, -alpha);
            if (value <= alpha) return value;
            narrow(ply, alpha, beta);
        }
        if (settings_.algorithm == Algorithm::minimax)
            return -search(child, state, ply, depth, -INFINITE, INFINITE);
        if (is_eldest || !settings_.pvs || beta - alpha == 1)
            return -search(child, state, ply, depth, -beta, -alpha);
        const Value value = -search(child, state, ply, depth, -alpha - 1, -alpha);
        if (value <= alpha || value >= beta) return value;
        narrow(ply, alpha, beta);
        if (value >= beta) return value;
        // What is searched selectively may be worth less when it is asked again.
        const Value floor = is_selective_ ? alpha : std::max(alpha, value - 1);
        return -search(child, state, ply, depth, -beta, -floor);
    }

    // The window of the node whose child, at `ply`, is being searched may be narrower by now.
    virtual void narrow(int /*ply*/, Value& /*alpha*/, Value& /*beta*/) {}

    // Takes a brother's value into account; true if the others need not be searched.
    bool merge(Node& node, int index, Value value, int rests_on, const Line<Move>& rest) {
        assert(0 <= index && index < node.moves.size() && is_value(value));
        if (value > node.best) {
            node.best = value;
            node.best_move = index;
            if (value > node.alpha) {
                node.alpha = value;
                if (value < node.beta) lines_[node.ply].set(node.moves[index], rest);
            }
        }
        if (value >= node.beta) {
            // A refutation speaks for itself, whatever its brothers depended on.
            node.rests_on = rests_on;
            return true;
        }
        node.rests_on = std::min(node.rests_on, rests_on);
        return false;
    }

    // Does what comes after the moves; returns the node's value.
    Value leave(Node& node) {
        assert(0 < node.searched && is_value(node.best));
        const bool is_low = node.best <= node.first_alpha, is_high = node.best >= node.beta;
        const Bound bound = is_high ? Bound::lower : is_low ? Bound::upper : Bound::exact;
        const Move& move = node.moves[node.best_move];
        if (is_high) learn(node, move);
        // That this node itself stood again below it is true however it is reached.
        if (node.rests_on >= node.ply) node.rests_on = RESTS_ON_NOTHING;
        rests_on_ = node.rests_on;
        // The root without its best moves is another node, which nobody may look up.
        if (node.brothers < node.moves.size()) return node.best;
        if (uses_table(node)) {
            const bool is_general = node.rests_on == RESTS_ON_NOTHING;
            table_->store(
                table_key(node.position),
                {relative(node.best, node.ply), is_general ? node.depth : 0,
                 is_general ? bound : Bound::none, is_low ? TableEntry::NO_MOVE : node.best_move});
        }
        if (trace_) record(node, bound);
        return node.best;
    }

    void record(const Node& node, Bound bound) {
        assert(trace_ && bound != Bound::none);
        Value judged = TracedNode<P>::NONE;
        if constexpr (CumulativeEvaluator<E, P>) {
            judged = judge(node.position, node.state);
            if (only_surprises_ && !is_surprise(judged, node.best, bound)) return;
        }
        const Value edge = bound == Bound::lower   ? node.beta
                           : bound == Bound::upper ? node.first_alpha
                                                   : TracedNode<P>::NONE;
        trace_->push_back({node.position, node.best, bound, node.depth, node.ply, edge, judged});
    }

    // The evaluator's state, where it carries one: of a first position, and after a move.
    State begin(const P& position) {
        if constexpr (CumulativeEvaluator<E, P>) {
            return evaluator_.begin(position);
        } else {
            return {};
        }
    }

    E evaluator_;
    Settings settings_;
    int killers_;
    bool is_selective_;
    Table* table_;
    const Endgames<P>* endgames_ = nullptr;
    int known_pieces_ = 0;
    Meter meter_;
    Path path_;
    Trace<P>* trace_ = nullptr;
    bool only_surprises_ = false;
    Experience<P> experience_;
    Line<Move> lines_[MAX_PLY];
    int rests_on_ = RESTS_ON_NOTHING;  // of the way: the value of the node that was left last
    int selective_depth_ = 0;

  private:
    State step(StateOf state, const P& position, const Move& move, const P& next) {
        if constexpr (CumulativeEvaluator<E, P>) {
            return evaluator_.after(state, position, move, next);
        } else {
            return {};
        }
    }

    Value judge(const P& position, StateOf state) {
        Value judged;
        if constexpr (SquashedEvaluator<E, P>)
            if (is_selective_) return evaluator_.hundredths(position);
        if constexpr (CumulativeEvaluator<E, P>) {
            judged = evaluator_.evaluate(position, state);
        } else {
            judged = evaluator_.evaluate(position);
        }
        assert(-MAX_EVALUATION <= judged && judged <= MAX_EVALUATION);
        return judged;
    }

    // The value of a game that is over.
    static Value ended(const P& position, int ply) {
        assert(position.is_over());
        return position.is_lost() ? lost_in(ply) : 0;
    }

    // Whether endgame tables know the value. They do not know the draw by quiet plies, which has
    // been looked for before.
    bool is_known(const P& position, int ply, Value& value) const {
        if (!endgames_ || position.count_pieces() > known_pieces_ || position.has_capture())
            return false;
        const auto verdict = endgames_->verdict(position);
        if (verdict) value = known_value(static_cast<int>(*verdict), ply);
        return verdict.has_value();
    }

    // Less deep nodes are searched again sooner than they are found in memory.
    static constexpr int TABLE_DEPTH = 2;

    bool uses_table(const Node& node) const { return table_ && node.depth >= TABLE_DEPTH; }

    // Of the position at the end of the path.
    std::uint64_t table_key(const P& position) const {
        return position.key() ^ (settings_.draws.repetitions ? path_.table_salt() : 0);
    }

    // Wins are counted from the root in the search, from the position in the table.
    static Value relative(Value value, int ply) {
        assert(is_value(value) && (value != WIN || ply == 0));
        return value > MAX_EVALUATION ? value + ply : value < -MAX_EVALUATION ? value - ply : value;
    }
    static Value absolute(Value value, int ply) {
        assert(is_value(value));
        return value > MAX_EVALUATION ? value - ply : value < -MAX_EVALUATION ? value + ply : value;
    }

    bool is_answer(Node& node) {
        const TableEntry& entry = node.entry;
        if (settings_.exact_depth_hits ? entry.depth != node.depth : entry.depth < node.depth)
            return false;
        const Value value = entry.value;
        const bool fits = entry.bound == Bound::exact ||
                          (entry.bound == Bound::lower && value >= node.beta) ||
                          (entry.bound == Bound::upper && value <= node.alpha);
        if (fits) node.best = value;
        return fits;
    }

    // Whether the draw by quiet plies may lie below: values from farther off know nothing of it.
    bool nears_quiet_draw(const Node& node) const {
        const int limit = settings_.draws.quiet_plies;
        int farthest = node.depth;
        if (is_selective_) {
            // Lines may be longer than the depth, and so may be the way to a win.
            const Value value = node.entry.value;
            farthest = std::max(farthest, node.entry.depth);
            if (is_win(value) || is_loss(value))
                farthest = std::max(farthest, plies_to_end(value) - node.ply);
        }
        return limit && path_.quiet_plies() + farthest >= limit;
    }

    bool is_drawn(const P& position) {
        switch (path_.draw(settings_.draws)) {
            case Draw::repetition: return true;
            case Draw::quiet:
                if (position.is_over()) return false;
                rests_on_ = RESTS_ON_ALL;
                return true;
            default: break;
        }
        const int ply = settings_.selective.tree_repetitions ? path_.repeated_ply() : 0;
        if (ply > 0) rests_on_ = ply;
        return ply > 0;
    }

    // Notes that a move refuted the node, and that those before it did not.
    void learn(const Node& node, const Move& move) {
        experience_.note_refutation(node.position, move, node.ply, node.depth);
        if (!settings_.selective.kept_history) return;
        for (int i = 0; i < node.searched; ++i)
            if (node.order[i] != node.best_move)
                experience_.note_failure(node.moves[node.order[i]], node.depth);
    }

    // Does what comes between entering a node and searching its moves; true if its value is settled
    // by that.
    bool prepare_moves(Node& node) {
        if (is_cut_verified(node)) return true;
        if (settings_.selective.internal_deepening && uses_table(node) &&
            selective::lacks_first_move(node))
            find_first_move(node);
        lines_[node.ply].clear();
        rests_on_ = RESTS_ON_NOTHING;
        return false;
    }

    // Where a shallower search exceeds the window by a margin, the deeper one is taken to do so
    // too. What is guessed is never a value beyond evaluations: those are proved.
    bool is_cut_verified(Node& node) {
        const Value margin = selective::cut_margin(settings_.selective, node, man());
        if (margin == 0) return false;
        const Value judged = judge(node.position, node.state);
        if (judged <= node.alpha) return is_verified(node, node.alpha - margin, margin);
        return is_verified(node, node.beta + margin - 1, -margin);
    }

    // Asks a shallower search on which side of `bound` the value lies: if on the far one, what it
    // says, less the margin, settles the node.
    bool is_verified(Node& node, Value bound, Value back) {
        if (!selective::is_evaluation(bound) || !selective::is_evaluation(bound + 1) ||
            !selective::is_evaluation(node.alpha) || !selective::is_evaluation(node.beta))
            return false;
        const int depth = node.depth * selective::CUT_SHARE / 100;
        const Value value = search(node.position, node.state, node.ply, depth, bound, bound + 1);
        if (back > 0 ? value > bound : value <= bound) return false;
        node.best = selective::is_evaluation(value) ? value + back : value;
        return true;
    }

    // Puts the best move of a shallower search first.
    void find_first_move(Node& node) {
        search(node.position, node.state, node.ply, node.depth - selective::INTERNAL_PLIES,
               node.alpha, node.beta);
        const auto entry = table_->find(table_key(node.position));
        if (entry && entry->move != TableEntry::NO_MOVE) score_moves(node, entry->move);
    }

    void score_moves(Node& node, int table_move) {
        for (int i = 0; i < node.moves.size(); ++i) {
            std::int32_t score = 0;
            if (i == table_move) {
                score = Experience<P>::TABLE_MOVE;
            } else if (settings_.algorithm == Algorithm::alphabeta) {
                const Move& move = node.moves[i];
                score = experience_.killer_score(move, node.ply, killers_);
                if (!score && settings_.history)
                    score = experience_.history_score(node.position, move);
            }
            node.scores[i] = score;
            node.order[i] = static_cast<typename Node::MoveIndex>(i);
        }
    }

    // A position behind the last ply.
    Value leaf(const P& position, StateOf state, int ply, Value alpha, Value beta) {
        rests_on_ = RESTS_ON_NOTHING;
        if (is_drawn(position)) {
            meter_.count();
            lines_[ply].clear();
            return 0;
        }
        return settle(position, state, ply, alpha, beta);
    }

    // "Hot pursuit": as long as a capture is pending, a position is not judged but played on, all
    // captures tried. Captures never repeat a position. Who need not capture may also leave it.
    Value settle(const P& position, StateOf state, int ply, Value alpha, Value beta) {
        assert(0 <= ply && ply < MAX_PLY && is_window(alpha, beta));
        meter_.count();
        selective_depth_ = std::max(selective_depth_, ply);
        lines_[ply].clear();
        rests_on_ = RESTS_ON_NOTHING;
        const bool goes_on = settings_.quiescence && ply < MAX_PLY - 1 && position.has_capture();
        if (!goes_on && position.is_over()) return ended(position, ply);
        Value known;
        if (!goes_on && is_known(position, ply, known)) return known;
        Value best = goes_on && P::MUST_CAPTURE ? -INFINITE : judge(position, state);
        if (!goes_on) return best;
        // Minimax knows no windows, not even here.
        const bool is_plain = settings_.algorithm == Algorithm::minimax;
        if (!is_plain && best >= beta) return best;
        for (const Move& move : P::MUST_CAPTURE ? position.unique_moves() : position.captures()) {
            const Value floor = is_plain ? -INFINITE : std::max(alpha, best);
            const Value ceiling = is_plain ? INFINITE : beta;
            const P next = position.after(move);
            const State after = step(state, position, move, next);
            const Value value = -settle(next, after, ply + 1, -ceiling, -floor);
            if (value <= best) continue;
            best = value;
            if (value > alpha && value < beta) lines_[ply].set(move, lines_[ply + 1]);
            if (value >= beta) break;
        }
        return best;
    }
};

}  // namespace crossboard
