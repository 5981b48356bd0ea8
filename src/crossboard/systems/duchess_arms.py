"""What experiments with Duchess share: trainings that outlive a stop, and duplicate matches."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from crossboard.arena.elo import expected_score
from crossboard.arena.match import MatchResult, Terms, play_match
from crossboard.arena.openings import duchess_openings
from crossboard.arena.score import Score, score_pairs
from crossboard.duchess import Position
from crossboard.evaluators import OneLayer
from crossboard.learn.schooling import Schooling
from crossboard.learn.side_by_side import EDITION, learn_side_by_side
from crossboard.learn.snapshot import Snapshot
from crossboard.players import Player, SearchLimits
from crossboard.storage import make_folder, write_whole
from crossboard.systems.claims import Measurement
from crossboard.systems.drafts import Draft, Keeper, as_they_end, is_kept
from crossboard.systems.duchess import SEARCH, DuchessSettings, player_from
from crossboard.systems.experiments import Lab
from crossboard.systems.origins import origin_of, read_kept

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
    for draft in drafts.values():
        is_kept(lab, draft.place, draft.origin)  # which says so if another was
    begun = {
        name: (drafts[name], lab.learners.submit(train_arm, drafts[name], arm))
        for name, arm in arms.items()
    }
    trained = {}
    for name, snapshot in as_they_end(lab, begun):
        drafted = drafts[name].read()
        if drafted is None or drafted.snapshot.games < snapshot.games:
            drafts[name].write(snapshot)
        trained[name] = arms[name].player(snapshot, name)
        lab.tell(f"{name}: {snapshot.games} games")
    return {name: trained[name] for name in arms}


def train_arm(draft: Draft, arm: Arm) -> Snapshot:
    """Train one arm to its end, from where its file says that it stands."""
    drafted, keeper = draft.read(), Keeper(draft)
    start = None if drafted is None else drafted.snapshot
    snapshot = start
    with ThreadPoolExecutor(1) as executor:
        schooling = Schooling(arm.seed, executor, start=start)
        for snapshot in learn_side_by_side(arm.begin, arm.settings.study(), schooling):
            keeper.note(snapshot)
    assert snapshot is not None  # one game at least was played, now or before
    return snapshot


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
        name = f"{side}: {player.name}"  # nobody plays against a namesake
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
