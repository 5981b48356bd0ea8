// Tests one thread's search against plain minimax: values, windows, draws, wins, trace.
#include "search/searcher.h"

#include <array>
#include <set>
#include <string>

#include "check.h"
#include "rules/draughts/notation.h"
#include "search/serial_search.h"

using namespace crossboard;
using namespace crossboard::slow;
using draughts::format_fen;
using draughts::parse_fen;

namespace {

// ---- values

void test_minimax_enters_every_node_and_finds_the_value() {
    Random random(1);
    for (int i = 0; i < 150; ++i) {
        const Position position = random_position(random);
        const int depth = affordable_depth(position, 1 + random.below(7), 2000);
        const Judge judge = random_judge(random);
        const bool quiescence = random.below(2);
        SerialSearch search{.settings = {.algorithm = Algorithm::minimax,
                                         .quiescence = quiescence,
                                         .draws = NO_DRAWS},
                            .judge = judge};
        Minimax slow(judge, quiescence);
        CHECK_EQUAL(search.value(position, depth), slow.value(position, depth)) ||
            check::note(at(position, depth));
        CHECK_EQUAL(search.nodes, slow.count_nodes(position, depth)) ||
            check::note(at(position, depth));
    }
}

void test_every_switch_leaves_the_value_of_minimax() {
    constexpr int POSITIONS = 2100, SAMPLES = 4;
    Random random(2);
    Table table(1);
    std::array<int, 8> of_depth = {};
    for (int i = 0; i < POSITIONS; ++i) {
        const Position position = random_position(random);
        const int depth = affordable_depth(position, 1 + i % 7, 2500);
        const Judge judge = random_judge(random);
        const bool quiescence = random.below(4) > 0;
        const Value value = Minimax(judge, quiescence).value(position, depth);
        ++of_depth[static_cast<std::size_t>(depth)];
        table.clear();  // the next position has another judge
        for (int sample = 0; sample < SAMPLES; ++sample) {
            SerialSearch search{.settings = random_switches(random), .judge = judge};
            search.settings.quiescence = quiescence;
            if (sample % 2) search.table = &table;
            CHECK_EQUAL(search.value(position, depth), value) || check::note(at(position, depth));
        }
    }
    for (std::size_t depth = 1; depth <= 7; ++depth)
        CHECK(of_depth[depth] >= 60) || check::note("depth " + std::to_string(depth));
}

// What one position's search leaves in the table is true for its neighbours too.
void test_a_table_that_is_kept_leaves_the_value_of_minimax() {
    Random random(3);
    for (int i = 0; i < 60; ++i) {
        Table table(1);
        const Judge judge = random_judge(random);
        Minimax slow(judge);
        Position position = random_position(random);
        for (int ply = 0; ply < 8 && !position.is_over(); ++ply) {
            const int depth = affordable_depth(position, 2 + random.below(5), 1500);
            SerialSearch search{
                .settings = random_switches(random), .judge = judge, .table = &table};
            CHECK_EQUAL(search.value(position, depth), slow.value(position, depth)) ||
                check::note(at(position, depth));
            position = position.after(position.move_at(random.below(position.count_moves())));
        }
    }
}

void test_extreme_evaluations_are_not_taken_for_wins() {
    struct Extreme {
        Value evaluate(const Position& position) const {
            return position.key() % 3 == 0   ? MAX_EVALUATION
                   : position.key() % 3 == 1 ? -MAX_EVALUATION
                                             : 0;
        }
        int units() const { return 1; }
    };
    static_assert(Evaluator<Extreme, Position>);
    std::atomic<bool> never{false};
    const Settings settings{.exact_depth_hits = true, .draws = NO_DRAWS};
    const Meter meter(0, Deadline(), never);
    Table table(1);
    Random random(4);
    int extreme = 0;
    for (int i = 0; i < 60; ++i) {
        const Position position = random_position(random);
        const int depth = affordable_depth(position, 5, 1000);
        const Path path({}, position.key());
        Value values[2];
        for (int with_table : {0, 1}) {
            const auto searcher = std::make_unique<Searcher<Position, Extreme>>(
                Extreme(), settings, with_table ? &table : nullptr);
            searcher->prepare(meter, path);
            values[with_table] = searcher->search(position, {}, 0, depth, -INFINITE, INFINITE);
        }
        CHECK_EQUAL(values[0], values[1]) || check::note(at(position, depth));
        extreme += values[0] == MAX_EVALUATION || values[0] == -MAX_EVALUATION;
        table.clear();
    }
    CHECK(extreme > 20);
}

// ---- windows

Value random_bound(Random& random, Value value) {
    switch (random.below(6)) {
        case 0: return value;
        case 1: return value + random.below(7) - 3;
        case 2: return value + random.below(801) - 400;
        case 3: return random.below(2) ? won_in(random.below(12)) : lost_in(random.below(12));
        case 4: return random.below(2001) - 1000;
        default: return random.below(2) ? INFINITE : -INFINITE;
    }
}

// r with v <= r <= alpha if it fails low, beta <= r <= v if it fails high, else v.
bool keeps_contract(Value r, Value v, Value alpha, Value beta) {
    if (r <= alpha) return v <= r;
    if (r >= beta) return r <= v;
    return r == v;
}

void test_windows_bound_the_value() {
    Random random(5);
    Table table(1);
    int low = 0, high = 0, inside = 0;
    for (int i = 0; i < 300; ++i) {
        const Position position = random_position(random);
        const int depth = affordable_depth(position, random.below(7), 800);
        const Judge judge = random_judge(random);
        Settings settings = random_switches(random);
        settings.quiescence = random.below(4) > 0;
        Minimax slow(judge, settings.quiescence);
        table.clear();
        // Bounds of one window are in the table when the next one asks.
        const auto searcher = make_searcher(settings, judge, random.below(3) ? &table : nullptr,
                                            Path({}, position.key()));
        for (int window = 0; window < 25; ++window) {
            const int ply = random.below(4), its_depth = random.below(depth + 1);
            const Value value = at_ply(slow.value(position, its_depth), ply);
            Value alpha = std::clamp(random_bound(random, value), -INFINITE, INFINITE - 1);
            Value beta = random.below(3)
                             ? std::clamp(random_bound(random, value), -INFINITE, INFINITE)
                             : alpha + 1;
            if (alpha > beta) std::swap(alpha, beta);
            if (alpha == beta) ++beta;
            const Value r = searcher->search(position, {}, ply, its_depth, alpha, beta);
            CHECK(keeps_contract(r, value, alpha, beta)) ||
                check::note(at(position, its_depth) + " window " + std::to_string(alpha) + ".." +
                            std::to_string(beta) + " value " + std::to_string(value) +
                            " returned " + std::to_string(r));
            ++(r <= alpha ? low : r >= beta ? high : inside);
        }
    }
    CHECK(low > 1000 && high > 1000 && inside > 500);
}

// ---- wins

// Wins are found at their true distance with the strongest settings too, where a value may come
// from a deeper search than was asked for.
void test_win_distance_is_right() {
    Random random(6);
    Table table(1);
    int decided = 0;
    for (int i = 0; i < 800; ++i) {
        const Position position = random_position(random);
        const int depth = affordable_depth(position, 7, 3000);
        const Value value = Minimax({}).value(position, depth);
        if ((!is_win(value) && !is_loss(value)) || plies_to_end(value) > depth) continue;
        ++decided;
        SerialSearch search{.settings = {}, .judge = {}, .table = &table};
        CHECK_EQUAL(search.value(position, depth), value) || check::note(at(position, depth));
        // A depth beyond the end changes nothing.
        CHECK_EQUAL(search.value(position, depth + 4), value) || check::note(at(position, depth));
    }
    CHECK(decided > 60);
}

void test_a_won_game_comes_nearer_to_its_end_with_every_move() {
    Random random(7);
    int won = 0;
    for (int i = 0; i < 600; ++i) {
        Position position = random_position(random);
        const int depth = affordable_depth(position, 7, 3000);
        const Value value = Minimax({}).value(position, depth);
        if (!is_win(value) || plies_to_end(value) > depth) continue;
        ++won;
        Table table(1);  // kept over the game: wins in it are counted from their positions
        int left = plies_to_end(value);
        for (; left > 0; --left) {
            SerialSearch search{.settings = {.draws = NO_DRAWS}, .judge = {}, .table = &table};
            const auto findings = search.run(position, left + 2);
            CHECK_EQUAL(plies_to_end(findings.best[0].value), left) ||
                check::note(at(position, left + 2));
            position = position.after(findings.best[0].move);
        }
        CHECK(position.is_over()) || check::note(format_fen(position));
    }
    CHECK(won > 30);
}

void test_the_line_of_a_win_leads_to_the_end() {
    Random random(8);
    int won = 0;
    for (int i = 0; i < 600; ++i) {
        Position position = random_position(random);
        const int depth = affordable_depth(position, 7, 3000);
        SerialSearch search{.settings = {}, .judge = {}};
        const auto best = search.run(position, depth).best[0];
        if (!is_win(best.value) && !is_loss(best.value)) continue;
        ++won;
        for (const Move& move : best.line) position = position.after(move);
        CHECK_EQUAL(best.line.size(), static_cast<std::size_t>(plies_to_end(best.value)));
        CHECK(position.is_over()) || check::note(format_fen(position));
    }
    CHECK(won > 30);
}

void test_wins_stand_in_the_table_as_seen_from_their_positions() {
    Random random(9);
    int wins = 0;
    for (int i = 0; i < 100; ++i) {
        const Position position = random_position(random);
        const int depth = affordable_depth(position, 7, 1500);
        Table table(1);
        Trace<Position> trace;
        SerialSearch search{
            .settings = random_switches(random), .judge = {}, .table = &table, .trace = &trace};
        search.run(position, depth);
        Minimax slow({});
        for (const auto& node : trace) {
            const auto entry = table.find(node.position.key());
            if (!entry || entry->bound == Bound::none) continue;
            const Value value = slow.value(node.position, entry->depth);
            CHECK(is_true(entry->bound, entry->value, value)) ||
                check::note(at(node.position, entry->depth));
            wins += is_win(entry->value) || is_loss(entry->value);
        }
    }
    CHECK(wins > 100);
}

// ---- draws

// A game of random moves in which pieces like to go back to where they came from.
struct Game {
    std::vector<Position> positions;

