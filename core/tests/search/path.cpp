// Tests the line from the game's last irreversible move to a node: quiet plies and repetitions.
#include "search/path.h"

#include <algorithm>
#include <vector>

#include "check.h"
#include "rules/draughts/notation.h"
#include "rules/draughts/random_positions.h"

using namespace crossboard;
using draughts::Move;
using draughts::Position;

namespace {

// Keys of two sides that take turns; no key comes back sooner than after four plies.
constexpr std::uint64_t A = 101, B = 202, C = 103, D = 204, E = 105, F = 206;

void test_a_path_begins_at_its_root() {
    const Path path({}, A);
    CHECK_EQUAL(path.size(), 1);
    CHECK_EQUAL(path.here(), 0);
    CHECK_EQUAL(path.root(), 0);
    CHECK_EQUAL(path.quiet_plies(), 0);
    CHECK(!path.is_repetition());
}

void test_history_counts_as_quiet_plies() {
    const std::vector<std::uint64_t> history = {A, B, C};
    Path path(history, D);
    CHECK_EQUAL(path.quiet_plies(), 3);
    CHECK_EQUAL(path.root(), 3);
    path.push(E, false);
    CHECK_EQUAL(path.quiet_plies(), 4);
    path.push(F, true);
    CHECK_EQUAL(path.quiet_plies(), 0);
    path.push(A, false);
    CHECK_EQUAL(path.quiet_plies(), 1);
    path.pop();
    path.pop();
    CHECK_EQUAL(path.quiet_plies(), 4);
    path.pop();
    CHECK_EQUAL(path.quiet_plies(), 3);
}

void test_a_position_of_the_game_comes_back() {
    const std::vector<std::uint64_t> history = {A, B, C};
    Path path(history, D);
    path.push(A, false);
    CHECK(path.is_repetition());
    path.pop();
    path.push(E, false);
    CHECK(!path.is_repetition());
    path.push(B, false);
    CHECK(path.is_repetition());
}

void test_the_root_comes_back() {
    Path path({}, A);
    for (std::uint64_t key : {B, C, D}) path.push(key, false);
    path.push(A, false);
    CHECK(path.is_repetition());
}

void test_what_only_the_search_has_seen_does_not_count() {
    Path path({}, A);
    for (std::uint64_t key : {B, C, D, E, B}) path.push(key, false);
    CHECK(!path.is_repetition());
}

void test_nothing_comes_back_over_an_irreversible_move() {
    const std::vector<std::uint64_t> history = {A, B, C};
    Path path(history, D);
    path.push(E, false);
    path.push(F, true);
    path.push(A, false);
    path.push(B, false);
    CHECK(!path.is_repetition());
    path.push(C, false);
    CHECK(!path.is_repetition());
}

void test_cut_to_goes_back_from_however_deep() {
    const std::vector<std::uint64_t> history = {A, B, C};
    Path path(history, D);
    const int size = path.size();
    for (std::uint64_t key = 1000; key < 1100; ++key) path.push(key, key % 7 == 0);
    path.cut_to(size);
    CHECK_EQUAL(path.size(), size);
    CHECK_EQUAL(path.quiet_plies(), 3);
    path.push(A, false);
    CHECK(path.is_repetition());
}

void test_a_path_sent_elsewhere_is_the_same() {
    const std::vector<std::uint64_t> history = {A, B};
    Path path(history, C);
    path.push(D, false);
    Path copy(path.entries(), path.root());
    CHECK_EQUAL(copy.size(), path.size());
    CHECK_EQUAL(copy.quiet_plies(), 3);
    copy.push(A, false);
    CHECK(copy.is_repetition());
}

// Against the plain definition, in endings where nearly everything comes back.
void test_repetitions_equal_a_look_through_the_whole_game() {
    int repetitions = 0;
    for (std::uint64_t item = 0; item < 500; ++item) {
        Random random(31, item);
        Position position = draughts::parse_fen("B:WK5:BK4");
        std::vector<Position> game = {position};
        std::vector<std::uint64_t> history;
        int quiet = 0;
        const auto play = [&] {
            const Move move = position.move_at(random.below(position.count_moves()));
            const bool irreversible = position.is_irreversible(move);
            quiet = irreversible ? 0 : quiet + 1;
            position = position.after(move);
            return irreversible;
        };
        // First the game, then a line of the search.
        for (int ply = 0; ply < 40 && !position.is_over(); ++ply) {
            history.push_back(position.key());
            if (play()) history.clear();
            game.push_back(position);
        }
        Path path(history, position.key());
        CHECK_EQUAL(path.quiet_plies(), quiet);
        for (int ply = 0; ply < 40 && !position.is_over(); ++ply) {
            const bool irreversible = play();
            path.push(position.key(), irreversible);
            const bool has_stood = std::find(game.begin(), game.end(), position) != game.end();
            CHECK_EQUAL(path.is_repetition(), has_stood) ||
                check::note(draughts::format_fen(position));
            CHECK_EQUAL(path.quiet_plies(), quiet);
            repetitions += has_stood;
        }
    }
    CHECK(repetitions > 100);  // or the walk has shown nothing
}

void test_a_position_that_stood_in_the_tree_is_found_at_its_ply() {
    Path path(std::vector<std::uint64_t>{5, 6}, 1);
    for (std::uint64_t key : {2, 3, 4}) {
        path.push(key, false);
        CHECK_EQUAL(path.repeated_ply(), 0);
    }
    // The root belongs to the game.
    path.push(1, false);
    CHECK_EQUAL(path.repeated_ply(), 0);
    CHECK(path.is_repetition());
    path.push(2, false);
    CHECK_EQUAL(path.repeated_ply(), 1);
    CHECK(!path.is_repetition());
    path.push(7, true);
    for (std::uint64_t key : {8, 9, 1, 2}) path.push(key, false);
    CHECK_EQUAL(path.repeated_ply(), 0);
}

}  // namespace

int main() {
    test_a_path_begins_at_its_root();
    test_history_counts_as_quiet_plies();
    test_a_position_of_the_game_comes_back();
    test_the_root_comes_back();
    test_what_only_the_search_has_seen_does_not_count();
    test_nothing_comes_back_over_an_irreversible_move();
    test_cut_to_goes_back_from_however_deep();
    test_a_position_that_stood_in_the_tree_is_found_at_its_ply();
    test_a_path_sent_elsewhere_is_the_same();
    test_repetitions_equal_a_look_through_the_whole_game();
    return check::report();
}
