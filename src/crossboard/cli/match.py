"""`crossboard match`: two players, many games, and what they say."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from crossboard.arena.agreement import describe_agreement
from crossboard.arena.conditions import DEFAULT_GAMES, Conditions
from crossboard.arena.game_file import keeping_games
from crossboard.arena.match import NAMES, Fixture, MatchResult, Terms
from crossboard.arena.sprt import Decision, Sprt
from crossboard.cli import sitting
from crossboard.cli.games import WhichGame
from crossboard.cli.limits import NoTables, Quiescence, TablesFolder, Time
from crossboard.cli.remarks import print_remark
from crossboard.play.opponents import TablesChoice, find_entrants, remark_damage
from crossboard.play.wording import counted, one_line
from crossboard.players.games import DRAUGHTS

Games = Annotated[
    int,
    typer.Option(min=1, max=10_000_000, help="Games of each match, rounded up to pairs."),
]
OpeningSource = Annotated[
    str | None,
    typer.Option(
        "--openings",
        help="ballots, or their parts ballots:select and ballots:report; random:N plies; a PDN, "
        "FEN or board file. For Duchess random:N or a file of positions.",
        show_default="ballots; for Duchess a random ply for each seat",
    ),
]
Depth = Annotated[
    int | None,
    typer.Option(
        help="Search depth, in plies.",
        show_default=f"{DRAUGHTS.match_depth} for draughts, the first player's limits for Duchess",
    ),
]
Seconds = Annotated[float | None, typer.Option(help="Seconds for each move.")]
Nodes = Annotated[int | None, typer.Option(help="Positions searched for each move.")]
Clock = Annotated[
    str,
    typer.Option(
        metavar="wall|cpu",
        help="What seconds are: cpu counts the processor's work for the searching thread, so that "
        "other programs take no time away. Engines over Hub keep the wall clock.",
    ),
]
OwnLimits = Annotated[
    bool,
    typer.Option(
        "--own-limits",
        help="Each player keeps its own limits; not with --depth, --seconds, --nodes or --time.",
    ),
]
Seed = Annotated[int, typer.Option(help="Seed for openings and random moves.")]
Workers = Annotated[
    int | None, typer.Option(min=1, max=1024, help="Threads.", show_default="all processors")
]
PdnTarget = Annotated[
    str | None,
    typer.Option(
        "--pdn", metavar="FILE", help="Keep every pair of games in this new file as it ends."
    ),
]
Resume = Annotated[
    bool,
    typer.Option(
        "--resume", help="Continue what --pdn FILE holds, with the same players and options."
    ),
]
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
    clock: Clock = "wall",
    time: Time = None,
    own_limits: OwnLimits = False,
    seed: Seed = 0,
    workers: Workers = None,
    pdn: PdnTarget = None,
    resume: Resume = False,
    sprt: Annotated[
        str | None,
        typer.Option(metavar="ELO0,ELO1", help="Stop early by SPRT between two Elo differences."),
    ] = None,
    max_plies: MaxPlies = 0,
    loop_rule: LoopRule = "none",
    quiescence: Quiescence = None,
    tables: TablesFolder = None,
    no_tables: NoTables = False,
    mpi: Mpi = False,
    dask: Dask = None,
    as_json: Json = False,
) -> None:
    """Play a match in pairs: each opening twice, with colours or teams swapped.

    The result, for A, comes with its 95 % interval. Ctrl-C ends the match and shows what was
    played; with --pdn FILE the same command and --resume continues it.
    """
    conditions = Conditions(
        games=games,
        opening_source=opening_source,
        depth=depth,
        seconds=seconds,
        nodes=nodes,
        clock=clock,
        time=time,
        own_limits=own_limits,
        seed=seed,
        sprt=sprt,
        max_plies=max_plies,
        loop_rule=loop_rule,
        quiescence=quiescence,
    )
    with sitting.gathering(workers, mpi=mpi, dask=dask) as found:
        if found is None:  # a process that only helps
            return
        entrants = find_entrants([one, other], game, print_remark)
        choice, asked = TablesChoice(tables, no_tables), conditions.prepare(entrants.players)
        terms = conditions.terms(asked, entrants.seats)  # refused before anything is remarked
        first, second = choice.apply_all(asked, print_remark)
        known = choice.tables_of([first, second]) if first.game.has_tables else None
        result = MatchResult(first.name, second.name, sprt=terms.sprt, tables=known)
        end = sitting.play_out(
            [Fixture(first, second, terms, result)],
            found,
            keeping_games(pdn, describe_agreement([first, second], terms, "match"), resume=resume),
            f"{first.name} - {second.name}",
            short,
        )
    remark_damage(known, print_remark)
    if as_json:
        told = conditions.as_json(terms, first.game, entrants.seats)
        print(json.dumps({**result.as_json(), **told, "stopped": end.is_early}))
    else:
        print_result(result, terms, games, end)
    end.leave()


def short(result: MatchResult) -> str:
    """Return the state of a match in a few words."""
    score = result.score
    tally, elo = score.tally, score.elo
    games = f"+{tally.wins} ={tally.draws} -{tally.losses}"
    rate = f"{result.speed:,.1f} games/s"
    return f"{games}  Elo {elo.elo:+.0f} ({elo.low:+.0f} to {elo.high:+.0f})  {rate}"


def rounded_up(games: int) -> str:
    """Return the note on an odd number of games."""
    return f"{games:,} games were rounded up to {games + 1:,}: openings are played in pairs."


def print_result(result: MatchResult, terms: Terms, games: int, end: sitting.End) -> None:
    """Print the result of a match."""
    told = result.as_json()
    if end.is_early:
        print(f"Stopped after {counted(told['games'], 'game')} of {2 * terms.pairs:,}.")
        end.print_hint()
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
    if result.tables is not None:
        one, other = result.missed_wins.values()
        print(
            f"  won by the tables of {result.tables.pieces} pieces, but not on the board: "
            f"{counted(one, 'game')} of {result.one}, {other} of {result.other}"
        )
    rate = f"{result.speed:,.1f} games/s, " if result.speed else ""
    for reason, count in told["reasons"].items():
        print(f"  {counted(count, 'game')} lost: {one_line(reason)}")
    print(
        f"  {counted(told['distinct_games'], 'distinct game')}, {told['average_plies']:.1f} plies "
        f"on average, {rate}seed {terms.seed}"
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
