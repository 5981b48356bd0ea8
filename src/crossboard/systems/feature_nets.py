"""Nets of subsets of features, each trained once as a part of the run that asks for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

from crossboard.learn import Schooling, Snapshot
from crossboard.learn.genes import Genes
from crossboard.learn.schooling import paced
from crossboard.systems.cohort import part, train_side_by_side, unfinished
from crossboard.systems.neurodraughts import NeuroDraughtsSettings
from crossboard.systems.recipes import DEFAULT_SYSTEM, find_recipe
from crossboard.systems.trained import latest_snapshot

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Weights = Mapping[str, NDArray[np.float64]]

Features = tuple[tuple[str, int], ...]  # names and bits

# Raised when the same settings and seed begin to give other weights.
EDITION = 1
FOLDER = "individuals"
STUDENT = "student."


class Lineage(NamedTuple):
    """The origin of a net: the features it sees, the games it plays, and its seed."""

    genes: Genes  # a bit for each feature on offer
    games: int
    seed: int

    @property
    def folder_name(self) -> str:
        """A name of its own: the bits as a hexadecimal number, the first feature's the lowest."""
        number = sum(bit << place for place, bit in enumerate(self.genes))
        digits = -(-len(self.genes) // 4)
        return f"{number:0{digits}x}-{self.games}-seed{self.seed}"


def features_of(genes: Genes, offered: Features) -> Features:
    """Return the features whose bits are set."""
    return tuple(each for each, bit in zip(offered, genes, strict=True) if bit)


def settings_of_net(
    settings: NeuroDraughtsSettings, features: Features, games: int
) -> NeuroDraughtsSettings:
    """Return how a net of some features is trained, by so many games and otherwise as all are."""
    shared = {key: getattr(settings, key) for key in NeuroDraughtsSettings.model_fields}
    own = {"features": features, "games": games, "exam_every": 0}
    return NeuroDraughtsSettings(**{**shared, **own})


@dataclass
class FeatureNets:
    """The nets of a run. Nets that were trained before, in this sitting or not, are only read."""

    # How every net is trained; its features are those on offer.
    settings: NeuroDraughtsSettings
    schooling: Schooling
    folder: Path
    known: dict[Lineage, Weights] = field(default_factory=dict)

    def train(self, wanted: Iterable[Lineage], purpose: str) -> None:
        """Train the nets that are not known yet, side by side; report progress by their purpose."""
        every = dict.fromkeys(wanted)
        missing = [one for one in every if one not in self.known]
        recipe = find_recipe(DEFAULT_SYSTEM)
        parts = {
            one: part(
                self.folder / FOLDER / one.folder_name,
                recipe,
                self.settings_of(one),
                one.seed,
                edition=EDITION,
            )
            for one in missing
        }
        tell = self.schooling.tell
        begun, tell_count = unfinished(parts, tell), paced(tell)
        ended = train_side_by_side(begun, self.schooling.learners, tell)
        for trained in range(len(every) - len(begun), len(every)):
            tell_count(f"{purpose}: {trained:,} of {len(every):,} nets trained")
            next(ended)
        self.known |= {one: read_student(each.folder) for one, each in parts.items()}

    def settings_of(self, lineage: Lineage) -> NeuroDraughtsSettings:
        """Return how a net is trained."""
        chosen = features_of(lineage.genes, self.settings.features)
        return settings_of_net(self.settings, chosen, lineage.games)

    def snapshot(self, lineage: Lineage) -> Snapshot:
        """Return a net as what its own training left at last."""
        return Snapshot(lineage.games, self.known[lineage])


def read_student(folder: Path) -> Weights:
    """Return the weights that a finished training has left."""
    arrays = latest_snapshot(folder).arrays
    return {name: array for name, array in arrays.items() if name.startswith(STUDENT)}


@contextmanager
def nets_of_run(settings: NeuroDraughtsSettings, schooling: Schooling) -> Iterator[FeatureNets]:
    """Give the nets of a run; without a folder they are kept no longer than this lasts."""
    if schooling.folder is not None:
        yield FeatureNets(settings, schooling, schooling.folder)
        return
    with TemporaryDirectory() as place:
        yield FeatureNets(settings, schooling, Path(place))
