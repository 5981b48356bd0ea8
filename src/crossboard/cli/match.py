"""`crossboard match`: two players, many games, and what they say."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from io import FileIO
from typing import Annotated

import typer

from crossboard.arena.games import Pair, text_of
from crossboard.arena.halt import Halt
from crossboard.arena.match import NAMES, MatchResult, Terms, play_match
from crossboard.arena.openings import openings as find_openings
from crossboard.arena.sprt import Decision, Sprt
from crossboard.cli import INTERRUPTED
from crossboard.cli.files import naming
from crossboard.cli.games import WhichGame
from crossboard.cli.interruption import Interruption
from crossboard.cli.limits import Quiescence
from crossboard.cli.progress import Bar
from crossboard.cli.remarks import print_remark
from crossboard.draughts import DrawRules
from crossboard.farm import mpi_job
from crossboard.farm.executors import Farm, farm
from crossboard.play.opponents import Entrants, find_entrants
from crossboard.play.wording import counted, one_line
from crossboard.players import Player, SearchLimits
from crossboard.players.games import DRAUGHTS, GAMES

DEFAULT_GAMES = 100
# Chosen: the MP-Draughts laboratory's number in matches between agents.
UFU_LOOP_MOVES = 5

Games = Annotated[int, typer.Option(min=1, max=10_000_000, help="How many; an even number.")]
OpeningSource = Annotated[
    str | None,
    typer.Option(
        "--openings",
        help="ballots, or ballots:select and ballots:report, which share none; random:N; a PDN, "
        "FEN or board file; of Duchess random:N or a file.",
        show_default="ballots; of Duchess a random ply for each player",
    ),
]
Depth = Annotated[
    int | None,
    typer.Option(
        help="Search depth, in plies.",
        show_default=f"{DRAUGHTS.match_depth} without any limit, for Duchess A's own",
    ),
]
Seconds = Annotated[float | None, typer.Option(help="Seconds for each move.")]
Nodes = Annotated[int | None, typer.Option(help="Positions searched for each move.")]
OwnLimits = Annotated[
    bool,
    typer.Option(
        "--own-limits",
        help="Each player keeps the limits of its own folder; not with --depth, --seconds or "
        "--nodes.",
    ),
]
Seed = Annotated[int, typer.Option(help="Decides openings and random moves.")]
Workers = Annotated[
    int | None, typer.Option(min=1, max=1024, help="Threads.", show_default="all processors")
]
PdnTarget = Annotated[str | None, typer.Option("--pdn", help="Write every game to this file.")]
Mpi = Annotated[bool, typer.Option("--mpi", help="Use the other processes of mpiexec.")]
Dask = Annotated[str | None, typer.Option(metavar="ADDRESS", help="Use a Dask cluster.")]
MaxPlies = Annotated[
    int, typer.Option(min=0, max=1_000_000, help="Longer games are drawn.", show_default="none")
]
LoopRule = Annotated[
    str,
    typer.Option(help="ufu: five moves back and forth of both sides end a game, not repetition."),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def run(
    one: Annotated[
        str,
        typer.Argument(metavar="A", help="A player: name, folder, network file, hub:COMMAND."),
    ],
    other: Annotated[str, typer.Argument(metavar="B", help="Its opponent.")],
    *,
    game: WhichGame = None,
    games: Games = DEFAULT_GAMES,
    opening_source: OpeningSource = None,
    depth: Depth = None,
    seconds: Seconds = None,
    nodes: Nodes = None,
    own_limits: OwnLimits = False,
    seed: Seed = 0,
    workers: Workers = None,
    pdn: PdnTarget = None,
    sprt: Annotated[
        str | None,
        typer.Option(metavar="ELO0,ELO1", help="Stop when it is decided which lead A has."),
    ] = None,
    max_plies: MaxPlies = 0,
    loop_rule: LoopRule = "none",
    quiescence: Quiescence = None,
    mpi: Mpi = False,
    dask: Dask = None,
    as_json: Json = False,
) -> None:
    """Play a match in pairs: each opening twice, with colours or teams swapped.

    The result, for A, comes with its 95 % interval. Ctrl-C ends the match and shows what was
    played.
    """
    with gathering(workers, mpi=mpi, dask=dask) as found:
        if found is None:  # a process that only helps
            return
        entrants = find_entrants([one, other], game, print_remark)
        first, second = (with_quiescence(player, quiescence) for player in entrants.players)
        source = opening_source or usual_openings(entrants)
        limits = find_limits(depth, seconds, nodes, entrants, are_own=own_limits)
        rules = make_rules(max_plies, loop_rule, entrants)
        test = None if sprt is None else Sprt.from_text(sprt)
        terms = make_terms(games, source, limits, seed, rules, test, entrants)
        result = MatchResult(first.name, second.name, sprt=terms.sprt)
        total = 2 * terms.pairs
        label = f"{first.name} - {second.name}"
        with (
            writing_games(pdn) as written,
            Bar(label, total, has_lines=True) as bar,
            stopping(found) as (interruption, stop),
        ):

            def show(so_far: MatchResult) -> None:
                if not written.keep(so_far.pairs[-1], so_far):
                    stop.set()
                bar.update(2 * len(so_far.pairs), lambda: short(so_far))

            play_match(
                first,
                second,
                terms,
                found.executor,
                workers=found.workers,
                stop=stop,
                on_pair=show,
                into=result,
            )
    stopped = interruption.happened or written.error is not None
    if as_json:
        told = {**result.as_json(), "seed": seed}
        told["limits"] = None if terms.limits is None else terms.limits.for_engine()
        told |= {"openings": source, "quiescence": quiescence, "games_asked": games}
        told |= {"loop_rule": loop_rule, "max_plies": max_plies}
        print(json.dumps({**told, "stopped": stopped}))
    else:
        print_result(result, terms, games, stopped=stopped)
    end(stopped, written)


@contextmanager
def gathering(workers: int | None, *, mpi: bool, dask: str | None) -> Iterator[Farm | None]:
    """Give the farm that the options ask for; raise ValueError if processes would play alike."""
    if mpi_job.is_under_mpiexec() and not mpi:
        raise ValueError("under mpiexec every process would play all games: say --mpi")
    with farm(workers, mpi=mpi, dask=dask) as found:
        yield found


def with_quiescence(player: Player, quiescence: bool | None) -> Player:
    """Return the player with captures played out at its leaves or not; None: as it does anyway."""
    if quiescence is None:
        return player
    return player.with_settings(replace(player.settings, quiescence=quiescence))


@contextmanager
def stopping(found: Farm) -> Iterator[tuple[Interruption, Halt]]:
    """Make Ctrl-C end all games at the next move, so that what was played is whole.

    A second one ends what is done here at once, with what has come in.
    """
    halt = Halt(everywhere=found.everywhere)
    with Interruption() as interruption, suppress(KeyboardInterrupt):
        interruption.stop = halt.set
        yield interruption, halt


def make_terms(
    games: int,
    opening_source: str,
    limits: SearchLimits | None,
    seed: int,
    rules: DrawRules,
    sprt: Sprt | None,
    entrants: Entrants,
) -> Terms:
    """Put the options together; games come in pairs."""
    return Terms(
        pairs=(games + 1) // 2,
        openings=find_openings(opening_source, seed, GAMES[entrants.game], entrants.seats),
        limits=limits,
        rules=rules,
        seed=seed,
        sprt=sprt,
    )


def find_limits(
    depth: int | None,
    seconds: float | None,
    nodes: int | None,
    entrants: Entrants,
    *,
    are_own: bool,
) -> SearchLimits | None:
    """Return the limits of every move: those given, or else a usual depth; None if all keep theirs.

    Raises ValueError for limits that are given and yet each player's own.
    """
    given = SearchLimits(depth=depth, seconds=seconds, nodes=nodes)
    if not given.is_none:
        if are_own:
            options = ", ".join(f"--{name}" for name in given.for_engine() if name != "floors")
            raise ValueError(
                f"--own-limits keeps each player's own limits: it cannot be combined with {options}"
            )
        return given
    if are_own:
        return None
    depth = GAMES[entrants.game].match_depth
    return entrants.searcher.limits if depth is None else SearchLimits(depth=depth)


def usual_openings(entrants: Entrants) -> str:
    """Return from where games are played unless openings are named."""
    return GAMES[entrants.game].usual_openings(entrants.seats)


def make_rules(max_plies: int, loop_rule: str, entrants: Entrants) -> DrawRules:
    """Return the rules of draws that the options ask for, the game's own beside them."""
    if loop_rule not in ("none", "ufu"):
        raise ValueError(f"--loop-rule is none or ufu, not {loop_rule!r}")
    own = GAMES[entrants.game].draws
    is_ufu = loop_rule == "ufu"
    if is_ufu and not own.repetitions:
        raise ValueError("--loop-rule ufu is a rule of draughts")
    return DrawRules(
        # The laboratory's own rule stands in place of repetition, which would always come first.
        repetitions=0 if is_ufu else own.repetitions,
        quiet_plies=own.quiet_plies,
        max_plies=max_plies,
        loop_moves=UFU_LOOP_MOVES if is_ufu else 0,
    )


