"""Exams: when the players of a training are measured, how, and their points."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, NamedTuple

from crossboard.arena.elo import expected_score
from crossboard.arena.match import MatchResult, Terms, play_match
from crossboard.arena.openings import REPORT, SELECT, openings
from crossboard.farm.executors import Farm
from crossboard.players import Player, SearchLimits, load_player
from crossboard.runs.metrics import SECONDS, STEP, Line
from crossboard.systems.recipes import Exam, Recipe, RecipeSettings

# The fixed opponent of every learning curve, at a depth and without quiescence. People may choose
# by these exams, so the match at the end has openings of its own.
EXAMINER = "material"
EXAM_DEPTH = 4
EXAM_OPENINGS, FINAL_OPENINGS = SELECT, REPORT
EXAM_SEED, FINAL_SEED = 1997, 2011
FINAL_GAMES = 400
# Metrics: points a game in all, and against each of several opponents.
POINTS = "exam"
AGAINST = f"{POINTS} "


@dataclass(frozen=True)
class Exams:
    """An exam function, and after how many games a training calls it."""

    due: tuple[int, ...]  # in order; 0: the untrained player is examined too
    # Returns metrics, POINTS among them. It must pickle, since parts are sent to other processes.
    hold: Callable[[Player, Farm], Mapping[str, float]]
    # Everything that its points depend on, for the configuration of a part.
    terms: Mapping[str, Any] = field(default_factory=dict)

    def are_due(self, before: int, games: int) -> bool:
        """Return whether an exam is due after so many games, if the last look was before them."""
        return bisect_right(self.due, games) > bisect_right(self.due, before)


def _hold_none(player: Player, farm: Farm) -> Mapping[str, float]:
    raise AssertionError("no exam is ever due")


NO_EXAMS = Exams((), _hold_none)


class Grade(NamedTuple):
    """A player measured against several opponents, after so many games and so much time."""

    games: int
    seconds: float
    points: dict[str, float]  # a game, by opponent

    @property
    def score(self) -> float:
        """The mean over the opponents."""
        return sum(self.points.values()) / len(self.points)


def as_metrics(points: Mapping[str, float]) -> dict[str, float]:
    """Return the metrics of an exam against several opponents."""
    mean = sum(points.values()) / len(points)
    return {POINTS: mean, **{f"{AGAINST}{name}": each for name, each in points.items()}}


def read_grades(lines: Iterable[Line]) -> list[Grade]:
    """Return the exams against several opponents that a run's metrics tell of."""
    found = []
    for line in lines:
        points = {key.removeprefix(AGAINST): line[key] for key in line if key.startswith(AGAINST)}
        found += [Grade(int(line[STEP]), line[SECONDS], points)] if points else []
    return found


def read_blocks(lines: Iterable[Line]) -> list[dict[str, float]]:
    """Return what was measured of each block of games, exams left out."""
    return [
        {"games": line[STEP], **{key: line[key] for key in line if _is_of_block(key)}}
        for line in lines
        if line[STEP] > 0
    ]


def _is_of_block(key: str) -> bool:
    return key not in (STEP, SECONDS) and not key.startswith(POINTS)


def system_exams(recipe: Recipe, settings: RecipeSettings) -> Exams:
    """Return the exams of a system: against its examiner, as often as the settings ask for."""
    games, every = settings.games, settings.exam_every
    if every == 0:
        return NO_EXAMS
    hold = partial(_meet_examiner, exam=_exam_of(recipe, settings), games=settings.exam_games)
    return Exams((*range(0, games, every), games), hold)


def _exam_of(recipe: Recipe, settings: RecipeSettings) -> Exam:
    usual = Exam(EXAMINER, EXAM_OPENINGS, EXAM_DEPTH, FINAL_GAMES, FINAL_OPENINGS)
    return recipe.exam(settings) or usual


def _meet_examiner(player: Player, farm: Farm, *, exam: Exam, games: int) -> dict[str, float]:
    """Return points a game against the examiner, with their 95 % interval."""
    score = hold_exam(player, farm, games, EXAM_SEED, exam).score
    low, high = expected_score(score.elo.low), expected_score(score.elo.high)
    return {POINTS: score.score, f"{POINTS}_low": low, f"{POINTS}_high": high}


def play_final(
    player: Player, recipe: Recipe, settings: RecipeSettings, farm: Farm
) -> dict[str, Any]:
    """Play the match at the end of a training; return its result with the terms."""
    exam = _exam_of(recipe, settings)
    exam = exam._replace(openings=exam.final_openings or exam.openings)
    games = min(exam.final_games, FINAL_GAMES)
    final = hold_exam(player, farm, games, FINAL_SEED, exam).as_json()
    del final["seconds"]  # a run's only clock is that of its metrics
    terms = {"depth": exam.depth, "openings": exam.openings, "quiescence": exam.quiescence}
    return final | terms


def hold_exam(player: Player, farm: Farm, games: int, seed: int, exam: Exam) -> MatchResult:
    """Play a match against the examiner, both to the depth of the exam and with its quiescence.

    Neither probes endgame tables: a run must not depend on those that happen to be there.
    """
    one, other = (
        each.with_settings(replace(each.settings, quiescence=exam.quiescence, tables=False))
        for each in (player, load_player(exam.examiner))
    )
    terms = Terms(
        pairs=-(-games // 2),
        openings=openings(exam.openings, seed, player.game, player.players),
        limits=SearchLimits(depth=exam.depth),
        rules=player.game.draws,
        seed=seed,
    )
    return play_match(one, other, terms, farm.executor, workers=farm.workers)
