// Tests Young Brothers Wait by threads: the serial value on every schedule, and a prompt end.
#include "search/split.h"

#include <chrono>
#include <string>
#include <thread>

#include "check.h"
#include "rules/draughts/notation.h"
#include "search/questions.h"
#include "search/serial_search.h"

using namespace crossboard;
using namespace crossboard::slow;
using draughts::format_fen;

namespace {

// Far more than a stop takes, far less than an endless search.
constexpr double PROMPTLY = 10;

struct Schedule {
    Position position;
    int depth;
    Judge judge;
    EngineSettings settings;

    Schedule(Random& random, std::uint64_t leaves) {
        position = random_position(random);
        depth = affordable_depth(position, 3 + random.below(5), leaves);
        judge = random_judge(random);
        judge.nap_microseconds = random.below(2) ? 50 : 0;
        settings.search = random_switches(random);
        settings.crew = {.threads = 1 + random.below(8),
                         .grain = 1 + random.below(4),
                         .random_delays = random.below(2) == 1,
                         .seed = random.next()};
        settings.table_megabytes = 0;
    }

    Value serial_value() const {
        SerialSearch search{.settings = {.draws = settings.search.draws}, .judge = awake()};
        return search.value(position, depth);
    }

    Judge awake() const { return {judge.range, judge.seed}; }

    std::string text() const {
        return format_fen(position) + " depth " + std::to_string(depth) + " threads " +
               std::to_string(settings.crew.threads) + " grain " +
               std::to_string(settings.crew.grain) + (settings.search.pvs ? " pvs" : "");
    }

