// The worth of a position inside the search: whole numbers, seen from the side to move.
#pragma once

#include <cassert>
#include <cstdint>

namespace crossboard {

using Value = std::int32_t;

// The deepest line a search can follow, quiescence included.
constexpr int MAX_PLY = 256;
// Leaves room above it for the captures that quiescence follows.
constexpr int MAX_DEPTH = 200;

// A win counts less the farther away it is, so that a won game comes to an end.
constexpr Value WIN = 1'000'000'000;
constexpr Value INFINITE = WIN + 1;
// Evaluations stay within this, so that they are never taken for wins.
constexpr Value MAX_EVALUATION = 100'000'000;

constexpr Value won_in(int plies) {
    assert(0 <= plies && plies <= MAX_PLY);
    return WIN - plies;
}
constexpr Value lost_in(int plies) {
    return -won_in(plies);
}
constexpr bool is_win(Value value) {
    return value >= WIN - MAX_PLY;
}
constexpr bool is_loss(Value value) {
    return value <= -WIN + MAX_PLY;
}

// A win that endgame tables know of: below every proved win, above every evaluation. It counts less
// the farther away the tables are.
constexpr Value KNOWN_WIN = 500'000'000;
static_assert(MAX_EVALUATION < KNOWN_WIN - MAX_PLY && KNOWN_WIN < WIN - MAX_PLY);

constexpr Value known_value(int verdict, int plies) {
    assert(-1 <= verdict && verdict <= 1 && 0 <= plies && plies <= MAX_PLY);
    return verdict * (KNOWN_WIN - plies);
}

// The plies to the end of a won or lost game, counted from where the value stands.
constexpr int plies_to_end(Value value) {
    assert(is_win(value) || is_loss(value));
    return WIN - (value < 0 ? -value : value);
}

// Whether a search may ask for values between these two.
constexpr bool is_window(Value alpha, Value beta) {
    return -INFINITE <= alpha && alpha < beta && beta <= INFINITE;
}
// Whether a search of a position may return the value.
constexpr bool is_value(Value value) {
    return -WIN <= value && value <= WIN;
}

// From which ply of the way from the root on a value rests on the way: on none of it, so that it
// holds however a node is reached; on all of it and the game before it.
constexpr int RESTS_ON_NOTHING = MAX_PLY;
constexpr int RESTS_ON_ALL = -1;

// What is known of a position's value v when a search of it returned r.
enum class Bound : std::uint8_t { none, lower, upper, exact };  // v unknown, v >= r, v <= r, v == r

}  // namespace crossboard
