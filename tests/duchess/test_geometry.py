"""The board: the published facts hold for the slow rules, and the core has the same lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

from crossboard.duchess import Position, cells, sectors

from .slow_rules import MESHES, Mesh, all_cells, edges_of, own_name


def mobility(mesh: Mesh, cell: str) -> tuple[int, int, int, int]:
    """How many cells a rook, a bishop, a knight and a king reach on an empty board."""
    rook = sum(map(len, mesh.rook_lines(cell)))
    bishop = sum(map(len, mesh.bishop_lines(cell)))
    return rook, bishop, len(mesh.knight(cell)), len(mesh.around(cell))


@pytest.mark.parametrize(("players", "count"), [(4, 117), (6, 157)])
def test_cells_are_numbered_sector_by_sector(players: int, count: int):
    assert list(cells(players)) == all_cells(players)
    assert len(cells(players)) == count
    assert cells(players)[-1] == "V"


@pytest.mark.parametrize(
    ("players", "points", "edges", "interior"), [(4, 150, 266, 88), (6, 198, 354, 120)]
)
def test_every_interior_point_joins_four_cells(
    players: int, points: int, edges: int, interior: int
):
    mesh = MESHES[players]
    cells_at = Counter(point for ring in mesh.rings.values() for point in ring)
    cells_along = Counter(edge for ring in mesh.rings.values() for edge in edges_of(ring))
    assert (len(cells_at), len(cells_along)) == (points, edges)
    assert points - edges + len(mesh.order) == 1
    rim = {point for edge, count in cells_along.items() if count == 1 for point in edge}
    inside = [count for point, count in cells_at.items() if point not in rim]
    assert inside == interior * [4]


def test_flaps_three_and_six_are_folded_with_four_players():
    assert sectors(4) == (1, 2, 4, 5)
    assert sectors(6) == (1, 2, 3, 4, 5, 6)
    assert "3a1" not in cells(4)
    assert "3c5" in cells(4)


@pytest.mark.parametrize(
    ("players", "edges", "corners", "leaps", "rooks", "bishops"),
    [(4, 204, 178, 328, 1852, 1004), (6, 276, 246, 456, 2820, 1692)],
)
def test_pairs_of_neighbours(
    players: int, edges: int, corners: int, leaps: int, rooks: int, bishops: int
):
    mesh = MESHES[players]
    assert sum(len(mesh.beside(cell)) for cell in mesh.order) == 2 * edges
    assert sum(len(mesh.diagonal(cell)) for cell in mesh.order) == 2 * corners
    assert sum(len(mesh.knight(cell)) for cell in mesh.order) == 2 * leaps
    assert sum(mobility(mesh, cell)[0] for cell in mesh.order) == rooks
    assert sum(mobility(mesh, cell)[1] for cell in mesh.order) == bishops


@pytest.mark.parametrize(
    ("players", "around", "leaps"),
    [
        (
            4,
            {8: 60, 5: 42, 3: 8, 6: 4, 7: 2, 12: 1},
            {2: 8, 3: 16, 4: 28, 5: 4, 6: 28, 7: 8, 8: 12, 10: 8, 12: 5},
        ),
        (
            6,
            {8: 84, 5: 42, 3: 12, 6: 12, 7: 6, 12: 1},
            {2: 12, 3: 24, 4: 18, 5: 12, 6: 36, 7: 24, 8: 12, 10: 12, 12: 7},
        ),
    ],
)
def test_cells_by_number_of_neighbours(players: int, around: dict[int, int], leaps: dict[int, int]):
    mesh = MESHES[players]
    assert Counter(len(mesh.around(cell)) for cell in mesh.order) == around
    assert Counter(len(mesh.knight(cell)) for cell in mesh.order) == leaps


@pytest.mark.parametrize(
    ("cell", "four", "six"),
    [
        ("V", (28, 12, 12, 12), (36, 12, 12, 12)),
        ("1c6", (20, 9, 12, 8), (24, 10, 12, 8)),
        ("1c5", (20, 10, 10, 8), (24, 12, 10, 8)),
        ("1d6", (20, 8, 8, 8), (24, 10, 10, 8)),
        ("1d5", (20, 9, 6, 8), (24, 12, 7, 8)),
        ("1e5", (20, 8, 4, 5), (24, 12, 6, 7)),
        ("1e4", (16, 8, 4, 5), (16, 12, 6, 6)),
        ("1a4", (12, 11, 6, 6), (16, 12, 6, 6)),
        ("1c3", (16, 12, 8, 8), (16, 16, 8, 8)),
        ("1a1", (12, 4, 2, 3), (16, 8, 2, 3)),
    ],
)
def test_mobility_on_an_empty_board(cell: str, four: tuple[int, ...], six: tuple[int, ...]):
    assert mobility(MESHES[4], cell) == four
    assert mobility(MESHES[6], cell) == six


@pytest.mark.parametrize(
    "line",
    [
        "1a1 1a2 1a3 1a4 2e5 2d5 2c5 3e6 3e5 3e4 3e3 3e2 3e1",
        "1b1 1b2 1b3 1b4 2e6 2d6 2c6 3d6 3d5 3d4 3d3 3d2 3d1",
        "1c1 1c2 1c3 1c4 1c5 1c6 V 4c6 4c5 4c4 4c3 4c2 4c1",
        "1a1 1b1 1c1 1d1 1e1",
    ],
)
def test_rook_lines_bend_around_the_mouth_of_the_next_flap(line: str):
    first, *others = line.split()
    assert others in MESHES[6].rook_lines(first)


@pytest.mark.parametrize(
    "line",
    [
        "1a1 1b2 1c3 1d4 1e5 6b4 6c3 6d2 6e1",
        "1b1 1c2 1d3 1e4 6a4 6b3 6c2 6d1",
        "1a2 1b3 1c4 1d5 1e6 6c4 6d3 6e2",
        "1a3 1b4 1c5 1d6 6c5 6d4 6e3",
        "1a4 2e6 1c6 6c6 6d5 6e4",
        "1e5 1d6 V 4d6 4e5",
    ],
)
def test_bishop_lines_pass_the_outer_corner_between_two_flaps(line: str):
    first, *others = line.split()
    assert others in MESHES[6].bishop_lines(first)


@pytest.mark.parametrize(
    ("players", "rooks", "bishops"),
    [
        (4, {5: 17, 9: 8, 13: 6}, 49),
        (6, {5: 24, 13: 15}, {2: 12, 3: 12, 5: 3, 6: 6, 7: 6, 8: 12, 9: 6}),
    ],
)
def test_lines_by_their_lengths(players: int, rooks: dict[int, int], bishops: dict[int, int] | int):
    mesh = MESHES[players]
    assert Counter(map(len, whole_lines(mesh, mesh.rook_lines))) == rooks
    found = Counter(map(len, whole_lines(mesh, mesh.bishop_lines)))
    assert (found if players == 6 else found.total()) == bishops


def whole_lines(mesh: Mesh, rays: Callable[[str], list[list[str]]]) -> set[tuple[str, ...]]:
    """All lines of two cells and more, each once, whichever end it is read from."""
    lines = set()
    for cell in mesh.order:
        ways = rays(cell)
        for one, other in zip(ways, ways[len(ways) // 2 :], strict=False):
            line = (*reversed(one), cell, *other)
            lines.add(min(line, line[::-1]))
    return {line for line in lines if len(line) > 1}


@pytest.mark.parametrize(
    ("cell", "beside", "diagonal", "leaps"),
    [
        (
            "1c6",
            "1c5 1d6 V 2d6",
            "1d5 2e6 2c6 6c6",
            "1b4 1d4 1e5 2e5 2c5 6c5 3c5 5c5 3d6 4d6 5d6 6d6",
        ),
        (
            "1c5",
            "1c4 1d5 1c6 2e6",
            "1b4 1d4 1d6 2d6",
            "1b3 1d3 1a4 1e4 1e6 2d5 2c6 6c6 3c6 5c6",
        ),
        (
            "1d6",
            "1d5 1e6 1c6 6c6",
            "1c5 1e5 6c5 V",
            "1c4 1e4 2c6 2e6 3c6 4c6 5c6 6a4 6c4 6d5",
        ),
        ("1d5", "1d4 1e5 1d6 1c5", "1c4 1e4 1e6 1c6", "1c3 1e3 1b4 2d6 6b4 6c5 V"),
        ("1e5", "1e4 1d5 1e6 6a4", "1d4 1d6 6b4", "1d3 1c4 1c6 6b3 6c4 6c6"),
        ("1e6", "1e5 1d6 6b4 6c5", "1d5 6a4 6c4 6c6", "1d4 1c5 6a3 6c3 6d4 6d6 V"),
        ("1e4", "1e3 1d4 1e5", "1d3 1d5 6a4", "1d2 1c3 1c5 1d6 6a3 6b4"),
        ("1a4", "1a3 1b4 2e5", "1b3 2e6 2e4", "1b2 1c3 1c5 2e3 2d4 2d6"),
    ],
)
def test_neighbours_near_the_folds(cell: str, beside: str, diagonal: str, leaps: str):
    for players, mesh in MESHES.items():
        there = set(cells(players))
        assert set(mesh.beside(cell)) == set(beside.split()) & there
        assert set(mesh.diagonal(cell)) == set(diagonal.split()) & there
        assert mesh.knight(cell) == set(leaps.split()) & there


@pytest.mark.parametrize("players", [4, 6])
def test_kings_are_as_far_from_the_vortex_as_their_rank_says(players: int):
    mesh = MESHES[players]
    steps, reached = {"V": 0}, ["V"]
    for cell in reached:  # which grows
        new = [other for other in mesh.around(cell) if other not in steps]
        steps |= dict.fromkeys(new, steps[cell] + 1)
        reached += new
    for sector in range(1, 7):
        for file in "abcde":
            for rank in range(1, 7):
                name = own_name(f"{sector}{file}{rank}")
                expected = 1 if rank == 6 and file in "bcd" else 2 if rank == 6 else 7 - rank
                assert steps.pop(name, expected) == expected
    assert steps == {"V": 0}


@pytest.mark.parametrize("players", [4, 6])
@pytest.mark.parametrize("kind", "QDFNRBWP")
def test_core_moves_a_lone_piece_as_the_slow_rules_do(players: int, kind: str):
    mesh = MESHES[players]
    corners = ["1a1", "2a1", "3a1", "4a1", "5a1", "6a1"]
    kings = [corner for corner in corners if corner in mesh.order]
    for cell in set(mesh.order) - set(kings):
        pieces = [f"{seat}:K{king}" for seat, king in enumerate(kings, 1)]
        pieces[0] += f" {kind}{cell}"
        position = Position.from_text("; ".join([str(players), *pieces, "turn 1"]))
        reached = {move.end for move in position.legal_moves if move.piece == kind}
        expected = set()
        if kind in "RQF":
            expected |= visible(mesh.rook_lines(cell), kings)
        if kind in "BQD":
            expected |= visible(mesh.bishop_lines(cell), kings)
        if kind in "NDF":
            expected |= mesh.knight(cell)
        if kind == "W":
            expected |= set(mesh.around(cell))
        if kind == "P":
            expected |= set(mesh.beside(cell))
        assert reached == expected - set(kings), cell


def visible(lines: list[list[str]], blocked: list[str]) -> set[str]:
    seen = set()
    for line in lines:
        for cell in line:
            if cell in blocked:
                break
            seen.add(cell)
    return seen


@pytest.mark.parametrize("name", ["1a5", "1a6", "1b5", "1b6", "6a5", "3b6"])
def test_cells_between_two_flaps_have_a_second_name(name: str):
    position = Position.from_text(f"4; 1:K1a1 N{name}; 2:K2a1; 3:K4a1; 4:K5a1; turn 1")
    assert position.piece_at(name) == "1N"
    assert position.piece_at(own_name(name)) == "1N"
    assert f"N{own_name(name)}" in position.text
