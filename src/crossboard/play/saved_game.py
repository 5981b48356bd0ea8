"""A game that survives its process: a contest, rebuilt from its setup and its stored events."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, cast

from crossboard.play.contest import Contest
from crossboard.play.game_store import StoredGame, StoreError
from crossboard.players import GameTime
from crossboard.players.games import AnyMove, AnyPosition, Game, Seat, find_game

MOVE, BACK, RESIGN, DRAW, SEAT = "move", "back", "resign", "draw", "seat"
LATE, LESSON, UNDONE = "late", "lesson", "undone"


class Occupant(NamedTuple):
    """The player in a seat and its limits; without any it plays to its own."""

    player: str
    seconds: float | None = None
    depth: int | None = None

    @property
    def name(self) -> str:
        """The player's name."""
        return self.player

    @property
    def manner(self) -> str:
        """How far it looks, for a record."""
        depth = [f"{self.depth} plies"] if self.depth else []
        seconds = [f"{self.seconds:g} s a move"] if self.seconds else []
        return ", ".join(depth + seconds) or "its own limits"

    @property
    def takes_time(self) -> bool:
        """Whether a person has to wait for its moves."""
        return True

    def choose(
        self, position: AnyPosition, history: Sequence[AnyPosition], time: GameTime | None = None
    ) -> AnyMove:
        """Refuse: moves of saved games are chosen elsewhere and follow as events."""
        raise ValueError(f"{self.player} moves where its searches run")

    def stop(self) -> None:
        """Do nothing: its searches run elsewhere."""


@dataclass(frozen=True)
class Setup:
    """How a game began: the position, and the players in seats that no person has."""

    game: str
    start: str
    computers: Mapping[Seat, Occupant] = field(default_factory=dict)
    time: str | None = None  # of the clocks, such as 5+3; None: there are none

    def as_json(self) -> dict[str, Any]:
        """Return it for the store."""
        computers = {str(seat): list(each) for seat, each in self.computers.items()}
        return {"game": self.game, "start": self.start, "computers": computers, "time": self.time}

    @staticmethod
    def from_json(stored: Mapping[str, Any]) -> Setup:
        """Read what the store has; raise StoreError if it is not what was written."""
        try:
            game = find_game(stored["game"])
            seats = {str(seat): seat for seat in game.seats(game.parse(stored["start"]))}
            computers = {seats[key]: Occupant(*each) for key, each in stored["computers"].items()}
            return Setup(game.name, stored["start"], computers, stored.get("time"))
        except (KeyError, TypeError, AttributeError) as error:
            raise StoreError(f"a stored game is damaged: {error}") from error


