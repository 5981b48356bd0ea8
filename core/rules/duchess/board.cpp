// Reads the tables of a board off its mesh.
#include "rules/duchess/board.h"

#include <vector>

#include "rules/duchess/mesh.h"

namespace crossboard::duchess {

namespace {

void add_ray(Rays& rays, Cells& reached, const std::vector<int>& cells) {
    if (cells.empty()) return;
    assert(cells.size() <= MAX_RAY && rays.count < rays.rays.size());
    Ray& ray = rays.rays[rays.count++];
    for (int cell : cells) {
        ray.cells[ray.length++] = static_cast<std::uint8_t>(cell);
        reached.add(cell);
    }
}

}  // namespace

Board::Board(std::span<const int> flaps)
    : beside{}, diagonal{}, around{}, knight{}, rook{}, bishop{}, rook_rays{}, bishop_rays{} {
    const Mesh mesh(flaps);
    cells = mesh.cells();
    cells.for_each([&](int cell) {
        const Polygon& polygon = mesh[cell];
        for (int k = 0; k < polygon.sides(); ++k) {
            if (polygon.edges[k].exists()) beside[cell].add(polygon.edges[k].cell);
            if (polygon.corners[k].exists()) diagonal[cell].add(polygon.corners[k].cell);
            add_ray(rook_rays[cell], rook[cell], mesh.rook_ray(cell, k));
            add_ray(bishop_rays[cell], bishop[cell], mesh.bishop_ray(cell, k));
        }
        around[cell] = beside[cell] | diagonal[cell];
        knight[cell] = mesh.knight_targets(cell);
    });
}

const Board BOARD_OF_FOUR(SECTORS_OF_FOUR);
const Board BOARD_OF_SIX(SECTORS_OF_SIX);

}  // namespace crossboard::duchess
