"""What the moves of a game were worth, each beside the best one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace
from typing import Any, NamedTuple

from crossboard.draughts import Move, Past, Position, Record
from crossboard.players import Player, SearchLimits, SearchResult, SearchSettings
from crossboard.players.games import DRAUGHTS

# Hits of equal depth only: values of one depth, whatever was searched before.
SETTINGS = SearchSettings(exact_depth_hits=True)
MIN_DEPTH = 2  # behind the move played there is one ply less to search
# Chosen: what a move must lose, in men or of a network's 1, to be called so.
MISTAKE, BLUNDER = 0.5, 1.0
# Chosen: the most that one move adds to an average; a win thrown away is not a hundred men.
MOST_LOSS = 3.0
WORST_MOVES = 3
SIDES = DRAUGHTS.sides
RULES = DRAUGHTS.draws


@dataclass(frozen=True)
class Turn:
    """A move of a game, and where it was played."""

    ply: int  # from 1
    number: str  # 12. for Black's, 12... for White's
    position: Position
    move: Move
    history: list[Position]  # since the last irreversible move
    is_draw: bool  # by the rules, with this move


class Worth(NamedTuple):
    """A value in men, or in -1 to 1 of a network; plies to a forced win, negative for a loss."""

    value: float
    win_in: int | None = None


@dataclass(frozen=True)
class Judgement:
    """What a move was worth for the side that played it, and what the best one was."""

    turn: Turn
    best: Move
    worth: Worth  # of the best move
    played: Worth
    pv: list[Move]
    depth: int

    @property
    def loss(self) -> float:
        """What the move cost."""
        return max(0.0, self.worth.value - self.played.value)

    @property
    def mark(self) -> str:
        """The sign for a bad move, as in print."""
        return "??" if self.loss >= BLUNDER else "?" if self.loss >= MISTAKE else ""

    def as_json(self) -> dict[str, Any]:
        """Give all of it, for --json."""
        return {
            "ply": self.turn.ply,
            "side": self.turn.position.turn,
            "fen": self.turn.position.fen,
            "move": str(self.turn.move),
            "best": str(self.best),
            "value": self.worth.value,
            "win_in": self.worth.win_in,
            "played_value": self.played.value,
            "played_win_in": self.played.win_in,
            "loss": self.loss,
            "depth": self.depth,
            "pv": [str(move) for move in self.pv],
        }


@dataclass(frozen=True)
class Summary:
    """How one side played."""

    moves: int
    average_loss: float | None  # None without a move
    mistakes: int
    blunders: int


@dataclass
class Analysis:
    """One game, as far as it has been judged."""

    number: int  # in its file
    record: Record
    plies: int
    judgements: list[Judgement] = field(default_factory=list)
    unit: str = "men"  # of values; empty where they are a range

    def summary(self, side: str) -> Summary:
        """Sum up one side's moves."""
        own = [one for one in self.judgements if one.turn.position.turn == side]
        losses = [min(one.loss, MOST_LOSS) for one in own]
        return Summary(
            moves=len(own),
            average_loss=sum(losses) / len(losses) if losses else None,
            mistakes=sum(one.mark == "?" for one in own),
            blunders=sum(one.mark == "??" for one in own),
        )

    @property
    def worst(self) -> list[Judgement]:
        """The worst of the bad moves, worst first."""
        bad = [one for one in self.judgements if one.mark]
        return sorted(bad, key=lambda one: -one.loss)[:WORST_MOVES]

    def as_json(self) -> dict[str, Any]:
        """Give all of it, for --json."""
        summary: dict[str, Any] = {side: asdict(self.summary(side)) for side in SIDES}
        return {
            "game": self.number,
            "tags": self.record.tags,
            "result": self.record.result,
            "plies": self.plies,
            "moves": [one.as_json() for one in self.judgements],
            "summary": summary | {"worst": [one.turn.ply for one in self.worst]},
        }


def turns(record: Record) -> Iterator[Turn]:
    """Yield the moves of a game's main line."""
    position, past = record.start, Past(record.start)
    history: list[Position] = []
    ply, number = 0, 1
    for node in record.tree.main_line():
        if node.move is None:  # a position was set up
            position, past, history = node.position, Past(node.position), []
            continue
        ply += 1
        past.add(position, node.move)
        written = f"{number}." if position.turn == "B" else f"{number}..."
        is_draw = past.draw(RULES) is not None
        yield Turn(ply, written, position, node.move, history, is_draw)
        number += position.turn == "W"
        history = [*history, position] if past.quiet_plies else []
        position = node.position


def unit_of(player: Player, record: Record) -> str:
    """Return what values are counted in, empty where they are a range."""
    scale = player.scale_for(record.start)
    return "" if scale.is_range else scale.unit


def judge(player: Player, limits: SearchLimits, turn: Turn) -> Judgement:
    """Search a position, and the one after the move played to the same depth."""
    result = _search(player, turn.position, turn.history, limits)
    if result.depth < MIN_DEPTH and result.win_in is None:
        result = _search(player, turn.position, turn.history, SearchLimits(depth=MIN_DEPTH))
    best, worth = result.move, Worth(result.value, result.win_in)
    after = turn.position.after(turn.move)
    if after == turn.position.after(best):
        best, played = turn.move, worth
    elif after.is_over:
        played = Worth(player.value_of_win(after), 1)
    elif turn.is_draw:
        played = Worth(0.0)
    else:
        history = [*turn.history, turn.position]
        reply = _search(player, after, history, _behind(limits, result))
        played = _for_the_other_side(reply)
    return Judgement(turn, best, worth, played, result.pv, result.depth)


def _search(
    player: Player, position: Position, history: list[Position], limits: SearchLimits
) -> SearchResult:
    return player.search(position, limits=limits.for_value(), history=history)


def _behind(limits: SearchLimits, result: SearchResult) -> SearchLimits:
    """Return the limits for the position behind a move, given what was found before it."""
    if result.win_in is None:
        return SearchLimits(depth=result.depth - 1)
    # A win ends a search early; another move may win too, if later.
    return replace(limits, depth=limits.depth and limits.depth - 1)


def _for_the_other_side(result: SearchResult) -> Worth:
    value, win_in = 0.0 - result.value, result.win_in  # never minus zero
    return Worth(value, win_in if win_in is None else (1 - win_in if win_in < 0 else -1 - win_in))
