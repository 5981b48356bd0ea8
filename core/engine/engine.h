// Game, evaluation and search behind one handle: what players are made of.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <vector>

#include "search/deepening.h"
#include "search/exchange.h"

namespace crossboard {

struct EngineSettings {
    Settings search = {};
    CrewSettings crew = {};
    std::size_t table_megabytes = 64;  // 0: none
};

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
    // Called every few milliseconds; true stops the search. Not where a border has a carrier, which
    // is called instead.
    std::function<bool()> poll = {};
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

    // Ends what is going on in another thread. A search that has not begun does not hear it.
    void stop() { stop_.store(true, std::memory_order_relaxed); }

    // Forgets what earlier searches found.
    virtual void clear() = 0;

    // Judges by other weights from now on; what was found with the old ones is forgotten. Throws
    // std::invalid_argument if the evaluation has no weights to exchange, or not so many.
    virtual void take_weights(std::span<const double> weights) = 0;

  protected:
    std::atomic<bool> stop_{false};
};

template <GamePosition P, Evaluator<P> E>
class EngineWith final : public Engine<P> {
  public:
    EngineWith(const E& evaluator, const EngineSettings& settings)
        : evaluator_(evaluator), settings_(settings) {
        if (settings.crew.threads < 1 || settings.crew.threads > MAX_THREADS)
            throw std::invalid_argument("threads must be 1 to " + std::to_string(MAX_THREADS));
        if (settings.crew.grain < 1) throw std::invalid_argument("the grain must be at least 1");
        const bool is_plain = settings.search.algorithm == Algorithm::minimax;
        if (settings.table_megabytes && !is_plain)
            table_ = std::make_unique<Table>(settings.table_megabytes);
        crew_ =
            std::make_unique<Crew<P, E>>(settings.crew, evaluator, settings.search, table_.get());
    }

    Answer<P> ask(const Question<P>& question) override {
        check(question);
        // Some evaluations are not for every position.
        if constexpr (requires { E::require(question.position); }) E::require(question.position);
        const Turn turn(is_busy_);
        this->stop_ = false;
        const auto start = Meter::Clock::now();
        const Limits& limits = question.limits;
        const auto deadline =
            limits.seconds > 0
                ? start +
                      std::chrono::duration_cast<Meter::Clock::duration>(
                          std::chrono::duration<double>(std::min(limits.seconds, LONGEST_SECONDS)))
                : Meter::Clock::time_point::max();
        Answer<P> answer;
        Trace<P> finished;
        const auto path = Path(question.history, question.position.key());
        const bool wants_trace = question.wants_trace || question.wants_surprises;
        const std::size_t threads = wants_trace ? 1 : crew_->workers().size();
        answer.findings = together(threads, limits, deadline, path, [&](Worker<P, E>& leader) {
            leader.meter().set_poll(question.poll);
            carry_from(leader);
            if (wants_trace) leader.set_trace(&answer.trace, question.wants_surprises);
            const auto report = [&](const Findings<typename P::Move>& findings) {
                // Nodes of earlier depths, and of one that is not finished, teach nothing new.
                std::swap(answer.trace, finished);
                answer.trace.clear();
                if (question.on_depth)
                    question.on_depth({findings,
                                       leader.selective_depth(),
                                       leader.nodes(),
                                       seconds_since(start),
                                       {}});
            };
            Deepening<P, E> deepening(question.position, leader, settings_.search, evaluator_);
            if (question.tie_seed) deepening.shuffle(Random(*question.tie_seed));
            if (limits.nodes || limits.seconds > 0) deepening.hurry();
            return deepening.run(limits.depth_with(question.position.count_pieces()),
                                 question.best_moves, report);
        });
        answer.trace = std::move(finished);
        answer.nodes = crew_->nodes();
        answer.selective_depth = crew_->selective_depth();
        answer.seconds = seconds_since(start);
        return answer;
    }

    Border<P>& border() override {
        if (!exchange_) {
            exchange_ = std::make_unique<Exchange<P, E>>();
            crew_->set_neighbours(exchange_.get());
        }
        return *exchange_;
    }

    std::uint64_t serve() override {
        border();
        const Turn turn(is_busy_);
        together(crew_->workers().size(), {}, Meter::Clock::time_point::max(), Path(),
                 [&](Worker<P, E>& leader) {
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
        const Turn turn(is_busy_);
        if (table_) table_->clear();
    }

    void take_weights(std::span<const double> weights) override {
        if constexpr (Reweighable<E>) {
            const Turn turn(is_busy_);
            if (table_) table_->clear();
            evaluator_ = evaluator_.with_weights(weights);
            for (const auto& worker : crew_->workers()) worker->take_evaluator(evaluator_);
        } else {
            throw std::invalid_argument("this evaluation has no weights to exchange");
        }
    }

  private:
    // One at a time: a second search would work on the first one's nodes. Not a lock, since the
    // second one may have been asked for by an evaluator of the first.
    class Turn {
      public:
        explicit Turn(std::atomic<bool>& is_busy) : is_busy_(is_busy) {
            if (is_busy.exchange(true))
                throw std::invalid_argument(
                    "the engine is searching already: another search needs another one");
        }
        ~Turn() { is_busy_ = false; }
        Turn(const Turn&) = delete;
        Turn& operator=(const Turn&) = delete;

      private:
        std::atomic<bool>& is_busy_;
    };

    static constexpr int MAX_THREADS = 256;
    // Chosen: a look at the messages takes about a microsecond.
    static constexpr auto TIME_BETWEEN_CARRIES = std::chrono::microseconds(200);
    static constexpr double LONGEST_SECONDS = 1e9;  // beyond it the clock's numbers overflow

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

    // Runs `lead` with the crew's help, and with that of others if there is a border.
    template <class Lead>
    auto together(std::size_t threads, const Limits& limits, Meter::Clock::time_point deadline,
                  const Path& path, Lead lead) {
        if (table_) table_->new_search();
        struct Presence {
            Exchange<P, E>* exchange;
            Presence(Exchange<P, E>* e, Crew<P, E>* c) : exchange(e) {
                if (exchange) exchange->set_crew(c);
            }
            ~Presence() {
                if (exchange) exchange->set_crew(nullptr);
            }
        } presence(exchange_.get(), crew_.get());
        return crew_->run(threads, limits, deadline, this->stop_, path, lead);
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
    }

    std::atomic<bool> is_busy_{false};
    E evaluator_;
    EngineSettings settings_;
    std::unique_ptr<Table> table_;
    std::unique_ptr<Exchange<P, E>> exchange_;
    std::unique_ptr<Crew<P, E>> crew_;
};

}  // namespace crossboard
