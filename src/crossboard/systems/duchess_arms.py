"""What experiments with Duchess share: trainings that outlive a stop, and duplicate matches."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from crossboard.arena.match import MatchResult, Terms, play_match
from crossboard.arena.openings import duchess_openings
from crossboard.arena.score import Score
from crossboard.evaluators import OneLayer
from crossboard.learn.side_by_side import EDITION, learn_side_by_side
from crossboard.learn.snapshot import Snapshot
from crossboard.players import Player, SearchLimits
from crossboard.systems.drafts import Draft, as_they_end, origin_of
from crossboard.systems.duchess import SEARCH, DuchessSettings, player_from
from crossboard.systems.experiments import Lab

FOLDER = "arms"
MATCH_SEED = 2014
TOLD_PAIRS = 10  # a long match says after so many how it stands


@dataclass(frozen=True)
class Arm:
    """One training: where its weights begin, how it goes on, its seed."""

    begin: OneLayer
    settings: DuchessSettings
    seed: int

    @property
    def origin(self) -> dict[str, str]:
        """Tells apart trainings that do not end with the same weights."""
        return origin_of(EDITION, self.seed, self.settings, self.begin.weights.tobytes())

    def player(self, snapshot: Snapshot, name: str) -> Player:
        """Make the player that came out."""
        return player_from(self.begin, self.settings, snapshot, name)


def train_arms(lab: Lab, arms: Mapping[str, Arm]) -> dict[str, Player]:
    """Train arms side by side, each on one processor, and return their players by name.

    They are kept in the experiment's folder on the way, and what was trained there is not trained
    again.
    """
    folder = (lab.folder / FOLDER).absolute()  # those who learn may be elsewhere
    drafts = {name: Draft(folder / f"{name}.json", arm.origin) for name, arm in arms.items()}
    names = {lab.learners.submit(train_arm, drafts[name], arm): name for name, arm in arms.items()}
    trained = {}
    for future in as_they_end(lab, {future: drafts[name] for future, name in names.items()}):
        name = names[future]
        snapshot = future.result()
        trained[name] = arms[name].player(snapshot, name)
        lab.tell(f"{name}: {snapshot.games} games")
    return {name: trained[name] for name in arms}


def train_arm(draft: Draft, arm: Arm) -> Snapshot:
    """Train one arm to its end, from where its file says that it stands."""
    stage = draft.read()
    snapshot = None if stage is None else stage.snapshot
    with ThreadPoolExecutor(1) as executor:
        learner = learn_side_by_side(
            arm.begin, arm.settings.study(), seed=arm.seed, executor=executor, start=snapshot
        )
        for snapshot in learner:
            if snapshot.played or draft.is_due:
                draft.write(snapshot)
    assert snapshot is not None  # one game at least was played, now or before
    return snapshot


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
