"""`crossboard play`: a game against the computer, or for two people at one keyboard."""

from __future__ import annotations

import random
import secrets
from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum
from functools import cached_property
from typing import Annotated, Any, NamedTuple

import typer

from crossboard import duchess
from crossboard.cli.contest import Contest, Opponent
from crossboard.cli.games import (
    Fen,
    Players,
    PositionText,
    WhichGame,
    find_start,
)
from crossboard.cli.limits import DEFAULT_PLAYER, usual_player
from crossboard.cli.opponents import RANDOM, find_player, what_plays
from crossboard.cli.wording import counted
from crossboard.draughts import Move, Position
from crossboard.players import Player, RandomPlayer, SearchLimits, SearchResult, SearchSettings

DEFAULT_LIMITS = SearchLimits(seconds=1.0)
HINT_DEPTH = 13  # at least: advice is worth little at the depth of an easy opponent


class Side(StrEnum):
    """Which side people play."""

    BLACK = "B"
    WHITE = "W"
    BOTH = "both"


def choose_random(position: Position, _: Sequence[Position], rng: random.Random) -> Move:
    """Choose any legal move, each equally likely."""
    return rng.choice(position.legal_moves)


class Thinker:
    """A player that searches to the same limits at every move; without any, to its own."""

    def __init__(self, name: str, limits: SearchLimits) -> None:
        self.name = name
        self.limits = limits

    @cached_property
    def player(self) -> Player:
        """The player, made when it is first needed: its table takes memory."""
        return find_player(self.name)

    def take(self, player: Player) -> None:
        """Think with another player's evaluation from now on, in the same way."""
        self.player = player.with_settings(self.player.settings)

    def think(self, position: Any, history: Sequence[Any]) -> SearchResult:
        """Search a position."""
        self.player.clear()  # what it finds depends on the game alone, whatever was taken back
        return self.player.search(position, limits=self.limits, history=history)

    def choose(self, position: Position, history: Sequence[Position], _: random.Random) -> Move:
        """Choose the best move; a forced one takes no time."""
        moves = position.legal_moves
        return moves[0] if len(moves) == 1 else self.think(position, history).move


def run(
    *,
    terminal: Annotated[
        bool, typer.Option("--terminal", help="In the terminal, the only place so far.")
    ] = False,
    side: Annotated[
        Side | None,
        typer.Option(
            case_sensitive=False,
            help="Of draughts: your side; Black moves first.",
            show_default=Side.BLACK.value,
        ),
    ] = None,
    game: WhichGame = None,
    players: Players = None,
    seats: Annotated[
        str | None,
        typer.Option(
            metavar="1,3", help="Of Duchess: which players people play.", show_default="1"
        ),
    ] = None,
    opponent: Annotated[
        str | None,
        typer.Option(
            help="Who plays against you: name, folder, FILE.net, hub:COMMAND.",
            show_default="the game's usual one",
        ),
    ] = None,
    learn: Annotated[
        bool, typer.Option("--learn", help="Let the opponent's network learn from each game.")
    ] = False,
    depth: Annotated[
        int | None, typer.Option(help="Plies the computer looks ahead: fewer are easier to beat.")
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option(
            help="How long it thinks about a move.", show_default="the opponent's own limits"
        ),
    ] = None,
    fen: Fen = None,
    position: PositionText = None,
    seed: Annotated[
        int | None, typer.Option(help="Repeat random's chances.", show_default="a new one")
    ] = None,
) -> None:
    """Play a game of draughts, or one of Duchess with automatic players in the other seats."""
    asked = SearchLimits(depth=depth, seconds=seconds)
    start = find_start(what_plays(opponent), game, players, fen, position, seats)
    if isinstance(start, duchess.Position):
        if learn:
            raise ValueError("--learn is for draughts: players of Duchess learn from their trees")
        if side is not None:
            raise ValueError(
                f"--side {side.value} is for draughts: --seats says which of the players 1 to "
                f"{start.players} of Duchess people play, as in --seats 1,3"
            )
        _play_duchess(start, seats or "1", opponent, asked, seed)
        return
    if seats is not None:
        raise ValueError(f"--seats {seats} is for Duchess: --side B, W or both is for draughts")
    chances = secrets.randbelow(2**32) if seed is None else seed
    people = "BW" if side is Side.BOTH else (side or Side.BLACK).value
    computer = find_computer(opponent or DEFAULT_PLAYER, asked, chances, learns=learn)
    advises = adviser(computer)
    learner = None
    if learn:
        from crossboard.cli.learner import make_learner

        learner = make_learner(computer, advises, people)
    contest = Contest(start, people, computer.opponent)

    from crossboard.cli.terminal import Terminal  # rich takes its time, which others need not wait

    note = "" if terminal else "The page to play on comes later: this is the game in the terminal."
    Terminal(contest, advises, learner).play(note)


