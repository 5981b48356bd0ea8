// Numbers of positions: each number stands for one position, each position has one.
#include "tables/slice.h"

#include <algorithm>
#include <vector>

#include "check.h"
#include "rules/random.h"

using namespace crossboard;
using namespace crossboard::tables;

namespace {

constexpr Set FIRST_ROW = 0xf, LAST_ROW = 0xf0000000;

void check_number(const SliceIndex& index, std::uint64_t number) {
    const Board board = index.board_at(number);
    CHECK_EQUAL(index(board), number);
    CHECK(slice_of(board) == index.slice());
    CHECK((board.men & LAST_ROW) == 0 && (board.other_men & FIRST_ROW) == 0);
    CHECK_EQUAL(std::popcount(board.taken()), index.slice().pieces());
    const auto position = position_of(board);
    CHECK(board_of(position) == board);
    CHECK(board_of(position.mirrored()) == board);
    CHECK(board.passed().passed() == board);
}

void test_every_number_of_small_slices() {
    for (int pieces = 2; pieces <= 3; ++pieces)
        for (const Slice& slice : slices_with(pieces)) {
            const SliceIndex index(slice);
            for (std::uint64_t number = 0; number < index.size(); ++number)
                check_number(index, number);
        }
}

void test_some_numbers_of_large_slices() {
    Random random(3);
    for (int pieces = 4; pieces <= MOST_PIECES; ++pieces)
        for (const Slice& slice : slices_with(pieces)) {
            const SliceIndex index(slice);
            check_number(index, 0);
            check_number(index, index.size() - 1);
            for (int i = 0; i < 200; ++i) check_number(index, random.next() % index.size());
        }
}

// Chinook's counts of positions, of which those with one side only are taken off.
void test_counts_of_positions() {
    const std::uint64_t chinook[] = {0, 120, 6'972, 261'224, 7'092'774, 148'688'232, 2'503'611'964};
    const auto one_sided = [](int pieces) {
        std::uint64_t positions = 0;
        for (int men = 0; men <= pieces; ++men)
            positions +=
                2 * std::uint64_t{combinations(28, men)} * combinations(32 - men, pieces - men);
        return positions;
    };
    for (int pieces = 2; pieces <= 6; ++pieces) {
        std::uint64_t positions = 0;
        for (const Slice& slice : slices_with(pieces)) positions += SliceIndex(slice).size();
        CHECK_EQUAL(positions, chinook[pieces] - one_sided(pieces));
    }
}

void test_order_of_slices() {
    for (int pieces = 2; pieces <= MOST_PIECES; ++pieces) {
        const auto slices = slices_with(pieces);
        std::size_t expected = 0;
        for (int black = 1; black < pieces; ++black)
            expected += static_cast<std::size_t>((black + 1) * (pieces - black + 1));
        CHECK_EQUAL(slices.size(), expected);
        for (std::size_t i = 0; i + 1 < slices.size(); ++i)
            CHECK(slices[i].all_men() <= slices[i + 1].all_men());
        for (const Slice& slice : slices) {
            CHECK_EQUAL(std::count(slices.begin(), slices.end(), slice), 1);
            CHECK_EQUAL(std::count(slices.begin(), slices.end(), slice.swapped()), 1);
        }
    }
}

void test_sets_in_their_order() {
    for (const int n : {1, 5, 28, 32})
        for (int k = 0; k <= std::min(n, 4); ++k) {
            const auto sets = all_sets(n, k);
            CHECK_EQUAL(sets.size(), combinations(n, k));
            for (std::uint32_t i = 0; i < sets.size(); ++i) {
                CHECK_EQUAL(rank(sets[i]), i);
                CHECK_EQUAL(unranked(i, k), sets[i]);
                CHECK_EQUAL(std::popcount(sets[i]), k);
            }
        }
}

void test_places_beside_what_is_taken() {
    Random random(4);
    for (int i = 0; i < 10'000; ++i) {
        const Set taken = static_cast<Set>(random.next() & random.next() & random.next());
        const int free = 32 - std::popcount(taken);
        const std::uint32_t number =
            static_cast<std::uint32_t>(random.next() % combinations(free, 3));
        const Set set = spread_beside(unranked(number, 3), taken);
        CHECK_EQUAL(set & taken, 0);
        CHECK_EQUAL(rank_beside(set, taken), number);
    }
}

void test_squares_as_the_core_has_them() {
    for (int square = 1; square <= 32; ++square) {
        CHECK_EQUAL(widened(Set{1} << (square - 1)), bit(draughts::index_of(square)));
        CHECK_EQUAL(squeezed(bit(draughts::index_of(square))), Set{1} << (square - 1));
        CHECK_EQUAL(turned(Set{1} << (square - 1)), Set{1} << (32 - square));
    }
    CHECK_EQUAL(widened(~Set{0}), draughts::BOARD);
}

}  // namespace

int main() {
    test_every_number_of_small_slices();
    test_some_numbers_of_large_slices();
    test_counts_of_positions();
    test_order_of_slices();
    test_sets_in_their_order();
    test_places_beside_what_is_taken();
    test_squares_as_the_core_has_them();
    return check::report();
}
