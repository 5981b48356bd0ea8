// How the outcomes and the distances of a block of positions become bytes, and are read in place.
#include "tables/codec.h"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace crossboard::tables {

namespace {

// Calls emit(value, length) for each run of values; `is_free(i)` if the value at i does not matter.
template <class Value, class IsFree, class Emit>
void for_each_run(std::size_t size, Value value, IsFree is_free, Emit emit) {
    std::size_t start = 0;
    int current = -1;  // none that matters yet
    for (std::size_t i = 0; i < size; ++i) {
        if (is_free(i)) continue;
        const int next = static_cast<int>(value(i));
        if (current >= 0 && next != current) {
            emit(current, i - start);
            start = i;
        }
        current = next;
    }
    if (size > start) emit(std::max(current, 0), size - start);
}

// A byte is a change and a length: in the upper half how the distance differs from that before, in
// the lower half the length of the run, where either has a byte of its own if it is too large.
constexpr int FAR = 15;   // the distance itself follows
constexpr int LONG = 15;  // the length follows, in two bytes; others are from 1 to 15
// 0, 1, 2 ... 14 stand for 0, -1, +1 ... +7.
constexpr int zigzag(int difference) {
    return difference < 0 ? -2 * difference - 1 : 2 * difference;
}
constexpr int from_zigzag(int number) {
    return number % 2 ? -(number + 1) / 2 : number / 2;
}

}  // namespace

void encode_outcomes(std::span<const Outcome> outcomes, Bytes distances, std::string& code) {
    const auto emit = [&](int value, std::size_t length) {
        while (length > 0) {
            const auto above =
                std::upper_bound(runs::LENGTH.begin(), runs::LENGTH.end(), length) - 1;
            code += static_cast<char>(value * runs::LENGTHS + (above - runs::LENGTH.begin()));
            length -= *above;
        }
    };
    for_each_run(
        outcomes.size(), [&](std::size_t i) { return outcomes[i]; },
        [&](std::size_t i) { return distances[i] == CAPTURE; }, emit);
}

void encode_distances(std::span<const Outcome> outcomes, Bytes distances, std::string& code) {
    static_assert(BLOCK <= 1 << 16);
    int before = 0;
    const auto emit = [&](int distance, std::size_t length) {
        const int change = std::min(zigzag(distance - before), FAR);
        const int size = length < LONG ? static_cast<int>(length) : 0;
        code += static_cast<char>(change << 4 | size);
        if (change == FAR) code += static_cast<char>(distance);
        if (size == 0) {
            code += static_cast<char>((length - 1) & 0xff);
            code += static_cast<char>((length - 1) >> 8);
        }
        before = distance;
    };
    for_each_run(
        distances.size(), [&](std::size_t i) { return distances[i]; },
        [&](std::size_t i) { return distances[i] == CAPTURE || outcomes[i] == Outcome::draw; },
        emit);
}

std::optional<std::uint8_t> distance_at(Bytes code, std::size_t at) {
    std::size_t end = 0;
    int distance = 0;
    for (std::size_t i = 0; i < code.size();) {
        const int change = code[i] >> 4, size = code[i] & 15;
        ++i;
        const std::size_t extra = (change == FAR ? 1 : 0) + (size == 0 ? 2 : 0);
        if (i + extra > code.size()) return std::nullopt;
        distance = change == FAR ? code[i++] : distance + from_zigzag(change);
        end += size;
        if (size == 0) {
            end += code[i] + (std::size_t{code[i + 1]} << 8) + 1;
            i += 2;
        }
        if (end > at) return static_cast<std::uint8_t>(distance);
    }
    return std::nullopt;
}

bool decode_outcomes(Bytes code, std::span<Outcome> outcomes) {
    std::size_t end = 0;
    for (const std::uint8_t run : code) {
        const std::size_t length = runs::LENGTH_OF_CODE[run];
        if (length > outcomes.size() - end) return false;
        const auto outcome = static_cast<Outcome>(run / runs::LENGTHS);
        std::fill_n(outcomes.begin() + static_cast<std::ptrdiff_t>(end), length, outcome);
        end += length;
    }
    return end == outcomes.size();
}

// Each word changes the state one-to-one, so that one changed word cannot go unseen before the
// last step, and there only once in four thousand million times.
std::uint32_t checksum(Bytes bytes) {
    constexpr std::uint64_t FACTOR = 0x9e3779b97f4a7c15;  // any odd number with mixed bits will do
    std::uint64_t state = bytes.size();
    const auto add = [&](std::size_t start, std::size_t size) {
        std::uint64_t word = 0;
        for (std::size_t i = 0; i < size; ++i) word |= std::uint64_t{bytes[start + i]} << (8 * i);
        state = (state ^ word) * FACTOR;
        state ^= state >> 29;
    };
    const std::size_t whole = bytes.size() / 8 * 8;
    for (std::size_t start = 0; start < whole; start += 8) add(start, 8);
    if (whole < bytes.size()) add(whole, bytes.size() - whole);
    return static_cast<std::uint32_t>(state ^ state >> 32);
}

}  // namespace crossboard::tables
