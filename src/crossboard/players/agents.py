"""The agents of a player: their names, their evaluators, and what selects one for a position."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from crossboard.players.engines import Evaluator
from crossboard.players.games import AnyPosition, Game

if TYPE_CHECKING:
    from crossboard.players.specialists import Specialists

# What the evaluator is called that plays when nothing else is said.
MAIN = "main"


def name_evaluators(
    main: Evaluator,
    of_phases: Sequence[Evaluator],
    specialists: Specialists | None,
    known: Mapping[str, Evaluator],
) -> dict[str, Evaluator]:
    """Return the evaluators of a player, each once, by the names that its folder gives them.

    Those without a known name are called main; agent1, agent2 … in the order of their phases;
    unit1, unit2 … for the first unit of the map that they belong to. Raises ValueError if two of
    them have one name.
    """
    names = {id(evaluator): name for name, evaluator in known.items()}
    names[id(main)] = MAIN
    named = {MAIN: main}

    def add(evaluator: Evaluator, name: str) -> None:
        name = names.setdefault(id(evaluator), name)
        if named.setdefault(name, evaluator) is not evaluator:
            raise ValueError(f"two evaluators of a player are called {name!r}")

    for evaluator in of_phases:
        add(evaluator, f"agent{len(named)}")
    for unit, evaluator in enumerate(specialists.evaluators if specialists else (), start=1):
        add(evaluator, f"unit{unit}")
    return named


class Agents:
    """Every agent has a place: first one for each evaluator of a phase, then the map's units.

    Several agents may have the same evaluator: a unit without a specialist of its own is chosen,
    and stays, like any other.
    """

    def __init__(
        self,
        named: Mapping[str, Evaluator],
        roles: Sequence[tuple[Any, Evaluator]],
        specialists: Specialists | None,
        game: Game,
    ) -> None:
        self.evaluators = list(named.values())
        self.has_memory = specialists is not None
        self._names = list(named)
        self._game = game
        places = {id(evaluator): place for place, evaluator in enumerate(self.evaluators)}
        base = game.core.PhaseSelector([(phase, places[id(one)]) for phase, one in roles])
        # Which evaluator an agent has; those of the phases are named before the specialists'.
        self.of_agents = list(range(base.count))
        self.selector = base
        if specialists is not None:
            self.selector = specialists.selector(game.core, base)
            self.of_agents += [places[id(one)] for one in specialists.evaluators]

    def select(self, position: AnyPosition, history: Sequence[AnyPosition]) -> int:
        """Return the place of the evaluator for a position, given the game's earlier ones."""
        if not self.has_memory:
            agent: int = self.selector.select(position)
        else:
            turns = [*self._own_turns(position, history), position]
            agent = self.selector.select_along(turns)[-1]
        return self.of_agents[agent]

    def name(self, place: int) -> str:
        """Return the name of an evaluator."""
        return self._names[place]

    def _own_turns(
        self, position: AnyPosition, history: Sequence[AnyPosition]
    ) -> Iterator[AnyPosition]:
        side = self._game.side_of(position)
        return (earlier for earlier in history if self._game.side_of(earlier) == side)
