// Tests when a search must end: nodes exactly, stop, clock and poll soon.
#include "search/limits.h"

#include <thread>

#include "check.h"

using namespace crossboard;

namespace {

using Clock = Meter::Clock;
const Deadline NO_DEADLINE;
// A search counts so many nodes in much less than 50 ms.
constexpr std::uint64_t SOON = 20'000;

std::atomic<bool> never_stop{false};

// Counts up to `most` nodes; true if the meter threw.
bool is_stopped_within(Meter& meter, std::uint64_t most) {
    try {
        for (std::uint64_t i = 0; i < most; ++i) meter.count();
    } catch (const Stopped&) {
        return true;
    }
    return false;
}

void test_node_limit_is_exact() {
    for (std::uint64_t limit : {1, 2, 3, 1000, 1023, 1024, 1025, 2047, 2048, 2049, 100'000}) {
        Meter meter(limit, NO_DEADLINE, never_stop);
        CHECK(!is_stopped_within(meter, limit)) || check::note(std::to_string(limit));
        CHECK_EQUAL(meter.nodes(), limit);
        CHECK(is_stopped_within(meter, 1)) || check::note(std::to_string(limit));
        CHECK_EQUAL(meter.nodes(), limit);  // the node that was refused does not count
        CHECK(is_stopped_within(meter, 1));
        CHECK_EQUAL(meter.nodes(), limit);
    }
}

void test_zero_nodes_is_no_limit() {
    Meter meter(0, NO_DEADLINE, never_stop);
    CHECK(!is_stopped_within(meter, 1'000'000));
    CHECK_EQUAL(meter.nodes(), 1'000'000);
}

void test_stop_ends_the_search_soon() {
    std::atomic<bool> stop{false};
    Meter meter(0, NO_DEADLINE, stop);
    CHECK(!is_stopped_within(meter, 12'345));
    stop = true;
    CHECK(is_stopped_within(meter, SOON));
}

void test_deadline_ends_the_search_soon() {
    Meter late(0, Deadline(0, TimeKind::wall), never_stop);
    CHECK(is_stopped_within(late, SOON));
    const auto end = Clock::now() + std::chrono::milliseconds(5);
    Meter meter(0, Deadline(0.005, TimeKind::wall), never_stop);
    while (!is_stopped_within(meter, 100)) {
    }
    CHECK(Clock::now() >= end);
    Meter early(0, Deadline(3600, TimeKind::wall), never_stop);
    CHECK(!is_stopped_within(early, 100'000));
}

void test_time_of_the_processor_stands_still_in_sleep() {
    const Deadline deadline(0.005, TimeKind::cpu);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    CHECK(!deadline.has_passed());
    std::thread other([&] { CHECK(!deadline.has_passed()); });  // the time of the thread above
    other.join();
    Meter meter(0, deadline, never_stop);
    while (!is_stopped_within(meter, 100)) {
    }
    CHECK(deadline.has_passed());
    CHECK(!Deadline().has_passed());
}

void test_poll_is_asked_now_and_then_and_may_stop() {
    int polls = 0;
    bool wants_stop = false;
    Meter meter(0, NO_DEADLINE, never_stop);
    meter.set_poll([&] {
        ++polls;
        return wants_stop;
    });
    const auto start = Clock::now();
    while (Clock::now() - start < std::chrono::milliseconds(60)) meter.count();
    const auto passed = std::chrono::duration<double>(Clock::now() - start).count();
    CHECK(polls >= 1);
    CHECK(polls <= passed / 0.010 + 1);  // Python's signals cost more than nodes
    wants_stop = true;
    bool stopped = false;
    while (!stopped && Clock::now() - start < std::chrono::seconds(30))
        stopped = is_stopped_within(meter, 100);
    CHECK(stopped);
}

}  // namespace

int main() {
    test_node_limit_is_exact();
    test_zero_nodes_is_no_limit();
    test_stop_ends_the_search_soon();
    test_deadline_ends_the_search_soon();
    test_time_of_the_processor_stands_still_in_sleep();
    test_poll_is_asked_now_and_then_and_may_stop();
    return check::report();
}
