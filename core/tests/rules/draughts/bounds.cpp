// Proves MAX_JUMPS and MAX_MOVES by trying every set of pieces that could be jumped.
//
// The landings of a jump stay within one family of eight squares, and the nine pieces it could jump
// lie between them: a graph of eight places and nine ways, each way taken once. The two families on
// even rows jump the inner squares of odd rows, and the other way round.
#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include "check.h"
#include "rules/draughts/show.h"
#include "rules/draughts/slow_rules.h"

using namespace crossboard;
using namespace crossboard::draughts;

namespace {

constexpr slow::Place DIAGONALS[] = {{1, 1}, {1, -1}, {-1, 1}, {-1, -1}};

struct Family {
    std::set<int> landings;
    std::set<int> inner;
};

// The squares a king can reach by jumps from `start`, and those between them.
Family family_of(int start) {
    Family family{{start}, {}};
    std::vector<int> rest = {start};
    while (!rest.empty()) {
        const slow::Place from = slow::place_of(rest.back());
        rest.pop_back();
        for (slow::Place direction : DIAGONALS) {
            const slow::Place over = {from.row + direction.row, from.column + direction.column};
            const slow::Place to = {over.row + direction.row, over.column + direction.column};
            if (!slow::is_on_board(to)) continue;
            family.inner.insert(slow::square_of(over));
            if (family.landings.insert(slow::square_of(to)).second)
                rest.push_back(slow::square_of(to));
        }
    }
    return family;
}

void test_four_families_with_nine_inner_squares_each() {
    std::set<std::set<int>> families;
    for (int start = 1; start <= SQUARES; ++start) {
        const Family family = family_of(start);
        families.insert(family.landings);
        CHECK_EQUAL(family.landings.size(), 8);
        CHECK_EQUAL(family.inner.size(), MAX_JUMPS);
    }
    CHECK_EQUAL(families.size(), 4);
}

// ---- one piece

// Bit i of `subset` stands for the i-th of `squares`.
Bits chosen(Bits subset, const std::vector<int>& squares) {
    Bits set = 0;
    for (int i : Members(subset)) set |= bit(index_of(squares[i]));
    return set;
}

struct Most {
    int routes = 0;
    int jumps = 0;
};

enum class Kind { man, king };

// Puts a black piece on each square and white men on every subset of the squares it could jump. A
// blocked landing only takes jumps away, as does leaving out the pieces beside it, so an otherwise
// empty board covers every other one.
Most most_of(Kind kind) {
    const bool is_king = kind == Kind::king;
    Most most;
    for (int start = 1; start <= (is_king ? 32 : 28); ++start) {
        const Bits here = bit(index_of(start));
        const std::set<int> inner = family_of(start).inner;
        const std::vector<int> jumpable(inner.begin(), inner.end());
        for (Bits subset = 1; subset < 512; ++subset) {
            const Position position(here, chosen(subset, jumpable), is_king ? here : 0,
                                    Colour::black);
            const std::vector<slow::SlowMove> moves = slow::Board(position).moves();
            CHECK_EQUAL(position.count_moves(), moves.size()) || check::note(format_fen(position));
            if (moves.empty() || moves[0].captured.empty()) continue;
            most.routes = std::max(most.routes, static_cast<int>(moves.size()));
            for (const slow::SlowMove& move : moves)
                most.jumps = std::max(most.jumps, static_cast<int>(move.captured.size()));
        }
    }
    return most;
}

void test_a_king_has_at_most_sixteen_routes_of_nine_jumps() {
    const Most most = most_of(Kind::king);
    CHECK_EQUAL(most.routes, 16);
    CHECK_EQUAL(most.jumps, MAX_JUMPS);
    CHECK_EQUAL(parse_fen("B:W6,7,8,14,15,16,22,23,24:BK10").count_moves(), 16);
}

void test_a_man_has_at_most_five_routes_of_three_jumps() {
    const Most most = most_of(Kind::man);
    CHECK_EQUAL(most.routes, 5);
    CHECK_EQUAL(most.jumps, 3);
}

// ---- a whole side

// The jumps of one family as a graph; sets of its landings and of its inner squares as bits.
class Graph {
  public:
    explicit Graph(int start) {
        const Family family = family_of(start);
        landings.assign(family.landings.begin(), family.landings.end());
        const std::vector<int> inner(family.inner.begin(), family.inner.end());
        for (std::size_t from = 0; from < 8; ++from)
            for (slow::Place direction : DIAGONALS) {
                const slow::Place at = slow::place_of(landings[from]);
                const slow::Place over = {at.row + direction.row, at.column + direction.column};
                const slow::Place to = {over.row + direction.row, over.column + direction.column};
                if (slow::is_on_board(to))
                    jumps_[from].push_back({index_in(inner, slow::square_of(over)),
                                            index_in(landings, slow::square_of(to))});
            }
    }

    // routes() for every start and every set of occupied landings, with one set of white pieces.
    using Routes = std::array<std::array<int, 8>, 256>;

    Routes all_routes(unsigned white) const {
        Routes all = {};
        for (unsigned occupied = 0; occupied < 256; ++occupied)
            for (int start : Members(255 & ~occupied))
                if (can_jump(start, ~occupied, white))
                    all[occupied][start] = routes(start, ~occupied, white);
        return all;
    }

    // The most routes that 0 to 8 kings can have between them where some landings are blocked.
    static std::array<int, 9> most_by_kings(const Routes& all, unsigned blocked) {
        std::array<int, 9> most = {};
        const unsigned open = 255 & ~blocked;
        for (unsigned kings = open; kings; kings = (kings - 1) & open) {  // every subset of it
            int total = 0;
            for (int king : Members(kings)) total += all[(kings | blocked) & ~bit(king)][king];
            int& best = most[static_cast<std::size_t>(count(kings))];
            best = std::max(best, total);
        }
        return most;
    }

