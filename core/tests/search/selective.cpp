// Tests the selective switches: what is announced as won is won, and nothing else is certain.
#include "search/selective.h"

#include <string>
#include <vector>

#include "check.h"
#include "rules/draughts/notation.h"
#include "search/questions.h"
#include "search/serial_search.h"

using namespace crossboard;
using namespace crossboard::slow;
using draughts::format_fen;
using draughts::parse_fen;

namespace {

constexpr int CUTS = 5;

// Every switch on alone, then all of them.
std::vector<std::pair<std::string, SelectiveSettings>> all_ways() {
    std::vector<std::pair<std::string, SelectiveSettings>> ways;
    SelectiveSettings::each(SelectiveSettings{}, [&](const std::string& name, auto&&...) {
        SelectiveSettings one;
        SelectiveSettings::each(one, [&](const std::string& each, auto& value, auto&&...) {
            if (each == name) value = static_cast<std::decay_t<decltype(value)>>(CUTS);
        });
        ways.emplace_back(name, one);
    });
    SelectiveSettings all;
    SelectiveSettings::each(all, [](const char*, auto& value, auto&&...) {
        value = static_cast<std::decay_t<decltype(value)>>(CUTS);
    });
    ways.emplace_back("all", all);
    return ways;
}

void test_switches_are_off_unless_asked_for() {
    CHECK(!Settings{}.selective.any());
    for (const auto& [name, way] : all_ways()) CHECK(way.any()) || check::note(name);
}

// ---- wins

void test_every_win_and_loss_that_is_announced_is_confirmed_by_the_plain_search() {
    constexpr int DECIDED = 500, FARTHEST = 15;
    Random random(1);
    Table table(4), plain_table(4);
    const auto ways = all_ways();
    int decided = 0, wins = 0;
    for (int i = 0; decided < DECIDED; ++i) {
        const Position position = random_position(random);
        const auto& [name, way] = ways[static_cast<std::size_t>(i) % ways.size()];
        const Judge judge = random_judge(random);
        table.clear();
        plain_table.clear();
        SerialSearch search{.settings = {.selective = way}, .judge = judge, .table = &table};
        search.node_limit = 20'000;
        search.settings.draws.quiet_plies = 0;
        const Value value = search.run(position, 14).best[0].value;
        if (!is_win(value) && !is_loss(value)) continue;
        const int plies = plies_to_end(value);
        if (plies < 3 || plies > FARTHEST) continue;
        ++decided;
        wins += is_win(value);
        SerialSearch plain{.settings = {}, .judge = judge, .table = &plain_table};
        const Value found = plain.value(position, plies);
        CHECK(is_win(value) ? found >= value : found <= value) ||
            check::note(name + " " + at(position, plies) + " announced " + std::to_string(value) +
                        " found " + std::to_string(found));
    }
    CHECK(wins > 100 && decided - wins > 100);
}

// ---- sameness

void test_same_input_same_answer() {
    Random random(2);
    for (const auto& [name, way] : all_ways())
        for (int i = 0; i < 10; ++i) {
            const Position position = random_position(random);
            std::uint64_t nodes[2];
            Value values[2];
            Move moves[2];
            for (int run : {0, 1}) {
                Table table(1);
                SerialSearch search{
                    .settings = {.selective = way}, .judge = {40, 7}, .table = &table};
                search.node_limit = 5000;
                const auto best = search.run(position, 12).best[0];
                nodes[run] = search.nodes;
                values[run] = best.value;
                moves[run] = best.move;
            }
            CHECK_EQUAL(nodes[0], nodes[1]) || check::note(name + " " + format_fen(position));
            CHECK_EQUAL(values[0], values[1]) || check::note(name + " " + format_fen(position));
            CHECK(moves[0] == moves[1]) || check::note(name + " " + format_fen(position));
        }
}

// An engine that has been cleared knows nothing of what it searched before.
void test_clearing_forgets_the_history() {
    Random random(3);
    EngineSettings settings{.table_megabytes = 1};
    settings.search.selective.kept_history = true;
    Tested engine({}, settings);
    int different = 0;
    for (int i = 0; i < 20; ++i) {
        const Position one = random_position(random), other = random_position(random);
        engine.clear();
        const auto first = engine.ask(question(one, {.depth = 7})).nodes;
        engine.ask(question(other, {.depth = 7}));
        engine.clear();
        CHECK_EQUAL(engine.ask(question(one, {.depth = 7})).nodes, first) ||
            check::note(format_fen(one));
        Tested fresh({}, settings);
        fresh.ask(question(other, {.depth = 7}));
        different += fresh.ask(question(one, {.depth = 7})).nodes != first;
    }
    CHECK(different > 0);
}

// ---- repetition inside the tree

// Minimax where a position is a draw that has stood before on the line from `root`.
Value value_with_repetitions(std::vector<Position>& line, int depth, const Judge& judge) {
    const Position now = line.back();
    for (std::size_t i = 0; i + 1 < line.size(); ++i)
        if (line[i] == now) return 0;
    const auto legal = now.legal_moves();
    if (legal.empty()) return -WIN;
    if (depth <= 0 && !now.has_capture()) return judge.evaluate(now);
    Value best = -INFINITE;
    for (const Move& move : legal) {
        line.push_back(now.after(move));
        best = std::max(best, at_ply(-value_with_repetitions(line, depth - 1, judge), 1));
        line.pop_back();
    }
    return best;
}

// Kings that can go to and fro.
Position random_ending(Random& random) {
    for (;;) {
        Bits pieces[2] = {};
        for (Bits& side : pieces)
            side = bit(draughts::index_of(1 + random.below(draughts::SQUARES))) & ~pieces[0];
        const Position position(pieces[0], pieces[1], pieces[0] | pieces[1],
                                random.below(2) ? Colour::white : Colour::black);
        if (pieces[1] && !position.is_over() && !position.has_capture()) return position;
    }
}

SelectiveSettings repetitions() {
    SelectiveSettings way;
    way.tree_repetitions = true;
    return way;
}

void test_a_position_that_stands_again_in_the_tree_is_a_draw() {
    Random random(4);
    int different = 0;
    for (int i = 0; i < 100; ++i) {
        const Position position = random_ending(random);
        const int depth = affordable_depth(position, 8, 30'000);
        const Judge judge{300, random.next()};
        std::vector<Position> line{position};
        const Value value = value_with_repetitions(line, depth, judge);
        SerialSearch search{.settings = {.draws = {3, 0}}, .judge = judge};
        search.settings.selective = repetitions();
        CHECK_EQUAL(search.value(position, depth), value) || check::note(at(position, depth));
        different += value != Minimax(judge).value(position, depth);
    }
    CHECK(different > 8) || check::note(std::to_string(different));
}

// Whatever stands in the table with a bound is true of its position for everyone who comes there.
// Its values answer nothing here: else one that is true of its position alone could hide what
// repeats on the way to it.
void test_no_value_that_rests_on_the_tree_is_stored_as_general() {
    Random random(5);
    int checked = 0, plain = 0;
    for (int i = 0; i < 20; ++i) {
        const Position position = random_ending(random);
        const int depth = affordable_depth(position, 9, 60'000);
        const Judge judge{300, random.next()};
        Table table(1);
        Trace<Position> trace;
        SerialSearch search{.settings = {.order_only = true, .draws = {3, 0}},
                            .judge = judge,
                            .table = &table,
                            .trace = &trace};
        search.settings.selective = repetitions();
        search.run(position, depth);
        // Without an irreversible move the root can come back, which the table's keys know.
        const std::uint64_t salt = Path({}, position.key()).table_salt();
        for (const auto& node : trace) {
            const auto entry = table.find(node.position.key() ^ salt);
            if (!entry || entry->bound == Bound::none || entry->depth > 7) continue;
            std::vector<Position> line{position};
            if (node.ply > 0) line.push_back(node.position);
            const Value value = value_with_repetitions(line, entry->depth, judge);
            CHECK(is_true(entry->bound, entry->value, value)) ||
                check::note(at(node.position, entry->depth));
            ++checked;
            plain += is_true(entry->bound, entry->value,
                             Minimax(judge).value(node.position, entry->depth));
        }
    }
    CHECK(checked > 500 && plain < checked) ||
        check::note(std::to_string(checked) + " " + std::to_string(plain));
}

}  // namespace

int main() {
    test_switches_are_off_unless_asked_for();
    test_every_win_and_loss_that_is_announced_is_confirmed_by_the_plain_search();
    test_same_input_same_answer();
    test_clearing_forgets_the_history();
    test_a_position_that_stands_again_in_the_tree_is_a_draw();
    test_no_value_that_rests_on_the_tree_is_stored_as_general();
    return check::report();
}
