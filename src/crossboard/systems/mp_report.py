"""What the report of MP-Draughts has of its own: the map drawn, and which agents play.

Readers see units counted from 1, as players name their agents.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from crossboard.draughts import Position
from crossboard.learn import Snapshot
from crossboard.learn.som import distances
from crossboard.systems.endgame_agents import EVEN, FIRST_AGENT, Specialist
from crossboard.systems.endgame_boards import OUTCOMES
from crossboard.systems.mp_settings import MpDraughtsSettings
from crossboard.systems.mp_stages import MapProgress, measure_map

if TYPE_CHECKING:
    import numpy as np
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

COLOURS = {"won": "tab:green", "drawn": "0.7", "lost": "tab:red"}
BOARDS_IN_A_ROW = 5
ROWS = 8
# What pieces look like: the colour inside, the rim, and whether they are kings.
PIECES = {
    "b": ("0.15", "black", False),
    "B": ("0.15", "black", True),
    "w": ("0.97", "0.5", False),
    "W": ("0.97", "0.5", True),
}


def draw_map(settings: MpDraughtsSettings, snapshot: Snapshot) -> Mapping[str, Figure]:
    """Draw the map, what its clusters are, their typical boards, and the agents."""
    now = MapProgress.of(snapshot)
    if now.map is None:
        return {}
    figures = {
        "map": draw_chain(settings, now),
        "clusters": draw_clusters(settings, now),
        "boards": draw_boards(settings, now),
    }
    return figures | ({"agents": draw_agents(now.specialists)} if now.specialists else {})


def draw_chain(settings: MpDraughtsSettings, now: MapProgress) -> Figure:
    """Draw hits of each unit, distances between neighbours, and both errors by epoch."""
    import numpy as np
    from matplotlib.figure import Figure

    assert now.map is not None
    units = now.units(settings)
    count = settings.units
    figure = Figure(figsize=(9, 6), layout="constrained")
    hits, apart, errors = figure.subplots(3, 1)
    hits.bar(numbers_of(count), count_hits(units, count), color="tab:blue")
    hits.set_ylabel("boards")
    between = np.diagonal(distances(now.map.prototypes, now.map.prototypes), offset=1)
    apart.bar(np.arange(1, count) + 0.5, between, width=0.5, color="tab:orange")
    apart.set_ylabel("distance between\nneighbours")
    apart.set_xlabel("unit")
    apart.sharex(hits)
    epochs = range(1, len(now.map.quantisation) + 1)
    errors.plot(epochs, now.map.quantisation, color="tab:blue")
    errors.set_ylabel("quantisation error", color="tab:blue")
    errors.set_xlabel("epoch")
    topographic = errors.twinx()
    topographic.plot(epochs, now.map.topographic, color="tab:orange", linewidth=0.8)
    topographic.set_ylabel("topographic error", color="tab:orange")
    return figure


def numbers_of(count: int) -> range:
    """Return the numbers of so many units."""
    return range(1, count + 1)


def count_hits(units: NDArray[np.intp], count: int) -> NDArray[np.intp]:
    """Return how many boards each unit has."""
    import numpy as np

    return np.bincount(units, minlength=count)


def draw_clusters(settings: MpDraughtsSettings, now: MapProgress) -> Figure:
    """Draw the mean attributes of each unit's boards, and how their games ended."""
    import numpy as np
    from matplotlib.figure import Figure

    attributes = settings.map_options().attributes()
    rows, units = attributes.of(now.positions()), now.units(settings)
    empty = np.full(attributes.size, np.nan)
    means = [
        rows[units == unit].mean(axis=0) if (units == unit).any() else empty
        for unit in range(settings.units)
    ]
    names = [name.split(".")[-1] for name in attributes.features]
    names += ["material"] if attributes.with_material else []
    figure = Figure(figsize=(9, 9), layout="constrained")
    shown, ends = figure.subplots(2, 1, sharex=True, height_ratios=(4, 1))
    image = shown.imshow(
        np.array(means).T,
        aspect="auto",
        cmap="viridis",
        interpolation="none",
        extent=(0.5, settings.units + 0.5, len(names) - 0.5, -0.5),
    )
    shown.set_yticks(range(len(names)), names, fontsize="x-small")
    figure.colorbar(image, ax=shown, label="mean of the attribute")
    _draw_outcomes(ends, settings, now)
    return figure


