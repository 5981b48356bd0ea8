// The transposition table.
#include "search/table.h"

#include <sys/mman.h>

#include <cassert>
#include <cstdlib>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>

#include "search/free_memory.h"

namespace crossboard {

namespace {

constexpr std::size_t PAGE = std::size_t{2} << 20;

// What to keep of a position of which something was known when something more was found.
TableEntry joined(const TableEntry& known, const TableEntry& found) {
    assert(known.is_valid() && found.is_valid());
    // A value that holds only for the way we came is worth less than any that always holds.
    if (found.bound == Bound::none && known.bound != Bound::none) return known;
    // Where every move failed low, the one that was best before still comes first.
    if (found.move == TableEntry::NO_MOVE)
        return {found.value, found.depth, found.bound, known.move};
    return found;
}

}  // namespace

Table::Table(std::size_t megabytes)
    : megabytes_(megabytes), size_((megabytes << 20) / sizeof(Bucket)) {
    if (megabytes == 0)
        throw std::invalid_argument("a table of 0 MB holds nothing: search without one");
    if (const std::size_t most = free_megabytes(); megabytes > most)
        throw std::invalid_argument("a table of " + std::to_string(megabytes) +
                                    " MB does not fit into the " + std::to_string(most) +
                                    " MB of memory that are free");
    void* memory = std::aligned_alloc(PAGE, (megabytes + 1) / 2 * PAGE);
    if (!memory) throw std::bad_alloc();
    // Probes are all over the place: large pages spare most of them a walk through the page table.
    madvise(memory, megabytes << 20, MADV_HUGEPAGE);
    buckets_.reset(new (memory) Bucket[size_]);
}

void Table::Free::operator()(Bucket* buckets) const {
    std::free(buckets);
}

void Table::store(std::uint64_t key, const TableEntry& found) {
    assert(found.is_valid());
    const bool is_whole = found.bound != Bound::none && found.move != TableEntry::NO_MOVE;
    const auto known = is_whole ? std::nullopt : find(key);
    const TableEntry entry = known ? joined(*known, found) : found;
    Bucket& bucket = buckets_[index(key)];
    const std::uint64_t first = bucket.slots[0].data.load(std::memory_order_relaxed);
    const bool is_same = (bucket.slots[0].check.load(std::memory_order_relaxed) ^ first) == key;
    const bool is_old = (first >> 56 & GENERATIONS) != generation_;
    const int kept_depth = static_cast<int>(first >> 48 & 0xff);
    const bool use_first = is_same || is_old || entry.depth >= kept_depth;
    // A deeper entry that gives way is worth keeping as long as the second slot lets it.
    if (use_first && !is_same && first != 0) {
        bucket.slots[1].data.store(first, std::memory_order_relaxed);
        bucket.slots[1].check.store(bucket.slots[0].check.load(std::memory_order_relaxed),
                                    std::memory_order_relaxed);
    }
    Slot& slot = bucket.slots[use_first ? 0 : 1];
    const std::uint64_t data = pack(entry, generation_);
    slot.data.store(data, std::memory_order_relaxed);
    slot.check.store(key ^ data, std::memory_order_relaxed);
}

void Table::clear() {
    new (buckets_.get()) Bucket[size_];
    generation_ = 0;
}

}  // namespace crossboard
