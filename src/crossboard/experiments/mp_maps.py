"""What maps of MP-Draughts' boards predict of outcomes, by what they see and by their units.

Of each run one half of the boards makes the maps and chooses attributes and numbers of units; the
other half judges them. Held-out boards have no part in it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from statistics import mean

from crossboard.arena.bootstrap import mean_over_seeds
from crossboard.experiments.claims import Measurement
from crossboard.experiments.experiment import Lab
from crossboard.experiments.mp_claims import EVOLVED, MAPS, slug
from crossboard.learn import Snapshot
from crossboard.systems.board_maps import (
    NAMED_OPTIONS,
    NUMBERS_OF_UNITS,
    MapOptions,
    MapQuality,
    choose_units,
    compare_options,
    split_boards,
    with_units,
)
from crossboard.systems.endgame_boards import EndgameBoard
from crossboard.systems.map_evolution import GENERATIONS, choose_attributes
from crossboard.systems.mp_stages import MapProgress

QUICK_GENERATIONS = 2  # of the evolution of a map's attributes


def measure_options(
    lab: Lab, snapshots: Sequence[Snapshot], usual: MapOptions
) -> Iterator[Measurement]:
    """Measure what clusters predict by what the map sees: the run is the unit."""
    claims = {name: f"explained-{slug(name)}" for name in MAPS}
    if lab.known.keys() >= set(claims.values()):
        return
    generations = QUICK_GENERATIONS if lab.quick else GENERATIONS
    qualities, chosen = list[dict[str, MapQuality]](), list[tuple[str, ...]]()
    for seed, (known, others) in _halves(lab, snapshots):
        evolved = choose_attributes(known, usual, seed, lab.learners.map, generations=generations)
        options = {**NAMED_OPTIONS, EVOLVED: replace(usual, features=evolved.features)}
        trained = {name: replace(one, training=usual.training) for name, one in options.items()}
        qualities.append(compare_options(known, others, trained, seed, lab.learners.map))
        chosen.append(evolved.features)
    for name, claim in claims.items():
        found = [each[name] for each in qualities]
        note = describe_maps(found)
        if name == EVOLVED:
            note += f"; features: {format_features(chosen)}"
        yield Measurement(claim, *mean_over_seeds([one.predicted for one in found]), note)


def measure_units(lab: Lab, snapshots: Sequence[Snapshot], usual: MapOptions) -> Measurement:
    """Measure how many units the boards ask for, and what as many predict of other boards."""
    if before := lab.known.get("units-by-data"):
        return before
    best, notes = list[float](), list[str]()
    for seed, (known, others) in _halves(lab, snapshots):
        numbers = [units for units in NUMBERS_OF_UNITS if units <= len(known) // 2]
        found = choose_units(known, usual, seed, numbers, lab.learners.map)
        chosen = next(iter(found))
        options = {"chosen": with_units(usual, chosen), "usual": usual}
        judged = compare_options(known, others, options, seed, lab.learners.map)
        best.append(chosen)
        notes.append(
            f"{chosen} predict {judged['chosen'].predicted:.3f} of other boards, "
            f"{usual.training.units} {judged['usual'].predicted:.3f}"
        )
    interval = mean_over_seeds(best).within(NUMBERS_OF_UNITS[0], NUMBERS_OF_UNITS[-1])
    return Measurement("units-by-data", *interval, "; ".join(notes))


def _halves(
    lab: Lab, snapshots: Sequence[Snapshot]
) -> Iterator[tuple[int, tuple[list[EndgameBoard], list[EndgameBoard]]]]:
    """Yield the seed of each run and both halves of its boards."""
    for seed, snapshot in zip(lab.seeds(len(snapshots)), snapshots, strict=True):
        yield seed, split_boards(MapProgress.of(snapshot).boards or [], seed)


def describe_maps(found: Sequence[MapQuality]) -> str:
    """Write the means of what is measured beside what maps predict."""
    explained, units, fall, topographic = (
        mean(getattr(one, name) for one in found)
        for name in ("explained", "effective_units", "fall", "topographic")
    )
    return (
        f"{explained:.3f} of the boards that made the map; {units:.1f} effective units, error "
        f"down by {fall:.1%}, topographic error {topographic:.3f}; {len(found)} runs"
    )


def format_features(chosen: Sequence[tuple[str, ...]]) -> str:
    """Write how many features runs chose, and in how many of them each stands."""
    sizes = ", ".join(str(len(one)) for one in chosen)
    counts = Counter(name for one in chosen for name in one)
    listed = ", ".join(f"{name} {count}" for name, count in counts.most_common())
    return f"{sizes} chosen; runs with each: {listed or 'none'}"
