// Codes of blocks: what was put in is read back, what does not matter may be anything, and no
// bytes do harm.
#include "tables/codec.h"

#include <vector>

#include "check.h"
#include "rules/random.h"

using namespace crossboard;
using namespace crossboard::tables;

namespace {

struct Block {
    std::vector<Outcome> outcomes;
    std::vector<std::uint8_t> distances;

    bool matters(std::size_t i) const { return distances[i] != CAPTURE; }
};

// Runs of random lengths up to `longest`, with captures of that share among 16.
Block random_block(Random& random, std::size_t size, std::uint64_t longest,
                   std::uint64_t captures) {
    Block block;
    while (block.outcomes.size() < size) {
        const auto outcome = static_cast<Outcome>(random.next() % 3);
        const auto distance = static_cast<std::uint8_t>(random.next() % 120);
        for (std::uint64_t left = 1 + random.next() % longest;
             left > 0 && block.outcomes.size() < size; --left) {
            block.outcomes.push_back(outcome);
            const bool is_capture = random.next() % 16 < captures;
            block.distances.push_back(
                is_capture ? CAPTURE : static_cast<std::uint8_t>(distance + random.next() % 3));
        }
    }
    return block;
}

Bytes bytes_of(const std::string& code) {
    return {reinterpret_cast<const std::uint8_t*>(code.data()), code.size()};
}

void check_block(const Block& block) {
    std::string outcomes, distances;
    encode_outcomes(block.outcomes, block.distances, outcomes);
    encode_distances(block.outcomes, block.distances, distances);
    const std::size_t size = block.outcomes.size();
    std::vector<Outcome> decoded(size);
    CHECK(decode_outcomes(bytes_of(outcomes), decoded));
    for (std::size_t i = 0; i < size; ++i) {
        if (!block.matters(i)) continue;
        CHECK(outcome_at(bytes_of(outcomes), i) == block.outcomes[i]);
        CHECK(decoded[i] == block.outcomes[i]);
        if (block.outcomes[i] != Outcome::draw)
            CHECK(distance_at(bytes_of(distances), i) == block.distances[i]);
    }
    CHECK(!outcome_at(bytes_of(outcomes), size));
    CHECK(!distance_at(bytes_of(distances), size));
    decoded.resize(size + 1);
    CHECK(!decode_outcomes(bytes_of(outcomes), decoded));
    decoded.resize(size - 1);
    CHECK(!decode_outcomes(bytes_of(outcomes), decoded));
}

void test_random_blocks() {
    Random random(5);
    for (const std::size_t size : {std::size_t{1}, std::size_t{100}, BLOCK})
        for (const std::uint64_t longest : {1, 3, 40, 90, 500, 10'000})
            for (const std::uint64_t captures : {0, 5, 16})
                check_block(random_block(random, size, longest, captures));
}

void test_captures_stretch_runs() {
    const Block block{{Outcome::win, Outcome::loss, Outcome::win, Outcome::win},
                      {3, CAPTURE, 3, 3}};
    std::string outcomes, distances;
    encode_outcomes(block.outcomes, block.distances, outcomes);
    encode_distances(block.outcomes, block.distances, distances);
    CHECK_EQUAL(outcomes.size(), 1);
    CHECK_EQUAL(distances.size(), 1);
}

void test_no_bytes_do_harm() {
    Random random(6);
    for (int i = 0; i < 100'000; ++i) {
        std::vector<std::uint8_t> bytes(random.next() % 8);
        for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random.next());
        const std::size_t at = random.next() % BLOCK;
        const auto outcome = outcome_at(bytes, at);
        CHECK(!outcome || *outcome <= Outcome::win);
        distance_at(bytes, at);
        std::vector<Outcome> outcomes(random.next() % 200);
        decode_outcomes(bytes, outcomes);
    }
    const std::vector<std::uint8_t> no_code = {255};
    CHECK(!outcome_at(no_code, 0));
}

void test_checksum_sees_each_bit() {
    Random random(7);
    for (const std::size_t size : {1, 7, 8, 9, 100}) {
        std::vector<std::uint8_t> bytes(size);
        for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random.next());
        const std::uint32_t before = checksum(bytes);
        for (std::size_t i = 0; i < 8 * size; ++i) {
            bytes[i / 8] ^= static_cast<std::uint8_t>(1 << i % 8);
            CHECK(checksum(bytes) != before);
            bytes[i / 8] ^= static_cast<std::uint8_t>(1 << i % 8);
        }
        bytes.push_back(0);
        CHECK(checksum(bytes) != before);
    }
}

}  // namespace

int main() {
    test_random_blocks();
    test_captures_stretch_runs();
    test_no_bytes_do_harm();
    test_checksum_sees_each_bit();
    return check::report();
}
