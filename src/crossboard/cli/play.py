"""`crossboard play`: games on the page, or one in the terminal."""

from __future__ import annotations

import secrets
from dataclasses import replace
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from crossboard.cli.games import Fen, Players, PositionText, WhichGame, find_start
from crossboard.cli.limits import NoTables, TablesFolder, Time
from crossboard.cli.page import (
    USUAL_DATA,
    USUAL_GRACE,
    USUAL_HOST,
    USUAL_PORT,
    Data,
    Grace,
    Host,
    NoBrowser,
    Port,
    first_game,
    serve_page,
)
from crossboard.cli.remarks import print_remark
from crossboard.play.contest import Contest
from crossboard.play.opponents import TablesChoice, at_level, once, what_plays
from crossboard.play.page_request import PageRequest
from crossboard.play.thinkers import Dice, Thinker, find_adviser, find_computer
from crossboard.players import LEVELS, GameTime, SearchLimits
from crossboard.players.games import DRAUGHTS, AnyPosition, Game, Seat, game_of

if TYPE_CHECKING:
    from crossboard.cli.typed_game import TypedGame

DEFAULT_OPPONENT = DRAUGHTS.usual_player(DRAUGHTS.start())  # of `crossboard play` alone


class Side(StrEnum):
    """Which side people play."""

    BLACK = "B"
    WHITE = "W"
    BOTH = "both"


def run(
    *,
    terminal: Annotated[
        bool, typer.Option("--terminal", help="Play in the terminal, not on the page.")
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
    level: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=LEVELS,
            help="How strong the opponent plays, from 1 for beginners: 3 stands for NAME@3.",
            show_default="full strength",
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
    tables: TablesFolder = None,
    no_tables: NoTables = False,
    time: Time = None,
    fen: Fen = None,
    position: PositionText = None,
    seed: Annotated[
        int | None,
        typer.Option(
            help="Repeat the chances of random moves and of levels.", show_default="a new one"
        ),
    ] = None,
    data: Data = USUAL_DATA,
    port: Port = USUAL_PORT,
    host: Host = USUAL_HOST,
    grace: Grace = USUAL_GRACE,
    no_browser: NoBrowser = False,
) -> None:
    """Open the page to play draughts or Duchess in a browser, or play in the terminal.

    Options for a game set up the first one on the page.
    """
    if time is not None and seconds is not None:
        raise ValueError(
            "--time is shared out over the moves of a game: it cannot be combined with --seconds"
        )
    clock = None if time is None else GameTime.from_text(time)
    asked = SearchLimits(depth=depth, seconds=seconds, time=clock)
    start = find_start(what_plays(opponent), game, players, fen, position, seats)
    rules = game_of(start)
    people = find_people(start, side, seats)
    if learn and not rules.learns_from_people:
        raise ValueError("--learn is for draughts: players of Duchess learn from their trees")
    called = name_opponent(opponent or rules.usual_player(start), level, asked)
    choice = TablesChoice(tables, no_tables)
    if not terminal:
        if learn or no_tables or seed is not None or tables is not None:
            raise ValueError(
                "--learn, --seed, --tables and --no-tables are for games with --terminal"
            )
        wishes = (opponent, level, side, fen, position, game, players, seats, depth, seconds, time)
        is_asked = any(wish is not None for wish in wishes)
        first = first_game(start, people, called, asked, is_asked=is_asked)
        serve_page(PageRequest(first, host, port, data, not no_browser, grace))
        return
    chances = secrets.randbelow(2**32) if seed is None else seed
    remark = once(print_remark)
    computer = find_computer(called, start, asked, chances, remark, choice)
    adviser = find_adviser(computer, start, choice, remark)
    computers = {seat: computer for seat in rules.seats(start) if seat not in people}
    contest = Contest(start, computers, time=clock)
    learner = None
    if learn:
        from crossboard.play.learner import make_learner

        if len(contest.computers) != 1:
            raise ValueError("--learn: with --side both nobody is there to learn")
        learner = make_learner(computer, adviser, next(iter(contest.computers)))
    again = options_to_resume(contest, computer, called, choice, learns=learn)
    find_terminal(rules)(contest, adviser, again, learner).play()


def name_opponent(name: str, level: int | None, asked: SearchLimits) -> str:
    """Return the name of an opponent's level; raise ValueError for limits beside a level."""
    if level is None:
        return name
    if not replace(asked, time=None).is_none:
        raise ValueError(
            f"--level {level} says how far the opponent searches: it cannot be combined with "
            "--depth or --seconds"
        )
    return at_level(name, level)


def find_terminal(game: Game) -> type[TypedGame]:
    """Return where a game is played at the keyboard."""
    from crossboard.cli.duchess_terminal import DuchessTerminal
    from crossboard.cli.terminal import Terminal  # rich takes its time, which others need not wait

    return DuchessTerminal if game.has_teams else Terminal


def find_people(start: AnyPosition, side: Side | None, seats: str | None) -> frozenset[Seat]:
    """Return the seats that people have; raise ValueError if the game has no such option."""
    game = game_of(start)
    if game.has_teams:
        if side is not None:
            raise ValueError(
                f"--side {side.value} is for draughts: --seats says which of the players 1 to "
                f"{start.players} of Duchess people play, as in --seats 1,3"
            )
        return frozenset(read_seats(seats or "1", start.players))
    if seats is not None:
        raise ValueError(f"--seats {seats} is for Duchess: --side B, W or both is for draughts")
    return frozenset(game.seats(start) if side is Side.BOTH else (side or Side.BLACK).value)


def read_seats(text: str, players: int) -> frozenset[int]:
    """Read which players people play, such as '1,3'; raise ValueError if there are none such."""
    words = [word.strip() for word in text.split(",")]
    if not all(word.isdecimal() and 1 <= int(word) <= players for word in words):
        raise ValueError(f"--seats {text!r}: name players from 1 to {players}, as in 1,3")
    return frozenset(map(int, words))


def options_to_resume(
    contest: Contest,
    computer: Thinker | Dice,
    called: str,
    tables: TablesChoice,
    *,
    learns: bool = False,
) -> tuple[str, ...]:
    """Return the options that resume a game against the same opponent, without the position."""
    opponent = opponent_options(computer, called, learns=learns)
    clock = () if contest.time is None else ("--time", str(contest.time))
    if contest.game.has_teams:
        people = ",".join(map(str, contest.people))
        return "--game", contest.game.name, "--seats", people, *opponent, *clock, "--position"
    kept = *tables.options, *clock
    if not contest.computers:
        return "--side", Side.BOTH.value, *kept, "--fen"
    return "--side", *map(str, contest.people), *opponent, *kept, "--fen"


def opponent_options(
    computer: Thinker | Dice, called: str, *, learns: bool = False
) -> tuple[str, ...]:
    """Return the options that ask for an opponent, none for the usual one of draughts."""
    named = () if called == DEFAULT_OPPONENT else ("--opponent", called)
    learning = ("--learn",) if learns else ()
    if isinstance(computer, Dice) or computer.limits == computer.player.limits:
        return *named, *learning
    given = replace(computer.asked, time=None).for_engine()
    limits = (word for limit, value in given.items() for word in (f"--{limit}", f"{value:g}"))
    return *named, *learning, *limits
