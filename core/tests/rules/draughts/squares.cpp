// Tests the geometry of the board against plain rows and columns.
#include "rules/draughts/squares.h"

#include <cstdlib>
#include <vector>

#include "check.h"
#include "rules/draughts/slow_rules.h"

using namespace crossboard;
using namespace crossboard::draughts;

namespace {

// The set that a step in DIRECTIONS[direction] makes of one square.
Bits step_in(int direction, Bits set) {
    switch (direction) {
        case 0: return step<DIRECTIONS[0]>(set);
        case 1: return step<DIRECTIONS[1]>(set);
        case 2: return step<DIRECTIONS[2]>(set);
        default: return step<DIRECTIONS[3]>(set);
    }
}

void test_every_square_has_its_own_index() {
    Bits seen = 0;
    for (int square = 1; square <= SQUARES; ++square) {
        const int index = index_of(square);
        CHECK_EQUAL(square_at(index), square);
        CHECK((BOARD & bit(index)) != 0);
        CHECK((seen & bit(index)) == 0);
        seen |= bit(index);
    }
    CHECK_EQUAL(seen, BOARD);
    CHECK_EQUAL(count(BOARD), SQUARES);
}

void test_ranges_and_rows() {
    CHECK_EQUAL(squares(1, 32), BOARD);
    CHECK_EQUAL(squares(7, 7), bit(index_of(7)));
    CHECK_EQUAL(squares(8, 9), bit(index_of(8)) | bit(index_of(9)));
    for (int square = 1; square <= SQUARES; ++square) {
        const Bits here = bit(index_of(square));
        const int row = slow::place_of(square).row;
        CHECK_EQUAL((crowning_row(Colour::black) & here) != 0, row == 7);
        CHECK_EQUAL((crowning_row(Colour::white) & here) != 0, row == 0);
    }
}

// A step leads to the diagonal neighbour, or off the board where there is none.
void test_steps_lead_to_neighbours() {
    constexpr slow::Place OFFSETS[4] = {{1, -1}, {1, 1}, {-1, -1}, {-1, 1}};
    // Which of the four is which follows from one square in the middle: 18 to 22, 23, 14, 15.
    constexpr int FROM_18[4] = {22, 23, 14, 15};
    for (int direction = 0; direction < 4; ++direction) {
        const Bits there = step_in(direction, bit(index_of(18)));
        int offset = 0;
        while (offset < 3 && there != bit(index_of(FROM_18[offset]))) ++offset;
        CHECK_EQUAL(there, bit(index_of(FROM_18[offset])));
        for (int square = 1; square <= SQUARES; ++square) {
            const slow::Place from = slow::place_of(square);
            const slow::Place to = {from.row + OFFSETS[offset].row,
                                    from.column + OFFSETS[offset].column};
            const Bits expected = slow::is_on_board(to) ? bit(index_of(slow::square_of(to))) : 0;
            CHECK_EQUAL(step_in(direction, bit(index_of(square))) & BOARD, expected) ||
                check::note("square " + std::to_string(square));
        }
    }
}

void test_the_first_two_directions_are_forward_for_black() {
    for (int direction = 0; direction < 4; ++direction) {
        const int to = square_at(first_index(step_in(direction, bit(index_of(18)))));
        CHECK_EQUAL(to > 18, direction < 2);
    }
}

void test_turning_the_board() {
    for (int square = 1; square <= SQUARES; ++square)
        CHECK_EQUAL(turned(bit(index_of(square))), bit(index_of(33 - square)));
    CHECK_EQUAL(turned(BOARD), BOARD);
    CHECK_EQUAL(turned(squares(1, 12)), squares(21, 32));
    CHECK_EQUAL(turned(0), 0);
}

}  // namespace

int main() {
    test_every_square_has_its_own_index();
    test_ranges_and_rows();
    test_steps_lead_to_neighbours();
    test_the_first_two_directions_are_forward_for_black();
    test_turning_the_board();
    return check::report();
}
