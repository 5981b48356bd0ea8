// Tests that one constant says which flaps are folded: compiled with those of sectors 2 and 5.
#include <string>

#include "check.h"
#include "rules/duchess/notation.h"
#include "rules/duchess/perft.h"

using namespace crossboard;
using namespace crossboard::duchess;

namespace {

void test_perft_of_the_start() {
    constexpr std::uint64_t FOUR[] = {1, 8, 64, 608, 5776, 99560, 1760284};
    for (int depth = 0; depth <= 6; ++depth) CHECK_EQUAL(perft(Position(4), depth), FOUR[depth]);
}

void test_the_board_of_six_is_the_same() {
    CHECK_EQUAL(perft(Position(6), 5), 65360);
}

void test_seats_have_moved() {
    const std::string start = format_position(Position(4));
    CHECK(start.find("2:R3a1") != std::string::npos) || check::note(start);
    CHECK(parse_position(start) == Position(4));
}

}  // namespace

int main() {
    test_perft_of_the_start();
    test_the_board_of_six_is_the_same();
    test_seats_have_moved();
    return check::report();
}
