// Tests the transposition table: what is stored is found, who gives way, and many threads at once.
#include "search/table.h"

#include <limits>
#include <stdexcept>
#include <thread>
#include <vector>

#include "check.h"
#include "rules/random.h"

using namespace crossboard;

namespace {

// Keys of one bucket in a table of 1 MB: its 2^15 buckets are told apart by the highest bits.
std::uint64_t key_in(std::uint64_t bucket, std::uint64_t number) {
    return bucket << 49 | number;
}

TableEntry entry(int depth, Value value = 7, Bound bound = Bound::exact, int move = 3) {
    return {value, depth, bound, move};
}

bool is_equal(const TableEntry& a, const TableEntry& b) {
    return a.value == b.value && a.depth == b.depth && a.bound == b.bound && a.move == b.move;
}

bool holds(const Table& table, std::uint64_t key, int depth) {
    const auto found = table.find(key);
    return found && found->depth == depth;
}

void test_an_empty_table_finds_nothing() {
    const Table table(1);
    Random random(1);
    for (int i = 0; i < 1000; ++i) CHECK(!table.find(random.next()));
    CHECK(!table.find(0));
    CHECK(!table.find(std::numeric_limits<std::uint64_t>::max()));
}

void test_what_is_stored_is_found() {
    Table table(1);
    Random random(2);
    constexpr Bound BOUNDS[] = {Bound::none, Bound::lower, Bound::upper, Bound::exact};
    for (int i = 0; i < 20'000; ++i) {
        const std::uint64_t key = random.next();
        const auto value = static_cast<Value>(random.next() % (2 * WIN + 1)) - WIN;
        const TableEntry stored{value, 1 + random.below(MAX_DEPTH), BOUNDS[random.below(4)],
                                random.below(2) ? random.below(120) : TableEntry::NO_MOVE};
        table.store(key, stored);
        const auto found = table.find(key);
        CHECK(found && is_equal(*found, stored)) || check::note(std::to_string(i));
    }
}

void test_the_ends_of_every_field_are_kept() {
    Table table(1);
    for (Value value : {WIN, -WIN, 0, 1, -1, MAX_EVALUATION, -MAX_EVALUATION, won_in(MAX_PLY)})
        for (int depth : {0, 1, MAX_DEPTH, 255})
            for (int move : {0, 119, TableEntry::NO_MOVE}) {
                const TableEntry stored{value, depth, Bound::lower, move};
                table.clear();
                table.store(99, stored);
                const auto found = table.find(99);
                CHECK(found && is_equal(*found, stored));
            }
}

// Another position of the same bucket may differ in any bit.
void test_the_whole_key_is_checked() {
    Table table(1);
    Random random(3);
    for (int i = 0; i < 100; ++i) {
        const std::uint64_t key = random.next();
        table.clear();
        table.store(key, entry(5));
        CHECK(table.find(key).has_value());
        for (int bit = 0; bit < 64; ++bit) CHECK(!table.find(key ^ std::uint64_t{1} << bit));
    }
}

void test_first_slot_keeps_the_deeper_and_second_takes_whatever_comes() {
    Table table(1);
    const std::uint64_t deep = key_in(9, 1), second = key_in(9, 2), third = key_in(9, 3);
    table.store(deep, entry(5));
    table.store(second, entry(3));
    CHECK(holds(table, deep, 5));
    CHECK(holds(table, second, 3));
    table.store(third, entry(1));
    CHECK(holds(table, deep, 5));
    CHECK(holds(table, third, 1));
    CHECK(!table.find(second));
}

void test_a_deeper_entry_takes_the_first_slot() {
    Table table(1);
    const std::uint64_t first = key_in(9, 1), deeper = key_in(9, 2), shallow = key_in(9, 3);
    table.store(first, entry(5));
    table.store(deeper, entry(6));
    table.store(shallow, entry(1));
    CHECK(holds(table, deeper, 6));
    CHECK(holds(table, shallow, 1));
    CHECK(!table.find(first));
}

void test_a_deeper_entry_replaces_its_own_position() {
    Table table(1);
    const std::uint64_t key = key_in(9, 1), other = key_in(9, 2);
    table.store(key, entry(3, 10));
    table.store(other, entry(2, 11));
    table.store(key, entry(4, 12));
    CHECK(holds(table, key, 4));
    CHECK(holds(table, other, 2));
    // And from the second slot.
    table.store(other, entry(7, 13));
    CHECK_EQUAL(table.find(other)->value, 13);
    CHECK_EQUAL(table.find(key)->value, 12);
}

// In either slot, and as long as a value is better than none.
void test_a_value_of_one_path_erases_none_that_always_holds() {
    Table table(1);
    const std::uint64_t first = key_in(9, 1), second = key_in(9, 2);
    const TableEntry of_path{99, 0, Bound::none, 5};
    table.store(first, entry(6, 10, Bound::lower));
    table.store(second, entry(3, 11, Bound::upper));
    for (std::uint64_t key : {first, second}) {
        const TableEntry before = *table.find(key);
        table.store(key, of_path);
        CHECK(is_equal(*table.find(key), before));
        table.new_search();
        table.store(key, of_path);
        CHECK(is_equal(*table.find(key), before));
    }
    const std::uint64_t unknown = key_in(8, 1);
    table.store(unknown, of_path);
    CHECK(is_equal(*table.find(unknown), of_path));
    table.store(unknown, {98, 0, Bound::none, 6});
    CHECK_EQUAL(table.find(unknown)->move, 6);
    table.store(unknown, entry(4));
    CHECK(is_equal(*table.find(unknown), entry(4)));
}

void test_failing_low_keeps_the_best_move() {
    Table table(1);
    const std::uint64_t first = key_in(9, 1), second = key_in(9, 2);
    table.store(first, entry(6, 10, Bound::exact, 4));
    table.store(second, entry(3, 11, Bound::lower, 5));
    table.store(first, {8, 7, Bound::upper, TableEntry::NO_MOVE});
    CHECK(is_equal(*table.find(first), {8, 7, Bound::upper, 4}));
    table.store(second, {9, 4, Bound::upper, TableEntry::NO_MOVE});
    CHECK(is_equal(*table.find(second), {9, 4, Bound::upper, 5}));
    table.store(second, entry(5, 12, Bound::exact, 6));
    CHECK_EQUAL(table.find(second)->move, 6);
}

void test_an_older_entry_gives_way_however_deep_it_is() {
    Table table(1);
    const std::uint64_t old = key_in(9, 1), young = key_in(9, 2), last = key_in(9, 3);
    table.store(old, entry(50));
    table.new_search();
    CHECK(holds(table, old, 50));  // as long as nothing needs its place
    table.store(young, entry(2));
    table.store(last, entry(1));
    CHECK(holds(table, young, 2));
    CHECK(holds(table, last, 1));
    CHECK(!table.find(old));
}

// The counter of searches comes round; the search just before is never taken for the present one.
void test_ageing_goes_on_for_ever() {
    Table table(1);
    for (int search = 0; search < 300; ++search) {
        const auto number = static_cast<std::uint64_t>(3 * search);
        table.store(key_in(9, number), entry(100));
        table.new_search();
        table.store(key_in(9, number + 1), entry(2));
        table.store(key_in(9, number + 2), entry(1));
        CHECK(holds(table, key_in(9, number + 1), 2)) || check::note(std::to_string(search));
        table.new_search();
    }
}

void test_buckets_do_not_disturb_each_other() {
    Table table(3);  // not a power of two
    constexpr std::uint64_t KEYS = 2000;
    Random random(4);
    std::vector<std::uint64_t> keys;
    for (std::uint64_t i = 0; i < KEYS; ++i) {
        keys.push_back((i << 53) | random.next() >> 11);
        table.store(keys.back(), entry(1 + static_cast<int>(i % 100), static_cast<Value>(i)));
    }
    for (std::uint64_t i = 0; i < KEYS; ++i)
        CHECK_EQUAL(table.find(keys[i])->value, static_cast<Value>(i));
}

void test_a_table_uses_the_memory_it_has() {
    Table table(2);
    const int slots = (2 << 20) / 16;
    Random random(5);
    std::vector<std::uint64_t> keys;
    for (int i = 0; i < slots; ++i) {
        keys.push_back(random.next());
        table.store(keys.back(), entry(1));
    }
    int found = 0;
    for (std::uint64_t key : keys) found += table.find(key).has_value();
    // Two keys to a bucket on average: of a Poisson number min(n, 2) stay, 1.46 of two.
    CHECK(found > slots * 70 / 100);
    CHECK_EQUAL(table.megabytes(), 2u);
}

void test_clear_forgets_everything() {
    Table table(1);
    Random random(6);
    std::vector<std::uint64_t> keys;
    for (int i = 0; i < 10'000; ++i) keys.push_back(random.next());
    for (std::uint64_t key : keys) table.store(key, entry(9));
    table.new_search();
    table.clear();
    for (std::uint64_t key : keys) CHECK(!table.find(key));
    table.store(keys[0], entry(2));
    CHECK(holds(table, keys[0], 2));
}

void test_impossible_sizes_are_refused() {
    const auto complaint = [](std::size_t megabytes) {
        return check::message_of<std::invalid_argument>([=] { Table table(megabytes); });
    };
    CHECK_EQUAL(complaint(0), "a table of 0 MB holds nothing: search without one");
    constexpr std::size_t MOST = std::numeric_limits<std::size_t>::max();
    // The last ones overflow when they are made bytes of.
    for (std::size_t megabytes : {std::size_t{1} << 30, MOST >> 20, (MOST >> 20) + 1, MOST}) {
        const std::string text = complaint(megabytes);
        CHECK(text.find(std::to_string(megabytes) + " MB") != std::string::npos) ||
            check::note(text);
    }
}

// An entry that knows whether it was ever stored: its value follows from all the rest.
TableEntry checked_entry(std::uint64_t key, int depth, Bound bound, int move) {
    const auto salt = static_cast<std::uint64_t>(depth) << 32 |
                      static_cast<std::uint64_t>(move) << 8 | static_cast<std::uint64_t>(bound);
    return {static_cast<Value>(Random(key, salt).next()), depth, bound, move};
}

void test_threads_never_find_what_nobody_stored() {
    constexpr int THREADS = 4, STEPS = 60'000;
    Table table(1);
    std::vector<int> found(THREADS), wrong(THREADS);
    {
        std::vector<std::jthread> threads;
        for (std::size_t number = 0; number < THREADS; ++number)
            threads.emplace_back([&, number] {
                Random random(8, number);
                for (int i = 0; i < STEPS; ++i) {
                    // A few crowded buckets, so that everybody is always in the others' way.
                    const std::uint64_t key = key_in(static_cast<std::uint64_t>(random.below(8)),
                                                     static_cast<std::uint64_t>(random.below(4)));
                    if (random.below(2)) {
                        table.store(key, checked_entry(key, random.below(30),
                                                       static_cast<Bound>(random.below(4)),
                                                       random.below(100)));
                    } else if (const auto got = table.find(key)) {
                        ++found[number];
                        wrong[number] +=
                            !is_equal(*got, checked_entry(key, got->depth, got->bound, got->move));
                    }
                }
            });
    }
    for (std::size_t number = 0; number < THREADS; ++number) {
        CHECK_EQUAL(wrong[number], 0);
        CHECK(found[number] > STEPS / 10);
    }
}

}  // namespace

int main() {
    test_an_empty_table_finds_nothing();
    test_what_is_stored_is_found();
    test_the_ends_of_every_field_are_kept();
    test_the_whole_key_is_checked();
    test_first_slot_keeps_the_deeper_and_second_takes_whatever_comes();
    test_a_deeper_entry_takes_the_first_slot();
    test_a_deeper_entry_replaces_its_own_position();
    test_a_value_of_one_path_erases_none_that_always_holds();
    test_failing_low_keeps_the_best_move();
    test_an_older_entry_gives_way_however_deep_it_is();
    test_ageing_goes_on_for_ever();
    test_buckets_do_not_disturb_each_other();
    test_a_table_uses_the_memory_it_has();
    test_clear_forgets_everything();
    test_impossible_sizes_are_refused();
    test_threads_never_find_what_nobody_stored();
    return check::report();
}
