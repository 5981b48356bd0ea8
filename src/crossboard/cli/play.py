"""`crossboard play`: a game against the computer, or for two people at one keyboard."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated

import typer

from crossboard import duchess
from crossboard.cli.games import Fen, Players, PositionText, WhichGame, find_start
from crossboard.cli.remarks import print_remark
from crossboard.play.contest import Contest
from crossboard.play.opponents import RANDOM, what_plays
from crossboard.play.thinkers import (
    DEFAULT_PLAYER,
    Thinker,
    adviser,
    find_computer,
    limit_options,
)
from crossboard.players import RandomPlayer, SearchLimits
from crossboard.players.games import game_of


class Side(StrEnum):
    """Which side people play."""

    BLACK = "B"
    WHITE = "W"
    BOTH = "both"


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
    computer = find_computer(
        opponent or DEFAULT_PLAYER, asked, chances, learns=learn, remark=print_remark
    )
    advises = adviser(computer)
    learner = None
    if learn:
        from crossboard.play.learner import make_learner

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
    from crossboard.cli.duchess_terminal import DuchessTerminal
    from crossboard.play.duchess_contest import DuchessComputer, DuchessContest

    name = opponent or game_of(start).usual_player(start)
    thinker = Thinker(name, asked, print_remark)
    if name == RANDOM:
        thinker.player = RandomPlayer(seed=seed, game="duchess")

    def choose(position: duchess.Position, history: Sequence[duchess.Position]) -> duchess.Move:
        move: duchess.Move = thinker.think(position, history).move
        return move

    people = read_seats(seats, start.players)
    options = ("--opponent", name, *limit_options(asked))
    computer = DuchessComputer(thinker.player.name, choose, options)
    advises = Thinker(game_of(start).usual_player(start), asked).think
    DuchessTerminal(DuchessContest(start, people, computer), advises).play()


def read_seats(text: str, players: int) -> frozenset[int]:
    """Read which players people play, such as '1,3'; raise ValueError if there are none such."""
    words = [word.strip() for word in text.split(",")]
    if not all(word.isdecimal() and 1 <= int(word) <= players for word in words):
        raise ValueError(f"--seats {text!r}: name players from 1 to {players}, as in 1,3")
    return frozenset(map(int, words))