    Game(Random& random, int plies) : positions{random_position(random)} {
        Move before[2] = {};  // of either side
        for (int ply = 0; ply < plies; ++ply) {
            const Position& now = positions.back();
            Move move = now.move_at(random.below(now.count_moves()));
            for (const Move& each : now.legal_moves())
                if (ply >= 2 && !each.is_capture() && each.from == before[ply % 2].to &&
                    each.to == before[ply % 2].from && random.below(4) > 0)
                    move = each;
            const Position next = now.after(move);
            if (next.is_over()) return;
            before[ply % 2] = move;
            positions.push_back(next);
        }
    }

    const Position& now() const { return positions.back(); }

    // The keys before the present position that it can still repeat.
    std::vector<std::uint64_t> history() const {
        std::vector<std::uint64_t> keys;
        for (std::size_t i = 0; i + 1 < positions.size(); ++i) {
            for (const Move& move : positions[i].legal_moves())
                if (positions[i].after(move) == positions[i + 1]) {
                    keys.push_back(positions[i].key());
                    if (positions[i].is_irreversible(move)) keys.clear();
                    break;
                }
        }
        return keys;
    }

    Value value(int depth, const Judge& judge, const DrawRules& rules) const {
        std::vector<Position> line = positions;
        return value_of_line(line, line.size() - 1, depth, judge, rules);
    }
};

// Black, two kings down, can go back to where the game has been.
void test_repeating_a_position_of_the_game_is_a_draw() {
    const Position first = parse_fen("W:WK1,K2,K29:BK4");
    std::vector<Position> game = {first};
    for (const char* move : {"29-25", "4-8", "25-29"})
        game.push_back(game.back().after(draughts::parse_move(game.back(), move)));
    SerialSearch search{.settings = {}, .judge = {}};
    CHECK_EQUAL(search.value(game.back(), 1), -300);
    for (int i = 0; i < 3; ++i) search.history.push_back(game[static_cast<std::size_t>(i)].key());
    const auto best = search.run(game.back(), 1).best[0];
    CHECK_EQUAL(best.value, 0);
    CHECK_EQUAL(draughts::format_move(best.move), "8-4");
    search.settings.draws.repetitions = 0;
    CHECK_EQUAL(search.value(game.back(), 1), -300);
}

void test_draws_equal_plain_minimax() {
    Random random(10);
    int different = 0;
    for (int i = 0; i < 500; ++i) {
        const Game game(random, random.below(20));
        const int depth = affordable_depth(game.now(), 1 + random.below(6), 800);
        const Judge judge = random_judge(random);
        const DrawRules rules = {.repetitions = random.below(3) > 0 ? 3 : 0,
                                 .quiet_plies = random.below(2) ? 1 + random.below(20) : 0};
        const Value value = game.value(depth, judge, rules);
        SerialSearch search{.settings = random_switches(random), .judge = judge};
        search.settings.draws = rules;
        search.history = game.history();
        CHECK_EQUAL(search.value(game.now(), depth), value) ||
            check::note(at(game.now(), depth) + " item " + std::to_string(i));
        different += value != Minimax(judge).value(game.now(), depth);
    }
    CHECK(different > 50);  // or the draws have made no difference
}

void test_with_history_the_table_changes_nothing() {
    Random random(11);
    int different = 0;
    for (int i = 0; i < 400; ++i) {
        const Game game(random, 4 + random.below(16));
        const int depth = affordable_depth(game.now(), 2 + random.below(5), 1500);
        const Judge judge = random_judge(random);
        const DrawRules rules = {.repetitions = 3, .quiet_plies = 0};
        Table table(1);
        SerialSearch search{.settings = random_switches(random), .judge = judge};
        search.settings.draws = rules;
        search.history = game.history();
        const Value without = search.value(game.now(), depth);
        search.table = &table;
        CHECK_EQUAL(search.value(game.now(), depth), without) || check::note(at(game.now(), depth));
        different += without != Minimax(judge).value(game.now(), depth);
    }
    CHECK(different > 20);
}

// This draw depends on the way to a position: its value must not be found by those who came another
// way.
void test_near_the_draw_by_quiet_plies_the_table_changes_nothing() {
    Random random(12);
    int different = 0;
    for (int i = 0; i < 400; ++i) {
        const Game game(random, random.below(12));
        const int depth = affordable_depth(game.now(), 2 + random.below(5), 1500);
        const Judge judge = random_judge(random);
        const auto history = game.history();
        const DrawRules rules = {
            .repetitions = 0,
            .quiet_plies = static_cast<int>(history.size()) + 1 + random.below(depth)};
        Table table(1);
        SerialSearch search{.settings = random_switches(random), .judge = judge};
        search.settings.draws = rules;
        search.history = history;
        const Value without = search.value(game.now(), depth);
        search.table = &table;
        CHECK_EQUAL(search.value(game.now(), depth), without) ||
            check::note(at(game.now(), depth) + " quiet plies " +
                        std::to_string(rules.quiet_plies) + " after " +
                        std::to_string(history.size()));
        different += without != Minimax(judge).value(game.now(), depth);
    }
    CHECK(different > 50);
}

// Men may move before or after the kings here, so that one position is found near the draw and far
// from it.
void test_a_value_from_far_off_is_not_taken_near_the_draw_by_quiet_plies() {
    const Position position = parse_fen("W:WK7:BK1,23");
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        Table table(1);
        SerialSearch search{
            .settings = {.exact_depth_hits = true, .draws = {.repetitions = 0, .quiet_plies = 4}},
            .judge = {300, seed}};
        const Value without = search.value(position, 6);
        search.table = &table;
        CHECK_EQUAL(search.value(position, 6), without) ||
            check::note("seed " + std::to_string(seed));
    }
}

