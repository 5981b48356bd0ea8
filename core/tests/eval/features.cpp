// Tests the registry of features: names, bounds, colours, and the fast turning of boards.
#include "eval/features/registry.h"

#include <set>
#include <string>

#include "check.h"
#include "rules/draughts/notation.h"
#include "rules/draughts/random_positions.h"

using namespace crossboard;
using namespace crossboard::draughts;
using features::Board;
using features::Feature;

namespace {

std::string at(const Feature& feature, const Position& position) {
    return std::string(feature.name) + " " + format_fen(position);
}

void test_turning_a_board_is_turning_each_square() {
    Random random(1);
    for (int i = 0; i < 1000; ++i) {
        const Bits set = random.next() & BOARD;
        Bits slow = 0;
        for (int index : Members(set)) slow |= bit(index_of(33 - square_at(index)));
        CHECK_EQUAL(turned(set), slow);
        CHECK_EQUAL(reversed(reversed(set)), set);
    }
}

void test_names_are_different_and_found() {
    std::set<std::string_view> names;
    for (const Feature& feature : features::all()) {
        CHECK(names.insert(feature.name).second) || check::note(feature.name);
        CHECK(&features::by_name(feature.name) == &feature) || check::note(feature.name);
        CHECK(!feature.family().empty() && !feature.meaning.empty());
        CHECK(feature.bits >= 1 && feature.least < feature.most);
    }
    for (const char* name : {"", ".", "samuel", "samuel.", "samuel.ADV", "lynch.adv", "x.y.z"}) {
        const auto text =
            check::message_of<std::invalid_argument>([&] { features::by_name(name); });
        CHECK(text.starts_with("there is no feature '" + std::string(name) + "'; "));
    }
}

void check_board(const Position& position) {
    const Board board(position), turned_board(position.mirrored());
    for (const Feature& feature : features::all()) {
        const int value = feature.value(board);
        CHECK(feature.least <= value && value <= feature.most) ||
            check::note(at(feature, position));
        CHECK_EQUAL(value, feature.value(turned_board)) || check::note(at(feature, position));
        const int code = feature.code(board, feature.bits);
        CHECK(0 <= code && code < 1 << feature.bits) || check::note(at(feature, position));
        CHECK_EQUAL(value - std::min(feature.least, 0), code) || check::note(at(feature, position));
        CHECK_EQUAL(std::min(feature.whole(board), feature.most), value) ||
            check::note(at(feature, position));
        if (!feature.quirk) continue;
        const int quirk = feature.quirk(board, feature.bits);
        CHECK(0 <= quirk && quirk < 1 << feature.bits) || check::note(at(feature, position));
    }
}

void test_values_keep_to_their_bounds_and_know_no_colour() {
    Random random(2);
    for (int i = 0; i < 3000; ++i) check_board(random_setup(random));
    walk_randomly(3, 60,
                  [](const Position&, const Move&, const Position& next) { check_board(next); });
}

// Nothing to divide by, nothing to look for.
void test_boards_without_one_side_have_values_too() {
    for (const char* fen : {"W:W:B1,K2", "W:WK30:B", "B:W:B1,K2", "B:WK30:B"})
        check_board(parse_fen(fen));
}

}  // namespace

int main() {
    test_turning_a_board_is_turning_each_square();
    test_names_are_different_and_found();
    test_values_keep_to_their_bounds_and_know_no_colour();
    test_boards_without_one_side_have_values_too();
    return check::report();
}