def _play_duchess(
    start: duchess.Position,
    seats: str,
    opponent: str | None,
    asked: SearchLimits,
    seed: int | None,
) -> None:
    from crossboard.cli.duchess_contest import DuchessComputer, DuchessContest
    from crossboard.cli.duchess_terminal import DuchessTerminal

    name = opponent or usual_player(start)
    thinker = Thinker(name, asked)
    if name == RANDOM:
        thinker.player = RandomPlayer(seed=seed, game="duchess")

    def choose(position: duchess.Position, history: Sequence[duchess.Position]) -> duchess.Move:
        move: duchess.Move = thinker.think(position, history).move
        return move

    people = read_seats(seats, start.players)
    options = ("--opponent", name, *limit_options(asked))
    computer = DuchessComputer(thinker.player.name, choose, options)
    advises = Thinker(usual_player(start), asked).think
    DuchessTerminal(DuchessContest(start, people, computer), advises).play()


def read_seats(text: str, players: int) -> frozenset[int]:
    """Read which players people play, such as '1,3'; raise ValueError if there are none such."""
    words = [word.strip() for word in text.split(",")]
    if not all(word.isdecimal() and 1 <= int(word) <= players for word in words):
        raise ValueError(f"--seats {text!r}: name players from 1 to {players}, as in 1,3")
    return frozenset(map(int, words))


class Computer(NamedTuple):
    """Who plays for the computer, and who searches for it: nobody, if it plays at random."""

    opponent: Opponent
    thinker: Thinker | None


def find_computer(name: str, asked: SearchLimits, seed: int, *, learns: bool = False) -> Computer:
    """Find the computer's player by its name; raise ValueError if there is none.

    Without limits that were asked for its own count.
    """
    named = [] if name == DEFAULT_PLAYER else ["--opponent", name]
    named += ["--learn"] if learns else []
    if name == RANDOM:
        return Computer(Opponent(name, choose_random, seed, options=tuple(named)), None)
    thinker, title, own = Thinker(name, asked), name, DEFAULT_LIMITS
    if name != DEFAULT_PLAYER:  # which is there, and need not be loaded yet
        title, own = thinker.player.name, thinker.player.limits
        if isinstance(thinker.player, RandomPlayer):
            return Computer(Opponent(title, choose_random, seed, options=tuple(named)), None)
    if asked.is_none:
        thinker.limits = own
    options = () if thinker.limits == own else limit_options(thinker.limits)
    manner = describe_limits(thinker.limits)
    return Computer(Opponent(title, thinker.choose, seed, manner, (*named, *options)), thinker)


def limit_options(limits: SearchLimits) -> tuple[str, ...]:
    """Return the options that ask for these limits."""
    given = limits.for_engine()
    return tuple(word for limit, value in given.items() for word in (f"--{limit}", f"{value:g}"))


def describe_limits(limits: SearchLimits) -> str:
    """Say how long somebody thinks about a move."""
    depth = [f"{limits.depth} plies deep"] if limits.depth else []
    seconds = [f"{limits.seconds:g} s a move"] if limits.seconds else []
    nodes = [f"{counted(limits.nodes, 'position')} a move"] if limits.nodes else []
    return ", ".join(depth + seconds + nodes)


def adviser(computer: Computer) -> Thinker:
    """Return who gives hints: with the opponent's evaluation, if it is one of ours.

    It is never the opponent itself, whose play must not depend on what is asked.
    """
    thinker = computer.thinker
    limits = DEFAULT_LIMITS if thinker is None else thinker.limits
    depth = limits.depth and max(limits.depth, HINT_DEPTH)
    advises = Thinker(DEFAULT_PLAYER, replace(limits, depth=depth))
    if thinker is not None and thinker.name != DEFAULT_PLAYER and type(thinker.player) is Player:
        advises.player = thinker.player.with_settings(SearchSettings())
    return advises
