// Tests Young Brothers Wait over a border: engines that know each other only by slow messages.
#include "search/exchange.h"

#include <chrono>
#include <cstdlib>
#include <deque>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>

#include "check.h"
#include "engine/wire.h"
#include "rules/draughts/notation.h"
#include "search/questions.h"
#include "search/serial_search.h"

using namespace crossboard;
using namespace crossboard::slow;
using draughts::format_fen;

namespace {

// Far more than a stop takes, far less than an endless search.
constexpr double PROMPTLY = 10;
constexpr auto HANGING = std::chrono::seconds(30);

// As src/crossboard/farm/mpi_search.py has them; the end of the search needs none here.
enum class Kind { request, no_work, task, result, bound, abort };

struct Message {
    Kind kind;
    int number = -1;
    std::optional<int> below = {};          // of a request and its task: the asker's lent brother
    std::optional<std::string> bytes = {};  // the parcel, or the outcome
    Value alpha = 0, beta = 0;
    std::uint64_t due = 0;  // turns of the carrier
};

struct Tally {
    int tasks = 0, results = 0, dropped = 0, bounds = 0, aborts = 0, returned_help = 0;
};

// All processes of a search and the post between them, carried by one thread. Messages of one pair
// stay in order; any two pairs overtake each other.
class Post {
  public:
    Post(std::vector<std::unique_ptr<Tested>>& engines, int grain, int slowness, std::uint64_t seed)
        : engines_(engines),
          size_(static_cast<int>(engines.size())),
          grain_(grain),
          slowness_(slowness),
          random_(seed),
          offices_(engines.size()) {}

    Tally tally;

    // One turn: some messages arrive, and in any order the processes say what is due.
    void turn() {
        ++now_;
        std::vector<int> order;
        for (int rank = 0; rank < size_; ++rank)
            order.insert(order.begin() + random_.below(rank + 1), rank);
        for (int rank : order) {
            deliver_to(rank);
            if (random_.below(4) > 0) speak(rank);
        }
    }

    // After the search: everything that was lent is back, everybody who came has gone.
    bool is_settled() const {
        for (const Office& office : offices_)
            if (!office.holders.empty() || !office.guests.empty() || !office.tickets.empty())
                return false;
        return tally.tasks == tally.results;
    }

    void deliver_everything() {
        slowness_ = 0;
        for (int i = 0; i < 50; ++i) turn();
    }

    void stop_asking() { is_stopped_ = true; }

  private:
    struct Office {
        std::map<int, int> holders;                  // number of a lent brother: who has it
        std::map<std::pair<int, int>, int> tickets;  // (rank, its number): our guest
        std::map<int, std::pair<int, int>> guests;   // and the way back
        int next_ticket = 0;
        bool has_asked = false;
    };

    Border<Position>& border(int rank) {
        return engines_[static_cast<std::size_t>(rank)]->border();
    }
    Office& office(int rank) { return offices_[static_cast<std::size_t>(rank)]; }

    void send(int from, int to, Message message) {
        auto& queue = queues_[{from, to}];
        message.due = now_ + static_cast<std::uint64_t>(slowness_ ? random_.below(slowness_) : 0);
        if (!queue.empty()) message.due = std::max(message.due, queue.back().due);
        queue.push_back(std::move(message));
    }

    void deliver_to(int rank) {
        for (int from = 0; from < size_; ++from) {
            auto& queue = queues_[{from, rank}];
            while (!queue.empty() && queue.front().due <= now_) {
                const Message message = std::move(queue.front());
                queue.pop_front();
                deliver(from, rank, message);
            }
        }
    }

    void deliver(int from, int rank, const Message& message) {
        Office& here = office(rank);
        switch (message.kind) {
            case Kind::request: answer(from, rank, message.below); break;
            case Kind::no_work: here.has_asked = false; break;
            case Kind::task: {
                here.has_asked = false;
                const int ticket = here.next_ticket++;
                here.tickets[{from, message.number}] = ticket;
                here.guests[ticket] = {from, message.number};
                border(rank).receive(ticket, wire::unpack_parcel<Position>(*message.bytes),
                                     message.below);
                break;
            }
            case Kind::result: {
                ++tally.results;
                tally.dropped += !message.bytes;
                CHECK_EQUAL(here.holders.erase(message.number), 1u);
                std::optional<Outcome<Position>> outcome;
                if (message.bytes) outcome = wire::unpack_outcome<Position>(*message.bytes);
                border(rank).settle(message.number, outcome);
                break;
            }
            case Kind::bound:
                if (const auto found = here.tickets.find({from, message.number});
                    found != here.tickets.end())
                    border(rank).narrow(found->second, message.alpha, message.beta);
                break;
            case Kind::abort:
                if (const auto found = here.tickets.find({from, message.number});
                    found != here.tickets.end())
                    border(rank).abort(found->second);
                break;
        }
    }

