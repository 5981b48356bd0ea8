"""One net for the whole game, or one for each phase: ahead, level, behind (Lynch 1997, 5.3).

The net whose phase it is chooses the move and learns from the board it leaves behind; credit goes
back through the whole game, whichever nets were in charge.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from crossboard._core.draughts import Phase, PhaseSelector, PlayedGame
from crossboard.evaluators import EvalNet

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# How the side to move may stand in material; "any" is one net for everything.
ANY = "any"
ALONE = (ANY,)
BY_MATERIAL = ("ahead", "level", "behind")

# By their phases.
Nets = Mapping[str, EvalNet]


def name_arrays(who: str, nets: Nets) -> dict[str, NDArray[np.float64]]:
    """Return the weights of nets under names of their own: who.phase.w1 and so on.

    A net that is alone has no phase in its names.
    """
    return {
        ".".join((who, name) if phase == ANY else (who, phase, name)): array
        for phase, net in nets.items()
        for name, array in net.arrays().items()
    }


def nets_of(arrays: Mapping[str, Any], who: str) -> dict[str, EvalNet]:
    """Return nets by their phases, as `name_arrays` has named them; pass over other arrays."""
    found: dict[str, dict[str, Any]] = {}
    for key, array in arrays.items():
        owner, _, place = key.partition(".")
        if owner == who:
            *phase, name = place.split(".")
            found.setdefault(phase[0] if phase else ANY, {})[name] = array
    return {phase: EvalNet(**weights) for phase, weights in found.items()}


def selector_of(phases: Sequence[str]) -> PhaseSelector:
    """Return what selects the place of a phase's net among those of all phases."""
    return PhaseSelector([(Phase(balance=name), place) for place, name in enumerate(phases)])


def phases_of(game: PlayedGame, seat: int, phases: Sequence[str], *, skip: int = 0) -> list[str]:
    """Return the phase of each turn of a seat (0: the first to move), so many plies left out."""
    if len(phases) == 1:
        return [phases[0]] * len(game.boards_after(seat, skip=skip))
    turns, position = [], game.start
    for ply, move in enumerate(game.moves):
        if ply % 2 == seat and ply >= skip:
            turns.append(position)
        position = position.after(move)
    return [phases[place] for place in selector_of(phases).select_along(turns)]