def _draw_outcomes(axes: Axes, settings: MpDraughtsSettings, now: MapProgress) -> None:
    """Draw which share of each unit's games the side to move won, drew and lost."""
    import numpy as np

    units, boards = now.units(settings), now.boards or []
    bottom = np.zeros(settings.units)
    for word, outcome in OUTCOMES.items():
        mine = [unit for unit, board in zip(units, boards, strict=True) if board.outcome == outcome]
        hits = count_hits(np.array(mine, dtype=np.intp), settings.units)
        heights = hits / np.maximum(1, count_hits(units, settings.units))
        axes.bar(
            numbers_of(settings.units), heights, bottom=bottom, color=COLOURS[word], label=word
        )
        bottom += heights
    axes.set_xlabel("unit")
    axes.set_ylabel("share of games")
    axes.legend(loc="upper left", bbox_to_anchor=(1, 1), fontsize="small")


def draw_boards(settings: MpDraughtsSettings, now: MapProgress) -> Figure:
    """Draw the board of each unit that is nearest to its prototype, Black to move."""
    from matplotlib.figure import Figure

    found = typical_boards(settings, now)
    rows = -(-len(found) // BOARDS_IN_A_ROW)
    figure = Figure(figsize=(9, 1.95 * rows), layout="constrained")
    grid = figure.subplots(rows, BOARDS_IN_A_ROW, squeeze=False)
    for axes in grid.flat:
        axes.set_axis_off()
    for axes, (unit, position) in zip(grid.flat, found.items(), strict=False):
        draw_board(axes, position)
        axes.set_title(f"unit {unit + 1}", fontsize="small")
    return figure


def typical_boards(settings: MpDraughtsSettings, now: MapProgress) -> dict[int, Position]:
    """Return the board nearest to the prototype of each unit that has boards."""
    import numpy as np

    assert now.map is not None
    positions, units = now.positions(), now.units(settings)
    rows = settings.map_options().attributes().of(positions)
    found = {}
    for unit, prototype in enumerate(now.map.prototypes):
        own = np.flatnonzero(units == unit)
        if len(own):
            apart = distances(prototype[None], rows[own])[:, 0]
            found[unit] = positions[int(own[apart.argmin()])]
    return found


def draw_board(axes: Axes, position: Position) -> None:
    """Draw a board into a figure, square 1 at the top left."""
    dark = [[(row + column) % 2 for column in range(ROWS)] for row in range(ROWS)]
    axes.imshow(dark, cmap="copper_r", vmin=-0.2, vmax=2.5, interpolation="none")
    for square in range(1, 33):
        piece = position.piece_at(square)
        if piece is None:
            continue
        row, place = divmod(square - 1, 4)
        column = 2 * place + (1 if row % 2 == 0 else 0)
        inside, rim, is_king = PIECES[piece]
        axes.plot(column, row, "o", markersize=9, color=inside, markeredgecolor=rim)
        if is_king:
            axes.plot(column, row, "*", markersize=5, color="tab:orange")


def draw_agents(specialists: Sequence[Specialist]) -> Figure:
    """Draw what each agent scored against the first agent, on boards it learnt from and others."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 3.5), layout="constrained")
    axes: Axes = figure.subplots()
    units = numbers_of(len(specialists))
    axes.axhline(EVEN, color="0.6", linewidth=0.8)
    axes.plot(units, [one.training_score for one in specialists], "o", label="boards of training")
    for plays, colour, label in (
        (True, "tab:green", "other boards"),
        (False, "tab:red", "other boards, lost"),
    ):
        some = [
            (unit, one.validation)
            for unit, one in zip(units, specialists, strict=True)
            if one.plays == plays
        ]
        axes.plot(*zip(*some, strict=True) if some else ([], []), "D", color=colour, label=label)
    for unit, one in zip(units, specialists, strict=True):
        axes.annotate(str(one.block), (unit, 0), ha="center", fontsize="x-small")
    axes.set_ylim(-0.02, 1)
    axes.set_xlabel("unit (below: the block whose student is kept)")
    axes.set_ylabel(f"points a game against {FIRST_AGENT}")
    axes.legend(fontsize="small")
    return figure


def describe_specialists(settings: MpDraughtsSettings, snapshot: Snapshot) -> str:
    """Write which agents play, and how the player did from held-out boards."""
    now = MapProgress.of(snapshot)
    return "\n\n".join(
        [
            *([_describe_map(settings, now)] if now.map is not None else []),
            *([_describe_agents(settings, now.specialists)] if now.specialists else []),
            *([_describe_result(now.result)] if now.result else []),
        ]
    )


def conclude_match(settings: MpDraughtsSettings, snapshot: Snapshot) -> str:
    """Write how the player did from held-out boards, and how many agents do not play."""
    now = MapProgress.of(snapshot)
    lost = sum(not one.plays for one in now.specialists) if settings.replaces else 0
    agents = f"{FIRST_AGENT} plays for {lost} of {len(now.specialists)} agents"
    if not now.result:
        return agents
    score, low, high = (now.result[key] for key in ("score", "low", "high"))
    return (
        f"Against {FIRST_AGENT} from {len(now.held_out or ()):,} held-out boards: "
        f"{score:.3f} ({low:.3f} to {high:.3f}); {agents}"
    )


def _describe_map(settings: MpDraughtsSettings, now: MapProgress) -> str:
    told = measure_map(settings, now)
    explained = told.get("outcome_variance_explained")
    outcomes = "" if explained is None else f"; its clusters explain {explained:.2f} of outcomes"
    return (
        f"The map of {len(now.boards or [])} boards: the quantisation error fell by "
        f"{told['quantisation_fall']:.1%}, the topographic error is "
        f"{told['topographic_error']:.3f}, {told['effective_units']:.1f} of "
        f"{settings.units} units are in use{outcomes}."
    )


def _describe_agents(settings: MpDraughtsSettings, specialists: Sequence[Specialist]) -> str:
    lost = [unit for unit, one in enumerate(specialists, start=1) if not one.plays]
    if not lost:
        fate = f"No agent loses to {FIRST_AGENT} from boards that it did not learn from."
    else:
        listed = ", ".join(map(str, lost))
        done = f"{FIRST_AGENT} plays for them" if settings.replaces else "they play all the same"
        fate = (
            f"{len(lost)} of {len(specialists)} agents lose to {FIRST_AGENT} from boards that "
            f"they did not learn from, and {done}: units {listed}."
        )
    rows = [
        f"| {unit} | {one.boards} | {one.block} | {one.training_score:.3f} | {one.validation:.3f} |"
        for unit, one in enumerate(specialists, start=1)
    ]
    head = [
        "| unit | boards | block | boards of training | other boards |",
        "|---|---|---|---|---|",
    ]
    return "\n".join([fate, "", *head, *rows])


def _describe_result(result: Mapping[str, float]) -> str:
    won, drawn, lost = (int(result[key]) for key in ("wins", "draws", "losses"))
    return (
        f"Against `{FIRST_AGENT}` from held-out boards, which had no other use: "
        f"{won} won, {drawn} drawn, {lost} lost; score {result['score']:.3f} "
        f"({result['low']:.3f} to {result['high']:.3f}); {int(result['loops'])} loops, "
        f"{int(result['loops_unequal'])} with unequal material."
    )
