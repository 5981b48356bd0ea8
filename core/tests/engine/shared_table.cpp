// Tests the table that engines use in turn: what is kept, what is cleared, who may search.
#include "engine/shared_table.h"

#include <optional>
#include <string>

#include "check.h"
#include "rules/draughts/notation.h"
#include "search/questions.h"

using namespace crossboard;
using namespace crossboard::slow;
using draughts::format_fen;

namespace {

using Asked = Question<Position>;

constexpr Settings EXACT = Settings{.exact_depth_hits = true, .draws = NO_DRAWS}.full_width();
constexpr Judge ONE = {50, 7}, OTHER = {50, 8};

EngineSettings beside(const Tested& engine, int threads = 1) {
    return {.search = EXACT, .crew = {.threads = threads, .grain = 2}, .table = engine.table()};
}

std::uint64_t nodes_of_fresh(const Judge& judge, const Asked& asked) {
    return Tested(judge, {.search = EXACT, .table_megabytes = 1}).ask(asked).nodes;
}

void test_values_of_one_evaluator_are_never_those_of_another() {
    Random random(11);
    for (int threads : {1, 3}) {
        Tested one(
            ONE, {.search = EXACT, .crew = {.threads = threads, .grain = 2}, .table_megabytes = 1});
        Tested other(OTHER, beside(one, threads));
        for (int i = 0; i < 30; ++i) {
            const Position position = random_position(random);
            const int depth = affordable_depth(position, 5, 1000);
            for (int turn = 0; turn < 2; ++turn) {
                CHECK_EQUAL(one.ask(question(position, {.depth = depth})).findings.best[0].value,
                            Minimax(ONE).value(position, depth)) ||
                    check::note(format_fen(position));
                CHECK_EQUAL(other.ask(question(position, {.depth = depth})).findings.best[0].value,
                            Minimax(OTHER).value(position, depth)) ||
                    check::note(format_fen(position));
            }
        }
    }
}

void test_the_table_is_kept_until_another_engine_searches() {
    const Asked asked = question(Position(), {.depth = 7});
    const std::uint64_t fresh = nodes_of_fresh(ONE, asked);
    Tested one(ONE, {.search = EXACT, .table_megabytes = 1});
    Tested other(OTHER, beside(one));
    CHECK_EQUAL(one.ask(asked).nodes, fresh);
    CHECK(one.ask(asked).nodes < fresh);
    CHECK_EQUAL(other.ask(asked).nodes, nodes_of_fresh(OTHER, asked));
    CHECK_EQUAL(one.ask(asked).nodes, fresh);
    // Judging without search changes nothing.
    other.evaluate(Position());
    CHECK(one.ask(asked).nodes < fresh);
}

void test_any_engine_clears_the_table() {
    const Asked asked = question(Position(), {.depth = 7});
    Tested one(ONE, {.search = EXACT, .table_megabytes = 1});
    Tested other(OTHER, beside(one));
    for (Engine<Position>* each :
         {static_cast<Engine<Position>*>(&one), static_cast<Engine<Position>*>(&other)}) {
        one.ask(asked);
        each->clear();
        each->clear();
        CHECK_EQUAL(one.ask(asked).nodes, nodes_of_fresh(ONE, asked));
    }
}

// A game begins for each of a player's engines: clearing 64 MB takes milliseconds.
void test_what_no_search_has_used_is_not_cleared() {
    const TableEntry stored = {.value = 5, .depth = 1, .bound = Bound::exact, .move = 1};
    Tested one(ONE, {.search = EXACT, .table_megabytes = 1});
    Tested other(OTHER, beside(one));
    one.ask(question(Position(), {.depth = 5}));
    one.clear();
    one.table()->table()->store(7, stored);  // it would go if the table were cleared again
    one.clear();
    other.clear();
    CHECK(one.table()->table()->find(7).has_value());
    other.ask(question(Position(), {.depth = 1}));
    other.clear();
    CHECK(!one.table()->table()->find(7).has_value());
}

// The next engine may well be where the last one was.
void test_what_an_engine_found_goes_with_it() {
    const Asked asked = question(Position(), {.depth = 7});
    const Tested owner(ONE, {.search = EXACT, .table_megabytes = 1});
    std::optional<Tested> engine;
    for (int i = 0; i < 3; ++i) {
        const Judge judge = i % 2 ? ONE : OTHER;
        engine.emplace(judge, beside(owner));
        CHECK_EQUAL(engine->ask(asked).nodes, nodes_of_fresh(judge, asked));
    }
}

void test_one_engine_searches_at_a_time() {
    Tested one(ONE, {.search = EXACT, .table_megabytes = 1});
    Tested other(OTHER, beside(one));
    std::string refusal;
    Asked asked = question(Position(), {.depth = 4});
    asked.on_depth = [&](const Answer<Position>&) {
        refusal = check::message_of<std::invalid_argument>(
            [&] { other.ask(question(Position(), {.depth = 1})); });
    };
    CHECK(!one.ask(asked).findings.stopped);
    CHECK_EQUAL(refusal, "the engine is searching already: another search needs another one");
    CHECK_EQUAL(other.ask(question(Position(), {.depth = 3})).findings.depth, 3);
}

void test_plain_minimax_uses_no_table() {
    const Asked asked = question(Position(), {.depth = 4});
    Tested one({}, {.search = EXACT, .table_megabytes = 1});
    one.ask(asked);
    Tested plain(
        {}, {.search = {.algorithm = Algorithm::minimax, .draws = NO_DRAWS}, .table = one.table()});
    CHECK_EQUAL(plain.ask(asked).nodes, Minimax({}).count_nodes(Position(), 4));
}

}  // namespace

int main() {
    test_values_of_one_evaluator_are_never_those_of_another();
    test_the_table_is_kept_until_another_engine_searches();
    test_any_engine_clears_the_table();
    test_what_no_search_has_used_is_not_cleared();
    test_what_an_engine_found_goes_with_it();
    test_one_engine_searches_at_a_time();
    test_plain_minimax_uses_no_table();
    return check::report();
}
