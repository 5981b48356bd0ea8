"""`crossboard tournament`: everybody against everybody, and who is how strong."""

from __future__ import annotations

import json
import os
from io import BytesIO
from typing import Annotated

import typer

from crossboard.arena.match import MatchResult
from crossboard.arena.ratings import format_cross_table
from crossboard.arena.standings import draw_standings
from crossboard.arena.tournament import TournamentResult, pairings, play_tournament
from crossboard.cli import match
from crossboard.cli.figures import figure_kind
from crossboard.cli.files import writing
from crossboard.cli.games import WhichGame
from crossboard.cli.limits import Quiescence
from crossboard.cli.progress import Bar
from crossboard.cli.remarks import print_remark
from crossboard.play.opponents import find_entrants
from crossboard.play.wording import counted


def run(
    players: Annotated[list[str], typer.Argument(metavar="PLAYER...", help="Two or more.")],
    *,
    game: WhichGame = None,
    games: match.Games = match.DEFAULT_GAMES,
    gauntlet: Annotated[
        bool, typer.Option("--gauntlet", help="Only the first one against all others.")
    ] = False,
    opening_source: match.OpeningSource = None,
    depth: match.Depth = None,
    seconds: match.Seconds = None,
    nodes: match.Nodes = None,
    own_limits: match.OwnLimits = False,
    seed: match.Seed = 0,
    workers: match.Workers = None,
    pdn: match.PdnTarget = None,
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
    shows what was played.
    """
    kind = figure_kind(figure)
    with match.gathering(workers, mpi=mpi, dask=dask) as found:
        if found is None:  # a process that only helps
            return
        if figure is not None and not os.path.isdir(os.path.dirname(figure) or "."):
            raise ValueError(f"there is no folder for the figure {figure}")  # before hours of games
        entrants = find_entrants(players, game, print_remark)
        limits = match.find_limits(depth, seconds, nodes, entrants, are_own=own_limits)
        entered = [match.with_quiescence(player, quiescence) for player in entrants.players]
        source = opening_source or match.usual_openings(entrants)
        rules = match.make_rules(max_plies, loop_rule, entrants)
        terms = match.make_terms(games, source, limits, seed, rules, None, entrants)
        total = 2 * terms.pairs * len(pairings(entered, is_gauntlet=gauntlet))
        result = TournamentResult(tuple(player.name for player in entered))
        with (
            match.writing_games(pdn) as written,
            Bar("games", total, has_lines=True) as bar,
            match.stopping(found) as (interruption, stop),
        ):

            def show(so_far: MatchResult) -> None:
                if not written.keep(so_far.pairs[-1], so_far):
                    stop.set()
                note = f"{so_far.one} - {so_far.other}  "
                bar.update(_count_games(result), lambda: note + match.short(so_far))

            play_tournament(
                entered,
                terms,
                found.executor,
                is_gauntlet=gauntlet,
                workers=found.workers,
                stop=stop,
                on_pair=show,
                into=result,
            )
    stopped = interruption.happened or written.error is not None
    if games % 2 and not as_json:
        print(match.rounded_up(games))
    _report(result, as_json=as_json, stopped=stopped, more={"seed": seed, "games_asked": games})
    if figure is not None and result.encounters:
        with writing(figure) as target:
            picture = BytesIO()
            draw_standings(result.standings).savefig(picture, format=kind)
            target.write_bytes(picture.getvalue())
    match.end(stopped, written)


def _report(
    result: TournamentResult, *, as_json: bool, stopped: bool, more: dict[str, int]
) -> None:
    if not result.encounters:
        print(json.dumps({"games": 0, "stopped": stopped}) if as_json else "No game was finished.")
        return
    if as_json:
        print(json.dumps({**result.as_json(), **more, "stopped": stopped}))
        return
    games = _count_games(result)
    print(f"{'Stopped after' if stopped else ''} {counted(games, 'game')}".strip())
    print(format_cross_table(result.encounters))
    print()
    print(result.standings)


def _count_games(result: TournamentResult) -> int:
    return sum(2 * len(each.pairs) for each in result.matches)
