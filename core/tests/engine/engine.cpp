// Tests the engine: questions that make no sense, limits, what is kept from search to search, wire.
#include "engine/engine.h"

#include <set>
#include <string>
#include <thread>

#include "check.h"
#include "engine/wire.h"
#include "rules/draughts/notation.h"
#include "search/questions.h"

using namespace crossboard;
using namespace crossboard::slow;
using draughts::format_fen;
using draughts::parse_fen;

namespace {

using Asked = Question<Position>;

constexpr Settings EXACT = Settings{.exact_depth_hits = true, .draws = NO_DRAWS}.full_width();

// ---- questions and settings

std::string complaint(const Asked& asked) {
    Tested engine({}, {.table_megabytes = 0});
    return check::message_of<std::invalid_argument>([&] { engine.ask(asked); });
}

void test_questions_that_make_no_sense_are_refused() {
    for (int depth : {0, -1, MAX_DEPTH + 1, 10'000}) {
        const std::string text = complaint(question(Position(), {.depth = depth}));
        CHECK_EQUAL(text, "depth must be 1 to 200, not " + std::to_string(depth));
    }
    for (const char* fen : {"B:W16,19:B12", "W:W:B1"})
        CHECK_EQUAL(complaint(question(parse_fen(fen), {.depth = 3})),
                    "the game is over: there is no move");
    for (int best_moves : {0, -1})
        CHECK_EQUAL(complaint(question(Position(), {.depth = 3}, best_moves)),
                    "at least one best move must be asked for");
}

void test_settings_that_make_no_sense_are_refused() {
    const auto refusal = [](const EngineSettings& settings) {
        return check::message_of<std::invalid_argument>([&] { Tested engine({}, settings); });
    };
    for (int threads : {0, -1, 257})
        CHECK_EQUAL(refusal({.crew = {.threads = threads}, .table_megabytes = 0}),
                    "threads must be 1 to 256");
    CHECK_EQUAL(refusal({.crew = {.grain = 0}, .table_megabytes = 0}),
                "the grain must be at least 1");
    CHECK(refusal({.table_megabytes = std::size_t{1} << 40}).find("does not fit") !=
          std::string::npos);
}

void test_the_greatest_depth_can_be_asked_for() {
    Tested engine({}, {.table_megabytes = 1});
    const auto answer =
        engine.ask(question(parse_fen("W:WK1:BK3"), {.depth = MAX_DEPTH, .nodes = 300'000}));
    CHECK(answer.findings.depth > 10);
    // Depth at once instead of step by step: as deep as a line can be.
    Tested plunge({}, {.search = {.deepening = false}, .table_megabytes = 0});
    CHECK(plunge.ask(question(parse_fen("W:WK1:BK32"), {.depth = MAX_DEPTH, .nodes = 100'000}))
              .findings.stopped);
}

// ---- values

void test_one_thread_finds_the_value_of_minimax() {
    Random random(1);
    for (int i = 0; i < 150; ++i) {
        const Position position = random_position(random);
        const int depth = affordable_depth(position, 1 + random.below(7), 1200);
        const Judge judge{random.below(2) ? 200 : 0, random.next()};
        Settings settings = EXACT;
        settings.pvs = random.below(2);
        settings.aspiration = random.below(2);
        Tested engine(judge, {.search = settings,
                              .crew = {.grain = 1 + random.below(8)},
                              .table_megabytes = static_cast<std::size_t>(random.below(2))});
        const auto answer = engine.ask(question(position, {.depth = depth}));
        CHECK_EQUAL(answer.findings.best[0].value, Minimax(judge).value(position, depth)) ||
            check::note(at(position, depth));
        CHECK(answer.selective_depth >= answer.findings.depth ||
              is_win(answer.findings.best[0].value) || is_loss(answer.findings.best[0].value));
        CHECK(answer.nodes > 0 && answer.seconds > 0 && answer.trace.empty());
    }
}

// Plain: nothing is cut off, whatever the depth from which nodes would be shared.
void test_minimax_enters_every_node() {
    Random random(2);
    for (int i = 0; i < 40; ++i) {
        const Position position = random_position(random);
        const int depth = affordable_depth(position, 7, 3000);
        const bool quiescence = random.below(2);
        Tested engine({}, {.search = {.algorithm = Algorithm::minimax,
                                      .quiescence = quiescence,
                                      .draws = NO_DRAWS},
                           .crew = {.grain = 1 + random.below(8)},
                           .table_megabytes = 1});
        const auto answer = engine.ask(question(position, {.depth = depth}));
        Minimax slow({}, quiescence);
        CHECK_EQUAL(answer.nodes, slow.count_nodes(position, depth)) ||
            check::note(at(position, depth));
        CHECK_EQUAL(answer.findings.best[0].value, slow.value(position, depth)) ||
            check::note(at(position, depth));
    }
}

void test_trace_has_true_bounds_whatever_the_threads() {
    Random random(3);
    for (int i = 0; i < 60; ++i) {
        const Position position = random_position(random);
        const int depth = affordable_depth(position, 5, 1000);
        const Judge judge{100, random.next()};
        Tested engine(judge, {.search = EXACT,
                              .crew = {.threads = 1 + random.below(4), .grain = 1},
                              .table_megabytes = static_cast<std::size_t>(random.below(2))});
        Asked asked = question(position, {.depth = depth});
        asked.wants_trace = true;
        const auto answer = engine.ask(asked);
        Minimax slow(judge);
        CHECK(!answer.trace.empty());
        for (const auto& node : answer.trace) {
            const Value value = at_ply(slow.value(node.position, node.depth), node.ply);
            CHECK(node.bound == Bound::exact   ? value == node.value
                  : node.bound == Bound::lower ? value >= node.value
                                               : value <= node.value) ||
                check::note(at(node.position, node.depth));
        }
    }
}

// ---- limits

void test_node_limit_is_exact() {
    for (std::uint64_t nodes : {1, 2, 100, 1024, 4321}) {
        Tested engine({}, {.table_megabytes = 1});
        const auto answer = engine.ask(question(Position(), {.depth = 40, .nodes = nodes}));
        CHECK_EQUAL(answer.nodes, nodes);
        CHECK(answer.findings.stopped);
    }
}

void test_seconds_end_a_search() {
    for (int threads : {1, 3}) {
        Tested engine({}, {.crew = {.threads = threads}, .table_megabytes = 1});
        Asked asked = endless_question();
        asked.limits.seconds = 0.03;
        const auto answer = engine.ask(asked);
        CHECK(answer.seconds >= 0.03);
        CHECK(answer.seconds < 5);
        CHECK(answer.findings.stopped);
    }
    Tested engine({}, {.table_megabytes = 0});
    for (double seconds : {1e9, 1e300, std::numeric_limits<double>::infinity()}) {
        const auto answer = engine.ask(question(Position(), {.depth = 3, .seconds = seconds}));
        CHECK_EQUAL(answer.findings.depth, 3);
        CHECK(!answer.findings.stopped);
    }
}

void test_stop_from_another_thread_ends_a_search() {
    for (int threads : {1, 2, 4}) {
        Tested engine({}, {.crew = {.threads = threads}, .table_megabytes = 1});
        for (int i = 0; i < 3; ++i) {
            std::atomic<bool> is_searching{false};
            Asked asked = endless_question();
            asked.poll = [&] {
                is_searching = true;
                return false;
            };
            std::jthread stopper([&] {
                while (!is_searching) std::this_thread::yield();
                engine.stop();
            });
            CHECK(engine.ask(asked).findings.stopped);
        }
        // And the next search knows nothing of it.
        const auto answer = engine.ask(question(Position(), {.depth = 4}));
        CHECK(!answer.findings.stopped);
        CHECK_EQUAL(answer.findings.depth, 4);
    }
}

void test_a_flag_that_is_set_before_the_search_ends_it() {
    for (int threads : {1, 3}) {
        Tested engine({}, {.crew = {.threads = threads}, .table_megabytes = 1});
        std::atomic<bool> stop{true};
        Asked asked = endless_question();
        asked.stop = &stop;
        const auto answer = engine.ask(asked);
        CHECK(answer.findings.stopped);
        CHECK_EQUAL(answer.findings.best.size(), 1u);
    }
}

void test_poll_can_end_a_search() {
    for (int threads : {1, 3}) {
        Tested engine({}, {.crew = {.threads = threads}, .table_megabytes = 0});
        Asked asked = endless_question();
        int polls = 0;
        asked.poll = [&polls] { return ++polls == 3; };
        CHECK(engine.ask(asked).findings.stopped);
        CHECK_EQUAL(polls, 3);
    }
}

// ---- from search to search

void test_same_input_same_nodes() {
    Random random(4);
    for (int i = 0; i < 20; ++i) {
        const Position position = random_position(random);
        const Asked asked = question(position, {.depth = 6, .nodes = 20'000});
        std::set<std::uint64_t> counts;
        Tested kept({}, {.table_megabytes = 1});
        for (int run = 0; run < 3; ++run) {
            Tested fresh({}, {.table_megabytes = 1});
            counts.insert(fresh.ask(asked).nodes);
            counts.insert(kept.ask(asked).nodes);
            kept.clear();
        }
        CHECK_EQUAL(counts.size(), 1u) || check::note(format_fen(position));
    }
}

void test_best_moves_do_not_spoil_later_searches() {
    Random random(5);
    for (int i = 0; i < 100; ++i) {
        const Position position = random_position(random);
        const int depth = affordable_depth(position, 5, 1500);
        const Position next =
            position.after(position.move_at(random.below(position.count_moves())));
        if (next.is_over() || depth < 3) continue;
        Settings settings = EXACT;
        settings.deepening = false;
        Tested engine({}, {.search = settings, .table_megabytes = 1});
        engine.ask(question(next, {.depth = depth - 1}, 3));
        const auto answer = engine.ask(question(position, {.depth = depth}));
        CHECK_EQUAL(answer.findings.best[0].value, Minimax({}).value(position, depth)) ||
            check::note(at(position, depth));
    }
}

// White, hunted by three kings, may go back to where the game has been; what that is worth must
// not be found by a search that knows of no game.
void test_the_draws_of_one_game_are_not_those_of_the_next() {
    std::vector<Position> game;
    for (const char* fen : {"B:WK29:BK20,K24,K26", "W:WK29:BK20,K24,K31", "B:WK25:BK20,K24,K31",
                            "W:WK25:BK20,K24,K26"})
        game.push_back(parse_fen(fen));
    for (bool deepening : {false, true})
        for (int depth = 3; depth <= 7; ++depth)
            for (const Position& other : game) {
                const Settings settings{.deepening = deepening, .exact_depth_hits = true};
                Tested engine({}, {.search = settings, .table_megabytes = 1});
                Tested bare({}, {.search = settings, .table_megabytes = 0});
                Asked in_game = question(game[3], {.depth = depth});
                in_game.history = {game[0].key(), game[1].key(), game[2].key()};
                const Asked alone = question(other, {.depth = depth + 1});
                for (const Asked& asked : {in_game, alone})
                    CHECK_EQUAL(engine.ask(asked).findings.best[0].value,
                                bare.ask(asked).findings.best[0].value) ||
                        check::note(at(asked.position, asked.limits.depth));
            }
}

void test_an_engine_judges_without_search() {
    const Judge judge{50, 7};
    Tested engine(judge, {.table_megabytes = 0});
    Random random(6);
    for (int i = 0; i < 50; ++i) {
        const Position position = random_position(random);
        CHECK_EQUAL(engine.evaluate(position), judge.evaluate(position));
    }
    CHECK_EQUAL(engine.units(), 100);
}

// ---- serving

void test_serving_ends_with_stop_and_can_begin_again() {
    Tested engine({}, {.crew = {.threads = 2}, .table_megabytes = 0});
    Border<Position>& border = engine.border();
    for (int round = 0; round < 3; ++round) {
        std::jthread server([&] { engine.serve(); });
        const Position child = parse_fen("W:WK11:BK9,K27");
        while (border.news().idle == 0) std::this_thread::yield();
        border.receive(round, {.child = child, .path = Path({}, child.key()), .ply = 1, .depth = 3},
                       std::nullopt);
        bool is_done = false;
        const auto deadline = Meter::Clock::now() + std::chrono::seconds(2);
        while (!is_done && Meter::Clock::now() < deadline) {
            const auto news = border.news();
            for (const auto& departure : news.departures) {
                is_done = true;
                CHECK_EQUAL(departure.ticket, round);
                CHECK(departure.outcome &&
                      departure.outcome->value == at_ply(-Minimax({}).value(child, 3), 1));
            }
            std::this_thread::yield();
        }
        CHECK(is_done) || check::note("round " + std::to_string(round));
        engine.stop();
    }
}

// A very short search may be over before a helper has begun.
void test_a_stop_before_serving_is_not_lost() {
    Tested engine({}, {.table_megabytes = 0});
    engine.border();
    engine.stop();
    CHECK_EQUAL(engine.serve(), 0u);
}

// ---- wire

bool is_equal(const Path& a, const Path& b) {
    const auto same = [](const Path::Entry& x, const Path::Entry& y) {
        return x.key == y.key && x.start == y.start;
    };
    return a.root() == b.root() && std::equal(a.entries().begin(), a.entries().end(),
                                              b.entries().begin(), b.entries().end(), same);
}

void test_parcels_and_outcomes_come_out_as_they_went_in() {
    Random random(7);
    for (int i = 0; i < 100; ++i) {
        const Position position = random_position(random);
        std::vector<std::uint64_t> history;
        for (int n = random.below(30); n > 0; --n) history.push_back(random.next());
        Path path(history, random.next());
        for (int n = random.below(30); n > 0; --n) path.push(random.next(), random.below(4) == 0);
        const Parcel<Position> parcel{position,          path,
                                      random.below(100), 50 + random.below(50),
                                      random.below(50),  lost_in(random.below(9)),
                                      random.below(1000)};
        const auto got = wire::unpack_parcel<Position>(wire::pack(parcel));
        CHECK(got.child == parcel.child && is_equal(got.path, parcel.path));
        CHECK(got.ply == parcel.ply && got.depth == parcel.depth &&
              got.reduction == parcel.reduction);
        CHECK(got.alpha == parcel.alpha && got.beta == parcel.beta);

        const auto moves = position.legal_moves();
        Outcome<Position> outcome{won_in(random.below(50)), random.below(40) - 1, {}};
        for (int n = random.below(20); n > 0; --n)
            outcome.line.push_back(moves[random.below(moves.size())]);
        const auto back = wire::unpack_outcome<Position>(wire::pack(outcome));
        CHECK(back.value == outcome.value && back.line == outcome.line);
        CHECK_EQUAL(back.rests_on, outcome.rests_on);
    }
}

void test_messages_that_are_cut_off_are_refused() {
    const std::string parcel =
        wire::pack(Parcel<Position>{Position(), Path({}, Position().key()), 1, 2, 0, -3, 4});
    const std::string outcome =
        wire::pack(Outcome<Position>{5, true, {Position().move_at(0), Position().move_at(1)}});
    const auto complaint_of = [](auto unpack) {
        return check::message_of<std::invalid_argument>(unpack);
    };
    for (std::size_t size = 0; size < parcel.size(); ++size)
        CHECK_EQUAL(complaint_of([&] { wire::unpack_parcel<Position>(parcel.substr(0, size)); }),
                    "a message of the search is cut off");
    for (std::size_t size = 0; size < outcome.size(); ++size)
        CHECK_EQUAL(complaint_of([&] { wire::unpack_outcome<Position>(outcome.substr(0, size)); }),
                    "a message of the search is cut off");
}

}  // namespace

int main() {
    test_questions_that_make_no_sense_are_refused();
    test_settings_that_make_no_sense_are_refused();
    test_the_greatest_depth_can_be_asked_for();
    test_one_thread_finds_the_value_of_minimax();
    test_minimax_enters_every_node();
    test_trace_has_true_bounds_whatever_the_threads();
    test_node_limit_is_exact();
    test_seconds_end_a_search();
    test_stop_from_another_thread_ends_a_search();
    test_a_flag_that_is_set_before_the_search_ends_it();
    test_poll_can_end_a_search();
    test_same_input_same_nodes();
    test_best_moves_do_not_spoil_later_searches();
    test_the_draws_of_one_game_are_not_those_of_the_next();
    test_an_engine_judges_without_search();
    test_serving_ends_with_stop_and_can_begin_again();
    test_a_stop_before_serving_is_not_lost();
    test_parcels_and_outcomes_come_out_as_they_went_in();
    test_messages_that_are_cut_off_are_refused();
    return check::report();
}