    // Asks, and checks what every answer to a finished search keeps to.
    Value value() const {
        Tested engine(judge, settings);
        const auto answer = engine.ask(question(position, {.depth = depth}));
        const auto& best = answer.findings.best[0];
        CHECK(!answer.findings.stopped) || check::note(text());
        CHECK(best.line.front() == best.move);
        Position end = position;
        for (const Move& move : best.line) {
            const auto moves = end.legal_moves();
            CHECK(std::find(moves.begin(), moves.end(), move) != moves.end()) ||
                check::note(text());
            end = end.after(move);
        }
        return best.value;
    }
};

void test_every_schedule_gives_the_serial_value() {
    Random random(1);
    for (int i = 0; i < 100; ++i) {
        const Schedule schedule(random, 6000);
        CHECK_EQUAL(schedule.value(), schedule.serial_value()) || check::note(schedule.text());
    }
}

void test_every_number_of_threads_and_grain_gives_the_serial_value() {
    Random random(2);
    for (int threads = 1; threads <= 8; ++threads)
        for (int grain = 1; grain <= 4; ++grain)
            for (bool pvs : {false, true}) {
                Schedule schedule(random, 1500);
                schedule.settings.crew.threads = threads;
                schedule.settings.crew.grain = grain;
                schedule.settings.search.pvs = pvs;
                CHECK_EQUAL(schedule.value(), schedule.serial_value()) ||
                    check::note(schedule.text());
            }
}

// All that a shared table holds must be true, or a hit of equal depth would spoil the value.
void test_a_shared_table_gives_the_serial_value() {
    Random random(3);
    for (int i = 0; i < 60; ++i) {
        Schedule schedule(random, 4000);
        schedule.settings.table_megabytes = 1;
        CHECK_EQUAL(schedule.value(), schedule.serial_value()) || check::note(schedule.text());
    }
}

// Hits from deeper searches may change the value, but nothing else goes wrong.
void test_a_shared_table_of_the_strongest_settings_gives_a_move() {
    Random random(4);
    for (int i = 0; i < 20; ++i) {
        Schedule schedule(random, 20'000);
        schedule.settings.search = {};
        schedule.settings.table_megabytes = 1;
        schedule.value();
    }
}

// Every selective switch is on: what threads find depends on the schedule, but a win is a win.
void test_a_selective_search_by_threads_finds_only_true_wins() {
    Random random(6);
    int wins = 0;
    for (int i = 0; i < 300; ++i) {
        Schedule schedule(random, 6000);
        SelectiveSettings::each(schedule.settings.search.selective,
                                [](const char*, auto& value, auto&&...) { value = 1; });
        schedule.settings.table_megabytes = 1;
        const Value value = schedule.value();
        if (!is_win(value) || plies_to_end(value) > 9) continue;
        ++wins;
        SerialSearch plain{.settings = {}, .judge = schedule.awake()};
        CHECK(plain.value(schedule.position, plies_to_end(value)) >= value) ||
            check::note(schedule.text());
    }
    CHECK(wins > 4);
}

void test_draws_are_the_same_on_every_schedule() {
    Random random(5);
    const Position start = draughts::parse_fen("W:WK1,K2,K29:BK4,12");
    for (int i = 0; i < 20; ++i) {
        Schedule schedule(random, 3000);
        schedule.settings.search.draws = {.repetitions = 3, .quiet_plies = 5 + random.below(6)};
        schedule.position = start;
        schedule.depth = 4;
        std::vector<std::uint64_t> history;
        for (const char* move : {"29-25", "4-8", "25-29"}) {
            history.push_back(schedule.position.key());
            schedule.position =
                schedule.position.after(draughts::parse_move(schedule.position, move));
        }
        SerialSearch serial{
            .settings = schedule.settings.search, .judge = schedule.awake(), .history = history};
        Tested engine(schedule.judge, schedule.settings);
        auto asked = question(schedule.position, {.depth = schedule.depth});
        asked.history = history;
        const auto answer = engine.ask(asked);
        CHECK_EQUAL(answer.findings.best[0].value,
                    serial.value(schedule.position, schedule.depth)) ||
            check::note(schedule.text());
    }
}

void test_best_moves_are_the_serial_ones() {
    Random random(6);
    for (int i = 0; i < 20; ++i) {
        const Schedule schedule(random, 1500);
        SerialSearch serial{
            .settings = schedule.settings.search, .judge = schedule.awake(), .best_moves = 3};
        const auto expected = serial.run(schedule.position, schedule.depth).best;
        Tested engine(schedule.judge, schedule.settings);
        const auto asked = question(schedule.position, {.depth = schedule.depth}, 3);
        const auto best = engine.ask(asked).findings.best;
        CHECK_EQUAL(best.size(), expected.size());
        for (std::size_t place = 0; place < best.size(); ++place)
            CHECK_EQUAL(best[place].value, expected[place].value) || check::note(schedule.text());
    }
}

// ---- ends

void test_a_stop_from_outside_ends_it_promptly() {
    Random random(7);
    for (int i = 0; i < 20; ++i) {
        Schedule schedule(random, 500);
        schedule.settings.table_megabytes = static_cast<std::size_t>(random.below(2));
        Tested engine(schedule.judge, schedule.settings);
        const auto wait = std::chrono::microseconds(2000 + random.below(20'000));
        // Asked again and again: one that comes before the search has begun is not heard.
        std::atomic<bool> is_over{false};
        std::jthread stopper([&] {
            while (!is_over) {
                std::this_thread::sleep_for(wait);
                engine.stop();
            }
        });
        const auto answer = engine.ask(endless_question());
        is_over = true;
        CHECK(answer.findings.stopped);
        CHECK(answer.seconds < PROMPTLY) || check::note(schedule.text());
        CHECK_EQUAL(answer.findings.best.size(), 1u);
    }
}

void test_time_ends_it_promptly() {
    Random random(8);
    for (int i = 0; i < 20; ++i) {
        Schedule schedule(random, 500);
        schedule.settings.table_megabytes = static_cast<std::size_t>(random.below(2));
        Tested engine(schedule.judge, schedule.settings);
        const double seconds = 0.001 * (1 + random.below(30));
        const auto answer =
            engine.ask(question(Position(), {.depth = MAX_DEPTH, .seconds = seconds}));
        CHECK(answer.findings.stopped);
        CHECK(answer.seconds >= seconds && answer.seconds < PROMPTLY) ||
            check::note(schedule.text());
    }
}

void test_nodes_end_it_promptly_and_are_not_exceeded() {
    Random random(9);
    for (int i = 0; i < 60; ++i) {
        Schedule schedule(random, 500);
        Tested engine(schedule.judge, schedule.settings);
        const auto limit = static_cast<std::uint64_t>(i % 3 == 0 ? 1 + random.below(8)
                                                                 : schedule.settings.crew.threads +
                                                                       random.below(20'000));
        const auto answer = engine.ask(question(Position(), {.depth = MAX_DEPTH, .nodes = limit}));
        CHECK(answer.findings.stopped);
        CHECK(answer.nodes <= limit) ||
            check::note(schedule.text() + " limit " + std::to_string(limit) + " nodes " +
                        std::to_string(answer.nodes));
        CHECK(answer.seconds < PROMPTLY) || check::note(schedule.text());
    }
}

// What was finished before the end is told, and is true.
void test_what_is_told_after_an_early_end_is_true() {
    Random random(10);
    int finished = 0;
    for (int i = 0; i < 40; ++i) {
        Schedule schedule(random, 3000);
        schedule.settings.search.deepening = true;
        Tested engine(schedule.judge, schedule.settings);
        const auto limit = static_cast<std::uint64_t>(200 + random.below(5000));
        const auto findings =
            engine.ask(question(schedule.position, {.depth = schedule.depth + 2, .nodes = limit}))
                .findings;
        if (findings.depth == 0 || findings.depth > schedule.depth) continue;
        ++finished;
        CHECK_EQUAL(findings.best[0].value,
                    Minimax(schedule.awake()).value(schedule.position, findings.depth)) ||
            check::note(schedule.text());
    }
    CHECK(finished > 10);
}

}  // namespace

int main() {
    test_every_schedule_gives_the_serial_value();
    test_every_number_of_threads_and_grain_gives_the_serial_value();
    test_a_shared_table_gives_the_serial_value();
    test_a_shared_table_of_the_strongest_settings_gives_a_move();
    test_a_selective_search_by_threads_finds_only_true_wins();
    test_draws_are_the_same_on_every_schedule();
    test_best_moves_are_the_serial_ones();
    test_a_stop_from_outside_ends_it_promptly();
    test_time_ends_it_promptly();
    test_nodes_end_it_promptly_and_are_not_exceeded();
    test_what_is_told_after_an_early_end_is_true();
    return check::report();
}
