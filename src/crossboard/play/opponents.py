"""Players found by what people call them: a name, a folder, a network file, an outside engine."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple, TypeAlias

from crossboard._core.draughts import EndgameTables, TablesError
from crossboard.players import Player, RandomPlayer, load_player
from crossboard.players.endgames import describe_gap, open_tables
from crossboard.players.folder import read_description, split_level
from crossboard.players.games import DRAUGHTS, find_game
from crossboard.players.levels import SIGN

OUTSIDE = "hub:"
RANDOM = "random"  # which knows the moves of every game
# Of NeuroDraughts: saved networks, and those still to be drawn.
NETWORK_FILES = (".net", ".crt")

# Takes what should be known of a file that was read.
Remark: TypeAlias = Callable[[str], None]


def ignore(_: str) -> None:
    """Ignore a remark."""


def once(remark: Remark) -> Remark:
    """Return a remark that is not repeated."""
    made: set[str] = set()

    def make(text: str) -> None:
        if text not in made:
            made.add(text)
            remark(text)

    return make


@dataclass(frozen=True)
class TablesChoice:
    """Which endgame tables are used: those of a folder, the usual ones, or none.

    Raises ValueError for a folder without tables that can be used.
    """

    folder: Path | None = None
    is_off: bool = False

    def __post_init__(self) -> None:
        if self.folder is not None:
            if self.is_off:
                raise ValueError("--tables and --no-tables cannot be combined")
            open_tables(self.folder)

    @property
    def options(self) -> tuple[str, ...]:
        """The options of the command line that ask for these tables; none for the usual ones."""
        if self.is_off:
            return ("--no-tables",)
        return () if self.folder is None else ("--tables", str(self.folder))

    def tables_of(self, players: Sequence[Player]) -> EndgameTables | None:
        """Return the tables of a folder that was named, or else those that a player probes."""
        if self.folder is not None:
            return open_tables(self.folder)
        return next((one.tables for one in players if one.tables is not None), None)

    def apply(self, player: Player, remark: Remark = ignore) -> Player:
        """Return a player with these tables if it probes any; remark where there are none."""
        if not player.settings.tables:
            if self.folder is not None:
                remark(f"{player.name} does not use endgame tables")
            return player
        if self.is_off:
            return player.with_settings(replace(player.settings, tables=False))
        try:
            if gap := describe_gap(open_tables(self.folder)):
                remark(gap)
        except TablesError as error:
            remark(f"{error} (until then {player.name} plays without)")
            return player
        return player if self.folder is None else player.with_tables(self.folder)

    def apply_all(self, players: Sequence[Player], remark: Remark = ignore) -> list[Player]:
        """Return players with these tables; what they have in common is remarked once."""
        remark = once(remark)
        # In a match the others have tables too: to judge by, or for one of the players alone.
        return [self.apply(one, remark if one.settings.tables else ignore) for one in players]


USUAL_TABLES = TablesChoice()


def remark_damage(tables: EndgameTables | None, remark: Remark) -> None:
    """Remark, once, that a table proved to be damaged in a search and is not used any more."""
    if tables is not None and (trouble := tables.take_warning()):
        remark(trouble)


def find_player(name: str, remark: Remark = ignore) -> Player:
    """Return the player of a name, folder or network file, or the outside engine of a command.

    An engine has answered. Raises ValueError if there is none.
    """
    if not name.startswith(OUTSIDE):
        return _read_network(name, remark) if is_network(name) else load_player(name)
    from crossboard.protocols import HubPlayer  # most matches are between our own

    player = HubPlayer(name.removeprefix(OUTSIDE))
    player.check()
    return player


class Plays(NamedTuple):
    """What a named player plays; None: anything."""

    player: str = ""
    game: str | None = None
    players: int | None = None

    def check(self, game: str, players: int | None) -> None:
        """Raise ValueError if the game, or the number of players, is another."""
        if self.game not in (None, game):
            raise ValueError(f"{self.player} plays {self.game}, not {game}")
        if None not in (players, self.players) and players != self.players:
            raise ValueError(f"{self.player} plays with {self.players} players, not {players}")


ANYTHING = Plays()


def what_plays(name: str | None) -> Plays:
    """Return what a player plays, without loading it; None and 'random' play any game."""
    if name in (None, RANDOM):
        return ANYTHING
    if name.startswith(OUTSIDE) or is_network(name):
        return Plays(name, DRAUGHTS.name)
    description = read_description(name)
    return Plays(name, description.game, description.players)


class Entrants(NamedTuple):
    """Players that meet each other, and the game that they play."""

    players: list[Player]
    game: str
    seats: int  # how many play at one board

    @property
    def searcher(self) -> Player:
        """The first of them that searches, if there is one."""
        searching = (one for one in self.players if not isinstance(one, RandomPlayer))
        return next(searching, self.players[0])


def find_entrants(names: Sequence[str], game: str | None, remark: Remark = ignore) -> Entrants:
    """Return the players of these names; raise ValueError if they do not all play one game.

    Random plays the game that is named, or else that of the others.
    """
    known = [what_plays(name) for name in names]
    asked = find_game(game or next((one.game for one in known if one.game), DRAUGHTS.name))
    seats = next((one.players for one in known if one.players), asked.players[0])
    for one in known:
        one.check(asked.name, seats)
    players = [
        RandomPlayer(game=asked.name) if name == RANDOM else find_player(name, remark)
        for name in names
    ]
    tell_apart(players, names)
    return Entrants(players, asked.name, seats)


def tell_apart(players: Sequence[Player], names: Sequence[str]) -> None:
    """Call players of one name as they were asked for, if that is not one name too."""
    own = [player.name for player in players]
    for player, name in zip(players, names, strict=True):
        if own.count(player.name) > 1 and names.count(name) == 1:
            player.name = name


def plays_of(name: str | None, player: Player | None) -> Plays:
    """Return what a loaded player plays; None and random play any game."""
    if name in (None, RANDOM) or player is None:
        return ANYTHING
    return Plays(name, player.game.name, player.seats)


def refuse_outside(name: str | None) -> None:
    """Raise ValueError for an outside engine: it plays games, and answers no other questions."""
    if name is not None and name.startswith(OUTSIDE):
        raise ValueError(f"{name}: outside engines take part in match, tournament and play only")


def at_level(name: str, level: int) -> str:
    """Return what a level of a player is called; raise ValueError for what has no levels."""
    if name.startswith(OUTSIDE) or is_network(name):
        raise ValueError(f"{name} has no levels: those have players with a name or a folder")
    if split_level(name)[1] is not None:
        raise ValueError(f"{name} is a level already, so it has no level {level}")
    return f"{name}{SIGN}{level}"


def is_network(name: str) -> bool:
    """Whether a name is that of a network file of NeuroDraughts."""
    return name.lower().endswith(NETWORK_FILES) and os.path.isfile(name)


def _read_network(path: str, remark: Remark) -> Player:
    from crossboard.systems.network_players import load_network_player

    found = load_network_player(path)
    if found.remark:
        remark(found.remark)
    return found.player
