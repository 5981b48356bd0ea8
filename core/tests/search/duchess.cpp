// Tests that the one search plays Duchess: teams, skipped turns, captures, ends and draws.
#include <string>

#include "check.h"
#include "engine/engine.h"
#include "eval/duchess/random_weights.h"
#include "rules/duchess/notation.h"
#include "rules/duchess/random_positions.h"

using namespace crossboard;
using namespace crossboard::duchess;

namespace {

using Evaluation = OneLayer<4>;

const Evaluation EVALUATION = random_evaluation<4>({.attack = true, .piece_square = true}, 1);

// Wins are counted from the root here as in the search.
Value settled(const Position& position, int ply) {
    if (position.is_over()) return position.is_lost() ? lost_in(ply) : 0;
    Value best = EVALUATION.evaluate(position);
    for (const Move& move : position.legal_moves())
        if (move.is_capture) best = std::max(best, -settled(position.after(move), ply + 1));
    return best;
}

Value minimax(const Position& position, int depth, int ply, bool quiescence) {
    const auto moves = position.legal_moves();
    if (moves.empty()) return position.is_lost() ? lost_in(ply) : 0;
    if (depth == 0) return quiescence ? settled(position, ply) : EVALUATION.evaluate(position);
    Value best = -INFINITE;
    for (const Move& move : moves)
        best = std::max(best, -minimax(position.after(move), depth - 1, ply + 1, quiescence));
    return best;
}

EngineSettings random_settings(Random& random, bool quiescence) {
    EngineSettings settings;
    settings.search = Settings{.quiescence = quiescence,
                               .deepening = random.below(2) == 1,
                               .killers = random.below(3),
                               .history = random.below(2) == 1,
                               .pvs = random.below(2) == 1,
                               .aspiration = random.below(2) == 1,
                               .exact_depth_hits = true,
                               .draws = DRAW_RULES}
                          .full_width();
    settings.crew = {.threads = 1 + random.below(3), .grain = 1 + random.below(3)};
    settings.table_megabytes = random.below(2) ? 1 : 0;
    return settings;
}

// Few pieces, so that trees with all captures can be counted out.
Position small_position(Random& random) {
    for (;;) {
        const Position position = random_setup(random, 4);
        if (position.count_pieces() <= 14 && !position.is_over()) return position;
    }
}

template <class E>
Answer<Position> ask(const E& evaluator, const EngineSettings& settings, const Position& position,
                     const Limits& limits, std::vector<std::uint64_t> history = {}) {
    EngineWith<Position, E> engine(evaluator, settings);
    Question<Position> question{};
    question.position = position;
    question.history = std::move(history);
    question.limits = limits;
    return engine.ask(question);
}

void test_every_way_of_searching_gives_minimaxs_value() {
    Random random(2);
    for (int i = 0; i < 60; ++i) {
        const Position position = small_position(random);
        const bool quiescence = random.below(2);
        const int depth = 1 + random.below(2);
        const EngineSettings settings = random_settings(random, quiescence);
        const auto answer = ask(EVALUATION, settings, position, {.depth = depth});
        CHECK_EQUAL(answer.findings.best[0].value, minimax(position, depth, 0, quiescence)) ||
            check::note(format_position(position) + " depth " + std::to_string(depth));
    }
}

void test_carried_evaluation_changes_neither_values_nor_nodes() {
    Random random(3);
    for (int i = 0; i < 20; ++i) {
        const Position position = i ? random_setup(random, 4) : Position();
        if (position.is_over()) continue;
        const EngineSettings settings{.search = {.quiescence = i % 2 == 0, .draws = DRAW_RULES},
                                      .table_megabytes = 0};
        const auto carried = ask(EVALUATION, settings, position, {.depth = 2});
        const auto anew = ask(FromScratch<4>(EVALUATION), settings, position, {.depth = 2});
        CHECK_EQUAL(carried.findings.best[0].value, anew.findings.best[0].value);
        CHECK_EQUAL(carried.nodes, anew.nodes);
    }
}

const EngineSettings PLAIN{.search = {.quiescence = false, .draws = DRAW_RULES},
                           .table_megabytes = 0};

void test_mate_of_the_whole_team_wins() {
    // The third player is mated already; the second mates the first, across a skipped turn.
    const Position position =
        parse_position("4; 1:K1e1; 2:K2a1 Q1d4 R1b2; 3:K4e1; 4:K5a1 Q4d2 R4b2; turn 2");
    const auto answer = ask(EVALUATION, PLAIN, position, {.depth = 3});
    const auto& best = answer.findings.best[0];
    CHECK_EQUAL(best.value, won_in(1));
    CHECK(position.after(best.move).winner() == Team::even);
}

void test_a_skipped_turn_is_a_ply_of_the_line() {
    const Position mated = parse_position("4; 1:K1e1; 2:K2a1 Q1d2 R1b2; 3:K4a1; 4:K5a1; turn 1");
    const auto answer = ask(EVALUATION, PLAIN, mated, {.depth = 2});
    CHECK(answer.findings.best[0].move.is_pass());
    CHECK_EQUAL(answer.findings.best[0].line.size(), 2);
    CHECK_EQUAL(answer.findings.best[0].value, minimax(mated, 2, 0, false));
}

void test_quiet_plies_are_a_draw() {
    const Position position = parse_position("4; 1:K1a1 Q1c3; 2:K2a1; 3:K4a1; 4:K5a1; turn 1");
    const std::vector<std::uint64_t> history(199, 0);
    const auto answer = ask(EVALUATION, PLAIN, position, {.depth = 1}, history);
    CHECK_EQUAL(answer.findings.best[0].value, 0);
    CHECK(ask(EVALUATION, PLAIN, position, {.depth = 1}).findings.best[0].value != 0);
}

void test_few_pieces_are_searched_deeper() {
    const Limits limits{.depth = 2, .floors = {{20, 3}, {6, 4}}};
    CHECK_EQUAL(limits.depth_with(20), 2);
    CHECK_EQUAL(limits.depth_with(19), 3);
    CHECK_EQUAL(limits.depth_with(5), 4);
    CHECK_EQUAL((Limits{.depth = 9, .floors = {{20, 3}}}.depth_with(4)), 9);
    const Position few = parse_position("4; 1:K1a1; 2:K2a1; 3:K4a1; 4:K5a1; turn 1");
    CHECK_EQUAL(ask(EVALUATION, PLAIN, few, limits).findings.depth, 4);
    CHECK_EQUAL(ask(EVALUATION, PLAIN, Position(), limits).findings.depth, 2);
}

// Who learns need not see the others, and is told what the evaluation carried along.
void test_surprises_are_the_nodes_of_which_the_evaluation_was_wrong() {
    Random random(9);
    int surprises = 0, others = 0;
    for (int i = 0; i < 20; ++i) {
        const Position position = random_setup(random, 4);
        if (position.is_over()) continue;
        EngineWith<Position, Evaluation> engine(
            EVALUATION, {.search = {.pvs = false, .aspiration = false}, .table_megabytes = 0});
        Question<Position> question{.position = position, .limits = {.depth = 3}};
        question.wants_trace = true;
        const auto all = engine.ask(question).trace;
        question.wants_surprises = true;
        const auto kept = engine.ask(question).trace;
        auto next = kept.begin();
        for (const auto& node : all) {
            CHECK_EQUAL(node.judged, EVALUATION.evaluate(node.position));
            if (!is_surprise(node.judged, node.value, node.bound)) {
                ++others;
                continue;
            }
            ++surprises;
            CHECK(next != kept.end() && next->position == node.position &&
                  next->value == node.value && next->bound == node.bound &&
                  next->judged == node.judged && next->ply == node.ply);
            ++next;
        }
        CHECK(next == kept.end());
    }
    CHECK(surprises > 100 && others > 100);
}

}  // namespace

int main() {
    test_every_way_of_searching_gives_minimaxs_value();
    test_carried_evaluation_changes_neither_values_nor_nodes();
    test_mate_of_the_whole_team_wins();
    test_a_skipped_turn_is_a_ply_of_the_line();
    test_quiet_plies_are_a_draw();
    test_few_pieces_are_searched_deeper();
    test_surprises_are_the_nodes_of_which_the_evaluation_was_wrong();
    return check::report();
}
