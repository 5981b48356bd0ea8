"""The experiment `mp-draughts`: the paper's table, controls for its idea, and what maps explain."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from crossboard.arena.bootstrap import mean_over_seeds, score_over_seeds
from crossboard.arena.match import Terms, play_match
from crossboard.arena.openings import REPORT, openings
from crossboard.arena.score import Tally
from crossboard.evaluators import Network
from crossboard.experiments.claims import Measurement
from crossboard.experiments.comparison import draw_scores, train_seeds
from crossboard.experiments.experiment import Experiment, Lab, register
from crossboard.experiments.mp_claims import (
    CLAIMS,
    CONTROLS,
    EVERY_MOVE,
    NO_REPLACEMENT,
    ONE_AGENT,
    RANDOM_CLUSTERS,
    TABLE,
    Published,
    slug,
)
from crossboard.experiments.mp_maps import measure_options, measure_units
from crossboard.learn import Snapshot
from crossboard.players import Player, SearchLimits, load_player
from crossboard.storage import make_folder
from crossboard.systems.mp_settings import QUICK, TUNED, MpDraughtsSettings
from crossboard.systems.mp_stages import MapProgress, make_player
from crossboard.systems.provenance import digest_of
from crossboard.systems.recipes import find_recipe
from crossboard.systems.trained import latest_snapshot

SYSTEM = "mp-draughts"
# Raised when the same settings and seed begin to give other players.
EDITION = 1
RUNS, QUICK_RUNS = 3, 2
PAIRS, QUICK_PAIRS = 200, 10
MATCH_SEED = 2009
# NeuroDraughts' four plies are those of D-VisionDraughts 2011, its successors' those of our
# matches; NeuroDraughts plays no captures out.
DEPTH, NEURODRAUGHTS_DEPTH = 8, 4
MAP = "map"
MATCHES = "matches"  # the folder of their results


class PlayedMatch(NamedTuple):
    """What a match says, for its first player."""

    wins: int
    draws: int
    losses: int
    loops: int
    loops_unequal: int

    @property
    def tally(self) -> Tally:
        return Tally(self.wins, self.draws, self.losses)

    @property
    def score(self) -> float:
        return self.tally.score

    def share(self, name: str) -> float:
        """Return which share of all games loops have, or those with unequal material."""
        return float(getattr(self, name)) / self.tally.games


# What claims call the shares of loops.
LOOPS = {"loops": "loops", "unequal": "loops_unequal"}


def measure(lab: Lab) -> Iterator[Measurement]:
    """Train all arms, play the paper's matches and those of the controls, and measure maps."""
    settings = arms(quick=lab.quick)
    snapshots = train_all(lab, settings)
    v, n = at_match_depth(load_player("visiondraughts")), neurodraughts()
    players = make_players(settings, snapshots)
    plain = play_each(lab, [v] * len(players[MAP]), n)
    yield from measure_match(TABLE[0], plain)
    against_n = play_each(lab, players[MAP], n)
    yield from measure_match(TABLE[1], against_n)
    yield measure_lead_of_loops(against_n, plain)
    against_v = {name: play_each(lab, each, v) for name, each in players.items()}
    yield from measure_match(TABLE[2], against_v[MAP])
    yield measure_score("specialists", against_v[MAP])
    yield from measure_controls(lab, against_v)
    yield from measure_agents(snapshots[MAP])
    options = settings[MAP].map_options()
    yield from measure_options(lab, snapshots[MAP], options)
    yield measure_units(lab, snapshots[MAP], options)


def arms(*, quick: bool) -> dict[str, MpDraughtsSettings]:
    """Return the settings of what is trained.

    All have equal games in as many blocks, so that every agent is the best of as many students.
    """
    base = TUNED.model_dump() | {"exam_every": 0} | (QUICK if quick else {})
    usual = MpDraughtsSettings(**base)
    alone: dict[str, Any] = {"units": 1, "block_games": usual.units * usual.block_games}
    return {
        MAP: usual,
        ONE_AGENT: MpDraughtsSettings(**{**base, **alone}),
        RANDOM_CLUSTERS: MpDraughtsSettings(**{**base, "clusters": "random"}),
    }


def train_all(lab: Lab, settings: Mapping[str, MpDraughtsSettings]) -> dict[str, list[Snapshot]]:
    """Train every arm from every seed; return the last snapshots."""
    runs = QUICK_RUNS if lab.quick else RUNS
    trained = train_seeds(lab, find_recipe(SYSTEM), settings, runs, edition=EDITION)
    return {name: [latest_snapshot(one.folder) for one in each] for name, each in trained.items()}


def make_players(
    settings: Mapping[str, MpDraughtsSettings], snapshots: Mapping[str, Sequence[Snapshot]]
) -> dict[str, list[Player]]:
    """Return the players of all arms, and those of the first one's agents that play otherwise.

    These choose anew at every move, or let agents play that the first agent would replace.
    """
    anew = settings[MAP].model_copy(update={"keeps": False})
    whole = settings[MAP].model_copy(update={"replaces": False})
    made = {name: (settings[name], each) for name, each in snapshots.items()}
    made |= {EVERY_MOVE: (anew, snapshots[MAP]), NO_REPLACEMENT: (whole, snapshots[MAP])}
    return {
        name: [
            at_match_depth(make_player(own, one, f"{slug(name)}-{number}"))
            for number, one in enumerate(each)
        ]
        for name, (own, each) in made.items()
    }


def at_match_depth(player: Player) -> Player:
    """Return a player with the depth of the matches as its own limit."""
    return player.with_settings(player.settings, SearchLimits(depth=DEPTH))


