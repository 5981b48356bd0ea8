// Builds the mesh from six lattices that are glued together.
#include "rules/duchess/mesh.h"

#include <algorithm>

namespace crossboard::duchess {

namespace {

// Each sector has a lattice of points, x = 0..5 from left to right and y = 0..6 from the outside
// to the centre. Neighbours share those of the block between them: the right-hand sector's name
// for such a point is given up for the left-hand one's.
constexpr int POINTS = SECTORS * 6 * 7;
int point_at(int sector, int x, int y) {
    assert(0 <= sector && sector < SECTORS && 0 <= x && x <= 5 && 0 <= y && y <= 6);
    if (x <= 2 && y >= 4) {
        const int turned_x = 9 - y, turned_y = 4 + x;
        return point_at((sector + 1) % SECTORS, turned_x, turned_y);
    }
    return (sector * 6 + x) * 7 + y;
}

std::vector<int> points_of(int cell) {
    std::vector<int> points;
    if (cell == VORTEX) {
        for (int sector = 0; sector < SECTORS; ++sector) points.push_back(point_at(sector, 3, 6));
        return points;
    }
    const auto [sector, file, rank] = place_of(cell);
    for (auto [x, y] : {std::pair(0, 0), {1, 0}, {1, 1}, {0, 1}})
        points.push_back(point_at(sector, file + x, rank + y));
    return points;
}

// The edge of `polygon` between two points, or -1.
int edge_between(const Polygon& polygon, int a, int b) {
    for (int k = 0; k < polygon.sides(); ++k) {
        const int first = polygon.points[k], second = polygon.points[(k + 1) % polygon.sides()];
        if ((first == a && second == b) || (first == b && second == a)) return k;
    }
    return -1;
}

int corner_at(const Polygon& polygon, int point) {
    return static_cast<int>(std::ranges::find(polygon.points, point) - polygon.points.begin());
}

bool share_an_edge(const Polygon& a, const Polygon& b) {
    for (int k = 0; k < a.sides(); ++k)
        if (edge_between(b, a.points[k], a.points[(k + 1) % a.sides()]) >= 0) return true;
    return false;
}

template <std::vector<Crossing> Polygon::* Sides>
std::vector<int> ray(const Mesh& mesh, int cell, int side) {
    assert(0 <= side && side < mesh[cell].sides());
    std::vector<int> cells;
    Crossing next = (mesh[cell].*Sides)[side];
    while (next.exists()) {
        cells.push_back(next.cell);
        const Polygon& polygon = mesh[next.cell];
        next = (polygon.*Sides)[polygon.opposite(next.entry)];
    }
    return cells;
}

}  // namespace

Mesh::Mesh(std::span<const int> flaps) {
    assert(std::ranges::all_of(flaps, [](int flap) { return 0 <= flap && flap < SECTORS; }));
    std::array<std::vector<int>, POINTS> owners;  // the cells that meet at a point
    for (int cell = 0; cell < CELLS; ++cell) {
        const bool is_on_a_flap = cell != VORTEX && place_of(cell).rank < FLAP_RANKS;
        if (is_on_a_flap && std::ranges::count(flaps, place_of(cell).sector) == 0) continue;
        cells_.add(cell);
        polygons_[cell].points = points_of(cell);
        for (int point : polygons_[cell].points) owners[point].push_back(cell);
    }
    cells_.for_each([&](int cell) {
        Polygon& polygon = polygons_[cell];
        polygon.edges.resize(polygon.points.size());
        polygon.corners.resize(polygon.points.size());
        for (int k = 0; k < polygon.sides(); ++k) {
            const int point = polygon.points[k], next = polygon.points[(k + 1) % polygon.sides()];
            for (int other : owners[point]) {
                if (other == cell) continue;
                const Polygon& beyond = polygons_[other];
                const int edge = edge_between(beyond, point, next);
                if (edge >= 0) polygon.edges[k] = {other, edge};
                // At the outer corner of the hexagon two flaps touch: they are corner neighbours,
                // and the cell between them, which shares an edge with both, has none there.
                if (!share_an_edge(polygon, beyond))
                    polygon.corners[k] = {other, corner_at(beyond, point)};
            }
        }
    });
}

std::vector<int> Mesh::rook_ray(int cell, int edge) const {
    return ray<&Polygon::edges>(*this, cell, edge);
}

std::vector<int> Mesh::bishop_ray(int cell, int corner) const {
    return ray<&Polygon::corners>(*this, cell, corner);
}

Cells Mesh::knight_targets(int cell) const {
    assert(cells_.has(cell));
    Cells targets;
    // Calls visit(crossing) for each way to turn off a line that came in by `entry`.
    const auto turns = [this](Crossing at, auto visit) {
        const Polygon& polygon = polygons_[at.cell];
        for (int k = 0; k < polygon.sides(); ++k)
            if (k != at.entry && k != polygon.opposite(at.entry) && polygon.edges[k].exists())
                visit(polygon.edges[k]);
    };
    const auto straight_on = [this](Crossing at) {
        const Polygon& polygon = polygons_[at.cell];
        return polygon.edges[polygon.opposite(at.entry)];
    };
    const auto land = [&](Crossing at) {
        if (at.exists()) targets.add(at.cell);
    };
    Cells near = Cells::of(cell);
    for (const Crossing& first : polygons_[cell].edges) {
        if (!first.exists()) continue;
        near.add(first.cell);
        if (const Crossing second = straight_on(first); second.exists()) turns(second, land);
        turns(first, [&](Crossing second) { land(straight_on(second)); });
    }
    return targets - near;
}

}  // namespace crossboard::duchess
