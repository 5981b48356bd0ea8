// Game, evaluation and search behind one handle: what players are made of.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <vector>

#include "engine/noise.h"
#include "engine/shared_table.h"
#include "search/deepening.h"
#include "search/exchange.h"

namespace crossboard {

struct EngineSettings {
    Settings search = {};
    CrewSettings crew = {};
    std::size_t table_megabytes = 64;  // 0: none
    // Another engine's, to be used in turn instead of a table of its own.
    std::shared_ptr<SharedTable> table = {};
};

// Throws std::invalid_argument for settings with which no engine can search.
inline void check_settings(const EngineSettings& settings) {
    if (settings.crew.threads < 1 || settings.crew.threads > MAX_THREADS)
        throw std::invalid_argument("threads must be 1 to " + std::to_string(MAX_THREADS));
    if (settings.crew.grain < 1) throw std::invalid_argument("the grain must be at least 1");
    const int killers = settings.search.killers.value_or(0);
    if (killers < 0 || killers > MAX_KILLERS)
        throw std::invalid_argument("killers are 0 to " + std::to_string(MAX_KILLERS) +
                                    " moves of a ply, not " + std::to_string(killers));
}

template <GamePosition P>
struct Answer {
    Findings<typename P::Move> findings;
    int selective_depth = 0;
    std::uint64_t nodes = 0;
    double seconds = 0;
    Trace<P> trace;  // of the last depth that was finished
};

// What to find out about one position.
template <GamePosition P>
struct Question {
    P position;
    std::vector<std::uint64_t> history = {};  // keys since the last irreversible move, oldest first
    Limits limits = {};
    int best_moves = 1;
    bool wants_trace = false;
    bool wants_surprises = false;  // a trace without nodes of which the evaluation was right
    std::optional<std::uint64_t> tie_seed = {};  // draws among equally good moves, else the first
    Noise noise = {};
    std::uint64_t noise_seed = 0;
    // Called every few milliseconds; true stops the search. Not where a border has a carrier, which
    // is called instead.
    std::function<bool()> poll = {};
    // Ends the search from another thread, also if it was set before the search begins; without
    // one, Engine::stop() does.
    const std::atomic<bool>* stop = nullptr;
    // Called after every depth, on the asking thread, whose nodes alone are counted yet.
    std::function<void(const Answer<P>&)> on_depth = {};
};

template <GamePosition P>
class Engine {
  public:
    virtual ~Engine() = default;

    // Throws std::invalid_argument if the game is over or the question makes no sense.
    virtual Answer<P> ask(const Question<P>& question) = 0;

    // The side of the border at which this engine shares its searches with others, once asked for.
    virtual Border<P>& border() = 0;

    // Works on what comes over the border until stop(), which may also come before; returns the
    // nodes searched.
    virtual std::uint64_t serve() = 0;

    // The evaluation itself, without search.
    virtual Value evaluate(const P& position) = 0;
    virtual int units() const = 0;

    // Ends what is going on in another thread, but for a search with a flag of its own. A search
    // that has not begun does not hear it.
    void stop() { stop_.store(true, std::memory_order_relaxed); }

    // Forgets what earlier searches found.
    virtual void clear() = 0;

    // Searches with endgame tables from now on, or with none. Not during a search.
    virtual void use_endgames(std::shared_ptr<const Endgames<P>> endgames) = 0;

    // The table it searches with, which other engines may use in turn.
    virtual std::shared_ptr<SharedTable> table() const = 0;

    // Judges by other weights from now on; what was found with the old ones is forgotten. Throws
    // std::invalid_argument if the evaluation has no weights to exchange, or not so many.
    virtual void take_weights(std::span<const double> weights) = 0;

  protected:
    std::atomic<bool> stop_{false};
};

// Its workers, a megabyte each, are made when it searches, and freed when another engine takes the
// table.
template <GamePosition P, Evaluator<P> E>
class EngineWith final : public Engine<P>, private SharedTable::User {
  public:
    EngineWith(const E& evaluator, const EngineSettings& settings)
        : evaluator_(evaluator), settings_(settings) {
        check_settings(settings);
        if (!settings_.table)
            settings_.table =
                std::make_shared<SharedTable>(is_plain() ? 0 : settings.table_megabytes);
    }
    ~EngineWith() override { settings_.table->leave(*this); }

