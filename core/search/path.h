// The line from the game's last irreversible move to the node being searched.
#pragma once

#include <cassert>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "rules/past.h"
#include "rules/random.h"
#include "search/value.h"

namespace crossboard {

class Path {
  public:
    Path() = default;

    // `history` are the keys of the positions before the root since the last irreversible move,
    // oldest first.
    Path(std::span<const std::uint64_t> history, std::uint64_t root) {
        entries_.reserve(history.size() + MAX_PLY + 1);
        for (std::uint64_t key : history) entries_.push_back({key, 0});
        entries_.push_back({root, 0});
        root_ = here();
        sum_up_game();
    }

    void push(std::uint64_t key, bool irreversible) {
        assert(!entries_.empty());
        const int start = irreversible ? size() : entries_.back().start;
        entries_.push_back({key, start});
    }
    void pop() {
        assert(here() > root_);
        entries_.pop_back();
    }
    // Back to an earlier size, from however deep.
    void cut_to(int size) {
        assert(root_ < size && size <= this->size());
        entries_.erase(entries_.begin() + size, entries_.end());
    }

    int size() const { return static_cast<int>(entries_.size()); }
    int here() const { return size() - 1; }
    // Whether a position, given by its key, stands at the end.
    bool ends_at(std::uint64_t key) const {
        return !entries_.empty() && entries_.back().key == key;
    }

    // Plies without an irreversible move.
    int quiet_plies() const {
        assert(!entries_.empty());
        return here() - entries_.back().start;
    }

    // To be mixed into the key under which the present position is kept in a table. As long as the
    // game's positions can come back, values depend on them: they are a draw here, and in another
    // game they are not.
    std::uint64_t table_salt() const {
        assert(!entries_.empty());
        return entries_.back().start > root_ ? 0 : salt_;
    }

    // Whether the present position has stood in the game, up to the root. Positions that only the
    // search has seen do not count: that would make values depend on the way to a node, and one
    // way's values would be found in the table by another.
    bool is_repetition() const {
        assert(!entries_.empty());
        const Entry& now = entries_.back();
        // The same side is to move at every second place, and no position comes back sooner than
        // after four plies.
        int i = here() - 4;
        if (i > root_) i = root_ - (i - root_) % 2;
        for (; i >= now.start; i -= 2)
            if (entries_[static_cast<std::size_t>(i)].key == now.key) return true;
        return false;
    }

    // The ply of the tree, counted from the root, at which the present position has stood before;
    // 0 if it has not. A value that rests on that holds only for those who came by that ply.
    int repeated_ply() const {
        assert(!entries_.empty());
        const Entry& now = entries_.back();
        for (int i = here() - 4; i > root_ && i >= now.start; i -= 2)
            if (entries_[static_cast<std::size_t>(i)].key == now.key) return i - root_;
        return 0;
    }

    // What the rules make of the present position, if its side has a move.
    //
    // Chosen: a position that has stood in the game is a draw when it stands again, for the second
    // time already, since who could repeat it once can do so again.
    Draw draw(const DrawRules& rules) const {
        assert(rules.is_valid());
        if (rules.repetitions && is_repetition()) return Draw::repetition;
        if (rules.quiet_plies && quiet_plies() >= rules.quiet_plies) return Draw::quiet;
        return Draw::none;
    }

    struct Entry {
        std::uint64_t key;
        int start;  // of the positions that can still come back
    };

    // For sending a path to another process.
    const std::vector<Entry>& entries() const { return entries_; }
    int root() const { return root_; }
    Path(std::vector<Entry> entries, int root) : entries_(std::move(entries)), root_(root) {
        assert(0 <= root && root < size());
        entries_.reserve(entries_.size() + MAX_PLY);
        sum_up_game();
    }

  private:
    // The same for the same positions, in whatever order they came.
    void sum_up_game() {
        salt_ = 0;
        for (int i = 0; i <= root_; ++i)
            salt_ += Random(entries_[static_cast<std::size_t>(i)].key).next();
    }

    std::vector<Entry> entries_;
    int root_ = 0;            // its place among the entries
    std::uint64_t salt_ = 0;  // stands for the positions up to the root
};

}  // namespace crossboard