def neurodraughts() -> Player:
    """Return NeuroDraughts as it plays here."""
    player = load_player("neurodraughts")
    settings = replace(player.settings, quiescence=False)
    return player.with_settings(settings, SearchLimits(depth=NEURODRAUGHTS_DEPTH))


def play_each(lab: Lab, ones: Sequence[Player], other: Player) -> list[PlayedMatch]:
    """Let the player of each run meet another one; runs of one number have the same openings."""
    return [play(lab, one, other, number) for number, one in enumerate(ones)]


def play(lab: Lab, one: Player, other: Player, number: int) -> PlayedMatch:
    """Play a match of two players to their own limits, or read what it gave before a stop."""
    seed = MATCH_SEED + 1000 * lab.seed + number
    pairs = QUICK_PAIRS if lab.quick else PAIRS

    def make() -> dict[str, int]:
        terms = Terms(pairs=pairs, openings=openings(REPORT, seed), rules=one.game.draws, seed=seed)
        result = play_match(one, other, terms, lab.executor, workers=lab.workers).as_json()
        return {name: result[name] for name in PlayedMatch._fields}

    told = (EDITION, identity(one), identity(other), pairs, REPORT, seed)
    make_folder(lab.folder / MATCHES)
    name = f"{MATCHES}/{one.name}-{other.name}-{number}.json"
    played = PlayedMatch(**lab.kept(name, make, told=told))
    lab.tell(f"{one.name} against {other.name}, run {number}: {played.score:.3f}")
    return played


def identity(player: Player) -> str:
    """Return a digest of all that the moves of a player of networks depend on."""
    weights = {
        name: one.weights.tolist()
        for name, one in player.evaluators.items()
        if isinstance(one, Network)
    }
    own = player.specialists
    names = {id(one): name for name, one in player.evaluators.items()}
    chosen = () if own is None else (own.prototypes.tolist(), own.table(names))
    return digest_of(weights, chosen, player.settings, player.limits)


def measure_match(published: Published, played: Sequence[PlayedMatch]) -> Iterator[Measurement]:
    """Measure a column of the table: the run is the unit."""
    yield measure_score(published.name, played)
    games = sum(one.tally.games for one in played)
    for name, key in LOOPS.items():
        shares = score_over_seeds([one.share(key) for one in played])
        note = f"{sum(getattr(one, key) for one in played)} of {games}; {len(played)} runs"
        yield Measurement(f"{published.name}-{name}", *shares, note)


def measure_score(claim: str, played: Sequence[PlayedMatch]) -> Measurement:
    """Measure the points a game."""
    tally = sum((one.tally for one in played), Tally())
    note = f"{describe_tally(tally)}; {len(played)} runs"
    return Measurement(claim, *score_over_seeds([one.score for one in played]), note)


def describe_tally(tally: Tally) -> str:
    """Return the results of games in words."""
    return f"{tally.wins} won, {tally.losses} lost, {tally.draws} drawn of {tally.games}"


def measure_lead_of_loops(ours: Sequence[PlayedMatch], plain: Sequence[PlayedMatch]) -> Measurement:
    """Measure by how much loops with unequal material are fewer: the pair of matches is the unit.

    Both matches of a run have the same openings.
    """
    key = LOOPS["unequal"]
    less = [one.share(key) - other.share(key) for one, other in zip(ours, plain, strict=True)]
    each = ", ".join(f"{share:+.3f}" for share in less)
    return Measurement("fewer-loops", *mean_over_seeds(less), f"by runs: {each}")


def measure_controls(
    lab: Lab, played: Mapping[str, Sequence[PlayedMatch]]
) -> Iterator[Measurement]:
    """Compare what all arms scored against V, from the same openings in runs of one number."""
    scores = {name: [one.score for one in each] for name, each in played.items()}
    for name in CONTROLS:
        yield Measurement(f"{slug(name)}-v", *score_over_seeds(scores[name]))
        leads = [one - other for one, other in zip(scores[MAP], scores[name], strict=True)]
        yield Measurement(f"over-{slug(name)}", *mean_over_seeds(leads))
    lab.figures["controls"] = draw_scores(scores, "points a game against V")


def measure_agents(snapshots: Sequence[Snapshot]) -> Iterator[Measurement]:
    """Report the match from held-out boards, and how many specialists were replaced."""
    found = [MapProgress.of(one) for one in snapshots]
    held_out = [one.result["score"] for one in found if one.result]
    yield Measurement("held-out", *score_over_seeds(held_out))
    shares = [sum(not each.plays for each in one.specialists) for one in found]
    count = len(found[0].specialists)
    note = f"{', '.join(map(str, shares))} of {count}"
    yield Measurement("replaced", *score_over_seeds([one / count for one in shares]), note)


EXPERIMENT = register(
    Experiment(
        SYSTEM,
        "Duarte, Julia, Barcelos & Otsuka, MP-Draughts, 2009, table I",
        CLAIMS,
        measure,
        "VisionDraughts (V), NeuroDraughts (N) and MP-Draughts (MP) meet, and controls with equal "
        "games show what the map, its clusters and the kept choice are worth.",
        f"The run is the unit: a training, and {2 * PAIRS} games a match from the openings "
        f"{REPORT}, V and MP at depth {DEPTH}, N at depth {NEURODRAUGHTS_DEPTH} without "
        "quiescence. Runs of one number have the same boards and openings in all arms, and V "
        "against N too, so that differences are of pairs. MP is at least as good as V if all of "
        "the interval of its points is one half or more. Maps are made of one half of a run's "
        "boards, by which attributes and units are chosen, and judged by the other half.",
        judges_quick=False,
    )
)