    Answer<P> ask(const Question<P>& question) override {
        check(question);
        // Some evaluations are not for every position.
        if constexpr (requires { E::require(question.position); }) E::require(question.position);
        const SharedTable::Turn turn(*settings_.table);
        this->stop_ = false;
        const auto start = Meter::Clock::now();
        const Limits limits = limits_of(question);
        std::optional<MoveTime> time;
        if (limits.time) time.emplace(limits);
        const auto deadline = time                 ? time->deadline()
                              : limits.seconds > 0 ? Deadline(limits.seconds, limits.clock)
                                                   : Deadline();
        const std::atomic<bool>& stop = question.stop ? *question.stop : this->stop_;
        Answer<P> answer;
        Trace<P> finished;
        const auto path = Path(question.history, question.position.key());
        const bool wants_trace = question.wants_trace || question.wants_surprises;
        const std::optional<KnownRoot> known = wants_trace ? std::nullopt : know(question);
        // Where all replies are draws, only the evaluation can tell which of them is the hardest.
        const bool is_drawn = known && known->verdict == Verdict::draw;
        search_with(wants_trace || is_drawn ? nullptr : endgames_.get());
        const int threads = wants_trace ? 1 : settings_.crew.threads;
        answer.findings =
            together(threads, limits, deadline, stop, path, [&](Worker<P, E>& leader) {
                leader.meter().set_poll(question.poll);
                carry_from(leader);
                if (wants_trace) leader.set_trace(&answer.trace, question.wants_surprises);
                const auto report = [&](const Findings<typename P::Move>& findings) {
                    // Nodes of earlier depths, and of one that is not finished, teach nothing new.
                    std::swap(answer.trace, finished);
                    answer.trace.clear();
                    if (!question.on_depth) return;
                    auto shown = told(findings, question.best_moves, leader);
                    if (is_drawn) shown.best[0].value = 0;
                    question.on_depth({std::move(shown),
                                       leader.selective_depth(),
                                       leader.nodes(),
                                       seconds_since(start),
                                       {}});
                };
                Deepening<P, E> deepening(question.position, leader, settings_.search);
                if (question.tie_seed) deepening.shuffle(Random(*question.tie_seed));
                if (known) deepening.keep_only(known->moves);
                if (limits.nodes || limits.seconds > 0) deepening.hurry();
                if (time) deepening.set_time(*time);
                auto findings =
                    deepening.run(limits.depth_with(question.position.count_pieces()),
                                  std::max(question.best_moves, question.noise.moves), report);
                misjudge(findings.best, question.noise, leader.worth_of_man(),
                         Random(question.noise_seed));
                for (auto& node : finished) node.value = leader.told(node.value);
                return told(std::move(findings), question.best_moves, leader);
            });
        if (is_drawn) answer.findings.best[0].value = 0;
        answer.trace = std::move(finished);
        answer.nodes = crew_->nodes();
        answer.selective_depth = crew_->selective_depth();
        answer.seconds = seconds_since(start);
        return answer;
    }

    Border<P>& border() override {
        if (!exchange_) exchange_ = std::make_unique<Exchange<P, E>>();
        return *exchange_;
    }

    std::uint64_t serve() override {
        border();
        const SharedTable::Turn turn(*settings_.table);
        together(settings_.crew.threads, {}, {}, this->stop_, Path(), [&](Worker<P, E>& leader) {
            carry_from(leader);
            for (int failures = 0; !this->stop_.load(std::memory_order_relaxed);)
                if (leader.help(nullptr)) {
                    failures = 0;
                } else {
                    leader.pause(++failures);
                }
        });
        this->stop_ = false;
        return crew_->nodes();
    }

    Value evaluate(const P& position) override {
        if constexpr (requires { E::require(position); }) E::require(position);
        return evaluator_.evaluate(position);
    }
    int units() const override { return evaluator_.units(); }
    void clear() override {
        const SharedTable::Turn turn(*settings_.table);
        settings_.table->clear();
        forget();
    }
    void use_endgames(std::shared_ptr<const Endgames<P>> endgames) override {
        const SharedTable::Turn turn(*settings_.table);
        settings_.table->clear();
        endgames_ = std::move(endgames);
        searched_endgames_ = endgames_.get();
    }
    std::shared_ptr<SharedTable> table() const override { return settings_.table; }

    void take_weights(std::span<const double> weights) override {
        if constexpr (Reweighable<E>) {
            const SharedTable::Turn turn(*settings_.table);
            settings_.table->clear();
            evaluator_ = evaluator_.with_weights(weights);
            forget();
            if (!crew_) return;
            for (const auto& worker : crew_->workers()) worker->take_evaluator(evaluator_);
        } else {
            throw std::invalid_argument("this evaluation has no weights to exchange");
        }
    }

