// Tests the root of a search: the n best moves, lines of play, and what is left when a limit comes.
#include "search/deepening.h"

#include <algorithm>
#include <string>

#include "check.h"
#include "rules/draughts/notation.h"
#include "search/serial_search.h"

using namespace crossboard;
using namespace crossboard::slow;
using draughts::format_fen;
using draughts::parse_fen;

namespace {

// The value of one root move, for the side that makes it.
Value value_of(Minimax& slow, const Position& position, const Move& move, int depth) {
    return at_ply(-slow.value(position.after(move), depth - 1), 1);
}

void test_best_moves_are_ranked_with_their_own_values() {
    Random random(1);
    for (int i = 0; i < 120; ++i) {
        const Position position = random_position(random);
        const int depth = affordable_depth(position, 1 + random.below(5), 1000);
        const Judge judge = random_judge(random);
        Table table(1);
        SerialSearch search{.settings = random_switches(random),
                            .judge = judge,
                            .table = random.below(2) ? &table : nullptr,
                            .best_moves = 1 + random.below(5)};
        const auto best = search.run(position, depth).best;
        Minimax slow(judge);
        const auto moves = position.unique_moves();
        CHECK_EQUAL(best.size(),
                    static_cast<std::size_t>(std::min(moves.size(), search.best_moves)));
        std::vector<Value> values;
        for (const Move& move : moves) values.push_back(value_of(slow, position, move, depth));
        std::sort(values.rbegin(), values.rend());
        for (std::size_t place = 0; place < best.size(); ++place) {
            CHECK_EQUAL(best[place].value, values[place]) || check::note(at(position, depth));
            CHECK_EQUAL(best[place].value, value_of(slow, position, best[place].move, depth)) ||
                check::note(at(position, depth));
            CHECK(best[place].line.front() == best[place].move);
            for (std::size_t other = 0; other < place; ++other)
                CHECK(!(best[other].move == best[place].move)) || check::note(at(position, depth));
        }
    }
}

// The second-best move's value is not the position's.
void test_best_moves_leave_nothing_false_in_table_and_trace() {
    Random random(2);
    for (int i = 0; i < 60; ++i) {
        const Position position = random_position(random);
        const int depth = affordable_depth(position, 2 + random.below(4), 1000);
        const Judge judge = random_judge(random);
        Table table(1);
        Trace<Position> trace;
        SerialSearch search{.settings = random_switches(random),
                            .judge = judge,
                            .table = &table,
                            .best_moves = 3,
                            .trace = &trace};
        search.run(position, depth);
        Minimax slow(judge);
        const auto entry = table.find(position.key());
        CHECK(!entry || entry->bound == Bound::none ||
              is_true(entry->bound, entry->value, slow.value(position, entry->depth))) ||
            check::note(at(position, depth));
        for (const auto& node : trace)
            CHECK(is_true(node.bound, node.value,
                          at_ply(slow.value(node.position, node.depth), node.ply))) ||
                check::note(at(node.position, node.depth) + " ply " + std::to_string(node.ply));
    }
}

void test_a_line_can_be_played_and_ends_at_the_value() {
    Random random(3);
    for (int i = 0; i < 150; ++i) {
        const Position position = random_position(random);
        const int depth = affordable_depth(position, 1 + random.below(6), 1500);
        const Judge judge = random_judge(random);
        SerialSearch search{.settings = random_switches(random), .judge = judge, .best_moves = 2};
        const auto best = search.run(position, depth).best;
        for (const auto& ranked : best) {
            CHECK(ranked.line.front() == ranked.move);
            Position end = position;
            bool is_playable = true;
            for (const Move& move : ranked.line)
                if ((is_playable = is_playable && is_legal(end, move))) end = end.after(move);
            CHECK(is_playable) || check::note(at(position, depth));
            // Without a table nothing shortens a line: it reaches the leaf that gave the value.
            const int plies = static_cast<int>(ranked.line.size());
            const Value leaf = end.is_over() ? lost_in(plies) : judge.evaluate(end);
            CHECK(end.is_over() || plies >= depth) || check::note(at(position, depth));
            CHECK_EQUAL(plies % 2 ? -leaf : leaf, ranked.value) || check::note(at(position, depth));
        }
    }
}

void test_with_a_table_a_line_can_still_be_played() {
    Random random(4);
    Table table(1);
    for (int i = 0; i < 100; ++i) {
        const Position position = random_position(random);
        SerialSearch search{.settings = {}, .judge = {}, .table = &table};
        const auto best = search.run(position, 5).best[0];
        Position end = position;
        for (const Move& move : best.line) {
            CHECK(is_legal(end, move)) || check::note(format_fen(position));
            end = end.after(move);
        }
    }
}

void test_a_node_limit_is_kept_and_the_last_finished_depth_is_told() {
    Random random(5);
    int stopped = 0;
    for (int i = 0; i < 200; ++i) {
        const Position position = random_position(random);
        const int depth = affordable_depth(position, 6, 1000);
        const Judge judge = random_judge(random);
        const auto limit = static_cast<std::uint64_t>(1 + random.below(400));
        SerialSearch search{
            .settings = random_switches(random), .judge = judge, .node_limit = limit};
        search.settings.deepening = true;
        const auto findings = search.run(position, depth);
        CHECK(search.nodes <= limit);
        CHECK(is_legal(position, findings.best[0].move));
        if (findings.stopped) CHECK_EQUAL(search.nodes, limit) || check::note(at(position, depth));
        if (findings.depth > 0)
            CHECK_EQUAL(findings.best[0].value, Minimax(judge).value(position, findings.depth)) ||
                check::note(at(position, findings.depth));
        stopped += findings.stopped;
    }
    CHECK(50 < stopped && stopped < 190);
}

void test_without_time_for_anything_there_is_still_a_move() {
    SerialSearch search{.settings = {}, .judge = {}, .best_moves = 3, .node_limit = 1};
    const auto findings = search.run(Position(), 10);
    CHECK(findings.stopped);
    CHECK_EQUAL(findings.depth, 0);
    CHECK_EQUAL(findings.best.size(), 3u);
    for (const auto& ranked : findings.best) {
        CHECK(is_legal(Position(), ranked.move));
        CHECK_EQUAL(ranked.line.size(), 1u);
    }
    CHECK(!(findings.best[0].move == findings.best[1].move));
}

void test_deepening_ends_where_the_game_is_decided() {
    SerialSearch search{.settings = {}, .judge = {}};
    const auto won = search.run(parse_fen("W:W18:B14"), 100);
    CHECK_EQUAL(won.best[0].value, won_in(1));
    CHECK_EQUAL(won.depth, 1);
    CHECK(!won.stopped);
    const auto lost = search.run(parse_fen("B:W14:B5"), 100);
    CHECK_EQUAL(lost.best[0].value, lost_in(2));
    CHECK(lost.depth <= 2);
    CHECK(!lost.stopped);
}

void test_the_faster_of_two_wins_is_chosen() {
    Random random(6);
    int choices = 0;
    for (int i = 0; i < 2500; ++i) {
        const Position position = random_position(random);
        const int depth = affordable_depth(position, 7, 2000);
        Minimax slow({});
        std::vector<Value> wins;
        for (const Move& move : position.unique_moves()) {
            const Value value = value_of(slow, position, move, depth);
            if (is_win(value) && plies_to_end(value) <= depth) wins.push_back(value);
        }
        std::sort(wins.rbegin(), wins.rend());
        if (wins.size() < 2 || wins.front() == wins.back()) continue;
        ++choices;
        Table table(1);
        SerialSearch search{.settings = {}, .judge = {}, .table = &table};
        const auto best = search.run(position, depth).best[0];
        CHECK_EQUAL(best.value, wins.front()) || check::note(at(position, depth));
        CHECK_EQUAL(value_of(slow, position, best.move, depth), wins.front()) ||
            check::note(at(position, depth));
    }
    CHECK(choices > 10);
}

void test_the_depth_asked_for_is_reached() {
    for (bool deepening : {true, false})
        for (int depth = 1; depth <= 6; ++depth) {
            SerialSearch search{.settings = {.deepening = deepening}, .judge = {}};
            const auto findings = search.run(Position(), depth);
            CHECK_EQUAL(findings.depth, depth);
            CHECK(!findings.stopped);
            CHECK(static_cast<int>(findings.best[0].line.size()) >= depth);
        }
}

}  // namespace

int main() {
    test_best_moves_are_ranked_with_their_own_values();
    test_best_moves_leave_nothing_false_in_table_and_trace();
    test_a_line_can_be_played_and_ends_at_the_value();
    test_with_a_table_a_line_can_still_be_played();
    test_a_node_limit_is_kept_and_the_last_finished_depth_is_told();
    test_without_time_for_anything_there_is_still_a_move();
    test_deepening_ends_where_the_game_is_decided();
    test_the_faster_of_two_wins_is_chosen();
    test_the_depth_asked_for_is_reached();
    return check::report();
}
