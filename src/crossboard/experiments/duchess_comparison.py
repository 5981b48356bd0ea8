"""What experiments with Duchess share: trainings from given weights, and duplicate matches."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from crossboard.arena.elo import expected_score
from crossboard.arena.match import MatchResult, Terms, play_match
from crossboard.arena.openings import duchess_openings
from crossboard.arena.score import Score, score_pairs
from crossboard.duchess import Position
from crossboard.evaluators import OneLayer
from crossboard.experiments.claims import Measurement
from crossboard.experiments.experiment import Lab
from crossboard.learn.treestrap_duchess import EDITION
from crossboard.players import Player, SearchLimits
from crossboard.storage import make_folder, write_whole
from crossboard.systems.cohort import part, train_side_by_side, unfinished
from crossboard.systems.duchess import RECIPE, SEARCH, DuchessSettings
from crossboard.systems.provenance import digest_of, origin_of, read_kept
from crossboard.systems.trained import Trained
from crossboard.systems.training import Training

FOLDER, MATCHES = "arms", "matches"
OPENINGS = "random:4"
MATCH_SEED = 2014
TOLD_PAIRS = 10  # a long match says after so many how it stands
# Chosen: at depth 3 a tree has so few nodes that it moves weights as far as the paper's trees do
# only at twenty times the rate (docs/measurements.md).
SHALLOW_DEPTH, SHALLOW_RATES = 3, 20


def shorten(
    stage: DuchessSettings,
    games: int,
    *,
    depth: int = SHALLOW_DEPTH,
    rates: float = SHALLOW_RATES,
    **changed: object,
) -> DuchessSettings:
    """Return how a stage is trained in small: few pieces are searched no deeper than many."""
    own = {"games": games, "depth": depth, "depths": (), "rate": rates * stage.rate}
    return stage.model_copy(update=own | changed)


def stage_training(lab: Lab, name: str, settings: DuchessSettings, seed: int) -> Training:
    """Return a training of an experiment, from the weights that its settings begin with."""
    begin = digest_of(settings.initial().weights.tobytes())
    folder = lab.folder / FOLDER / name
    return part(folder, RECIPE, settings, seed, edition=EDITION, told={"begin": begin})


def train_all(lab: Lab, trainings: Mapping[str, Training]) -> dict[str, Player]:
    """Train side by side, each on one processor, and return the players by name."""
    missing = unfinished(trainings, lab.tell)
    for name in train_side_by_side(missing, lab.learners, lab.tell):
        lab.tell(f"{name}: {trainings[name].settings.games} games")
    return {name: _player_of(name, training) for name, training in trainings.items()}


def _player_of(name: str, training: Training) -> Player:
    """Return the player of a training under the name that its matches are kept by."""
    player = Trained.read_part(training.folder).player
    assert player is not None
    player.name = name
    return player


def play_duplicates(
    lab: Lab, one: Player, other: Player, games: int, limits: SearchLimits
) -> Score:
    """Play pairs of games from the same four random moves, which are the same for all matches.

    Pairs are kept in their order, and a match goes on after the last that was kept before a stop.
    """
    manners = [_manner_of(player) for player in (one, other)]
    minds = (*_minds(one), *_minds(other))
    origin = origin_of(SEARCH, limits, OPENINGS, MATCH_SEED, manners, *minds)
    place = lab.folder / MATCHES / f"{one.name}-{other.name}.json"
    make_folder(place.parent)
    kept = read_kept(place, origin) or {"points": []}
    points = [tuple(pair) for pair in kept["points"][: games // 2]]
    terms = Terms(
        pairs=games // 2,
        openings=duchess_openings(OPENINGS, MATCH_SEED),
        limits=limits,
        rules=one.game.draws,
        seed=MATCH_SEED,
        first=len(points),
    )

    def keep(result: MatchResult) -> None:
        points.append(result.pairs[-1].points)
        write_whole(place, json.dumps({"origin": origin, "points": points}).encode())
        if len(points) % TOLD_PAIRS == 0 and len(points) < terms.pairs:
            score = score_pairs(points).score
            lab.tell(f"{one.name} against {other.name}: {score:.3f} after {2 * len(points)} games")

    def seated(side: str, player: Player) -> Player:
        name = f"{side}: {player.name}"  # two players of a match need two names
        return Player(name, player.evaluator, search=SEARCH, phases=player.phases)

    play_match(
        seated("a", one),
        seated("b", other),
        terms,
        lab.executor,
        workers=lab.workers,
        on_pair=keep,
    )
    return score_pairs(points)


def measure_score(claim: str, score: Score, note: str) -> Measurement:
    """Return the points a game of a match, with the interval of its Elo."""
    low, high = expected_score(score.elo.low), expected_score(score.elo.high)
    value = score.score
    return Measurement(claim, value, min(low, value), max(high, value), note)


def _manner_of(player: Player) -> tuple[int, float]:
    """Return what a small search comes to, which another search or other rules would not."""
    found = Player(player.name, player.evaluator, search=SEARCH).search(Position(), depth=3)
    return found.nodes, found.value


def _minds(player: Player) -> Iterator[Any]:
    """Yield all that decides how a player evaluates: weights, and when those of a phase hold."""
    for when, evaluator in ((None, player.evaluator), *player.phases):
        assert isinstance(evaluator, OneLayer)
        yield when, evaluator.weights.tobytes()