class GameFile:
    """Where games are written to as they end; whatever happens next, they are there."""

    def __init__(self, path: str = "", file: FileIO | None = None) -> None:
        self._path = path
        self._file = file
        self.error: OSError | None = None  # why a pair could not be written

    def keep(self, pair: Pair, result: MatchResult) -> bool:
        """Write a pair's games whole or not at all; say whether they, and all before, are there."""
        if self._file is None or self.error is not None:
            return self.error is None
        text = "".join(_texts(pair, result)).encode()
        whole = self._file.tell() if self._file.seekable() else None
        try:
            with naming(self._path):
                while text:
                    text = text[self._file.write(text) or 0 :]
        except OSError as error:
            self.error = error
            if whole is not None:
                with suppress(OSError):  # as a device answers
                    self._file.truncate(whole)
        return self.error is None


@contextmanager
def writing_games(path: str | None) -> Iterator[GameFile]:
    """Give a file for games, or what takes them if there is none."""
    if path is None:
        yield GameFile()
        return
    with naming(path):
        file = open(path, "wb", buffering=0)  # noqa: SIM115
    with file:
        yield GameFile(path, file)


def _texts(pair: Pair, result: MatchResult) -> Iterator[str]:
    number = 2 * len(result.pairs) - 1
    seats = ((result.one, result.other), (result.other, result.one))
    for offset, (game, (first, second)) in enumerate(zip(pair.games, seats, strict=True)):
        tags = {"Event": pair.opening.name, "Round": str(number + offset)}
        yield text_of(game, first, second, tags) + "\n"


