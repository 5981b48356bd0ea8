// Tests sets of squares.
#include "rules/bits.h"

#include <vector>

#include "check.h"

using namespace crossboard;

namespace {

std::vector<int> members_of(Bits set) {
    std::vector<int> members;
    for (int index : Members(set)) members.push_back(index);
    return members;
}

void test_single_bits() {
    for (int index = 0; index < 64; ++index) {
        CHECK_EQUAL(count(bit(index)), 1);
        CHECK_EQUAL(first_index(bit(index)), index);
        CHECK_EQUAL(members_of(bit(index)), std::vector<int>{index});
    }
}

void test_count() {
    CHECK_EQUAL(count(0), 0);
    CHECK_EQUAL(count(~Bits{0}), 64);
    CHECK_EQUAL(count(bit(0) | bit(34) | bit(63)), 3);
}

void test_members_come_lowest_first() {
    CHECK_EQUAL(members_of(0), std::vector<int>{});
    CHECK_EQUAL(members_of(bit(63) | bit(3) | bit(32) | bit(0)), (std::vector<int>{0, 3, 32, 63}));
    CHECK_EQUAL(members_of(~Bits{0}).size(), 64);
}

}  // namespace

int main() {
    test_single_bits();
    test_count();
    test_members_come_lowest_first();
    return check::report();
}
