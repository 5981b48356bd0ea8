"""A game in progress on the server: commands one at a time, events to those who watch."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import secrets
import time
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from crossboard._core import StopFlag
from crossboard.play.game_store import GameStore, StoredEvent
from crossboard.play.lessons import PageLesson, pupil_of, teach, unteach
from crossboard.play.lines import format_line, format_value
from crossboard.play.saved_game import Occupant, SavedGame
from crossboard.play.search_pool import Judged, SearchPool, Task
from crossboard.players import GameTime, SearchLimits
from crossboard.players.games import AnyPosition, Seat
from crossboard.web.messages import DrawReply, GameEvent, GameState, Hint
from crossboard.web.refusals import Refusal, no_key, stale
from crossboard.web.states import event_of, legal_move_of, state_of, thought_of, topic_of

LINE_MOVES = 8
KEY_BYTES = 18
# Takes an event; must not wait.
Listener = Callable[[GameEvent], None]
Event = Mapping[str, Any]
log = logging.getLogger("crossboard.web")


def new_key() -> str:
    """Make the key of a seat."""
    return secrets.token_urlsafe(KEY_BYTES)


def hash_of(key: str) -> str:
    """Return what is stored of a key."""
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True)
class Surroundings:
    """What every room needs: the store, the searches, and how long a seat waits for its person."""

    store: GameStore
    pool: SearchPool
    grace_seconds: float = 60.0


class Room:
    """A game, the pages that watch it, and the searches of its computers."""

    def __init__(
        self,
        name: str,
        saved: SavedGame,
        events: Sequence[StoredEvent],
        key_hashes: Mapping[str, str],
        around: Surroundings,
    ) -> None:
        self.name = name
        self.saved = saved
        self._events = list(events)
        seats = {str(seat): seat for seat in saved.contest.seats}
        self._seats_of_hashes = {hashed: seats[seat] for hashed, seat in key_hashes.items()}
        self._around = around
        self._lock = asyncio.Lock()
        self._listeners: dict[Listener, frozenset[Seat]] = {}
        self._thinking: asyncio.Task[None] | None = None
        self._waiting: dict[Seat, asyncio.TimerHandle] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self._stop = StopFlag()
        self._flag: asyncio.TimerHandle | None = None
        self._turn_began = time.monotonic()
        self._can_learn = pupil_of(saved) is not None
        self.state = self._make_state()

    # ---- who may do what

    def seats_with(self, keys: Iterable[str]) -> frozenset[Seat]:
        """Return the seats that these keys open."""
        found = (self._seats_of_hashes.get(hash_of(key)) for key in keys)
        return frozenset(seat for seat in found if seat is not None)

    # ---- watching

    def watch(self, listener: Listener, keys: Sequence[str], after: int) -> None:
        """Send the events after a number, the last with the state, and all that follow."""
        seats = self.seats_with(keys)
        missed = [event_of(self.name, one.number, one.event) for one in self._events[after:]]
        for event in missed[:-1]:
            listener(event)
        last = missed[-1] if missed else self._presence()
        self._listeners[listener] = seats
        listener(last.model_copy(update={"state": self.state}))
        if seats:
            self._come_back(seats)
        self.go_on()  # after a search that has failed

    def leave(self, listener: Listener) -> None:
        """Stop sending; seats whose last page is gone wait for their persons."""
        seats = self._listeners.pop(listener, frozenset())
        if seats - self._connected():
            self._tell_presence()
            self.await_people()

    @property
    def is_idle(self) -> bool:
        """Whether the room may be forgotten: the store has all of it."""
        is_waiting = bool(self._listeners or self._tasks or self._waiting or self._flag)
        return not is_waiting and not self._lock.locked()

    def _connected(self) -> frozenset[Seat]:
        return frozenset().union(*self._listeners.values())

    def _presence(self) -> GameEvent:
        return GameEvent(topic=topic_of(self.name), number=self.saved.number, kind="presence")

    def _tell_presence(self) -> None:
        self.state = self._make_state()
        self._tell(self._presence())

    def _tell(self, event: GameEvent) -> None:
        whole = event.model_copy(update={"state": self.state})
        for listener in list(self._listeners):
            listener(whole)

    # ---- commands

    async def move(
        self, seats: frozenset[Seat], command: str, expected: int, text: str
    ) -> GameState:
        """Make a move for the seat on turn."""

        def propose() -> Event:
            turn = self.saved.contest.turn
            if turn is not None and turn not in seats:
                raise no_key(f"it is the turn of {self.saved.contest.describe(turn)}")
            if self._is_late():
                raise Refusal(409, "the time is used up: the move came too late", self.state)
            return self.saved.propose_move(text, time.monotonic() - self._turn_began)

        return await self._command(command, expected, propose)

    async def undo(self, seats: frozenset[Seat], command: str, expected: int) -> GameState:
        """Take a move back, which those who hold all seats of people may do."""

        def propose() -> Event:
            self._need_all(seats, "a move is taken back by those who hold all seats of people")
            if self.saved.lesson is not None:
                sentence = "a player has learnt from this game: undo the lesson first"
                raise Refusal(409, sentence, self.state)
            return self.saved.propose_back()

        return await self._command(command, expected, propose)

    async def resign(self, seats: frozenset[Seat], command: str, expected: int) -> GameState:
        """Give the game up for one of the seats, that on turn if it is among them."""

        def propose() -> Event:
            turn = self.saved.contest.turn
            own = [seat for seat in self.saved.contest.people if seat in seats]
            if not own:
                raise no_key("only a seat of the game can resign")
            return self.saved.propose_resignation(turn if turn in own and turn else own[0])

        return await self._command(command, expected, propose)

    async def offer_draw(self, seats: frozenset[Seat], command: str, expected: int) -> DrawReply:
        """Offer a draw, which a computer accepts if its search judges it at most equal."""
        self._check_ply(command, expected)
        self._need_all(seats, "a draw is offered by those who hold all seats of people")
        contest = self.saved.contest
        if contest.ending:
            raise Refusal(409, "the game is over", self.state)
        own_sides = {contest.game.side_of_seat(seat) for seat in seats}
        others = (
            seat for seat in contest.computers if contest.game.side_of_seat(seat) not in own_sides
        )
        judge = next(others, None)
        if judge is not None:
            occupant = self.saved.occupants[judge]
            finding = await self._search(occupant, contest.position, contest.history)
            own = contest.game.side_of_seat(judge) == contest.game.side_of(contest.position)
            value = finding.result.value if own else -finding.result.value
            if round(value, 2) > 0:
                sentence = f"{occupant.player} plays on: its search says {value:+.2f} for itself."
                return DrawReply(is_accepted=False, sentence=sentence, state=self.state)
        state = await self._command(command, expected, self.saved.propose_draw)
        return DrawReply(is_accepted=True, sentence="The game is drawn by agreement.", state=state)

    async def hint(self, expected: int, player: str, limits: SearchLimits) -> Hint:
        """Return the move that a player would make for the seat on turn."""
        self._check_ply("", expected)
        contest = self.saved.contest
        turn = contest.turn
        if turn is None or contest.must_pass:
            raise Refusal(409, "there is no move to choose", self.state)
        occupant = Occupant(player, limits.seconds, limits.depth)
        position = contest.position
        finding = await self._search(occupant, position, contest.history)
        self._check_ply("", expected)
        thought = thought_of(self.saved, turn, _thought(position, finding))
        return Hint(move=legal_move_of(self.saved, str(finding.result.move)), thought=thought)

    async def learn(self, seats: frozenset[Seat], command: str, expected: int) -> GameState:
        """Let the computer learn from the finished game, in a copy of its own."""
        async with self._lock:
            if command in self.saved.commands:
                return self.state
            self._check_ply(command, expected)
            self._need_all(seats, "a player is taught by those who hold all seats of people")
            if self.saved.lesson is not None:
                raise Refusal(409, "it has learnt from this game already", self.state)
            lesson = await asyncio.to_thread(teach, self.saved, self._kept())
            await self._commit(self.saved.propose_lesson(lesson._asdict()), command)
            return self.state

    async def unlearn(self, seats: frozenset[Seat], command: str, expected: int) -> GameState:
        """Undo what was learnt from the game."""
        async with self._lock:
            if command in self.saved.commands:
                return self.state
            self._check_ply(command, expected)
            self._need_all(seats, "a lesson is undone by those who hold all seats of people")
            if self.saved.lesson is None:
                raise Refusal(409, "nothing was learnt from this game", self.state)
            lesson = PageLesson(**self.saved.lesson)
            await asyncio.to_thread(unteach, lesson, self._kept())
            await self._commit(self.saved.propose_unlearning(), command)
            return self.state

    def _kept(self) -> Path:
        """Return where the older self of a player that learns from this game is kept."""
        return self._around.store.folder / "lessons" / self.name

    async def _command(
        self, command: str, expected: int, propose: Callable[[], Event]
    ) -> GameState:
        async with self._lock:
            if command in self.saved.commands:  # it came before, and its answer was lost
                return self.state
            self._check_ply(command, expected)
            await self._commit(propose(), command)
            return self.state

    def _check_ply(self, command: str, expected: int) -> None:
        if command not in self.saved.commands and expected != self.state.ply:
            raise stale(expected, self.state)

    def _need_all(self, seats: frozenset[Seat], sentence: str) -> None:
        if not frozenset(self.saved.contest.people) <= seats or not seats:
            raise no_key(sentence)

    async def _commit(self, event: Event, command: str | None = None) -> None:
        """Store an event, apply it and tell all pages; the lock is held."""
        number = self.saved.number + 1
        stored = StoredEvent(number, event, command)
        # Stored before anything shows it: what a page has seen is never lost.
        after = self.saved.preview(event)
        await asyncio.wrap_future(self._around.store.append(self.name, stored, after))
        self._stop.set()
        self.saved.apply(event, command)
        self._events.append(stored)
        self._turn_began = time.monotonic()
        self.state = self._make_state()
        self._tell(event_of(self.name, number, event))
        self.go_on()
        self.watch_clock()

    def _make_state(self) -> GameState:
        return state_of(self.name, self.saved, self._connected(), can_learn=self._can_learn)

    # ---- computers

    def go_on(self) -> None:
        """Let the computers move, in a task of its own, up to the turn of a person."""
        if self._needs_no_person() and (self._thinking is None or self._thinking.done()):
            self._thinking = self._spawn(self._play_on())

    def _needs_no_person(self) -> bool:
        contest = self.saved.contest
        return contest.must_pass or contest.computer_on_turn is not None

    async def _play_on(self) -> None:
        while self._needs_no_person():
            try:
                await self._play_once()
            except ValueError as error:  # no player, or no room on the disk
                log.error("%s: %s", self.name, error)
                return

    async def _play_once(self) -> None:
        contest, number = self.saved.contest, self.saved.number
        position, moves = contest.position, contest.game.moves(contest.position)
        thought: dict[str, Any] = {}
        text = str(moves[0])
        if len(moves) > 1 and contest.turn is not None:
            occupant = self.saved.occupants[contest.turn]
            self._stop = StopFlag()
            left = None if contest.time is None else contest.time_left
            finding = await self._search(occupant, position, contest.history, self._stop, left)
            text = str(finding.result.move)
            if finding.result.nodes:  # random moves come without a thought
                thought = _thought(position, finding)
        async with self._lock:
            if self.saved.number != number:  # something happened meanwhile
                return
            used = time.monotonic() - self._turn_began
            await self._commit(self.saved.propose_move(text, used, thought))

    async def _search(
        self,
        occupant: Occupant,
        position: AnyPosition,
        history: Sequence[AnyPosition],
        stop: StopFlag | None = None,
        time: GameTime | None = None,
    ) -> Judged:
        # On a clock the seconds of a move are a share of what is left.
        seconds = occupant.seconds if time is None else None
        limits = SearchLimits(seconds=seconds, depth=occupant.depth, time=time)
        # Other games have other errors of a level; a move taken back does not change them.
        seed = f"{self.name} move {len(history)}"
        task = Task(occupant.player, position, history, limits, stop or StopFlag(), seed=seed)
        return await asyncio.wrap_future(self._around.pool.search(task))

    # ---- clocks

    def watch_clock(self) -> None:
        """End the game as soon as the seat on turn has used up its time."""
        if self._flag is not None:
            self._flag.cancel()
            self._flag = None
        contest = self.saved.contest
        if contest.time is None or contest.turn is None:
            return
        left = max(0.0, contest.seconds_left(contest.turn))
        loop = asyncio.get_running_loop()
        self._flag = loop.call_later(left, lambda: self._spawn(self._run_out()))

    def _is_late(self) -> bool:
        contest = self.saved.contest
        if contest.time is None or contest.turn is None:
            return False
        return contest.seconds_left(contest.turn) < 0

    async def _run_out(self) -> None:
        async with self._lock:
            turn = self.saved.contest.turn
            if turn is not None and self._is_late():
                await self._commit(self.saved.propose_lateness(turn))
            else:  # the loop's clock was a little early, or a move came just before
                self.watch_clock()

    # ---- people who are away

    def await_people(self) -> None:
        """Let a computer take over each seat of a team whose person stays away too long."""
        if not self.saved.rules.has_teams or self.saved.contest.ending:
            return
        loop = asyncio.get_running_loop()
        for seat in frozenset(self.saved.contest.people) - self._connected():
            if seat not in self._waiting:
                grace = self._around.grace_seconds
                self._waiting[seat] = loop.call_later(grace, self._begin_take_over, seat)

    def _begin_take_over(self, seat: Seat) -> None:
        self._waiting.pop(seat, None)
        usual = self.saved.rules.usual_player(self.saved.contest.position)
        self._spawn(self._give(seat, Occupant(usual)))

    def _come_back(self, seats: frozenset[Seat]) -> None:
        self._tell_presence()
        for seat in seats:
            if handle := self._waiting.pop(seat, None):
                handle.cancel()
            if seat in self.saved.deputies:
                self._spawn(self._give(seat, None))

    async def _give(self, seat: Seat, occupant: Occupant | None) -> None:
        async with self._lock:
            is_away = seat not in self._connected()
            holds = seat in self.saved.contest.people
            # The person may have come back, or gone, since this was begun.
            if self.saved.contest.ending or (occupant is not None) != (is_away and holds):
                return
            event = self.saved.propose_occupant(seat, occupant, is_deputy=occupant is not None)
            await self._commit(event)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)  # the loop alone would let it go
        task.add_done_callback(self._end)
        return task

    def _end(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()):
            log.error("%s: %s", self.name, error, exc_info=error)

    async def close(self) -> None:
        """End the searches and wait for what is being stored."""
        self._stop.set()
        for handle in self._waiting.values():
            handle.cancel()
        for task in [*self._tasks]:
            task.cancel()
        if self._flag is not None:
            self._flag.cancel()
        async with self._lock:
            pass


def _thought(position: AnyPosition, finding: Judged) -> dict[str, Any]:
    found = finding.result
    return {
        "value": format_value(found.value, found.win_in),
        "bar": finding.bar,
        "depth": found.depth,
        "line": format_line(position, found.pv, most=LINE_MOVES),
        "seconds": round(found.seconds, 2),
    }
