// The Duchess board as a mesh of polygons glued along their edges (docs/rules/duchess.md).
#pragma once

#include <array>
#include <cassert>
#include <span>
#include <vector>

#include "rules/duchess/cells.h"

namespace crossboard::duchess {

// Where a step leads: the cell, and by which of its edges or corners it is entered.
struct Crossing {
    int cell = -1;
    int entry = -1;
    constexpr bool exists() const { return cell >= 0; }
};

// A cell's polygon: its n points, edge k between points k and k+1, and what lies beyond.
struct Polygon {
    std::vector<int> points;
    std::vector<Crossing> edges;
    std::vector<Crossing> corners;

    int sides() const { return static_cast<int>(points.size()); }
    // The edge or corner by which a line leaves that entered by this one.
    int opposite(int side) const {
        assert(0 <= side && side < sides());
        return (side + sides() / 2) % sides();
    }
};

// Every interior point joins exactly four cells, so that a line leaves a cell opposite to where it
// entered; in the Vortex likewise, opposite of six.
class Mesh {
  public:
    // Flaps are up in the given sectors only; the hexagon is always there.
    explicit Mesh(std::span<const int> flaps);

    const Cells& cells() const { return cells_; }
    const Polygon& operator[](int cell) const {
        assert(cells_.has(cell));
        return polygons_[cell];
    }

    // The cells of a line that leaves `cell` over an edge (a rook's) or a corner (a bishop's), in
    // order, up to the end of the board.
    std::vector<int> rook_ray(int cell, int edge) const;
    std::vector<int> bishop_ray(int cell, int corner) const;
    // Three edge steps with one turn, the straight part opposite edges; what is next to the cell
    // does not count.
    Cells knight_targets(int cell) const;

  private:
    Cells cells_;
    std::array<Polygon, CELLS> polygons_;
};

}  // namespace crossboard::duchess