    void answer(int asker, int rank, std::optional<int> below) {
        Office& here = office(rank);
        std::optional<int> guest;
        if (below) {
            const auto found = here.tickets.find({asker, *below});
            if (found == here.tickets.end()) return send(rank, asker, {.kind = Kind::no_work});
            guest = found->second;
        }
        const auto lent = border(rank).lend(grain_, guest);
        if (!lent) return send(rank, asker, {.kind = Kind::no_work});
        ++tally.tasks;
        tally.returned_help += below.has_value();
        CHECK(here.holders.emplace(lent->first, asker).second);
        send(rank, asker,
             {.kind = Kind::task,
              .number = lent->first,
              .below = below,
              .bytes = wire::pack(lent->second)});
    }

    void speak(int rank) {
        Office& here = office(rank);
        const auto news = border(rank).news();
        for (const auto& window : news.windows) {
            ++(window.is_dead ? tally.aborts : tally.bounds);
            CHECK(here.holders.contains(window.lent));
            send(rank, here.holders[window.lent],
                 {.kind = window.is_dead ? Kind::abort : Kind::bound,
                  .number = window.lent,
                  .alpha = window.alpha,
                  .beta = window.beta});
        }
        for (const auto& departure : news.departures) {
            const auto guest = here.guests.find(departure.ticket);
            CHECK(guest != here.guests.end());  // nobody leaves twice
            if (guest == here.guests.end()) continue;
            const auto [owner, number] = guest->second;
            here.guests.erase(guest);
            here.tickets.erase({owner, number});
            std::optional<std::string> bytes;
            if (departure.outcome) bytes = wire::pack(*departure.outcome);
            send(rank, owner, {.kind = Kind::result, .number = number, .bytes = bytes});
        }
        if (here.has_asked || is_stopped_) return;
        if (!news.awaited.empty()) {
            const int awaited = random_.below(static_cast<int>(news.awaited.size()));
            const int number = news.awaited[static_cast<std::size_t>(awaited)];
            here.has_asked = true;
            send(rank, here.holders[number], {.kind = Kind::request, .below = number});
        } else if (news.idle > 0) {
            const int other = random_.below(size_ - 1);
            here.has_asked = true;
            send(rank, other + (other >= rank), {.kind = Kind::request});
        }
    }

    std::vector<std::unique_ptr<Tested>>& engines_;
    int size_;
    int grain_;
    int slowness_;
    Random random_;
    std::vector<Office> offices_;
    std::map<std::pair<int, int>, std::deque<Message>> queues_;
    std::uint64_t now_ = 0;
    bool is_stopped_ = false;
};

struct Schedule {
    Position position;
    int depth;
    Judge judge;
    EngineSettings settings;
    int processes;
    int slowness;  // the longest way of a message, in turns of the carrier
    std::uint64_t seed;
    double stop_after = 0;  // seconds until the leader is stopped from outside, if not 0
    bool has_carriers;      // the searching threads carry the messages, instead of one of its own

    Schedule(Random& random, std::uint64_t leaves) {
        position = random_position(random);
        depth = affordable_depth(position, 3 + random.below(5), leaves);
        judge = random_judge(random);
        judge.nap_microseconds = 50;
        settings.search = random_switches(random);
        settings.crew = {.threads = 1 + random.below(3),
                         .grain = 1 + random.below(4),
                         .random_delays = random.below(4) == 0,
                         .seed = random.next()};
        settings.table_megabytes = 0;
        processes = 2 + random.below(4);
        constexpr int SLOWNESS[] = {0, 3, 20, 100};
        slowness = SLOWNESS[random.below(4)];
        seed = random.next();
        has_carriers = random.below(2) == 1;
    }

    Value serial_value() const {
        SerialSearch search{.settings = {.draws = settings.search.draws}, .judge = awake()};
        return search.value(position, depth);
    }

    Judge awake() const { return {judge.range, judge.seed}; }

    std::string text() const {
        return format_fen(position) + " depth " + std::to_string(depth) + " processes " +
               std::to_string(processes) + " threads " + std::to_string(settings.crew.threads) +
               " grain " + std::to_string(settings.crew.grain) +
               (settings.search.pvs ? " pvs" : "") + " slowness " + std::to_string(slowness) +
               (has_carriers ? " carriers" : "");
    }

    Answer<Position> ask(const Question<Position>& asked, Tally& sum) const {
        std::vector<std::unique_ptr<Tested>> engines;
        for (int rank = 0; rank < processes; ++rank) {
            engines.push_back(std::make_unique<Tested>(judge, settings));
            engines.back()->border();
        }
        return ask(engines, asked, sum);
    }

