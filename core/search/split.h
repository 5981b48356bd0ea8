// Young Brothers Wait: a crew of threads shares one tree. The only file that starts threads.
//
// Every worker keeps its own stack of open nodes. A node is open once its eldest brother has been
// searched and gave no cut-off; from then on its younger brothers may be taken away by anyone,
// nearest to the root first, with the window as it then is. Who owns a node works on it too, and
// when nothing is left to take, helps those who still work below it. At every open node they look
// up: a cut-off reaches all who work below the node, a better bound who works on its children, and
// from there on those further down, as far as it still narrows what they ask.
#pragma once

#include <atomic>
#include <cassert>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "rules/random.h"
#include "search/border.h"
#include "search/searcher.h"

namespace crossboard {

// Thrown by a worker to drop what it does: a node above has been cut off.
struct Aborted {};

template <GamePosition P, Evaluator<P> E>
class Crew;

// A node whose younger brothers may be taken. Lives on its owner's call stack, which waits until
// everybody who took a brother has reported.
template <class Worker, class Node>
struct Frame {
    Worker* owner = nullptr;  // none: the node is in another process
    Node* node = nullptr;
    Frame* parent = nullptr;  // the node one ply above, perhaps of another worker
    int ply = 0;
    Path path = {};       // to the node: the owner's own goes up and down meanwhile
    int outstanding = 0;  // brothers that others work on; guarded by the owner's mutex
    // Read by all who work below, at any time.
    std::atomic<Value> alpha{-INFINITE};
    std::atomic<Value> beta{INFINITE};
    std::atomic<bool> is_cut{false};

    bool is_dead() const {
        for (const Frame* frame = this; frame; frame = frame->parent)
            if (frame->is_cut.load(std::memory_order_acquire)) return true;
        return false;
    }

    bool is_below(const Frame* other) const {
        for (const Frame* frame = this; frame; frame = frame->parent)
            if (frame == other) return true;
        return false;
    }
};

// Work from elsewhere for those who have none here: see exchange.h.
template <class Worker, class Frame>
class Neighbours {
  public:
    virtual ~Neighbours() = default;
    // Searches something; `below` as in Worker::steal. Until it is called again, or the worker
    // does not wait any more, the worker is free for what comes.
    virtual bool host(Worker& worker, std::size_t number, const Frame* below) = 0;
    virtual void wait(std::size_t number, const Frame* below) = 0;
    virtual void stop_waiting(std::size_t number) = 0;
    // Lets messages in and out: the first worker's task, whether it searches or waits.
    virtual void carry() = 0;
};

template <GamePosition P, Evaluator<P> E>
class Worker : public Searcher<P, E> {
    using Base = Searcher<P, E>;
    using typename Base::Node;

  public:
    using Frame = crossboard::Frame<Worker, Node>;
    using Move = typename P::Move;

    Worker(Crew<P, E>& crew, std::size_t number, const E& evaluator, const Settings& settings,
           Table* table)
        : Base(evaluator, settings, table),
          crew_(crew),
          number_(number),
          random_(crew.seed(), number) {}

    void prepare(const Meter& meter, const Path& path) {
        Base::prepare(meter, path);
        random_ = Random(crew_.seed(), number_);
        is_waiting_ = false;
    }

    // Does something useful: here or, where that is allowed, for another process. `below` as in
    // steal().
    bool help(const Frame* below) {
        Neighbours<Worker, Frame>* neighbours = crew_.neighbours();
        if (neighbours && std::exchange(is_waiting_, false) &&
            neighbours->host(*this, number_, below))
            return true;
        if (steal(below)) return true;
        if (neighbours) {
            neighbours->wait(number_, below);
            is_waiting_ = true;
        }
        return false;
    }

    // Waits a little: the more failures there were to find something to do, the longer.
    void pause(int failures) {
        if (crew_.neighbours() && number_ == 0) crew_.neighbours()->carry();
        crew_.pause(failures);
    }

    // Takes a brother from somebody's open nodes and searches it; false if there is none. With
    // `below`, only where that helps to finish the given node.
    bool steal(const Frame* below) {
        const int size = static_cast<int>(crew_.workers().size());
        const int first = random_.below(size);
        for (int i = 0; i < size; ++i) {
            Worker& victim = *crew_.workers()[static_cast<std::size_t>((first + i) % size)];
            if (&victim != this && steal_from(victim, below)) return true;
        }
        return false;
    }