    std::vector<int> landings;

  private:
    struct Jump {
        int over, to;  // bits
    };

    // The complete routes from here on; staying here is one if nothing can be jumped.
    int routes(int from, unsigned open, unsigned white) const {
        int total = 0;
        for (const Jump& jump : jumps_[from])
            if ((white >> jump.over & 1) && (open >> jump.to & 1))
                total += routes(jump.to, open, white & ~(1u << jump.over));
        return std::max(total, 1);
    }

    bool can_jump(int from, unsigned open, unsigned white) const {
        return std::ranges::any_of(jumps_[from], [=](const Jump& jump) {
            return (white >> jump.over & 1) && (open >> jump.to & 1);
        });
    }

    static int index_in(const std::vector<int>& squares, int square) {
        return static_cast<int>(std::find(squares.begin(), squares.end(), square) -
                                squares.begin());
    }

    std::array<std::vector<Jump>, 8> jumps_;
};

// The white pieces that count stand on the 18 inner squares: those on odd rows are jumped by the
// families on even rows and block the others, and the reverse. A white piece elsewhere only blocks,
// a man has no more routes than a king on its square would have, so this covers every position.
//
// White pieces are two sets of nine bits: bit i stands for the i-th inner square of even rows, and
// for the i-th from behind of odd rows. Turning the board exchanges the two.
class BothFamilies {
  public:
    // The most routes of 0 to 12 kings on even rows.
    using MostByKings = std::array<int, MAX_PIECES + 1>;

    BothFamilies() : most_(512 * 512) {
        const Graph graphs[2] = {Graph(1), Graph(2)};
        const std::array<unsigned, 512> blocked_by[2] = {blocked_landings(graphs[0]),
                                                         blocked_landings(graphs[1])};
        for (unsigned jumped = 0; jumped < 512; ++jumped) {
            unsigned white = 0;  // as Graph has it: from the front
            for (unsigned i = 0; i < 9; ++i) white |= (jumped >> (8 - i) & 1) << i;
            const Graph::Routes all[2] = {graphs[0].all_routes(white), graphs[1].all_routes(white)};
            std::array<std::array<std::array<int, 9>, 256>, 2> by_blocked;
            for (unsigned blocked = 0; blocked < 256; ++blocked)
                for (int side : {0, 1})
                    by_blocked[side][blocked] = Graph::most_by_kings(all[side], blocked);
            for (unsigned blocking = 0; blocking < 512; ++blocking)
                most_[blocking * 512 + jumped] = best_split(by_blocked[0][blocked_by[0][blocking]],
                                                            by_blocked[1][blocked_by[1][blocking]]);
        }
    }

    const MostByKings& most(unsigned blocking, unsigned jumped) const {
        return most_[blocking * 512 + jumped];
    }

  private:
    // Which landings each set of white pieces on even rows blocks.
    static std::array<unsigned, 512> blocked_landings(const Graph& graph) {
        const std::set<int> inner = family_of(5).inner;  // what families on odd rows jump
        const std::vector<int> squares(inner.begin(), inner.end());
        std::array<unsigned, 512> blocked = {};
        for (unsigned blocking = 0; blocking < 512; ++blocking)
            for (int i : Members(blocking))
                for (std::size_t landing = 0; landing < 8; ++landing)
                    if (graph.landings[landing] == squares[i]) blocked[blocking] |= 1u << landing;
        return blocked;
    }

    static MostByKings best_split(const std::array<int, 9>& a, const std::array<int, 9>& b) {
        MostByKings best = {};
        for (std::size_t i = 0; i <= 8; ++i)
            for (std::size_t j = 0; j <= 8 && i + j < best.size(); ++j)
                best[i + j] = std::max(best[i + j], a[i] + b[j]);
        return best;
    }

    std::vector<MostByKings> most_;
};

int most_captures_of_a_side() {
    const BothFamilies families;
    int most = 0;
    for (unsigned even = 0; even < 512; ++even)
        for (unsigned odd = 0; odd < 512; ++odd) {
            if (count(even) + count(odd) > MAX_PIECES) continue;
            const auto& on_even_rows = families.most(even, odd);
            const auto& on_odd_rows = families.most(odd, even);
            for (std::size_t i = 0; i <= MAX_PIECES; ++i)
                for (std::size_t j = 0; i + j <= MAX_PIECES; ++j)
                    most = std::max(most, on_even_rows[i] + on_odd_rows[j]);
        }
    return most;
}

void test_a_side_has_at_most_34_captures() {
    const int most = most_captures_of_a_side();
    CHECK_EQUAL(most, 34);
    CHECK(most <= MAX_MOVES);
    // The bound is reached.
    const Position position = parse_fen("B:W6,7,8,14,15,16,22,23,24:BK1,K2,K3,K4");
    CHECK_EQUAL(position.legal_moves().size(), most);
}

void test_twelve_kings_have_at_most_four_steps_each() {
    CHECK(4 * MAX_PIECES <= MAX_MOVES);
}

}  // namespace

int main() {
    test_four_families_with_nine_inner_squares_each();
    test_a_king_has_at_most_sixteen_routes_of_nine_jumps();
    test_a_man_has_at_most_five_routes_of_three_jumps();
    test_a_side_has_at_most_34_captures();
    test_twelve_kings_have_at_most_four_steps_each();
    return check::report();
}
