// Tests what the search learns about moves: killers and history.
#include "search/order.h"

#include <memory>

#include "check.h"
#include "rules/draughts/notation.h"

using namespace crossboard;
using draughts::Move;
using draughts::Position;

namespace {

using Lessons = Experience<Position>;

const Position START;

Move move(const char* text) {
    return draughts::parse_move(START, text);
}

void test_nothing_is_known_at_first() {
    const auto lessons = std::make_unique<Lessons>();
    for (const Move& each : START.legal_moves()) {
        CHECK_EQUAL(lessons->killer_score(each, 0), 0);
        CHECK_EQUAL(lessons->history_score(START, each), 0);
    }
}

void test_the_last_two_refutations_of_a_ply_are_killers() {
    const auto lessons = std::make_unique<Lessons>();
    lessons->note_refutation(START, move("9-13"), 4, 3);
    lessons->note_refutation(START, move("10-14"), 4, 3);
    CHECK(lessons->killer_score(move("10-14"), 4) > lessons->killer_score(move("9-13"), 4));
    CHECK(lessons->killer_score(move("9-13"), 4) > 0);
    CHECK_EQUAL(lessons->killer_score(move("11-15"), 4), 0);
    lessons->note_refutation(START, move("11-15"), 4, 3);
    CHECK(lessons->killer_score(move("11-15"), 4) > lessons->killer_score(move("10-14"), 4));
    CHECK_EQUAL(lessons->killer_score(move("9-13"), 4), 0);
}

void test_a_refutation_that_comes_again_keeps_the_other_killer() {
    const auto lessons = std::make_unique<Lessons>();
    lessons->note_refutation(START, move("9-13"), 4, 3);
    lessons->note_refutation(START, move("10-14"), 4, 3);
    lessons->note_refutation(START, move("10-14"), 4, 3);
    CHECK(lessons->killer_score(move("9-13"), 4) > 0);
}

void test_killers_belong_to_their_ply() {
    const auto lessons = std::make_unique<Lessons>();
    lessons->note_refutation(START, move("9-13"), 4, 3);
    CHECK_EQUAL(lessons->killer_score(move("9-13"), 2), 0);
    CHECK_EQUAL(lessons->killer_score(move("9-13"), MAX_PLY - 1), 0);
}

void test_history_counts_on_every_ply_and_more_for_depth() {
    const auto lessons = std::make_unique<Lessons>();
    lessons->note_refutation(START, move("9-13"), 1, 2);
    lessons->note_refutation(START, move("9-13"), 7, 2);
    lessons->note_refutation(START, move("10-14"), 3, 5);
    const auto often = lessons->history_score(START, move("9-13"));
    CHECK(often > 0);
    CHECK(lessons->history_score(START, move("10-14")) > often);
    CHECK_EQUAL(lessons->history_score(START, move("11-15")), 0);
}

void test_table_move_comes_before_killers_and_those_before_history() {
    const auto lessons = std::make_unique<Lessons>();
    for (int i = 0; i < 1'000'000; ++i) lessons->note_refutation(START, move("11-16"), 9, 200);
    lessons->note_refutation(START, move("9-13"), 4, 1);
    lessons->note_refutation(START, move("10-14"), 4, 1);
    CHECK(lessons->killer_score(move("9-13"), 4) > lessons->history_score(START, move("11-16")));
    CHECK(lessons->history_score(START, move("11-16")) > 0);
    CHECK(Lessons::TABLE_MOVE > lessons->killer_score(move("10-14"), 4));
}

void test_old_lessons_fade() {
    const auto lessons = std::make_unique<Lessons>();
    lessons->note_refutation(START, move("9-13"), 4, 100);
    const auto before = lessons->history_score(START, move("9-13"));
    for (int i = 0; i < 1000; ++i) lessons->note_refutation(START, move("11-16"), 4, 100);
    CHECK(lessons->history_score(START, move("9-13")) < before);
}

void test_clear_forgets_everything() {
    const auto lessons = std::make_unique<Lessons>();
    lessons->note_refutation(START, move("9-13"), 4, 3);
    lessons->clear();
    CHECK_EQUAL(lessons->killer_score(move("9-13"), 4), 0);
    CHECK_EQUAL(lessons->history_score(START, move("9-13")), 0);
}

}  // namespace

int main() {
    test_nothing_is_known_at_first();
    test_the_last_two_refutations_of_a_ply_are_killers();
    test_a_refutation_that_comes_again_keeps_the_other_killer();
    test_killers_belong_to_their_ply();
    test_history_counts_on_every_ply_and_more_for_depth();
    test_table_move_comes_before_killers_and_those_before_history();
    test_old_lessons_fade();
    test_clear_forgets_everything();
    return check::report();
}