    // Asks the first engine while the others serve.
    Answer<Position> ask(std::vector<std::unique_ptr<Tested>>& engines,
                         const Question<Position>& asked, Tally& sum) const {
        Post post(engines, settings.crew.grain, slowness, seed);
        std::mutex one_at_a_time;
        const auto turn = [&] {
            const std::lock_guard lock(one_at_a_time);
            post.turn();
        };
        for (const auto& engine : engines)
            engine->border().set_carrier(has_carriers ? turn : std::function<void()>());
        std::vector<std::jthread> servers;
        for (std::size_t rank = 1; rank < engines.size(); ++rank)
            servers.emplace_back([&engines, rank] { engines[rank]->serve(); });
        std::atomic<bool> is_done{false};
        Answer<Position> answer;
        std::jthread leader([&] {
            answer = engines[0]->ask(asked);
            is_done = true;
        });
        const auto start = Meter::Clock::now();
        while (!is_done) {
            if (!has_carriers) turn();
            const auto passed = Meter::Clock::now() - start;
            if (stop_after > 0 && passed >= std::chrono::duration<double>(stop_after))
                engines[0]->stop();
            if (passed > HANGING) {
                CHECK(!"the search hangs") || check::note(text());
                check::report();
                std::cout.flush();
                std::_Exit(1);
            }
            std::this_thread::yield();
        }
        leader.join();
        {
            const std::lock_guard lock(one_at_a_time);
            post.stop_asking();
            post.deliver_everything();
        }
        for (std::size_t rank = 1; rank < engines.size(); ++rank) engines[rank]->stop();
        servers.clear();
        for (const auto& engine : engines) engine->border().set_carrier({});
        CHECK(post.is_settled()) || check::note(text());
        sum.tasks += post.tally.tasks;
        sum.dropped += post.tally.dropped;
        sum.bounds += post.tally.bounds;
        sum.aborts += post.tally.aborts;
        sum.returned_help += post.tally.returned_help;
        return answer;
    }
};

void test_every_schedule_gives_the_serial_value() {
    Random random(1);
    Tally sum;
    const auto has_shown_all = [&sum] {
        return sum.tasks > 200 && sum.bounds > 10 && sum.aborts > 10 && sum.dropped > 5 &&
               sum.returned_help > 2;
    };
    // On a busy machine fewer brothers change hands.
    for (int i = 0; i < 100 || (i < 400 && !has_shown_all()); ++i) {
        const Schedule schedule(random, 4000);
        const auto answer =
            schedule.ask(question(schedule.position, {.depth = schedule.depth}), sum);
        const auto& best = answer.findings.best[0];
        CHECK_EQUAL(best.value, schedule.serial_value()) || check::note(schedule.text());
        CHECK(!answer.findings.stopped);
        Position end = schedule.position;
        for (const Move& move : best.line) {
            const auto moves = end.legal_moves();
            CHECK(std::find(moves.begin(), moves.end(), move) != moves.end()) ||
                check::note(schedule.text());
            end = end.after(move);
        }
    }
    CHECK(has_shown_all()) ||
        check::note(std::to_string(sum.tasks) + " tasks, " + std::to_string(sum.bounds) +
                    " bounds, " + std::to_string(sum.aborts) + " aborts, " +
                    std::to_string(sum.dropped) + " dropped, " + std::to_string(sum.returned_help) +
                    " below lent brothers");
}

// Long enough for everybody to wait for everybody: a guest that nobody may take while its owner
// waits for it would stop them all.
void test_nobody_waits_for_ever() {
    Random random(8);
    Tally sum;
    for (int i = 0; i < 60; ++i) {
        Schedule schedule(random, 100);
        schedule.position = Position();
        schedule.depth = 7;
        schedule.judge.nap_microseconds = 20;
        schedule.processes = i % 2 ? 2 : 5;
        schedule.slowness = 10;
        schedule.settings.crew.threads = i % 2 ? 2 : 1;
        schedule.settings.crew.grain = 3;
        const auto answer =
            schedule.ask(question(schedule.position, {.depth = schedule.depth}), sum);
        CHECK_EQUAL(answer.findings.best[0].value, schedule.serial_value()) ||
            check::note(schedule.text());
    }
}

void test_tables_of_equal_depth_give_the_serial_value() {
    Random random(2);
    Tally sum;
    for (int i = 0; i < 40; ++i) {
        Schedule schedule(random, 3000);
        schedule.settings.table_megabytes = 1;
        const auto answer =
            schedule.ask(question(schedule.position, {.depth = schedule.depth}), sum);
        CHECK_EQUAL(answer.findings.best[0].value, schedule.serial_value()) ||
            check::note(schedule.text());
    }
}

// The game's past goes with the parcels.
void test_draws_are_the_same_on_every_schedule() {
    Random random(3);
    Tally sum;
    for (int i = 0; i < 20; ++i) {
        Schedule schedule(random, 3000);
        schedule.settings.search.draws = {.repetitions = 3, .quiet_plies = 5 + random.below(6)};
        schedule.position = draughts::parse_fen("W:WK1,K2,K29:BK4,12");
        schedule.depth = 4;
        std::vector<std::uint64_t> history;
        for (const char* move : {"29-25", "4-8", "25-29"}) {
            history.push_back(schedule.position.key());
            schedule.position =
                schedule.position.after(draughts::parse_move(schedule.position, move));
        }
        SerialSearch serial{
            .settings = schedule.settings.search, .judge = schedule.awake(), .history = history};
        auto asked = question(schedule.position, {.depth = schedule.depth});
        asked.history = history;
        CHECK_EQUAL(schedule.ask(asked, sum).findings.best[0].value,
                    serial.value(schedule.position, schedule.depth)) ||
            check::note(schedule.text());
    }
}

// ---- ends

void test_time_ends_it_promptly() {
    Random random(4);
    Tally sum;
    for (int i = 0; i < 12; ++i) {
        const Schedule schedule(random, 500);
        const double seconds = 0.001 * (5 + random.below(60));
        const auto answer =
            schedule.ask(question(Position(), {.depth = MAX_DEPTH, .seconds = seconds}), sum);
        CHECK(answer.findings.stopped);
        CHECK(answer.seconds >= seconds && answer.seconds < PROMPTLY) ||
            check::note(schedule.text() + " took " + std::to_string(answer.seconds));
    }
}

void test_a_stop_from_outside_ends_it_promptly() {
    Random random(5);
    Tally sum;
    for (int i = 0; i < 12; ++i) {
        Schedule schedule(random, 500);
        schedule.stop_after = 0.001 * (5 + random.below(60));
        const auto answer = schedule.ask(endless_question(), sum);
        CHECK(answer.findings.stopped);
        CHECK(answer.seconds < PROMPTLY) ||
            check::note(schedule.text() + " took " + std::to_string(answer.seconds));
    }
}

void test_nodes_end_it_promptly() {
    Random random(6);
    Tally sum;
    for (int i = 0; i < 12; ++i) {
        const Schedule schedule(random, 500);
        const auto nodes = static_cast<std::uint64_t>(1 + random.below(20'000));
        const auto answer =
            schedule.ask(question(Position(), {.depth = MAX_DEPTH, .nodes = nodes}), sum);
        CHECK(answer.findings.stopped);
        CHECK(answer.seconds < PROMPTLY) ||
            check::note(schedule.text() + " took " + std::to_string(answer.seconds));
    }
}

// A leader that has lent everything to somebody who needs for ever looks at the clock all the same.
void test_a_leader_that_only_waits_ends_at_its_time() {
    for (bool is_stopped_from_outside : {false, true}) {
        // Only the root is shared, and its eldest brother takes long enough for us to be there.
        EngineSettings settings{.crew = {.grain = 3}, .table_megabytes = 0};
        settings.search.deepening = false;
        Tested leader({.nap_microseconds = 5000}, settings);
        Border<Position>& border = leader.border();
        const double seconds = is_stopped_from_outside ? 0 : 0.5;
        std::atomic<bool> is_done{false};
        Answer<Position> answer;
        std::jthread thread([&] {
            answer = leader.ask(question(Position(), {.depth = 3, .seconds = seconds}));
            is_done = true;
        });
        std::set<int> lent;
        std::size_t most_lent = 0;
        bool is_given_up = false;
        const auto start = Meter::Clock::now();
        while (!is_done) {
            if (const auto brother = border.lend(1, std::nullopt)) lent.insert(brother->first);
            most_lent = std::max(most_lent, lent.size());
            const auto news = border.news();
            for (const auto& window : news.windows)
                if (window.is_dead && lent.erase(window.lent))
                    border.settle(window.lent, std::nullopt);
            const auto passed = Meter::Clock::now() - start;
            if (is_stopped_from_outside && passed > std::chrono::milliseconds(500)) leader.stop();
            if (passed > std::chrono::seconds(5)) {
                is_given_up = true;
                for (int number : lent) border.settle(number, std::nullopt);
                lent.clear();
            }
        }
        CHECK(most_lent > 0);
        CHECK(!is_given_up);
    }
}

}  // namespace

int main() {
    test_every_schedule_gives_the_serial_value();
    test_nobody_waits_for_ever();
    test_tables_of_equal_depth_give_the_serial_value();
    test_draws_are_the_same_on_every_schedule();
    test_time_ends_it_promptly();
    test_a_stop_from_outside_ends_it_promptly();
    test_nodes_end_it_promptly();
    test_a_leader_that_only_waits_ends_at_its_time();
    return check::report();
}