// ---- trace and sameness

void test_traced_bounds_are_true() {
    Random random(13);
    Table table(1);
    int of_bound[4] = {}, inside = 0;
    for (int i = 0; i < 250; ++i) {
        const Position position = random_position(random);
        const int depth = affordable_depth(position, 1 + random.below(6), 1200);
        const Judge judge = random_judge(random);
        Settings settings = random_switches(random);
        settings.quiescence = random.below(4) > 0;
        if (random.below(8) == 0) settings.algorithm = Algorithm::minimax;
        Trace<Position> trace;
        table.clear();
        SerialSearch search{.settings = settings,
                            .judge = judge,
                            .table = random.below(2) ? &table : nullptr,
                            .trace = &trace};
        const auto findings = search.run(position, depth);
        Minimax slow(judge, settings.quiescence);
        for (const auto& node : trace) {
            const Value value = at_ply(slow.value(node.position, node.depth), node.ply);
            CHECK(is_true(node.bound, node.value, value)) ||
                check::note(at(node.position, node.depth) + " ply " + std::to_string(node.ply));
            CHECK(1 <= node.depth && 0 <= node.ply && node.depth + node.ply <= depth);
            // The edge is the weaker bound: no farther than what was found, and as true.
            const bool has_edge = node.edge != TracedNode<Position>::NONE;
            CHECK_EQUAL(has_edge, node.bound != Bound::exact);
            if (has_edge) {
                CHECK(is_true(node.bound, node.edge, value));
                CHECK(node.bound == Bound::lower ? node.edge <= node.value
                                                 : node.value <= node.edge);
                inside += node.edge != node.value;
            }
            ++of_bound[static_cast<int>(node.bound)];
        }
        // The root is left last.
        CHECK(trace.back().position == position && trace.back().ply == 0);
        CHECK_EQUAL(trace.back().value, findings.best[0].value);
        CHECK(trace.back().bound == Bound::exact);
    }
    CHECK_EQUAL(of_bound[static_cast<int>(Bound::none)], 0);
    for (Bound bound : {Bound::lower, Bound::upper, Bound::exact})
        CHECK(of_bound[static_cast<int>(bound)] > 300);
    CHECK(inside > 300);
}

