"""What experiments with Duchess share: trainings that outlive a stop, and duplicate matches."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from crossboard.arena.match import MatchResult, Terms, play_match
from crossboard.arena.openings import duchess_openings
from crossboard.arena.score import Score
from crossboard.evaluators import OneLayer
from crossboard.learn.side_by_side import EDITION, learn_side_by_side
from crossboard.learn.snapshot import Snapshot
from crossboard.players import Player, SearchLimits
from crossboard.storage import make_folder, write_whole
from crossboard.systems.duchess import SEARCH, DuchessSettings, player_from
from crossboard.systems.experiments import Lab

FOLDER = "arms"
MATCH_SEED = 2014
TOLD_PAIRS = 10  # a long match says after so many how it stands
TOLD_SECONDS = 60  # and trainings how far they are


@dataclass(frozen=True)
class Arm:
    """One training: where its weights begin, how it goes on, its seed."""

    begin: OneLayer
    settings: DuchessSettings
    seed: int

    @property
    def digest(self) -> str:
        """Tells apart trainings that do not end with the same weights."""
        told = [version("crossboard"), EDITION, self.seed, self.settings.model_dump(mode="json")]
        return hashlib.sha256(json.dumps(told).encode() + self.begin.weights.tobytes()).hexdigest()

    def player(self, snapshot: Snapshot, name: str) -> Player:
        """Make the player that came out."""
        return player_from(self.begin, self.settings, snapshot, name)


def train_arms(lab: Lab, arms: Mapping[str, Arm]) -> dict[str, Player]:
    """Train arms side by side, each on one processor, and return their players by name.

    They are kept in the experiment's folder whenever a game has ended, and what was trained there
    is not trained again.
    """
    folder = (lab.folder / FOLDER).absolute()  # those who learn may be elsewhere
    futures = {
        lab.learners.submit(train_arm, folder / f"{name}.json", arm): name
        for name, arm in arms.items()
    }
    trained = {}
    waiting = set(futures)
    while waiting:
        done, waiting = wait(waiting, TOLD_SECONDS, FIRST_COMPLETED)
        for future in done:
            name = futures[future]
            snapshot = future.result()
            trained[name] = arms[name].player(snapshot, name)
            lab.tell(f"{name}: {snapshot.games} games")
        if waiting and not done:
            _tell_games(lab, folder, {futures[future]: arms[futures[future]] for future in waiting})
    return {name: trained[name] for name in arms}


def _tell_games(lab: Lab, folder: Path, arms: Mapping[str, Arm]) -> None:
    """Say how far those are that have begun, as far as their files are here."""
    kept = {name: _read(folder / f"{name}.json", arm.digest) for name, arm in arms.items()}
    told = ", ".join(f"{name} {one.games}" for name, one in kept.items() if one is not None)
    if told:
        lab.tell(f"games so far: {told}")


def train_arm(place: Path, arm: Arm) -> Snapshot:
    """Train one arm to its end, from where its file says that it stands."""
    make_folder(place.parent)  # on a host of its own there may be none
    snapshot = _read(place, arm.digest)
    with ThreadPoolExecutor(1) as executor:
        learner = learn_side_by_side(
            arm.begin, arm.settings.study(), seed=arm.seed, executor=executor, start=snapshot
        )
        for snapshot in learner:
            if not snapshot.played:  # no game has ended
                continue
            arrays = {phase: row.tolist() for phase, row in snapshot.arrays.items()}
            told = {
                "digest": arm.digest,
                "games": snapshot.games,
                "arrays": arrays,
                "plain": snapshot.plain,
            }
            write_whole(place, json.dumps(told).encode())
    assert snapshot is not None  # one game at least was played, now or before
    return snapshot


def _read(place: Path, digest: str) -> Snapshot | None:
    import numpy as np

    if not place.exists():
        return None
    kept = json.loads(place.read_text("utf-8"))
    if kept["digest"] != digest:  # of another training: other settings, another version
        return None
    arrays = {phase: np.array(row) for phase, row in kept["arrays"].items()}
    return Snapshot(kept["games"], arrays, kept["plain"])


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

    def tell(result: MatchResult) -> None:
        played = len(result.pairs)
        if played % TOLD_PAIRS == 0 and played < terms.pairs:
            score = result.score.score
            lab.tell(f"{one.name} against {other.name}: {score:.3f} after {2 * played} games")

    def seated(side: str, player: Player) -> Player:
        name = f"{side}: {player.name}"  # nobody plays against a namesake
        return Player(name, player.evaluator, search=SEARCH, phases=player.phases)

    return play_match(
        seated("a", one),
        seated("b", other),
        terms,
        lab.executor,
        workers=lab.workers,
        on_pair=tell,
    ).score
