// Counts perft leaves with a plain bitboard generator, the yardstick for ours: depth -> leaves, rate.
//
// Nothing of Crossboard is included, and nothing is hashed or cached. The side to move always goes
// up the board; after each move the board is turned by reversing its bits.
#include <bit>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace {

// Square s is bit s; row s / 4, row 0 at the mover's edge. Even rows stand half a step to the right,
// so from square s of an even row the squares above are s + 4 and s + 5, of an odd row s + 3 and s + 4.
using Set = std::uint32_t;

constexpr Set kEvenRows = 0x0F0F0F0F;
constexpr Set kOddRows = 0xF0F0F0F0;
constexpr Set kLeftEdge = 0x10101010;   // of the odd rows: nothing to their left
constexpr Set kRightEdge = 0x08080808;  // of the even rows: nothing to their right
constexpr Set kCrowningRow = 0xF0000000;

struct UpLeft {
    static Set step(Set from) {
        return (from & kEvenRows) << 4 | (from & kOddRows & ~kLeftEdge) << 3;
    }
};
struct UpRight {
    static Set step(Set from) {
        return (from & kEvenRows & ~kRightEdge) << 5 | (from & kOddRows) << 4;
    }
};
struct DownLeft {
    static Set step(Set from) {
        return (from & kEvenRows) >> 4 | (from & kOddRows & ~kLeftEdge) >> 5;
    }
};
struct DownRight {
    static Set step(Set from) {
        return (from & kEvenRows & ~kRightEdge) >> 3 | (from & kOddRows) >> 4;
    }
};

Set turned(Set set) {
    set = (set & 0x55555555) << 1 | (set >> 1 & 0x55555555);
    set = (set & 0x33333333) << 2 | (set >> 2 & 0x33333333);
    set = (set & 0x0F0F0F0F) << 4 | (set >> 4 & 0x0F0F0F0F);
    return __builtin_bswap32(set);
}

struct Board {
    Set mine, theirs, kings;
};

std::uint64_t perft(const Board& board, int depth);

std::uint64_t leaves_after(const Board& board, Set from, Set to, Set taken, int depth) {
    if (depth == 1) return 1;
    const Set crowned = board.kings & from || to & kCrowningRow ? to : 0;
    return perft({turned(board.theirs & ~taken), turned((board.mine & ~from) | to),
                  turned((board.kings & ~from & ~taken) | crowned)},
                 depth - 1);
}

// All ways for one piece to capture, each as far as it goes.
struct Capture {
    const Board& board;
    Set from, empty;  // the square it came from counts as empty: a king may cross it again
    bool king;
    int depth;

    std::uint64_t leaves(Set at, Set taken) const {
        std::uint64_t sum = jump<UpLeft>(at, taken) + jump<UpRight>(at, taken);
        if (king) sum += jump<DownLeft>(at, taken) + jump<DownRight>(at, taken);
        if (sum == 0) return leaves_after(board, from, at, taken, depth);
        return sum;
    }

    template <class Direction>
    std::uint64_t jump(Set at, Set taken) const {
        const Set over = Direction::step(at) & board.theirs & ~taken;
        const Set landing = Direction::step(over) & empty;
        return landing ? leaves(landing, taken | over) : 0;
    }
};
