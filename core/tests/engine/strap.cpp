// Tests what a tree teaches: a tree made by hand, the rates, the clamp, and a real search.
#include "engine/strap.h"

#include <cmath>
#include <map>

#include "check.h"
#include "engine/draughts_engines.h"
#include "eval/network.h"
#include "rules/draughts/notation.h"
#include "rules/draughts/random_positions.h"

using namespace crossboard;
using namespace crossboard::draughts;

namespace {

// Knows a few positions by heart: a weight for each, which is what it says of it.
class Table final {
  public:
    Value evaluate(const Position& position) const {
        return static_cast<Value>(std::lround(judge(position) * UNITS));
    }
    int units() const { return UNITS; }
    std::size_t weight_count() const { return judged_.size(); }
    double judge(const Position& position) const { return judged_.at(position.key()).second; }
    double worth(Value value) const {
        return is_win(value) ? 1 : is_loss(value) ? -1 : value / double{UNITS};
    }
    double slope(double judged) const { return 1 - judged * judged; }
    void add_gradient(const Position& position, double amount, std::span<double> sums) const {
        sums[judged_.at(position.key()).first] += amount;
    }
    void learn_by_heart(const Position& position, double judged) {
        judged_.emplace(position.key(), std::pair(judged_.size(), judged));
    }

