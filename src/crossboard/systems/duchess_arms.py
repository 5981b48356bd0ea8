"""What experiments with Duchess share: trainings that outlive a stop, and duplicate matches."""

from __future__ import annotations

import json

from crossboard.arena.match import Terms, play_match
from crossboard.arena.openings import duchess_openings
from crossboard.arena.score import Score
from crossboard.evaluators import OneLayer
from crossboard.learn.side_by_side import learn_side_by_side
from crossboard.learn.snapshot import Snapshot
from crossboard.players import Player, SearchLimits
from crossboard.storage import make_folder, write_whole
from crossboard.systems.duchess import SEARCH, DuchessSettings, player_from
from crossboard.systems.experiments import Lab

FOLDER = "arms"
MATCH_SEED = 2014


def train_arm(lab: Lab, name: str, begin: OneLayer, settings: DuchessSettings, seed: int) -> Player:
    """Train an arm from where it stands, round by round kept in the experiment's folder."""
    import numpy as np

    place = lab.folder / FOLDER / f"{name}.json"
    make_folder(place.parent)
    snapshot = None
    if place.exists():
        kept = json.loads(place.read_text("utf-8"))
        arrays = {phase: np.array(row) for phase, row in kept["arrays"].items()}
        snapshot = Snapshot(kept["games"], arrays)
    learner = learn_side_by_side(
        begin, settings.study(), seed=seed, executor=lab.executor, start=snapshot
    )
    for snapshot in learner:
        arrays = {phase: row.tolist() for phase, row in snapshot.arrays.items()}
        told = {"games": snapshot.games, "arrays": arrays}
        write_whole(place, json.dumps(told).encode())
        lab.tell(f"{name}: {snapshot.games} of {settings.games} games")
    assert snapshot is not None  # one game at least was played, now or before
    return player_from(begin, settings, snapshot, name)


def play_duplicates(
    lab: Lab, one: Player, other: Player, games: int, limits: SearchLimits
) -> Score:
    """Play pairs of games from the same four random moves, which are the same for all matches."""
    terms = Terms(
        pairs=games // 2,
        openings=duchess_openings("random:4", MATCH_SEED),
        limits=limits,
        rules=one.game.draws,
        seed=MATCH_SEED,
    )
    players = [
        Player(name, each.evaluator, search=SEARCH, phases=each.phases)
        for name, each in zip("ab", (one, other), strict=True)
    ]
    return play_match(players[0], players[1], terms, lab.executor).score
