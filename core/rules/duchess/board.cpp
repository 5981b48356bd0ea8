// Reads the tables of a board off its mesh.
#include "rules/duchess/board.h"

#include <vector>

#include "rules/duchess/mesh.h"

namespace crossboard::duchess {

namespace {

void add_cell(Ray& ray, int cell) {
    assert(ray.length < MAX_RAY);
    ray.cells[ray.length++] = static_cast<std::uint8_t>(cell);
}

// Adds the ray of each side of a polygon, as `ray_over(side)` gives it.
template <class RayOver>
void add_rays(Rays& rays, Cells& reached, const Polygon& polygon, RayOver ray_over) {
    std::array<std::int8_t, 6> places;
    places.fill(-1);
    for (int side = 0; side < polygon.sides(); ++side) {
        const std::vector<int> cells = ray_over(side);
        if (cells.empty()) continue;
        places[side] = static_cast<std::int8_t>(rays.count);
        for (int cell : cells) {
            add_cell(rays.rays[rays.count], cell);
            reached.add(cell);
        }
        ++rays.count;
    }
    for (int side = 0; side < polygon.sides(); ++side)
        if (places[side] >= 0) rays.opposite[places[side]] = places[polygon.opposite(side)];
}

}  // namespace

Board::Board(std::span<const int> flaps)
    : beside{},
      diagonal{},
      around{},
      knight{},
      leaps{},
      rook{},
      bishop{},
      rook_rays{},
      bishop_rays{} {
    const Mesh mesh(flaps);
    cells = mesh.cells();
    cells.for_each([&](int cell) {
        const Polygon& polygon = mesh[cell];
        for (int k = 0; k < polygon.sides(); ++k) {
            if (polygon.edges[k].exists()) beside[cell].add(polygon.edges[k].cell);
            if (polygon.corners[k].exists()) diagonal[cell].add(polygon.corners[k].cell);
        }
        add_rays(rook_rays[cell], rook[cell], polygon,
                 [&](int side) { return mesh.rook_ray(cell, side); });
        add_rays(bishop_rays[cell], bishop[cell], polygon,
                 [&](int side) { return mesh.bishop_ray(cell, side); });
        around[cell] = beside[cell] | diagonal[cell];
        knight[cell] = mesh.knight_targets(cell);
        knight[cell].for_each([&](int target) { add_cell(leaps[cell], target); });
    });
}

const Board BOARD_OF_FOUR(SECTORS_OF_FOUR);
const Board BOARD_OF_SIX(SECTORS_OF_SIX);

}  // namespace crossboard::duchess
