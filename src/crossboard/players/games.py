"""The games as everything above the rules meets them: what differs between them stands here."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from types import MappingProxyType
from typing import IO, Any, ClassVar, TypeAlias

from crossboard import draughts, duchess
from crossboard._core import DrawRules
from crossboard._core import draughts as draughts_core
from crossboard._core import duchess as duchess_core
from crossboard.evaluators import Evaluation, Material, OneLayer
from crossboard.players.handicaps import DRAUGHTS_LEVELS, DUCHESS_LEVELS, Handicap

# Of the game that a player plays.
AnyPosition: TypeAlias = Any
AnyMove: TypeAlias = Any
AnyRecord: TypeAlias = Any
# A place at the board, as a position's `turn` names it: 'B' and 'W', or 1 to 6.
Seat: TypeAlias = str | int

NOTHING: Mapping[str, str] = MappingProxyType({})


class Game(ABC):
    """A game: its core, how it is parsed, formatted and opened, and which player is usual."""

    name: ClassVar[str]
    title: ClassVar[str]  # in a sentence
    core: ClassVar[Any]  # the submodule of the core: Engine, Chooser, Phase, play_pairs
    draws: ClassVar[DrawRules]  # its usual rules
    sides: ClassVar[tuple[str, str]]  # the one that begins, the other
    side_titles: ClassVar[tuple[str, str]]
    # Under which tags a record of two opponents names them, in PDN's customary order.
    side_tags: ClassVar[Mapping[str, str]]
    record_tags: ClassVar[Mapping[str, str]] = NOTHING  # of every record
    record_suffix: ClassVar[str]
    players: ClassVar[tuple[int, ...]]  # how many play it, the usual number first
    has_teams: ClassVar[bool]  # whether seats are numbered, and several of them win together
    learns_from_people: ClassVar[bool]  # whether a player learns from the record of a game
    has_specialists: ClassVar[bool]  # whether a map of its boards may select an evaluator
    has_tables: ClassVar[bool]  # whether endgame tables may be built for it
    hub_variant: ClassVar[str | None]  # its name in the Hub protocol
    # What the files of openings hold, by suffix; any other holds one position a line.
    opening_files: ClassVar[Mapping[str, str]] = NOTHING
    match_depth: ClassVar[int | None]  # of a match without limits; None: the player's own limits
    hint_depth: ClassVar[int | None]  # at least, for hints; None: the usual player's own limits
    levels: ClassVar[tuple[Handicap, ...]]  # of its players, beginner first, but for the last one
    perft_depth: ClassVar[int]  # that takes about a second
    deep_perft: ClassVar[int]  # from which perft shows its progress

    # ---- positions and moves

    def start(self, players: int | None = None) -> AnyPosition:
        """Return where a game begins, of the usual number of players unless it is given."""
        return self.core.Position()

    @abstractmethod
    def parse(self, text: str) -> AnyPosition:
        """Read a position; raise ValueError if it is none."""

    @abstractmethod
    def format(self, position: AnyPosition) -> str:
        """Write a position so that `parse` reads it back."""

    @abstractmethod
    def as_json(self, position: AnyPosition) -> dict[str, Any]:
        """Return a position under the names that `--json` uses."""

    def format_move(self, position: AnyPosition, move: AnyMove) -> str:
        """Write a move as people do."""
        return str(move)

    def moves(self, position: AnyPosition) -> Sequence[AnyMove]:
        """Return what can be played, a skipped turn too."""
        return position.legal_moves or ([] if position.is_over else [self.core.Move("pass")])

    # ---- seats and sides

    @abstractmethod
    def seats(self, position: AnyPosition) -> tuple[Seat, ...]:
        """Return the places at the board."""

    @abstractmethod
    def side_of_seat(self, seat: Seat) -> str:
        """Return the side, a colour or a team, that a seat plays for."""

    @abstractmethod
    def seat_title(self, seat: Seat) -> str:
        """Name a seat, for people."""

    @abstractmethod
    def seat_tag(self, seat: Seat) -> str:
        """Return the tag under which a record names the player in a seat."""

    def side_of(self, position: AnyPosition) -> str:
        """Return the side that is to move."""
        return self.side_of_seat(position.turn)

    def other(self, side: str) -> str:
        """Return the side that a side plays against."""
        return self.sides[1 - self.sides.index(side)]

    def side_title(self, side: str) -> str:
        """Name a side, for people."""
        return self.side_titles[self.sides.index(side)]

    # ---- records

    @abstractmethod
    def record(
        self,
        start: AnyPosition,
        moves: Sequence[AnyMove] = (),
        *,
        tags: Mapping[str, str] = NOTHING,
        comment: str = "",
    ) -> AnyRecord:
        """Return a record of moves from a position, with a comment behind the last of them."""

    @abstractmethod
    def format_record(self, record: AnyRecord) -> str:
        """Write a record as text; raise ValueError for what it cannot hold."""

    @abstractmethod
    def read_records(self, source: IO[bytes]) -> Iterator[AnyRecord]:
        """Yield the records of a file one by one; each lists what could not be understood in it."""

    @abstractmethod
    def last_comment(self, record: AnyRecord) -> str:
        """Return the comment behind the last move of a record."""

    @abstractmethod
    def result_for(self, winner: str | None) -> str:
        """Return how a record writes that a side has won, or that the game is drawn."""

    @abstractmethod
    def why_lost(self, side: str, position: AnyPosition) -> str:
        """Say why a side has lost by the rules."""

    @abstractmethod
    def why_drawn(self, reason: str) -> str:
        """Say in words the reason of a draw by the rules."""

    # ---- players and openings

    @abstractmethod
    def usual_player(self, position: AnyPosition) -> str:
        """Return the name of the player that plays and searches unless another is named."""

    @abstractmethod
    def usual_evaluator(self) -> Evaluation:
        """Return the evaluation of a player that has no other."""

    @abstractmethod
    def usual_openings(self, players: int) -> str:
        """Return from where matches are played unless other openings are named."""

    def ballots(self) -> Sequence[draughts.Ballot]:
        """Return the openings that tournaments of people draw by lot."""
        return ()

    @abstractmethod
    def random_line(self, position: AnyPosition, plies: int, random: Random) -> tuple[AnyMove, ...]:
        """Draw so many plies after which the game goes on; raise ValueError if none are found."""


class Draughts(Game):
    """English draughts."""

    name = "draughts"
    title = "draughts"
    core: ClassVar[Any] = draughts_core
    draws = DrawRules()
    sides = ("B", "W")
    side_titles = ("Black", "White")
    side_tags = MappingProxyType({"W": "White", "B": "Black"})
    record_tags = MappingProxyType({"GameType": "21"})
    record_suffix = ".pdn"
    players = (2,)
    has_teams = False
    learns_from_people = True
    has_specialists = True
    has_tables = True
    hub_variant = "english"
    opening_files = MappingProxyType({".pdn": "records", ".brd": "boards"})
    match_depth = 6
    hint_depth = 13  # advice is worth little at the depth of an easy opponent
    levels = DRAUGHTS_LEVELS
    perft_depth, deep_perft = 8, 11

    def parse(self, text: str) -> AnyPosition:
        """Read a FEN; raise InvalidFen if it is none."""
        return draughts.Position.from_fen(text)

    def format(self, position: AnyPosition) -> str:
        """Write a FEN."""
        return str(position.fen)

    def as_json(self, position: AnyPosition) -> dict[str, Any]:
        """Return the FEN."""
        return {"fen": position.fen}

    def format_move(self, position: AnyPosition, move: AnyMove) -> str:
        """Write a jump by its ends unless its way matters: 22x8, not 22x15x8."""
        return str(position.format_move(move))

    def seats(self, position: AnyPosition) -> tuple[Seat, ...]:
        """Return the two colours."""
        return self.sides

    def side_of_seat(self, seat: Seat) -> str:
        """Return the colour itself."""
        return str(seat)

    def seat_title(self, seat: Seat) -> str:
        """Return Black or White."""
        return self.side_title(str(seat))

    seat_tag = seat_title

    def record(
        self,
        start: AnyPosition,
        moves: Sequence[AnyMove] = (),
        *,
        tags: Mapping[str, str] = NOTHING,
        comment: str = "",
    ) -> draughts.Record:
        """Return a record with one line of moves."""
        record = draughts.Record(start, tags=dict(tags))
        node = record.tree
        for move in moves:
            node = node.add(move)
        if comment:
            node.comment = comment
        return record

    def format_record(self, record: AnyRecord) -> str:
        """Write PDN."""
        return str(record.pdn)

    def read_records(self, source: IO[bytes]) -> Iterator[AnyRecord]:
        """Read PDN."""
        return draughts.read_pdn(source)

    def last_comment(self, record: AnyRecord) -> str:
        """Return the comment of the main line's last node."""
        return str(record.end.comment)

    def result_for(self, winner: str | None) -> str:
        """Return PDN's result, Black's points first."""
        return draughts.result_for(winner)

    def why_lost(self, side: str, position: AnyPosition) -> str:
        """Say whether a side has pieces that cannot move, or none."""
        lacks = "cannot move" if position.pieces(side) else "has no piece left"
        return f"{self.side_title(side)} {lacks}"

    def why_drawn(self, reason: str) -> str:
        """Say how often a position stood, or how long nothing happened."""
        if reason == "repetition":
            return f"the position stood {self.draws.repetitions} times"
        return f"{self.draws.quiet_plies} plies without a capture or a man's move"

    def usual_player(self, position: AnyPosition) -> str:
        """Return the strongest player that is shipped (docs/results.md)."""
        return "champion"

    def usual_evaluator(self) -> Evaluation:
        """Return the count of men."""
        return Material()

    def usual_openings(self, players: int) -> str:
        """Return the three-move ballots."""
        return "ballots"

    def ballots(self) -> Sequence[draughts.Ballot]:
        """Return the three-move ballots in use."""
        return draughts.ballots()

    def random_line(self, position: AnyPosition, plies: int, random: Random) -> tuple[AnyMove, ...]:
        """Draw moves one by one."""
        return draughts.random_line(position, plies, random)


