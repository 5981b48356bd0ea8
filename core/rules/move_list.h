// A list of moves on the stack: generating moves must not allocate.
#pragma once

#include <algorithm>
#include <cassert>
#include <type_traits>

namespace crossboard {

// Capacity is a proven bound of the game's rules, not a guess: adding never overflows.
template <class Move, int Capacity>
class MoveList {
    static_assert(std::is_trivially_copyable_v<Move>);

  public:
    MoveList() {}  // leaves the storage unwritten: clearing it would cost more than generating
    MoveList(const MoveList& other) { *this = other; }
    // Copies only what is there.
    MoveList& operator=(const MoveList& other) {
        size_ = other.size_;
        std::copy(other.begin(), other.end(), moves_);
        return *this;
    }

    void add(const Move& move) {
        assert(size_ < Capacity);
        moves_[size_++] = move;
    }

    bool has(const Move& move) const { return std::find(begin(), end(), move) != end(); }

    int size() const { return size_; }
    bool empty() const { return size_ == 0; }
    const Move& operator[](int index) const {
        assert(0 <= index && index < size_);
        return moves_[index];
    }
    const Move* begin() const { return moves_; }
    const Move* end() const { return moves_ + size_; }
    Move* begin() { return moves_; }
    Move* end() { return moves_ + size_; }

  private:
    int size_ = 0;
    union {
        Move moves_[Capacity];
    };
};

}  // namespace crossboard
