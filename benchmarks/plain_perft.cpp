// Counts perft leaves with a plain bitboard generator, the yardstick for ours.
//
// Takes the depth, prints the leaves and leaves per second. Nothing of Crossboard is included and
// nothing is remembered. The side to move always goes up; after a move the board is turned round.
#include <bit>
#include <chrono>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace {

// Bit s is square s, in row s / 4. Even rows stand half a step to the right of odd ones.
using Squares = std::uint32_t;

constexpr Squares EVEN_ROWS = 0x0F0F0F0F;
constexpr Squares ODD_ROWS = 0xF0F0F0F0;
constexpr Squares NOT_RIGHT_EDGE = 0x07070707;  // even rows without their last square
constexpr Squares NOT_LEFT_EDGE = 0xE0E0E0E0;   // odd rows without their first square
constexpr Squares CROWNING_ROW = 0xF0000000;

struct UpLeft {
    static Squares from(Squares set) { return (set & EVEN_ROWS) << 4 | (set & NOT_LEFT_EDGE) << 3; }
};
struct UpRight {
    static Squares from(Squares set) { return (set & NOT_RIGHT_EDGE) << 5 | (set & ODD_ROWS) << 4; }
};
struct DownLeft {
    static Squares from(Squares set) { return (set & EVEN_ROWS) >> 4 | (set & NOT_LEFT_EDGE) >> 5; }
};
struct DownRight {
    static Squares from(Squares set) { return (set & NOT_RIGHT_EDGE) >> 3 | (set & ODD_ROWS) >> 4; }
};

Squares turned(Squares set) {
    set = (set & 0x55555555) << 1 | (set >> 1 & 0x55555555);
    set = (set & 0x33333333) << 2 | (set >> 2 & 0x33333333);
    set = (set & 0x0F0F0F0F) << 4 | (set >> 4 & 0x0F0F0F0F);
    return __builtin_bswap32(set);
}

struct Board {
    Squares own, other, kings;  // of the side to move, of the opponent, of both

    Squares empty() const { return ~(own | other); }

    // `Back` leads from the landing to the jumped piece and on to the jumper.
    template <class Back>
    Squares jumpers(Squares pieces) const {
        return Back::from(Back::from(empty()) & other) & pieces;
    }

    Squares jumpers() const {
        const Squares own_kings = own & kings;
        return jumpers<DownRight>(own) | jumpers<DownLeft>(own) | jumpers<UpRight>(own_kings) |
               jumpers<UpLeft>(own_kings);
    }

    Board after(Squares from, Squares to, Squares taken) const {
        const bool is_king = (kings & from) || (to & CROWNING_ROW);
        return {turned(other & ~taken), turned((own ^ from) | to),
                turned((kings & ~(from | taken)) | (is_king ? to : 0))};
    }
};

// Calls `visit(to, taken)` for each way in which one piece can capture, as far as it goes.
template <class Visit>
struct Jumper {
    Squares other, empty;  // empty includes the square it left: a king may cross it again
    bool is_king;
    Visit visit;

    void jump_on(Squares at, Squares taken) const {
        bool went_on = over<UpLeft>(at, taken);
        went_on |= over<UpRight>(at, taken);
        if (is_king) {
            went_on |= over<DownLeft>(at, taken);
            went_on |= over<DownRight>(at, taken);
        }
        if (!went_on) visit(at, taken);
    }

    template <class Way>
    bool over(Squares at, Squares taken) const {
        const Squares victim = Way::from(at) & other & ~taken;
        const Squares landing = Way::from(victim) & empty;
        if (landing) jump_on(landing, taken | victim);
        return landing != 0;
    }
};

std::uint64_t perft(const Board& board, int depth);

std::uint64_t perft_of_jumps(const Board& board, Squares jumpers, int depth) {
    std::uint64_t leaves = 0;
    for (; jumpers; jumpers &= jumpers - 1) {
        const Squares from = jumpers & -jumpers;
        const auto count = [&](Squares to, Squares taken) {
            leaves += depth == 1 ? 1 : perft(board.after(from, to, taken), depth - 1);
        };
        Jumper<decltype(count)>{board.other, board.empty() | from, (board.kings & from) != 0, count}
            .jump_on(from, 0);
    }
    return leaves;
}

template <class Way, class Back>
std::uint64_t perft_of_steps(const Board& board, Squares pieces, int depth) {
    Squares targets = Way::from(pieces) & board.empty();
    if (depth == 1) return std::popcount(targets);
    std::uint64_t leaves = 0;
    for (; targets; targets &= targets - 1) {
        const Squares to = targets & -targets;
        leaves += perft(board.after(Back::from(to), to, 0), depth - 1);
    }
    return leaves;
}

std::uint64_t perft(const Board& board, int depth) {
    if (depth == 0) return 1;
    if (const Squares jumpers = board.jumpers()) return perft_of_jumps(board, jumpers, depth);
    const Squares own_kings = board.own & board.kings;
    return perft_of_steps<UpLeft, DownRight>(board, board.own, depth) +
           perft_of_steps<UpRight, DownLeft>(board, board.own, depth) +
           perft_of_steps<DownLeft, UpRight>(board, own_kings, depth) +
           perft_of_steps<DownRight, UpLeft>(board, own_kings, depth);
}

}  // namespace

int main(int argc, char** argv) {
    const int depth = argc > 1 ? std::atoi(argv[1]) : 10;
    const auto start = std::chrono::steady_clock::now();
    const std::uint64_t leaves = perft({.own = 0x00000FFF, .other = 0xFFF00000, .kings = 0}, depth);
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    std::printf("%" PRIu64 " %.0f\n", leaves, static_cast<double>(leaves) / elapsed.count());
}
