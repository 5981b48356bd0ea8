"""All games of the server: new ones, those in memory, and those in the store."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Mapping

from crossboard.play.saved_game import Occupant, SavedGame, Setup
from crossboard.players import GameTime
from crossboard.players.games import AnyPosition, Game, Seat, find_game
from crossboard.web.messages import Created, GameSummary, NewGame
from crossboard.web.players import Listing
from crossboard.web.refusals import Refusal, no_such_game
from crossboard.web.room import Room, Surroundings, hash_of, new_key
from crossboard.web.states import summary_of

NAME_BYTES = 9
MOST_LISTED = 30
# Chosen: games that are watched, or think, are kept beyond it.
MOST_ROOMS = 200
# Chosen: answers to commands that created games, for those whose answer was lost.
MOST_REMEMBERED = 1000


class Lobby:
    """Finds rooms by name; a game is read from the store when it is first asked for."""

    def __init__(self, around: Surroundings, listing: Listing) -> None:
        self.around = around
        self.listing = listing
        self._rooms: dict[str, Room] = {}
        self._created: dict[str, Created] = {}
        self._lock = asyncio.Lock()

    async def room(self, name: str) -> Room:
        """Return the room of a game; raise Refusal if there is none."""
        if room := self._rooms.get(name):
            return room
        async with self._lock:
            if room := self._rooms.get(name):
                return room
            stored = await asyncio.to_thread(self.around.store.load, name)
            if stored is None:
                raise no_such_game()
            saved = await asyncio.to_thread(SavedGame.restore, stored)
            return self._open(Room(name, saved, stored.events, stored.key_hashes, self.around))

    def _open(self, room: Room) -> Room:
        if len(self._rooms) >= MOST_ROOMS:
            self._rooms = {name: one for name, one in self._rooms.items() if not one.is_idle}
        self._rooms[room.name] = room
        room.go_on()
        room.watch_clock()
        room.await_people()
        return room

    async def create(self, asked: NewGame, command: str) -> Created:
        """Begin a game; a command that came before gets the game that it made."""
        async with self._lock:
            if created := self._created.get(command):
                return created
            setup = await asyncio.to_thread(self._set_up, asked)
            saved, name = SavedGame(setup), secrets.token_urlsafe(NAME_BYTES)
            keys = {str(seat): new_key() for seat in saved.contest.people}
            hashes = {hash_of(key): seat for seat, key in keys.items()}
            store = self.around.store
            await asyncio.wrap_future(store.create(name, setup.as_json(), saved.summary(), hashes))
            room = self._open(Room(name, saved, [], hashes, self.around))
            created = Created(state=room.state, keys=keys)
            self._remember(command, created)
            return created

    def has_created(self, command: str) -> bool:
        """Whether a command has begun a game."""
        return command in self._created

    def _remember(self, command: str, created: Created) -> None:
        self._created[command] = created
        while len(self._created) > MOST_REMEMBERED:
            del self._created[next(iter(self._created))]

    def _set_up(self, asked: NewGame) -> Setup:
        game = find_game(asked.game)
        start = _start(game, asked)
        seats: Mapping[str, Seat] = {str(seat): seat for seat in game.seats(start)}
        computers = {}
        for name, each in asked.computers.items():
            if name not in seats:
                raise Refusal(422, f"there is no seat {name!r}: there are {', '.join(seats)}")
            self.listing.check(each.player, game, len(seats))
            computers[seats[name]] = Occupant(each.player, each.seconds, each.depth)
        return Setup(game.name, game.format(start), computers, _time(asked))

    async def games(self) -> list[GameSummary]:
        """Return the games that changed last."""
        stored = await asyncio.to_thread(self.around.store.recent, MOST_LISTED)
        return [summary_of(one) for one in stored]

    async def close(self) -> None:
        """End all searches, wait for what is being stored, and close the store."""
        await asyncio.gather(*(room.close() for room in self._rooms.values()))
        await asyncio.to_thread(self.around.pool.close)
        await asyncio.to_thread(self.around.store.close)


def _time(asked: NewGame) -> str | None:
    """Return the time of the clocks; raise ValueError if it is none."""
    return None if asked.time is None else str(GameTime.from_text(asked.time))


def _start(game: Game, asked: NewGame) -> AnyPosition:
    players = asked.players
    if players is not None and players not in game.players:
        allowed = " or ".join(map(str, game.players))
        raise Refusal(422, f"{game.title} is for {allowed} players, not {players}")
    if asked.start is None:
        return game.start(players)
    start = game.parse(asked.start)
    found = len(game.seats(start))
    if players not in (None, found):
        raise Refusal(422, f"the position has {found} players, not {players}")
    if start.is_over:
        raise Refusal(422, "in this position the game is over: there is no move to begin with")
    return start
