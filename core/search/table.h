// The transposition table: what earlier searches found out about positions.
#pragma once

#include <atomic>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "search/value.h"

namespace crossboard {

struct TableEntry {
    static constexpr int NO_MOVE = 0xffff;

    Value value = 0;  // wins counted from this position, not from the root
    int depth = 0;
    Bound bound = Bound::none;
    int move = NO_MOVE;  // index among the position's moves

    // Whether the table can keep it.
    bool is_valid() const { return 0 <= depth && depth <= 0xff && 0 <= move && move <= NO_MOVE; }
    bool has_move_of(int moves) const { return move == NO_MOVE || move < moves; }
};

// Two slots to a bucket: the first keeps the deeper entry of the present search, the second takes
// whatever comes.
class Table {
  public:
    // Throws std::invalid_argument if the size is zero or more than the machine has.
    explicit Table(std::size_t megabytes);

    std::optional<TableEntry> find(std::uint64_t key) const {
        for (const Slot& slot : buckets_[index(key)].slots) {
            const std::uint64_t data = slot.data.load(std::memory_order_relaxed);
            if ((slot.check.load(std::memory_order_relaxed) ^ data) == key && data != 0)
                return unpack(data);
        }
        return std::nullopt;
    }
    void store(std::uint64_t key, const TableEntry& entry);
    void prefetch(std::uint64_t key) const { __builtin_prefetch(&buckets_[index(key)]); }

    // Entries of earlier searches give way to those of the one that begins now.
    void new_search() { generation_ = (generation_ + 1) & GENERATIONS; }
    void clear();

    std::size_t megabytes() const { return megabytes_; }

  private:
    // No lock: two relaxed atomic words, key xor data, so that a torn entry fails the check of its
    // key and is not found.
    struct Slot {
        std::atomic<std::uint64_t> check{0};
        std::atomic<std::uint64_t> data{0};
    };
    struct alignas(2 * sizeof(Slot)) Bucket {
        Slot slots[2];
    };

    static constexpr std::uint64_t GENERATIONS = 0x3f;

    // One word: value 32 bits, move 16, depth 8, generation 6, bound 2.
    static std::uint64_t pack(const TableEntry& entry, std::uint64_t generation) {
        assert(entry.is_valid() && generation <= GENERATIONS);
        return std::uint64_t{static_cast<std::uint32_t>(entry.value)} |
               static_cast<std::uint64_t>(entry.move & 0xffff) << 32 |
               static_cast<std::uint64_t>(entry.depth & 0xff) << 48 | generation << 56 |
               static_cast<std::uint64_t>(entry.bound) << 62;
    }
    static TableEntry unpack(std::uint64_t data) {
        return {static_cast<Value>(static_cast<std::uint32_t>(data)),
                static_cast<int>(data >> 48 & 0xff), static_cast<Bound>(data >> 62),
                static_cast<int>(data >> 32 & 0xffff)};
    }

    std::size_t index(std::uint64_t key) const {
        // The high half of the product spreads any number of buckets evenly over the keys.
        return static_cast<std::size_t>(static_cast<unsigned __int128>(key) * size_ >> 64);
    }

    std::size_t megabytes_;
    std::size_t size_;
    struct Free {
        void operator()(Bucket* buckets) const;
    };
    std::unique_ptr<Bucket[], Free> buckets_;
    std::uint64_t generation_ = 0;
};

}  // namespace crossboard
