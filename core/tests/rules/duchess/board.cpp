// Tests the mesh and the tables read off it: numbers, names, symmetry, lines.
#include "rules/duchess/board.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "check.h"
#include "rules/duchess/mesh.h"
#include "rules/duchess/show.h"

using namespace crossboard;
using namespace crossboard::duchess;

namespace {

using Counts = std::map<int, int>;

std::string cells_text(const Cells& cells) {
    std::set<std::string> names;
    cells.for_each([&](int cell) { names.insert(format_cell(cell)); });
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : " ") + name;
    return text;
}

int cell(const char* name) {
    return *parse_cell(name);
}

int total(const Board& board, const std::array<Cells, CELLS>& table) {
    int sum = 0;
    board.cells.for_each([&](int at) { sum += table[at].count(); });
    return sum;
}

Counts by_size(const Board& board, const std::array<Cells, CELLS>& table) {
    Counts counts;
    board.cells.for_each([&](int at) { ++counts[table[at].count()]; });
    return counts;
}

void test_numbers_and_places_belong_together() {
    for (int at = 0; at < VORTEX; ++at) {
        CHECK_EQUAL(cell_at(place_of(at)), at);
        CHECK_EQUAL(*parse_cell(format_cell(at)), at);
    }
    CHECK_EQUAL(format_cell(VORTEX), "V");
    CHECK_EQUAL(*parse_cell("V"), VORTEX);
}

void test_cells_between_flaps_have_two_names() {
    CHECK_EQUAL(cell("1a5"), cell("2e5"));
    CHECK_EQUAL(cell("1a6"), cell("2d5"));
    CHECK_EQUAL(cell("1b5"), cell("2e6"));
    CHECK_EQUAL(cell("6b6"), cell("1d6"));
}

void check_points(const Mesh& mesh, int points, int edges, int interior) {
    std::map<int, int> cells_at;
    std::map<std::set<int>, int> cells_along;
    mesh.cells().for_each([&](int at) {
        const auto& ring = mesh[at].points;
        for (std::size_t k = 0; k < ring.size(); ++k) {
            ++cells_at[ring[k]];
            ++cells_along[{ring[k], ring[(k + 1) % ring.size()]}];
        }
    });
    CHECK_EQUAL(cells_at.size(), points);
    CHECK_EQUAL(cells_along.size(), edges);
    for (const auto& [edge, cells] : cells_along)
        if (cells == 1)  // the rim of the board
            for (int point : edge) cells_at.erase(point);
    CHECK_EQUAL(cells_at.size(), interior);
    for (auto [point, cells] : cells_at) CHECK_EQUAL(cells, 4);
}

void test_every_interior_point_joins_four_cells() {
    check_points(Mesh(SECTORS_OF_FOUR), 150, 266, 88);
    check_points(Mesh(SECTORS_OF_SIX), 198, 354, 120);
}

void test_numbers_of_neighbours() {
    const Board &four = BOARD_OF_FOUR, &six = BOARD_OF_SIX;
    CHECK_EQUAL(four.cells.count(), 117);
    CHECK_EQUAL(six.cells.count(), 157);
    CHECK_EQUAL(total(four, four.beside), 2 * 204);
    CHECK_EQUAL(total(six, six.beside), 2 * 276);
    CHECK_EQUAL(total(four, four.diagonal), 2 * 178);
    CHECK_EQUAL(total(six, six.diagonal), 2 * 246);
    CHECK_EQUAL(total(four, four.knight), 2 * 328);
    CHECK_EQUAL(total(six, six.knight), 2 * 456);
    CHECK_EQUAL(total(four, four.rook), 1852);
    CHECK_EQUAL(total(six, six.rook), 2820);
    CHECK_EQUAL(total(four, four.bishop), 1004);
    CHECK_EQUAL(total(six, six.bishop), 1692);
    CHECK(by_size(four, four.around) ==
          Counts({{8, 60}, {5, 42}, {3, 8}, {6, 4}, {7, 2}, {12, 1}}));
    CHECK(
        by_size(six, six.knight) ==
        Counts({{2, 12}, {3, 24}, {4, 18}, {5, 12}, {6, 36}, {7, 24}, {8, 12}, {10, 12}, {12, 7}}));
}

void test_neighbours_of_some_cells() {
    const Board& six = BOARD_OF_SIX;
    CHECK_EQUAL(cells_text(six.beside[cell("1c6")]), "1c5 1d6 2d6 V");
    CHECK_EQUAL(cells_text(six.diagonal[cell("1c6")]), "1d5 2c6 2e6 6c6");
    CHECK_EQUAL(cells_text(six.knight[cell("1c6")]),
                "1b4 1d4 1e5 2c5 2e5 3c5 3d6 4d6 5c5 5d6 6c5 6d6");
    CHECK_EQUAL(cells_text(six.knight[cell("1c5")]), "1a4 1b3 1d3 1e4 1e6 2c6 2d5 3c6 5c6 6c6");
    CHECK_EQUAL(cells_text(six.beside[cell("1e5")]), "1d5 1e4 1e6 6a4");
    CHECK_EQUAL(cells_text(six.diagonal[cell("1e5")]), "1d4 1d6 6b4");
    CHECK_EQUAL(cells_text(six.diagonal[cell("1e4")]), "1d3 1d5 6a4");
    CHECK_EQUAL(cells_text(six.knight[VORTEX]), "1d5 1e6 2d5 2e6 3d5 3e6 4d5 4e6 5d5 5e6 6d5 6e6");
    CHECK_EQUAL(cells_text(BOARD_OF_FOUR.diagonal[cell("1e4")]), "1d3 1d5");
}