class SavedGame:
    """A contest with the number of its last event.

    What is to happen is proposed as an event, stored, and only then applied; a restart applies the
    stored events again. Nothing here waits.
    """

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.rules: Game = find_game(setup.game)
        time = None if setup.time is None else GameTime.from_text(setup.time)
        self.contest = Contest(self.rules.parse(setup.start), setup.computers, time=time)
        self.number = 0
        self.commands: dict[str, int] = {}  # the event that each command has made
        # What computers thought of their moves, by ply.
        self.thoughts: dict[int, Mapping[str, Any]] = {}
        # What a player has learnt from the game, if it was taught and that was not undone.
        self.lesson: Mapping[str, Any] | None = None
        # Seats that a computer holds only while its person is away.
        self.deputies: set[Seat] = set()

    @staticmethod
    def restore(stored: StoredGame) -> SavedGame:
        """Play a stored game again; raise StoreError if it cannot be."""
        game = SavedGame(Setup.from_json(stored.setup))
        for each in stored.events:
            try:
                game.apply(each.event, each.command)
            except (KeyError, TypeError, ValueError) as error:
                raise StoreError(f"event {each.number} of a game is damaged: {error}") from error
        return game

    # ---- events that may be stored; each raises ValueError where it makes no sense

    def propose_move(
        self, text: str, seconds: float, thought: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        """Return the event of a move for the seat on turn; raise IllegalMove, which says why."""
        if self.contest.ending:
            raise ValueError("the game is over")
        if self.contest.must_pass:
            (move,) = self.rules.moves(self.contest.position)
        else:
            move = self.contest.position.parse_move(text)
        found = {"kind": MOVE, "move": str(move), "seconds": round(seconds, 3)}
        return found | ({"thought": dict(thought)} if thought else {})

    def propose_back(self) -> dict[str, Any]:
        """Return the event that takes a person's last move back."""
        return {"kind": BACK, "plies": self.contest.plies_to_take_back()}

    def propose_resignation(self, seat: Seat) -> dict[str, Any]:
        """Return the event with which a seat gives up."""
        if self.contest.ending:
            raise ValueError("the game is over")
        return {"kind": RESIGN, "seat": seat}

    def propose_lateness(self, seat: Seat) -> dict[str, Any]:
        """Return the event of a seat whose time is used up."""
        if self.contest.ending:
            raise ValueError("the game is over")
        return {"kind": LATE, "seat": seat}

    def propose_draw(self) -> dict[str, Any]:
        """Return the event of a draw that both sides want."""
        if self.contest.ending:
            raise ValueError("the game is over")
        return {"kind": DRAW}

    def propose_lesson(self, lesson: Mapping[str, Any]) -> dict[str, Any]:
        """Return the event of a lesson that a player has had from the game."""
        return {"kind": LESSON, "lesson": dict(lesson)}

    def propose_unlearning(self) -> dict[str, Any]:
        """Return the event of a lesson that was undone."""
        return {"kind": UNDONE}

    def propose_occupant(
        self, seat: Seat, occupant: Occupant | None, *, is_deputy: bool = False
    ) -> dict[str, Any]:
        """Return the event that gives a seat to a player, or to a person (None)."""
        player = None if occupant is None else list(occupant)
        return {"kind": SEAT, "seat": seat, "player": player, "deputy": is_deputy}

    # ---- what happens

    def apply(self, event: Mapping[str, Any], command: str | None = None) -> None:
        """Make an event happen."""
        contest = self.contest
        match event["kind"]:
            case "move":
                ply = len(contest.moves)
                contest.follow(event["move"], event["seconds"])
                if "thought" in event:
                    self.thoughts[ply] = event["thought"]
            case "back":
                contest.go_back(event["plies"])
                self._forget_thoughts(range(len(contest.moves)))
            case "resign":
                contest.resign(event["seat"])
            case "late":
                contest.run_out(event["seat"])
            case "draw":
                contest.agree_draw()
            case "lesson":
                self.lesson = event["lesson"]
            case "undone":
                self.lesson = None
            case "seat":
                self._give_seat(event["seat"], event["player"], is_deputy=event["deputy"])
            case kind:
                raise ValueError(f"there is no event {kind!r}")
        self.number += 1
        if command is not None:
            self.commands[command] = self.number

    def _give_seat(self, seat: Seat, player: Sequence[Any] | None, *, is_deputy: bool) -> None:
        self.contest.give_seat(seat, None if player is None else Occupant(*player))
        self.deputies.discard(seat)
        if is_deputy:
            self.deputies.add(seat)

    def _forget_thoughts(self, kept: Iterable[int]) -> None:
        self.thoughts = {ply: self.thoughts[ply] for ply in kept if ply in self.thoughts}

    @property
    def occupants(self) -> Mapping[Seat, Occupant]:
        """The players in seats that no person has now."""
        return cast("Mapping[Seat, Occupant]", self.contest.computers)

    def preview(self, event: Mapping[str, Any]) -> dict[str, Any]:
        """Return the summary after an event, without making it happen."""
        after = SavedGame(self.setup)
        after._begin_as(self)
        after.apply(event)
        return after.summary()

    def _begin_as(self, other: SavedGame) -> None:
        for seat in self.contest.seats:
            self.contest.give_seat(seat, other.occupants.get(seat))
        self.contest.begin_as(other.contest)

    def summary(self) -> dict[str, Any]:
        """Return what a list of games shows of it."""
        contest = self.contest
        return {
            "game": self.setup.game,
            "players": len(contest.seats),
            "plies": len(contest.moves),
            "opponents": sorted({each.player for each in self.occupants.values()}),
            "verdict": contest.verdict,
            "position": self.rules.format(contest.position),
        }
