"""What the server and the page send each other; page/messages.d.ts is made from it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

Point = tuple[float, float]
# Where a piece may stand, as the game names it.
CellName = Annotated[str, Field(max_length=8)]
# A seat as text: B and W, or 1 to 6.
SeatName = Annotated[str, Field(max_length=2)]
Ply = Annotated[int, Field(ge=0, le=100_000)]


class Reply(BaseModel):
    """What the server sends."""

    model_config = ConfigDict(frozen=True)


class Request(BaseModel):
    """What the page sends: no other keys, and no values of other types."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


# ---- the board


class Cell(Reply):
    """A cell that pieces may stand on, with y growing downwards."""

    name: CellName
    points: list[Point]
    middle: Point
    is_dark: bool


class SeatLook(Reply):
    """How a seat and its pieces look."""

    seat: SeatName
    title: str
    side: str
    shape: Literal["disc", "square"]
    fill: str
    ink: str
    rim: str
    turn: float  # degrees clockwise that bring the seat to the bottom
    edge: list[Point]  # the line in front of the seat, if it is drawn


class Geometry(Reply):
    """The board of a game: the page draws it and knows no rule."""

    game: str
    players: int
    cells: list[Cell]
    ground: list[list[Point]]  # what nothing stands on
    seats: list[SeatLook]
    narrow_turn: float  # degrees added on a narrow screen, to use its width
    has_names: bool  # whether cells show their names


# ---- a game


class Piece(Reply):
    """A piece on its cell; the mark is empty, 'crown', or a letter."""

    cell: CellName
    seat: SeatName
    mark: str
    title: str  # for screen readers
    is_in_check: bool


class LegalMove(Reply):
    """A move as the cells it touches, first to last; `choice` tells moves of one path apart."""

    text: str
    path: list[CellName]
    captures: list[CellName]
    choice: str | None


class PlayedMove(Reply):
    """A move that was played."""

    ply: int  # from 1
    seat: SeatName
    text: str
    path: list[CellName]


class SeatState(Reply):
    """Which player is in a seat."""

    seat: SeatName
    holder: Literal["person", "computer", "deputy"]
    name: str  # of the player; empty for a person
    manner: str
    is_connected: bool  # of a person: whether a page of theirs is open
    seconds_left: float | None  # what its clock shows, its next increment included


class Thought(Reply):
    """What a computer, or a hint, found: the value is that of the seat."""

    seat: SeatName
    value: str
    bar: float  # from -1 to 1 for the side that begins
    depth: int
    line: str
    seconds: float


class LessonState(Reply):
    """What a player has learnt from the game, in a copy of its own."""

    player: str
    origin: str
    boards: int
    mean_error: float


class GameState(Reply):
    """All that the page shows of a game."""

    id: str
    number: int  # of the last event: the topic's sequence number
    game: str
    title: str
    players: int
    ply: int
    position: str
    turn: SeatName | None  # None after the end
    turn_title: str
    is_over: bool
    verdict: str
    winner: str | None  # a side
    note: str  # a compulsory capture, a check
    pieces: list[Piece]
    legal_moves: list[LegalMove]  # of the seat on turn
    must_pass: bool
    seats: list[SeatState]
    played: list[PlayedMove]
    boxes: dict[SeatName, str]  # captured pieces that may come back, strongest first
    thought: Thought | None  # the last one of a computer
    is_thinking: bool
    can_undo: bool
    can_learn: bool  # whether a computer of it can learn from the game when it is over
    lesson: LessonState | None
    time: str | None  # of the clocks, minutes and seconds a move; None: there are none


class GameEvent(Reply):
    """Something that happened in a game; only the last of several carries the state."""

    topic: str
    number: int
    kind: Literal[
        "start", "move", "back", "resign", "draw", "late", "seat", "lesson", "undone", "presence"
    ]
    seat: SeatName | None = None
    text: str = ""
    state: GameState | None = None


class GameSummary(Reply):
    """A game in the list of games."""

    id: str
    game: str
    title: str
    players: int
    plies: int
    opponents: list[str]
    verdict: str
    changed: float  # seconds since 1970


class GamesReply(Reply):
    """The games that changed last."""

    games: list[GameSummary]


class PlayerInfo(Reply):
    """A player that may be named."""

    id: str
    name: str
    game: str
    players: int | None  # None: any number
    about: str
    is_shipped: bool
    is_usual: bool
    levels: int  # 0: none; else NAME@1 to NAME@levels


class PlayersReply(Reply):
    """All players that may be named."""

    players: list[PlayerInfo]


class BallotInfo(Reply):
    """An opening of tournaments, drawn by lot."""

    number: int
    name: str
    moves: str
    position: str


class OpeningsReply(Reply):
    """The openings of draughts."""

    ballots: list[BallotInfo]


class Created(Reply):
    """A new game, and the keys of the seats that people have."""

    state: GameState
    keys: dict[SeatName, str]


class DrawReply(Reply):
    """The answer to an offered draw."""

    is_accepted: bool
    sentence: str
    state: GameState


class Hint(Reply):
    """The move that the computer would play."""

    move: LegalMove
    thought: Thought


class ErrorReply(Reply):
    """One sentence; with the state where the page has an old one."""

    error: str
    state: GameState | None = None


class Health(Reply):
    """The server answers."""

    status: Literal["ok"] = "ok"
    version: str


class SetupReply(Reply):
    """The first game that the command line asked for."""

    game: str
    players: int
    start: str | None
    people: list[SeatName]
    player: str
    seconds: float | None
    depth: int | None
    time: str | None
    is_asked: bool  # whether to begin at once
    command: str  # the key of the command that creates it


class FirstState(Reply):
    """What the page is sent with, so that it can draw at once."""

    setup: SetupReply | None = None
    games: list[GameSummary] = []
    players: list[PlayerInfo] = []
    state: GameState | None = None
    geometry: Geometry | None = None
    needs_token: bool = False


# ---- requests


class ComputerSeat(Request):
    """A player in a seat; without limits it plays to its own."""

    player: str = Field(min_length=1, max_length=200)
    seconds: Annotated[float, Field(gt=0, le=30, allow_inf_nan=False)] | None = None
    depth: Annotated[int, Field(ge=1, le=60)] | None = None


class NewGame(Request):
    """A game to begin; people have the seats that `computers` does not name."""

    game: str = Field(max_length=20)
    players: Annotated[int, Field(ge=2, le=6)] | None = None
    start: str | None = Field(None, max_length=2000)
    computers: dict[SeatName, ComputerSeat] = Field(default_factory=dict, max_length=6)
    time: str | None = Field(None, max_length=20)  # such as 5+3: minutes, and seconds a move


class MoveCommand(Request):
    """A move of the seat on turn: as text, or as cells that were tried."""

    expected_ply: Ply
    text: str = Field("", max_length=100)
    cells: list[CellName] = Field(default_factory=list, max_length=30)


class PlyCommand(Request):
    """A command without anything more: undo, resign, offer a draw."""

    expected_ply: Ply


class TokenRequest(Request):
    """The token that a server prints which listens beyond this machine."""

    token: str = Field(max_length=200)


class SubscribeRequest(Request):
    """Ask for what happened in a game after an event, and keep sending."""

    topic: str = Field(max_length=60)
    after: Ply
    keys: list[Annotated[str, Field(max_length=100)]] = Field(default_factory=list, max_length=6)