    // A brother that has been taken from a worker, for whoever searches it.
    struct Loot {
        Frame* frame;
        Pick choice;
        Value alpha, beta;
    };

    // `min_depth` is of the brother's parent.
    std::optional<Loot> give(const Frame* below, int min_depth) {
        const std::lock_guard lock(mutex_);
        for (Frame* frame : open_) {
            Node& node = *frame->node;
            if (node.depth < min_depth || node.searched >= node.brothers) continue;
            if ((below && !frame->is_below(below)) || frame->is_dead()) continue;
            inherit(*frame);
            if (frame->is_cut) continue;
            const auto choice = this->pick(node);
            ++frame->outstanding;
            return Loot{frame, choice, node.alpha, node.beta};
        }
        return std::nullopt;
    }

    // Takes back a brother that was given away; without a value it is there to be taken again.
    void take_back(const Loot& loot, std::optional<Value> value, int rests_on,
                   const Line<Move>& rest) {
        const std::lock_guard lock(mutex_);
        Frame& frame = *loot.frame;
        assert(frame.owner == this && frame.outstanding > 0);
        if (!value)
            this->put_back(*frame.node, loot.choice.index);
        else if (!frame.is_dead())
            merge_into(frame, loot.choice.index, *value, rests_on, rest);
        --frame.outstanding;
    }

    // Searches a child whose parent, for which `parent` stands, is in another process; nothing if
    // it has become useless.
    std::optional<Outcome<P>> search_guest(Frame& parent, const Parcel<P>& parcel) {
        assert(!parent.owner && parent.ply + 1 == parcel.ply);
        return elsewhere(parent, parcel.path, [&] {
            const Value value = this->search_child(parcel.child, this->begin(parcel.child),
                                                   parcel.ply, parcel.depth, parcel.reduction,
                                                   parent.alpha, parent.beta, false);
            const auto& line = this->lines_[parcel.ply];
            return Outcome<P>{value, this->rests_on_, {line.moves, line.moves + line.size}};
        });
    }

  protected:
    Value search_brothers(Node& node) override {
        // Minimax has no window that another could narrow: it stays with one worker.
        const bool is_plain = this->settings_.algorithm == Algorithm::minimax;
        if (is_plain || node.depth < crew_.grain()) return Base::search_brothers(node);
        Frame frame{.owner = this, .node = &node, .parent = frame_, .ply = node.ply};
        publish(frame);
        const Presence presence(*this, frame);
        work_on(frame);  // the eldest, alone
        if (!frame.is_cut) {
            open(frame);
            for (int failures = 0; !is_finished(frame);)
                if (work_on(frame) || help_below(frame)) {
                    failures = 0;
                } else {
                    pause(++failures);
                }
        }
        crew_.check();
        if (frame.parent && frame.parent->is_dead()) throw Aborted{};
        return this->leave(node);
    }

    void narrow(int ply, Value& alpha, Value& beta) override {
        if (!frame_ || frame_->ply + 1 != ply) return;
        if (frame_->is_dead()) throw Aborted{};
        alpha = std::max(alpha, frame_->alpha.load());
        beta = std::min(beta, frame_->beta.load());
        if (alpha >= beta) throw Aborted{};
    }

  private:
    // While it lives its frame is the innermost one of this worker; when it goes, in whatever way,
    // nobody works below the frame any more.
    class Presence {
      public:
        Presence(Worker& worker, Frame& frame) : worker_(worker), frame_(frame) {
            worker_.frame_ = &frame_;
        }
        ~Presence() {
            worker_.stop_waiting();
            worker_.frame_ = frame_.parent;
            worker_.close(frame_);
        }
        Presence(const Presence&) = delete;
        Presence& operator=(const Presence&) = delete;

      private:
        Worker& worker_;
        Frame& frame_;
    };

    // Searches the next brother of an own frame; false if there is none or no need.
    bool work_on(Frame& frame) {
        assert(frame.owner == this);
        Node& node = *frame.node;
        Pick choice;
        Value alpha, beta;
        bool is_eldest;
        {
            const std::lock_guard lock(mutex_);
            crew_.check();
            if (frame.parent && frame.parent->is_dead()) throw Aborted{};
            inherit(frame);
            if (frame.is_cut || node.searched >= node.brothers) return false;
            is_eldest = node.searched == 0;
            choice = this->pick(node);
            alpha = node.alpha;
            beta = node.beta;
        }
        const int path_size = this->path_.size();
        try {
            const Value value = this->search_brother(node, choice, alpha, beta, is_eldest);
            const std::lock_guard lock(mutex_);
            merge_into(frame, choice.index, value, this->rests_on_, this->lines_[node.ply + 1]);
        } catch (const Aborted&) {
            this->path_.cut_to(path_size);
            frame_ = &frame;
            // The brother was dropped because this node is done, or one above it.
            if (!frame.is_cut) throw;
        }
        return true;
    }

