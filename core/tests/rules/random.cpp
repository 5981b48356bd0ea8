// Tests that random numbers are the published ones, in range, and apart from stream to stream.
#include "rules/random.h"

#include <array>
#include <set>

#include "check.h"

using crossboard::Random;

namespace {

// The first outputs of SplitMix64 for this seed, as in Vigna's splitmix64.c.
void test_numbers_are_those_of_splitmix64() {
    Random random(1234567);
    for (std::uint64_t expected : {6457827717110365317u, 3203168211198807973u, 9817491932198370423u,
                                   4593380528125082431u, 16408922859458223821u})
        CHECK_EQUAL(random.next(), expected);
}

void test_below_reaches_every_number_about_equally_often() {
    constexpr int BOUND = 7, DRAWS = 70'000;
    Random random(1);
    std::array<int, BOUND> times = {};
    for (int i = 0; i < DRAWS; ++i) {
        const int number = random.below(BOUND);
        if (!CHECK(0 <= number && number < BOUND)) return;
        ++times[number];
    }
    // 10,000 each, give or take five standard deviations.
    for (int each : times)
        CHECK(9'500 < each && each < 10'500) || check::note(std::to_string(each));
}

void test_below_one_is_zero() {
    Random random(5);
    for (int i = 0; i < 100; ++i) CHECK_EQUAL(random.below(1), 0);
}

void test_streams_differ_by_seed_and_by_item() {
    std::set<std::uint64_t> first_numbers;
    for (std::uint64_t seed = 0; seed < 100; ++seed)
        for (std::uint64_t item = 0; item < 100; ++item)
            first_numbers.insert(Random(seed, item).next());
    CHECK_EQUAL(first_numbers.size(), 100 * 100);
    CHECK_EQUAL(Random(3, 4).next(), Random(3, 4).next());
}

}  // namespace

int main() {
    test_numbers_are_those_of_splitmix64();
    test_below_reaches_every_number_about_equally_often();
    test_below_one_is_zero();
    test_streams_differ_by_seed_and_by_item();
    return check::report();
}