  private:
    static constexpr int UNITS = 1000;
    std::map<std::uint64_t, std::pair<std::size_t, double>> judged_;
};

static_assert(Learnable<Table, Position>);
static_assert(Learnable<Network, Position>);

struct Taught {
    Value value;
    Bound bound;
    int ply;
    double judged;
    double error;  // what the table of the spec, 8.1, says
};

// A root, two of its children and three grandchildren: the inner nodes of a tree of three plies.
constexpr Taught TREE[] = {
    {500, Bound::exact, 0, 0.2, 0.3},         // exact: the difference
    {-500, Bound::exact, 1, -0.1, -0.4},      //
    {-300, Bound::lower, 1, -0.4, 0.1},       // below its lower bound: up to it
    {-300, Bound::lower, 2, -0.2, 0},         // above it: nothing
    {250, Bound::upper, 2, 0.75, -0.5},       // above its upper bound: down to it
    {250, Bound::upper, 2, 0.1, 0},           // below it: nothing
    {won_in(3), Bound::exact, 2, 0.5, 0.5},   // a win is 1,
    {lost_in(2), Bound::upper, 2, 0.5, -1.5}  // a loss -1
};

std::vector<double> lesson(const StrapSettings& settings) {
    Table table;
    Trace<Position> trace;
    Position position;
    for (const Taught& node : TREE) {
        table.learn_by_heart(position, node.judged);
        trace.push_back({position, node.value, node.bound, 3 - node.ply, node.ply});
        position = position.after(position.move_at(0));
    }
    std::vector<double> sums(table.weight_count());
    add_lesson(trace, table, settings, sums);
    return sums;
}

void test_a_tree_made_by_hand_teaches_what_the_table_says() {
    const auto sums = lesson({.rate = 0.5, .decay = 1});
    for (std::size_t i = 0; i < sums.size(); ++i)
        CHECK(std::abs(sums[i] - 0.5 * TREE[i].error) < 1e-12) || check::note(std::to_string(i));
}

// The edge is nearer than what was found; exact nodes have none.
void test_bounds_may_be_the_edges_of_the_window() {
    Table table;
    Trace<Position> trace;
    Position position;
    const auto add = [&](Value value, Bound bound, Value edge, double judged) {
        table.learn_by_heart(position, judged);
        trace.push_back({position, value, bound, 1, 0, edge});
        position = position.after(position.move_at(0));
    };
    add(500, Bound::lower, 300, 0.2);
    add(500, Bound::lower, 300, 0.4);  // between the two
    add(-500, Bound::upper, -300, -0.2);
    add(500, Bound::exact, TracedNode<Position>::NONE, 0.2);
    const auto taught = [&](bool at_edges) {
        std::vector<double> sums(table.weight_count());
        add_lesson(trace, table, {.rate = 1, .at_edges = at_edges}, sums);
        return sums;
    };
    const double found[] = {0.3, 0.1, -0.3, 0.3}, at_edges[] = {0.1, 0, -0.1, 0.3};
    for (std::size_t i = 0; i < 4; ++i) {
        CHECK(std::abs(taught(false)[i] - found[i]) < 1e-12);
        CHECK(std::abs(taught(true)[i] - at_edges[i]) < 1e-12);
    }
}

void test_rates_fade_with_the_ply() {
    const auto sums = lesson({.rate = 0.9, .decay = 1.0 / 3});
    const double rates[] = {0.9, 0.3, 0.1};
    for (std::size_t i = 0; i < sums.size(); ++i)
        CHECK(std::abs(sums[i] - rates[TREE[i].ply] * TREE[i].error) < 1e-12) ||
            check::note(std::to_string(i));
}

void test_rootstrap_learns_from_the_root_alone() {
    const auto sums = lesson({.whole_tree = false, .rate = 1});
    CHECK(std::abs(sums[0] - 0.3) < 1e-12);
    for (std::size_t i = 1; i < sums.size(); ++i) CHECK_EQUAL(sums[i], 0.0);
}

void test_the_slope_is_a_factor() {
    const auto plain = lesson({.rate = 1, .decay = 1});
    const auto sloped = lesson({.rate = 1, .decay = 1, .with_slope = true});
    for (std::size_t i = 0; i < plain.size(); ++i)
        CHECK(std::abs(sloped[i] - plain[i] * (1 - TREE[i].judged * TREE[i].judged)) < 1e-12);
}

void test_no_weight_changes_by_more_than_the_clamp() {
    std::vector<double> changes = {0.5, -0.5, 0.0005, 0};
    clamp_changes(changes, 0.001);
    CHECK(changes == (std::vector<double>{0.001, -0.001, 0.0005, 0}));
}

// ---- a real search

Network pieces_network(Random& random) {
    const Mapping mapping = Mapping::pieces();
    std::vector<double> weights(mapping.size() + 1);
    for (double& weight : weights) weight = (random.below(2001) - 1000) / 2000.0;
    return Network(mapping, EvalNet(mapping.size(), 0, {}, {0.1}, weights));
}

// Minimax once more, which adds what each inner node teaches on its way.
Value slow_lesson(const Network& network, const Position& position, int depth, int ply,
                  bool is_quiet, std::vector<double>& sums) {
    if (position.is_over()) return lost_in(ply);
    if (depth == 0) return network.evaluate(position);
    Value best = -INFINITE;
    for (const Move& move : position.unique_moves())
        best = std::max(
            best, -slow_lesson(network, position.after(move), depth - 1, ply + 1, is_quiet, sums));
    if (is_quiet && position.has_capture()) return best;
    const double error = network.worth(best) - network.judge(position);
    network.add_gradient(position, 0.5 * std::pow(0.25, ply) * error, sums);
    return best;
}

void test_a_search_by_minimax_teaches_every_inner_node_or_every_quiet_one() {
    Random random(1);
    for (int i = 0; i < 20; ++i) {
        const Position position = random_setup(random);
        if (position.count_moves() < 2) continue;
        const Network network = pieces_network(random);
        const bool is_quiet = random.below(2);
        StudentSettings settings;
        settings.search = {
            .algorithm = Algorithm::minimax, .quiescence = false, .draws = {0, 0, 0}};
        settings.limits.depth = 3;
        settings.strap = {.rate = 0.5, .decay = 0.25, .clamp = 0, .quiet_only = is_quiet};
        const auto student = make_student(network, settings);
        student->choose(position, {}, {});
        const auto notes = student->take_notes();
        std::vector<double> sums(network.weight_count());
        slow_lesson(network, position, 3, 0, is_quiet, sums);
        CHECK_EQUAL(notes.roots.size(), 1u);
        for (std::size_t w = 0; w < sums.size(); ++w)
            CHECK(std::abs(notes.changes[w] - sums[w]) < 1e-9) || check::note(format_fen(position));
    }
}

// What a student is taught by one search of a position.
std::vector<double> taught(const Network& network, const Position& position,
                           const Settings& search) {
    StudentSettings settings;
    settings.search = search;
    settings.limits.depth = 5;
    settings.strap = {.rate = 0.5, .decay = 1, .clamp = 0};
    const auto student = make_student(network, settings);
    student->choose(position, {}, {});
    return student->take_notes().changes;
}

// What the trace of a search of the same position teaches.
std::vector<double> taught_by_trace(const Network& network, const Position& position,
                                    const Settings& search) {
    const auto engine = make_engine(network, {.search = search, .table_megabytes = 0});
    Question<Position> question{.position = position};
    question.limits = {.depth = 5};
    question.wants_trace = true;
    question.tie_seed = Random(0).next();  // as a student's first
    std::vector<double> sums(network.weight_count());
    add_lesson(engine->ask(question).trace, network, {.rate = 0.5, .decay = 1}, sums);
    return sums;
}

// Of a window without width every node is a bound, and its edges say little: whatever is asked for,
// students search without.
void test_students_search_with_full_windows() {
    Random random(4);
    int others = 0;
    for (int i = 0; i < 10; ++i) {
        const Position position = random_setup(random);
        if (position.count_moves() < 2) continue;
        const Network network = pieces_network(random);
        const Settings full = {.pvs = false, .aspiration = false, .draws = {0, 0, 0}};
        Settings narrow = full;
        narrow.pvs = narrow.aspiration = true;
        const auto sums = taught(network, position, narrow);
        const auto by_full = taught_by_trace(network, position, full);
        for (std::size_t w = 0; w < sums.size(); ++w)
            CHECK(std::abs(sums[w] - by_full[w]) < 1e-9) || check::note(format_fen(position));
        others += taught_by_trace(network, position, narrow) != by_full;
    }
    CHECK(others > 3);
}

// With selective switches values are no longer minimax's: students search without them.
void test_students_search_in_full_width() {
    Random random(5);
    Settings selective = {.draws = {0, 0, 0}};
    SelectiveSettings::each(selective.selective, [](const char*, auto& value, auto&&...) {
        value = static_cast<std::decay_t<decltype(value)>>(1);
    });
    for (int i = 0; i < 10; ++i) {
        const Position position = random_setup(random);
        const Network network = pieces_network(random);
        CHECK(taught(network, position, selective) ==
              taught(network, position, selective.full_width())) ||
            check::note(format_fen(position));
    }
}

// Deepening searches every node of the earlier depths too: they must not count.
void test_only_the_last_depth_teaches() {
    Random random(2);
    const Network network = pieces_network(random);
    const auto engine = make_engine(network, {.table_megabytes = 0});
    for (int depth : {1, 4}) {
        Question<Position> question;
        question.limits = {.depth = depth};
        question.wants_trace = true;
        const auto trace = engine->ask(question).trace;
        CHECK(!trace.empty());
        for (const auto& node : trace) CHECK_EQUAL(node.depth + node.ply, depth);
    }
}

void test_notes_tell_the_leaf_and_its_side() {
    Random random(3);
    int judged = 0;
    for (int i = 0; i < 40; ++i) {
        const Position position = random_setup(random);
        if (position.count_moves() < 2) continue;
        const Network network = pieces_network(random);
        const auto student = make_student(network, {});
        student->choose(position, {}, {});
        const auto notes = student->take_notes();
        CHECK(notes.roots[0] == position);
        if (!notes.signs[0]) continue;
        ++judged;
        CHECK_EQUAL(notes.signs[0] == 1, notes.leaves[0].turn() == position.turn());
        CHECK(std::abs(notes.signs[0] * network.judge(notes.leaves[0]) - notes.values[0]) < 1e-6);
    }
    CHECK(judged > 10);
}

// An evaluation that says 0 of everything has no part in a draw that the rules make, though it says
// the same of it.
void test_a_draw_by_rule_is_none_of_the_evaluations() {
    const Mapping mapping = Mapping::pieces();
    const std::vector<double> zeros(mapping.size() + 1);
    const Network network(mapping, EvalNet(mapping.size(), 0, {}, {0.0}, zeros));
    const Position kings = parse_fen("B:WK32:BK1");
    for (int quiet_plies : {0, 2, 3, 10}) {
        StudentSettings settings;
        settings.search = {.draws = {0, quiet_plies, 0}};
        settings.limits.depth = 4;
        const auto student = make_student(network, settings);
        student->choose(kings, {}, {});
        const bool is_drawn = 0 < quiet_plies && quiet_plies <= 4;
        CHECK_EQUAL(student->take_notes().signs[0] == 0, is_drawn);
    }
}

// A repetition in the game is none of its either: Black's king went to and fro, White's came along,
// and back it may go, which to an evaluation that dislikes everything is the best there is.
void test_a_repetition_is_none_of_the_evaluations() {
    const Mapping mapping = Mapping::pieces();
    std::vector<double> weights(mapping.size() + 1);
    weights.back() = -0.5;  // of the bias
    const Network network(mapping, EvalNet(mapping.size(), 0, {}, {0.0}, weights));
    std::vector<Position> game{parse_fen("B:WK32:BK1")};
    for (const char* fen : {"W:WK32:BK6", "B:WK27:BK6", "W:WK27:BK1"})
        game.push_back(parse_fen(fen));
    const Position root = game.back();
    game.pop_back();
    for (int repetitions : {0, 3}) {
        StudentSettings settings;
        settings.search = {.draws = {repetitions, 0, 0}};
        settings.limits.depth = 1;
        const auto student = make_student(network, settings);
        student->choose(root, game, {});
        const auto notes = student->take_notes();
        CHECK_EQUAL(notes.signs[0] == 0, repetitions == 3);
        CHECK_EQUAL(notes.leaves[0] == game[0], repetitions == 3);
    }
}

}  // namespace

int main() {
    test_a_tree_made_by_hand_teaches_what_the_table_says();
    test_bounds_may_be_the_edges_of_the_window();
    test_rates_fade_with_the_ply();
    test_rootstrap_learns_from_the_root_alone();
    test_the_slope_is_a_factor();
    test_no_weight_changes_by_more_than_the_clamp();
    test_a_search_by_minimax_teaches_every_inner_node_or_every_quiet_one();
    test_only_the_last_depth_teaches();
    test_notes_tell_the_leaf_and_its_side();
    test_students_search_with_full_windows();
    test_students_search_in_full_width();
    test_a_draw_by_rule_is_none_of_the_evaluations();
    test_a_repetition_is_none_of_the_evaluations();
    return check::report();
}