    void open(Frame& frame) {
        assert(frame.owner == this && this->path_.ends_at(frame.node->position.key()));
        frame.path = this->path_;
        const std::lock_guard lock(mutex_);
        open_.push_back(&frame);
    }

    // Whether no brother is left, here or with those who took one.
    bool is_finished(const Frame& frame) {
        const std::lock_guard lock(mutex_);
        const Node& node = *frame.node;
        return frame.outstanding == 0 && (frame.is_cut || node.searched >= node.brothers);
    }

    // Helps those who took brothers; false if they need no help.
    bool help_below(const Frame& frame) {
        this->meter_.look_now();
        return !frame.is_cut && help(&frame);
    }

    void close(Frame& frame) {
        {
            const std::lock_guard lock(mutex_);
            std::erase(open_, &frame);
            if (frame.outstanding == 0) return;
        }
        // Only an exception comes here: nobody needs the brothers any more.
        frame.is_cut.store(true, std::memory_order_release);
        for (int failures = 0;;) {
            {
                const std::lock_guard lock(mutex_);
                if (frame.outstanding == 0) return;
            }
            pause(++failures);
        }
    }

    // Takes over what the node above has learnt since this one was begun. Needs the lock.
    void inherit(Frame& frame) {
        assert(frame.owner == this);
        if (!frame.parent) return;
        Node& node = *frame.node;
        const Value alpha =
            std::max(node.alpha, -frame.parent->beta.load(std::memory_order_relaxed));
        const Value beta =
            std::min(node.beta, -frame.parent->alpha.load(std::memory_order_relaxed));
        if (alpha < beta) {
            // Values up to the inherited bound are now bounds themselves.
            if (alpha > node.alpha) node.first_alpha = alpha;
            node.alpha = alpha;
            node.beta = beta;
        } else if (node.best > node.first_alpha && node.best >= beta) {
            node.beta = beta;
            frame.is_cut.store(true, std::memory_order_release);
        }
        // Otherwise the window asks an old question whose answer is still of use.
        publish(frame);
    }

    void merge_into(Frame& frame, int index, Value value, int rests_on, const Line<Move>& rest) {
        if (frame.is_cut) return;
        if (this->merge(*frame.node, index, value, rests_on, rest))
            frame.is_cut.store(true, std::memory_order_release);
        publish(frame);
    }

    static void publish(Frame& frame) {
        frame.alpha.store(frame.node->alpha, std::memory_order_relaxed);
        frame.beta.store(frame.node->beta, std::memory_order_relaxed);
    }

    bool steal_from(Worker& victim, const Frame* below) {
        const std::optional<Loot> loot = victim.give(below, crew_.grain());
        if (!loot) return false;
        stop_waiting();
        crew_.delay(random_);
        const Node& node = *loot->frame->node;
        const std::optional<Value> value = elsewhere(*loot->frame, loot->frame->path, [&] {
            return this->search_brother(node, loot->choice, loot->alpha, loot->beta, false);
        });
        victim.take_back(*loot, value, this->rests_on_, this->lines_[node.ply + 1]);
        return true;
    }

    // Calls `work` at another place of the tree, below `frame`, and comes back.
    template <class Work>
    auto elsewhere(Frame& frame, const Path& path, Work work) {
        assert(&frame != frame_ && path.size() > 0);
        Path own_path = std::exchange(this->path_, path);
        Frame* const own_frame = std::exchange(frame_, &frame);
        std::optional<decltype(work())> result;
        try {
            result = work();
        } catch (const Aborted&) {
        } catch (const Stopped&) {
            crew_.stop();
        }
        this->path_ = std::move(own_path);
        frame_ = own_frame;
        return result;
    }

    void stop_waiting() {
        if (!is_waiting_) return;
        is_waiting_ = false;
        assert(crew_.neighbours());
        crew_.neighbours()->stop_waiting(number_);
    }