def end(stopped: bool, written: GameFile) -> None:
    """End a command whose result has been told; raise OSError if games could not be written."""
    if written.error is not None:
        raise written.error
    if stopped:
        raise typer.Exit(INTERRUPTED)


def short(result: MatchResult) -> str:
    """Say where a match stands in a few words."""
    score = result.score
    tally, elo = score.tally, score.elo
    games = f"+{tally.wins} ={tally.draws} -{tally.losses}"
    rate = f"{tally.games / max(result.seconds, 1e-9):,.1f} games/s"
    return f"{games}  Elo {elo.elo:+.0f} ({elo.low:+.0f} to {elo.high:+.0f})  {rate}"


def rounded_up(games: int) -> str:
    """Say what became of an odd number of games."""
    return f"{games:,} games were rounded up to {games + 1:,}: openings are played in pairs."


def print_result(result: MatchResult, terms: Terms, games: int, *, stopped: bool) -> None:
    """Tell people what came out."""
    told = result.as_json()
    if stopped:
        print(f"Stopped after {counted(told['games'], 'game')} of {2 * terms.pairs:,}.")
    elif games % 2:
        print(rounded_up(games))
    print(f"{result.one} against {result.other}: {counted(told['games'], 'game')}")
    if not told["games"]:
        return
    sides = ", ".join(
        f"as {NAMES[side].capitalize()} {tally.wins}-{tally.draws}-{tally.losses}"
        for side, tally in result.by_colour.items()
    )
    print(
        f"  {told['wins']} won, {told['draws']} drawn, {told['losses']} lost; "
        f"score {told['score']:.3f}"
    )
    print(
        f"  Elo {told['elo']:+.0f}, 95 % between {told['elo_low']:+.0f} and "
        f"{told['elo_high']:+.0f}; the stronger one with {told['superiority']:.1%}"
    )
    print(f"  {sides}; pairs by points 0 to 2: {' '.join(map(str, told['pentanomial']))}")
    endings = ", ".join(f"{count} {name}" for name, count in told["endings"].items())
    loops = f"{counted(told['loops'], 'loop')} ({told['loops_unequal']} with unequal material); "
    can_loop = terms.rules.repetitions or terms.rules.loop_moves
    print(f"  {loops if can_loop else ''}endings: {endings}")
    for reason, count in told["reasons"].items():
        print(f"  {counted(count, 'game')} lost: {one_line(reason)}")
    print(
        f"  {counted(told['distinct_games'], 'distinct game')}, {told['average_plies']:.1f} plies "
        f"on average, {told['games'] / max(result.seconds, 1e-9):,.1f} games/s, seed {terms.seed}"
    )
    if result.sprt is not None:
        print(f"  {_verdict(result.sprt)}")


def _verdict(sprt: Sprt) -> str:
    range_ = f"LLR {sprt.llr:.2f} of {sprt.lower:.2f} to {sprt.upper:.2f}"
    match sprt.decision:
        case Decision.ELO1:
            return f"SPRT: the lead is {sprt.elo1:g} Elo rather than {sprt.elo0:g} ({range_})"
        case Decision.ELO0:
            return f"SPRT: the lead is {sprt.elo0:g} Elo rather than {sprt.elo1:g} ({range_})"
        case _:
            return f"SPRT: undecided ({range_})"
