"""The players that the page may name: those that are listed, and their levels."""

from __future__ import annotations

import re
import time

from crossboard.play.opponents import RANDOM
from crossboard.players import LEVELS, list_players
from crossboard.players.errors import PlayerError
from crossboard.players.folder import Listed, read_description
from crossboard.players.games import GAMES, Game
from crossboard.players.levels import SIGN
from crossboard.web.messages import PlayerInfo
from crossboard.web.refusals import Refusal

KEPT_SECONDS = 5.0
LEVEL = re.compile(rf"(?P<name>.+){SIGN}(?P<level>[1-{LEVELS}])")


class Listing:
    """The players there are now, read again after some seconds; never a path from outside."""

    def __init__(self) -> None:
        self._read_at = float("-inf")
        self._listed: list[PlayerInfo] = []

    def players(self) -> list[PlayerInfo]:
        """Return all players that can be named."""
        if time.monotonic() - self._read_at >= KEPT_SECONDS:
            self._listed = [_random(game) for game in GAMES.values()]
            self._listed += [
                _info(one) for one in list_players() if one.game in GAMES and one.name != RANDOM
            ]
            self._read_at = time.monotonic()
        return self._listed

    def forget(self) -> None:
        """Read the players anew when they are next asked for: one has been saved."""
        self._read_at = float("-inf")

    def check(self, called: str, game: Game, seats: int) -> None:
        """Raise Refusal if no listed player of this name plays this game with so many seats."""
        known = {one.id: one for one in self.players() if one.game == game.name}
        # A player whose own name looks like a level is that player.
        found = None if called in known else LEVEL.fullmatch(called)
        name = found["name"] if found else called
        player = known.get(name)
        if player is None:
            raise Refusal(
                422, f"no player called {name[:100]!r} for {game.title}: /api/players lists them"
            )
        if player.players not in (None, seats):
            raise Refusal(422, f"{name} plays with {player.players} players, not with {seats}")
        if found and int(found["level"]) > player.levels:
            raise Refusal(422, f"{name} has no levels: give it seconds or a depth instead")


def _random(game: Game) -> PlayerInfo:
    return PlayerInfo(
        id=RANDOM,
        name="random",
        game=game.name,
        players=None,
        about="plays any legal move",
        is_shipped=True,
        is_usual=False,
        levels=0,
    )


def _info(listed: Listed) -> PlayerInfo:
    game = GAMES[listed.game]
    usual = {game.usual_player(game.start(number)) for number in game.players}
    try:
        players = read_description(listed.name).players
    except PlayerError:  # it has just gone
        players = None
    return PlayerInfo(
        id=listed.name,
        name=listed.name,
        game=listed.game,
        players=players,
        about=listed.made_by,
        is_shipped=listed.is_shipped,
        is_usual=listed.name in usual,
        levels=LEVELS if listed.has_levels else 0,
    )