void test_a_trace_changes_nothing() {
    Random random(14);
    for (int i = 0; i < 30; ++i) {
        const Position position = random_position(random);
        Trace<Position> trace;
        SerialSearch search{.settings = random_switches(random), .judge = {}};
        const Value value = search.value(position, 4);
        const std::uint64_t nodes = search.nodes;
        search.trace = &trace;
        CHECK_EQUAL(search.value(position, 4), value);
        CHECK_EQUAL(search.nodes, nodes);
    }
}

void test_same_input_same_nodes() {
    Random random(15);
    for (int i = 0; i < 60; ++i) {
        const Position position = random_position(random);
        const Settings settings = random_switches(random);
        const bool has_table = random.below(2);
        std::set<std::uint64_t> counts;
        for (int run = 0; run < 3; ++run) {
            Table table(1);
            SerialSearch search{
                .settings = settings, .judge = {}, .table = has_table ? &table : nullptr};
            search.run(position, 5);
            counts.insert(search.nodes);
        }
        CHECK_EQUAL(counts.size(), 1u) || check::note(format_fen(position));
    }
}

}  // namespace

int main() {
    test_minimax_enters_every_node_and_finds_the_value();
    test_every_switch_leaves_the_value_of_minimax();
    test_a_table_that_is_kept_leaves_the_value_of_minimax();
    test_extreme_evaluations_are_not_taken_for_wins();
    test_windows_bound_the_value();
    test_win_distance_is_right();
    test_a_won_game_comes_nearer_to_its_end_with_every_move();
    test_the_line_of_a_win_leads_to_the_end();
    test_wins_stand_in_the_table_as_seen_from_their_positions();
    test_repeating_a_position_of_the_game_is_a_draw();
    test_draws_equal_plain_minimax();
    test_with_history_the_table_changes_nothing();
    test_near_the_draw_by_quiet_plies_the_table_changes_nothing();
    test_a_value_from_far_off_is_not_taken_near_the_draw_by_quiet_plies();
    test_traced_bounds_are_true();
    test_a_trace_changes_nothing();
    test_same_input_same_nodes();
    return check::report();
}