  private:
    // Chosen: a look at the messages takes about a microsecond.
    static constexpr auto TIME_BETWEEN_CARRIES = std::chrono::microseconds(200);

    // A single legal move needs no thought where only time is limited, or the game's time is
    // running; its value is the first depth's.
    static Limits limits_of(const Question<P>& question) {
        Limits limits = question.limits;
        const bool is_timed = limits.seconds > 0 && limits.nodes == 0 && limits.depth == MAX_DEPTH;
        if ((is_timed || limits.time) && question.position.unique_moves().size() == 1)
            limits.depth = 1, limits.floors.clear();
        return limits;
    }

    // The moves that were asked for, with values as the evaluation itself would say them.
    static Findings<typename P::Move> told(Findings<typename P::Move> findings, int count,
                                           Searcher<P, E>& searcher) {
        if (std::ssize(findings.best) > count)
            findings.best.erase(findings.best.begin() + count, findings.best.end());
        for (auto& ranked : findings.best) ranked.value = searcher.told(ranked.value);
        return findings;
    }

    // What the workers have learnt about moves.
    void forget() {
        if (!crew_) return;
        for (const auto& worker : crew_->workers()) worker->forget();
    }

    static double seconds_since(Meter::Clock::time_point start) {
        return std::chrono::duration<double>(Meter::Clock::now() - start).count();
    }

    // Has the searching thread look at the messages, if there are any.
    void carry_from(Worker<P, E>& leader) {
        if (!exchange_ || !exchange_->has_carrier()) return;
        const auto poll = [this] {
            exchange_->carry();
            return false;
        };
        leader.meter().set_poll(poll, TIME_BETWEEN_CARRIES);
    }

    // What was found without endgame tables is not what they know, and the other way round.
    void search_with(const Endgames<P>* endgames) {
        if (endgames != searched_endgames_) settings_.table->clear();
        searched_endgames_ = endgames;
    }

    // What tables know of the root, if one best move alone is wanted: analysis wants them all.
    std::optional<KnownRoot> know(const Question<P>& question) const {
        if (!endgames_ || question.best_moves > 1) return std::nullopt;
        if (question.position.count_pieces() > endgames_->most_pieces()) return std::nullopt;
        return know_root(*endgames_, question.position);
    }

    void give_way() override { crew_.reset(); }

    // Plain minimax looks nothing up.
    bool is_plain() const { return settings_.search.algorithm == Algorithm::minimax; }

    void make_crew() {
        Table* const table = is_plain() ? nullptr : settings_.table->table();
        crew_ = std::make_unique<Crew<P, E>>(settings_.crew, evaluator_, settings_.search, table);
    }

    // Runs `lead` with the crew's help, and with that of others if there is a border.
    template <class Lead>
    auto together(int threads, const Limits& limits, const Deadline& deadline,
                  const std::atomic<bool>& stop, const Path& path, Lead lead) {
        settings_.table->enter(*this);
        if (!crew_) make_crew();
        for (const auto& worker : crew_->workers()) worker->use_endgames(searched_endgames_);
        crew_->set_neighbours(exchange_.get());
        struct Presence {
            Exchange<P, E>* exchange;
            Presence(Exchange<P, E>* e, Crew<P, E>* c) : exchange(e) {
                if (exchange) exchange->set_crew(c);
            }
            ~Presence() {
                if (exchange) exchange->set_crew(nullptr);
            }
        } presence(exchange_.get(), crew_.get());
        return crew_->run(static_cast<std::size_t>(threads), limits, deadline, stop, path, lead);
    }

    static void check(const Question<P>& question) {
        if (question.position.is_over())
            throw std::invalid_argument("the game is over: there is no move");
        const int depth = question.limits.depth_with(question.position.count_pieces());
        if (question.limits.depth < 1 || depth > MAX_DEPTH)
            throw std::invalid_argument("depth must be 1 to " + std::to_string(MAX_DEPTH) +
                                        ", not " + std::to_string(depth));
        if (question.best_moves < 1)
            throw std::invalid_argument("at least one best move must be asked for");
        check_noise(question.noise);
    }

    E evaluator_;
    EngineSettings settings_;  // with the table
    std::shared_ptr<const Endgames<P>> endgames_;
    const Endgames<P>* searched_endgames_ = nullptr;  // in the present search
    std::unique_ptr<Exchange<P, E>> exchange_;
    std::unique_ptr<Crew<P, E>> crew_;
};

}  // namespace crossboard