class Duchess(Game):
    """Duchess, for four or six players in two teams."""

    name = "duchess"
    title = "Duchess"
    core: ClassVar[Any] = duchess_core
    draws = DrawRules(repetitions=0, quiet_plies=duchess.MAX_QUIET_PLIES)
    sides = ("odd", "even")
    side_titles = ("The odd team", "The even team")
    side_tags = MappingProxyType({"odd": "Odd", "even": "Even"})
    record_suffix = ".txt"
    players = (4, 6)
    has_teams = True
    learns_from_people = False
    has_specialists = False
    has_tables = False
    hub_variant = None
    match_depth = hint_depth = None
    levels = DUCHESS_LEVELS
    perft_depth, deep_perft = 6, 7  # its trees are the broader ones

    def start(self, players: int | None = None) -> AnyPosition:
        """Return where a game of so many players begins."""
        return duchess.Position(players or self.players[0])

    def parse(self, text: str) -> AnyPosition:
        """Read a position; raise InvalidPosition if it is none."""
        return duchess.Position.from_text(text)

    def format(self, position: AnyPosition) -> str:
        """Write a position: '4; 1:K1a1 ...; turn 1'."""
        return str(position.text)

    def as_json(self, position: AnyPosition) -> dict[str, Any]:
        """Return the number of players and the position."""
        return {"players": position.players, "position": position.text}

    def seats(self, position: AnyPosition) -> tuple[Seat, ...]:
        """Return the numbers of the players."""
        return tuple(range(1, position.players + 1))

    def side_of_seat(self, seat: Seat) -> str:
        """Return the team: odd and even players alternate."""
        return self.sides[(int(seat) - 1) % 2]

    def seat_title(self, seat: Seat) -> str:
        """Return the player's number, with the word."""
        return f"Player {seat}"

    def seat_tag(self, seat: Seat) -> str:
        """Return the tag of one player."""
        return f"Player{seat}"

    def record(
        self,
        start: AnyPosition,
        moves: Sequence[AnyMove] = (),
        *,
        tags: Mapping[str, str] = NOTHING,
        comment: str = "",
    ) -> duchess.Record:
        """Return a record of moves, skipped turns included."""
        record = duchess.Record(start, tags=dict(tags))
        for move in moves:
            record.play(move)
        if comment:
            record.comments[len(record.moves)] = comment
        return record

    def format_record(self, record: AnyRecord) -> str:
        """Write the record as docs/rules/duchess.md has it."""
        return str(record.text)

    def read_records(self, source: IO[bytes]) -> Iterator[AnyRecord]:
        """Read records as docs/rules/duchess.md has them."""
        return duchess.read_records(source)

    def last_comment(self, record: AnyRecord) -> str:
        """Return what was said after the last move."""
        return str(record.comments.get(len(record.moves), ""))

    def result_for(self, winner: str | None) -> str:
        """Return the result, the odd team's points first."""
        return duchess.result_for(winner)

    def why_lost(self, side: str, position: AnyPosition) -> str:
        """Say that all of a team are mated."""
        return "all its enemies are mated"

    def why_drawn(self, reason: str) -> str:
        """Say how long nothing happened, or that no player can move."""
        if reason == "quiet":
            return f"{self.draws.quiet_plies} plies without a capture or a promotion"
        return "nobody can move"

    def usual_player(self, position: AnyPosition) -> str:
        """Return the strongest of those that are shipped for so many players."""
        return {4: "duchess-2", 6: "duchess-six"}[position.players]

    def usual_evaluator(self) -> Evaluation:
        """Return the evaluation that training begins with."""
        return OneLayer.initial()

    def usual_openings(self, players: int) -> str:
        """Return a random ply for each player, as a training has."""
        return f"random:{players}"

    def random_line(self, position: AnyPosition, plies: int, random: Random) -> tuple[AnyMove, ...]:
        """Let the core play the plies."""
        return duchess.random_line(position, plies, random)


GAMES: Mapping[str, Game] = {game.name: game for game in (Draughts(), Duchess())}
DRAUGHTS = GAMES["draughts"]


def find_game(name: str) -> Game:
    """Return a game by its name; raise ValueError if there is none of that name."""
    if name not in GAMES:
        raise ValueError(f"there is no game {name!r}: there is {', '.join(GAMES)}")
    return GAMES[name]


def game_of(position: AnyPosition) -> Game:
    """Return the game that a position belongs to; draughts, if there is none."""
    fitting = (game for game in GAMES.values() if isinstance(position, game.core.Position))
    return next(fitting, DRAUGHTS)