// All relations go both ways, and a line never comes back to a cell.
void test_tables_are_symmetric() {
    for (const Board* board : {&BOARD_OF_FOUR, &BOARD_OF_SIX})
        for (const auto* table : {&board->beside, &board->diagonal, &board->around, &board->knight,
                                  &board->rook, &board->bishop})
            board->cells.for_each([&](int from) {
                CHECK(!(*table)[from].has(from));
                (*table)[from].for_each([&](int to) { CHECK((*table)[to].has(from)); });
            });
}

void test_rays_hold_what_the_sets_hold() {
    for (const Board* board : {&BOARD_OF_FOUR, &BOARD_OF_SIX})
        board->cells.for_each([&](int from) {
            for (bool is_rook : {true, false}) {
                const Rays& rays = is_rook ? board->rook_rays[from] : board->bishop_rays[from];
                Cells seen;
                for (const Ray& ray : rays) {
                    CHECK(ray.length > 0);
                    for (int i = 0; i < ray.length; ++i) seen.add(ray.cells[i]);
                    const Cells& next = is_rook ? board->beside[from] : board->diagonal[from];
                    CHECK(next.has(ray.cells[0]));
                }
                CHECK(seen == (is_rook ? board->rook[from] : board->bishop[from]));
            }
        });
}

void test_board_of_four_is_a_part_of_the_board_of_six() {
    const Board &four = BOARD_OF_FOUR, &six = BOARD_OF_SIX;
    four.cells.for_each([&](int at) {
        CHECK(four.beside[at] == (six.beside[at] & four.cells));
        CHECK(four.diagonal[at] == (six.diagonal[at] & four.cells));
        CHECK(four.knight[at] == (six.knight[at] & four.cells));
    });
}

void test_boards_look_the_same_after_a_turn() {
    const auto turned_set = [](const Cells& cells, int sectors) {
        Cells result;
        cells.for_each([&](int at) { result.add(turned(at, sectors)); });
        return result;
    };
    for (const auto& [board, sectors] : {std::pair(&BOARD_OF_FOUR, 3), {&BOARD_OF_SIX, 1}})
        board->cells.for_each([&, board = board, sectors = sectors](int at) {
            const int there = turned(at, sectors);
            for (const auto* table :
                 {&board->beside, &board->diagonal, &board->knight, &board->rook, &board->bishop})
                CHECK((*table)[there] == turned_set((*table)[at], sectors));
        });
}

// Who looks along a ray back at its beginning sees the opposite ray behind it.
void test_opposite_rays_make_one_line() {
    const auto check = [](const std::array<Rays, CELLS>& all, int at) {
        const Rays& rays = all[at];
        for (int i = 0; i < rays.count; ++i) {
            const int other = rays.opposite[i];
            if (other >= 0) CHECK_EQUAL(int{rays.opposite[other]}, i);
            std::vector<int> expected = {at};
            if (other >= 0)
                for (int k = 0; k < rays.rays[other].length; ++k)
                    expected.push_back(rays.rays[other].cells[k]);
            bool is_found = false;
            for (const Ray& back : all[rays.rays[i].cells[0]])
                is_found |= std::equal(expected.begin(), expected.end(), back.cells.begin(),
                                       back.cells.begin() + back.length);
            CHECK(is_found);
        }
    };
    for (const Board* board : {&BOARD_OF_FOUR, &BOARD_OF_SIX})
        board->cells.for_each([&](int at) {
            check(board->rook_rays, at);
            check(board->bishop_rays, at);
            CHECK_EQUAL(int{board->leaps[at].length}, board->knight[at].count());
        });
}

void test_sets() {
    Cells set;
    CHECK(set.empty());
    for (int at : {0, 63, 64, 127, 128, VORTEX}) set.add(at);
    CHECK_EQUAL(set.count(), 6);
    CHECK_EQUAL(set.first(), 0);
    CHECK_EQUAL((set - Cells::of(0)).first(), 63);
    CHECK_EQUAL((Cells::of(VORTEX) & set).first(), VORTEX);
    std::vector<int> members;
    set.for_each([&](int at) { members.push_back(at); });
    CHECK_EQUAL(members, (std::vector<int>{0, 63, 64, 127, 128, VORTEX}));
    CHECK_EQUAL(Cells::all().count(), CELLS);
    set.toggle(64);
    CHECK(!set.has(64));
}

}  // namespace

int main() {
    test_numbers_and_places_belong_together();
    test_cells_between_flaps_have_two_names();
    test_every_interior_point_joins_four_cells();
    test_numbers_of_neighbours();
    test_neighbours_of_some_cells();
    test_tables_are_symmetric();
    test_rays_hold_what_the_sets_hold();
    test_board_of_four_is_a_part_of_the_board_of_six();
    test_boards_look_the_same_after_a_turn();
    test_opposite_rays_make_one_line();
    test_sets();
    return check::report();
}