    Crew<P, E>& crew_;
    std::size_t number_;  // among the crew
    bool is_waiting_ = false;
    Random random_;
    std::mutex mutex_;          // guards the frames in open_ and their nodes
    std::vector<Frame*> open_;  // nearest to the root first
    Frame* frame_ = nullptr;    // the one whose child is being searched
};

constexpr int MAX_THREADS = 256;

struct CrewSettings {
    int threads = 1;
    // Nodes with less depth than this are not shared: their brothers are not worth a message.
    int grain = 8;
    // Chosen for tests: waits of random length before a stolen brother is searched.
    bool random_delays = false;
    std::uint64_t seed = 0;
};

// Those who search together, for one search after the other. The caller's thread is the first.
template <GamePosition P, Evaluator<P> E>
class Crew {
  public:
    using Member = Worker<P, E>;

    Crew(const CrewSettings& crew, const E& evaluator, const Settings& settings, Table* table)
        : settings_(crew) {
        assert(crew.threads > 0 && crew.grain > 0);
        for (std::size_t i = 0; i < static_cast<std::size_t>(crew.threads); ++i)
            workers_.push_back(std::make_unique<Member>(*this, i, evaluator, settings, table));
    }

    void set_neighbours(Neighbours<Member, typename Member::Frame>* neighbours) {
        neighbours_ = neighbours;
    }

    // Runs `lead` on the caller's thread while the others help, `threads` in all.
    template <class Lead>
    auto run(std::size_t threads, const Limits& limits, const Deadline& deadline,
             const std::atomic<bool>& stop, const Path& path, Lead lead) {
        assert(0 < threads && threads <= workers_.size());
        const std::uint64_t nodes =
            limits.nodes ? std::max<std::uint64_t>(1, limits.nodes / threads) : 0;
        for (const auto& worker : workers_)
            worker->prepare(Meter(nodes, deadline, stop, nodes_between_looks()), path);
        is_over_ = false;
        is_stopped_ = false;
        std::vector<std::jthread> helpers;
        // Ends the helpers before the threads are joined, also when something is thrown.
        struct Ending {
            std::atomic<bool>& is_over;
            ~Ending() { is_over = true; }
        };
        const Ending ending{is_over_};
        try {
            for (std::size_t i = 1; i < threads; ++i)
                helpers.emplace_back([this, i] { help_until_over(*workers_[i]); });
        } catch (const std::system_error&) {
            throw std::invalid_argument("no more than " + std::to_string(helpers.size() + 1) +
                                        " threads can be had here, not " + std::to_string(threads));
        }
        return lead(*workers_[0]);
    }

    const std::vector<std::unique_ptr<Member>>& workers() const { return workers_; }
    Neighbours<Member, typename Member::Frame>* neighbours() const { return neighbours_; }
    int grain() const { return settings_.grain; }
    std::uint64_t seed() const { return settings_.seed; }

    // A worker has reached a limit and dropped a brother: no value is complete any more.
    void stop() { is_stopped_.store(true, std::memory_order_relaxed); }
    void check() const {
        if (is_stopped_.load(std::memory_order_relaxed)) throw Stopped{};
    }

    // Waits a little, and longer the more often nothing was found.
    void pause(int failures) const {
        if (failures < 64) {
            std::this_thread::yield();
        } else {
            std::this_thread::sleep_for(std::chrono::microseconds(failures < 1000 ? 20 : 200));
        }
    }

    void delay(Random& random) const {
        if (settings_.random_delays)
            std::this_thread::sleep_for(std::chrono::microseconds(random.below(200)));
    }

    std::uint64_t nodes() const {
        std::uint64_t sum = 0;
        for (const auto& worker : workers_) sum += worker->nodes();
        return sum;
    }

    int selective_depth() const {
        int deepest = 0;
        for (const auto& worker : workers_) deepest = std::max(deepest, worker->selective_depth());
        return deepest;
    }

  private:
    // A slow evaluator says so.
    static constexpr std::uint64_t nodes_between_looks() {
        if constexpr (requires { E::IS_SLOW; }) return 1;
        return Meter::NODES_BETWEEN_LOOKS;
    }

    void help_until_over(Member& worker) {
        for (int failures = 0; !is_over_.load(std::memory_order_acquire);)
            if (worker.help(nullptr)) {
                failures = 0;
            } else {
                worker.pause(++failures);
            }
    }

    CrewSettings settings_;
    Neighbours<Member, typename Member::Frame>* neighbours_ = nullptr;
    std::vector<std::unique_ptr<Member>> workers_;
    std::atomic<bool> is_over_{false};
    std::atomic<bool> is_stopped_{false};
};

}  // namespace crossboard
