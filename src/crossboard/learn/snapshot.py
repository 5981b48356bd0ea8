"""What a learner yields: all that it is at one moment, and what came of the games before it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Snapshot:
    """A learner between two blocks of games; given back to it, it goes on bit for bit.

    `arrays` and `plain` are everything there is to keep: weights, opponents, counters. Random
    numbers need no state: each game draws from a seed of its own (`game_seed`). Who learns in the
    midst of long games may yield snapshots there too, with nothing measured and nothing played.
    """

    games: int  # played so far
    arrays: Mapping[str, NDArray[np.float64]]
    plain: Mapping[str, Any] = field(default_factory=dict)  # what JSON gives back the same
    measured: Mapping[str, float] = field(default_factory=dict)  # of the block that just ended
    # The games of that block that are worth keeping: as the core played them, or as records.
    played: Sequence[Any] = ()
    # Whether a checkpoint is needed before learning goes on, however young the last one is: what
    # earlier ones need in the run's folder will be removed.
    is_kept_at_once: bool = False
    # Whether the player is that of this snapshot even if it comes when time is up: all the time
    # of a round was for the net at its end.
    counts_if_late: bool = False


def game_seed(seed: int, purpose: str, number: int) -> int:
    """Return the seed of one game of a run, a function of the run's seed and the game's number."""
    return Random(f"{seed} {purpose} {number}").getrandbits(63)
