"""What differs between the games for those who play them."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

from crossboard._core import DrawRules, draughts, duchess

# Of the game that a player plays.
AnyPosition: TypeAlias = Any
AnyMove: TypeAlias = Any


class Game(NamedTuple):
    """A game as players meet it."""

    name: str
    core: Any  # the submodule of the core: Engine, Chooser, Phase, play_pairs
    draws: DrawRules  # its usual rules
    sides: tuple[str, str]  # the one that begins, the other

    def side_of(self, position: AnyPosition) -> str:
        """Return the side, a colour or a team, that is to move."""
        if self.name == "draughts":
            return str(position.turn)
        return self.sides[(position.turn - 1) % 2]

    def other(self, side: str) -> str:
        """Return the side that a side plays against."""
        return self.sides[1 - self.sides.index(side)]


DUCHESS_DRAWS = DrawRules(repetitions=0, quiet_plies=duchess.MAX_QUIET_PLIES)
GAMES = {
    "draughts": Game("draughts", draughts, DrawRules(), ("B", "W")),
    "duchess": Game("duchess", duchess, DUCHESS_DRAWS, ("odd", "even")),
}


def game_of(position: AnyPosition) -> Game:
    """Return the game that a position belongs to; draughts, if there is none."""
    return GAMES["duchess" if isinstance(position, duchess.Position) else "draughts"]
