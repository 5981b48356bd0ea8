"""`crossboard tournament`: a round robin or a gauntlet, and the ratings of all players."""

from __future__ import annotations

import json
import os
from io import BytesIO
from typing import Annotated

import typer

from crossboard.arena.agreement import describe_agreement
from crossboard.arena.conditions import DEFAULT_GAMES, Conditions
from crossboard.arena.game_file import keeping_games
from crossboard.arena.match import MatchResult
from crossboard.arena.ratings import format_cross_table
from crossboard.arena.standings import draw_standings
from crossboard.arena.tournament import TournamentResult, make_fixtures
from crossboard.cli import match, sitting
from crossboard.cli.figures import figure_kind
from crossboard.cli.files import writing
from crossboard.cli.games import WhichGame
from crossboard.cli.limits import Quiescence, Time
from crossboard.cli.match import rounded_up, short
from crossboard.cli.remarks import print_remark
from crossboard.play.opponents import USUAL_TABLES, find_entrants
from crossboard.play.wording import counted


def run(
    players: Annotated[list[str], typer.Argument(metavar="PLAYER...", help="Two or more.")],
    *,
    game: WhichGame = None,
    games: match.Games = DEFAULT_GAMES,
    gauntlet: Annotated[
        bool, typer.Option("--gauntlet", help="Only the first one against all others.")
    ] = False,
    opening_source: match.OpeningSource = None,
    depth: match.Depth = None,
    seconds: match.Seconds = None,
    nodes: match.Nodes = None,
    clock: match.Clock = "wall",
    time: Time = None,
    own_limits: match.OwnLimits = False,
    seed: match.Seed = 0,
    workers: match.Workers = None,
    pdn: match.PdnTarget = None,
    resume: match.Resume = False,
    figure: Annotated[
        str | None, typer.Option(help="Draw the ratings into this .png or .svg file.")
    ] = None,
    max_plies: match.MaxPlies = 0,
    loop_rule: match.LoopRule = "none",
    quiescence: Quiescence = None,
    mpi: match.Mpi = False,
    dask: match.Dask = None,
    as_json: match.Json = False,
) -> None:
    """Play a match between every two players and rate them all.

    Ratings are Bradley and Terry's with Davidson's draws, in Elo points around the average, and
    of Duchess, which teams play, OpenSkill's, with 95 % intervals. Ctrl-C ends the tournament and
    shows what was played; with --pdn FILE the same command and --resume continues it.
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
        max_plies=max_plies,
        loop_rule=loop_rule,
        quiescence=quiescence,
    )
    kind = figure_kind(figure)
    with sitting.gathering(workers, mpi=mpi, dask=dask) as found:
        if found is None:  # a process that only helps
            return
        _check_folder(figure)  # before hours of games
        entrants = find_entrants(players, game, print_remark)
        asked = conditions.prepare(entrants.players)
        terms = conditions.terms(asked, entrants.seats)  # refused before anything is remarked
        entered = USUAL_TABLES.apply_all(asked, print_remark)
        fixtures = make_fixtures(entered, terms, is_gauntlet=gauntlet)
        kind_of_pairings = "gauntlet" if gauntlet else "round robin"
        agreement = describe_agreement(entered, terms, kind_of_pairings)
        keeping = keeping_games(pdn, agreement, resume=resume)
        end = sitting.play_out(fixtures, found, keeping, "games", _describe)
    result = TournamentResult.of(fixtures)
    _report(result, conditions, end, as_json=as_json)
    if figure is not None and result.encounters:
        _draw(result, figure, kind)
    end.leave()


def _check_folder(figure: str | None) -> None:
    """Raise ValueError if the figure could not be written."""
    if figure is not None and not os.path.isdir(os.path.dirname(figure) or "."):
        raise ValueError(f"there is no folder for the figure {figure}")


def _describe(match: MatchResult) -> str:
    return f"{match.one} - {match.other}  {short(match)}"


def _report(
    result: TournamentResult, conditions: Conditions, end: sitting.End, *, as_json: bool
) -> None:
    """Print the result of a tournament."""
    games = sum(2 * len(each.pairs) for each in result.matches)
    if as_json:
        found = result.as_json() if games else {"games": 0}
        asked = {"seed": conditions.seed, "games_asked": conditions.games} if games else {}
        print(json.dumps({**found, **asked, "stopped": end.is_early}))
        return
    if conditions.games % 2:
        print(rounded_up(conditions.games))
    if not games:
        print("No game was finished.")
        return
    print(f"Stopped after {counted(games, 'game')}." if end.is_early else counted(games, "game"))
    end.print_hint()
    print(format_cross_table(result.encounters))
    print()
    print(result.standings)


def _draw(result: TournamentResult, figure: str, kind: str) -> None:
    with writing(figure) as target:
        picture = BytesIO()
        draw_standings(result.standings).savefig(picture, format=kind)
        target.write_bytes(picture.getvalue())
