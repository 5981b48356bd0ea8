// Tests how long a move may take of a game's time: shares, what makes them longer, what is kept.
#include "search/move_time.h"

#include <thread>

#include "check.h"

using namespace crossboard;

namespace {

constexpr int UNITS = 100;
constexpr Value EVEN = 0;

MoveTime for_time(GameTime time, double seconds = 0, TimeKind clock = TimeKind::wall) {
    Limits limits{.seconds = seconds, .clock = clock};
    limits.time = time;
    return MoveTime(limits);
}

double share(GameTime time, double seconds = 0) {
    return for_time(time, seconds).share();
}

bool is_near(double one, double other) {
    return one > 0.999 * other && one < 1.001 * other;
}

void test_time_is_shared_out() {
    CHECK(is_near(share({50}), 2));
    CHECK(is_near(share({50, 0, 10}), 5));
    CHECK(is_near(share({50, 0, 100}), 2));
    CHECK(is_near(share({10, 0, 1}), 8.9));  // never all of it
    CHECK(is_near(share({50, 3}), 5));
    CHECK(is_near(share({0, 1}), 0.8));
    CHECK(is_near(share({50}, 1), 1));  // another limit is heeded too
    for (const GameTime little : {GameTime{0.05}, GameTime{0}, GameTime{-1, 0.5}, GameTime{-5, 1}})
        CHECK(is_near(share(little), MoveTime::LEAST_SECONDS));
}

void test_a_move_never_takes_what_there_is_not() {
    for (const double seconds : {0.0, 0.05, 0.2, 1.0, 10.0, 300.0})
        for (const double increment : {0.0, 0.1, 3.0})
            for (const int moves : {0, 1, 2, 40}) {
                const GameTime time{seconds, increment, moves};
                const MoveTime found = for_time(time);
                CHECK(found.share() <= found.most());
                const double most = std::max(time.for_next_move() - MoveTime::MARGIN_SECONDS,
                                             MoveTime::LEAST_SECONDS);
                CHECK(found.most() <= most) || check::note(std::to_string(seconds));
            }
}

// A whole game in which every move takes all that it may.
void test_greed_leaves_time_to_the_end() {
    for (GameTime time : {GameTime{1}, GameTime{0.2, 0.01}, GameTime{60, 1}})
        for (int move = 0; move < 200; ++move) {
            const MoveTime found = for_time(time);
            // With next to nothing left, only games without end would use it up.
            if (found.most() <= MoveTime::LEAST_SECONDS) break;
            CHECK(time.spend(found.most())) || check::note(std::to_string(move));
        }
}

void test_a_new_move_or_a_drop_gives_more_time() {
    const GameTime time{50};
    MoveTime calm = for_time(time), changing = for_time(time), dropping = for_time(time);
    const double first = calm.limit_after(false, EVEN, UNITS);
    CHECK(first < calm.share());
    changing.limit_after(false, EVEN, UNITS);
    dropping.limit_after(false, EVEN, UNITS);
    CHECK(is_near(calm.limit_after(false, EVEN, UNITS), first));
    CHECK(is_near(calm.limit_after(false, UNITS, UNITS), first));  // a rise is good news
    const double changed = changing.limit_after(true, EVEN, UNITS);
    CHECK(changed > 1.5 * first);
    const double later = changing.limit_after(false, EVEN, UNITS);
    CHECK(first < later && later < changed);
    const double little = dropping.limit_after(false, -UNITS / 10, UNITS);
    CHECK(little > 1.2 * first);
    MoveTime falling = for_time(time);
    falling.limit_after(false, MAX_EVALUATION, UNITS);  // a win that was none
    const double much = falling.limit_after(true, -MAX_EVALUATION, UNITS);
    CHECK(much > little && much <= falling.most());
}

void test_time_over_begins_no_depth() {
    MoveTime time = for_time({0.2});
    CHECK(time.allows_next(false, EVEN, UNITS) || time.deadline().seconds_used() > 0.001);
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    CHECK(!time.allows_next(true, -UNITS, UNITS));
    CHECK(time.deadline().has_passed());
    MoveTime worked = for_time({60}, 0, TimeKind::cpu);
    const double before = worked.deadline().seconds_used();
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    CHECK(worked.deadline().seconds_used() - before < 0.05);  // sleep is no work
}

void test_what_is_spent_is_gone() {
    GameTime time{2, 1};
    CHECK(time.spend(2.5));
    CHECK(is_near(time.seconds, 0.5));
    CHECK(time.spend(0.5));
    CHECK(is_near(time.seconds, 1));
    CHECK(!time.spend(2.5));
}

}  // namespace

int main() {
    test_time_is_shared_out();
    test_a_move_never_takes_what_there_is_not();
    test_greed_leaves_time_to_the_end();
    test_a_new_move_or_a_drop_gives_more_time();
    test_time_over_begins_no_depth();
    test_what_is_spent_is_gone();
    return check::report();
}
