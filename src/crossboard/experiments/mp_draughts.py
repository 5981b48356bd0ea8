"""The experiment `mp-draughts`: the paper's table, controls for its idea, and what maps explain."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from crossboard.arena.bootstrap import (
    Interval,
    difference_over_seeds,
    mean_over_seeds,
    score_over_seeds,
    share_of_seeds,
)
from crossboard.arena.elo import expected_score
from crossboard.arena.match import MatchResult, Terms, play_match
from crossboard.arena.openings import REPORT, openings
from crossboard.arena.score import Tally
from crossboard.experiments.claims import Claim, Measurement, Relation
from crossboard.experiments.comparison import draw_scores, train_seeds
from crossboard.experiments.experiment import Experiment, Lab, register
from crossboard.learn import Snapshot
from crossboard.players import Player, SearchLimits, load_player, material_balance
from crossboard.systems.board_maps import (
    NAMED_OPTIONS,
    NUMBERS_OF_UNITS,
    MapOptions,
    choose_units,
    explained_by,
    judge_map,
)
from crossboard.systems.map_evolution import GENERATIONS, choose_attributes
from crossboard.systems.mp_settings import QUICK, TUNED, MpDraughtsSettings
from crossboard.systems.mp_stages import MapProgress, make_player
from crossboard.systems.recipes import find_recipe
from crossboard.systems.trained import latest_snapshot

SYSTEM = "mp-draughts"
# Raised when the same settings and seed begin to give other players.
EDITION = 1
RUNS, QUICK_RUNS = 3, 2
PAIRS, QUICK_PAIRS = 200, 10
QUICK_GENERATIONS = 2  # of the evolution of a map's attributes
MATCH_SEED = 2009
# NeuroDraughts' four plies are those of D-VisionDraughts 2011, its successors' those of our
# matches; NeuroDraughts plays no captures out.
DEPTH, NEURODRAUGHTS_DEPTH = 8, 4
V, N, MP = "V", "N", "MP"


class Published(NamedTuple):
    """A column of the paper's table I: of twenty games."""

    one: str
    other: str
    wins: int
    losses: int
    draws: int
    loops: int

    @property
    def name(self) -> str:
        return f"{self.one.lower()}-{self.other.lower()}"

    @property
    def games(self) -> int:
        return self.wins + self.losses + self.draws

    @property
    def score(self) -> Interval:
        """The points a game, with the 95 % interval of so few games."""
        points = (self.wins + self.draws / 2) / self.games
        variance = (self.wins + self.draws / 4) / self.games - points**2
        reach = 1.96 * (variance / self.games) ** 0.5
        return Interval(points, points - reach, points + reach)


TABLE = (
    Published(V, N, 10, 1, 9, 5),
    Published(MP, N, 14, 3, 3, 0),
    Published(MP, V, 10, 6, 4, 2),
)
# The arms that are trained, each with the games of all agents, and what they change.
ARMS: dict[str, dict[str, object]] = {
    "map": {},
    "one agent": {"units": 1},
    "random clusters": {"clusters": "random"},
}
# Players of the first arm's agents that play otherwise.
VARIANTS = ("every move", "no replacement")
CONTROLS = (*(name for name in ARMS if name != "map"), *VARIANTS)


def match_claims(published: Published) -> Iterator[Claim]:
    """Yield the claims of a column of the table."""
    who = f"{published.one} against {published.other}"
    where = (
        f"table I: {published.wins} won, {published.losses} lost, {published.draws} drawn, "
        f"{published.loops} loops of {published.games}"
    )
    points = published.score
    yield Claim(
        published.name,
        f"{who}: points",
        points.value,
        points.high - points.value,
        unit="a game",
        where=where,
    )
    loops = share_of_seeds(published.loops, published.games)
    reach = max(loops.high - loops.value, loops.value - loops.low)
    yield Claim(
        f"{published.name}-loops",
        f"{who}: loops",
        loops.value,
        reach,
        unit="of all games",
        where=where,
    )
    yield Claim(
        f"{published.name}-unequal",
        f"{who}: loops with unequal material",
        loops.value,
        relation=Relation.BESIDE,
        unit="of all games",
        where="loops of all kinds: table I",
    )


CLAIMS = (
    *(claim for published in TABLE for claim in match_claims(published)),
    Claim(
        "fewer-loops",
        "loops with unequal material against N: MP less V",
        0.0,
        relation=Relation.AT_MOST,
        unit="of all games",
        where="V: falling into loops though in advantage is what the agents are to cure",
    ),
    Claim(
        "specialists",
        "MP against V",
        0.5,
        relation=Relation.AT_LEAST,
        unit="points a game",
        where="table I: better",
    ),
    *(
        Claim(
            f"{name.replace(' ', '-')}-v",
            f"{name} against V",
            0.5,
            relation=Relation.BESIDE,
            unit="points a game",
            where="a control",
        )
        for name in CONTROLS
    ),
    *(
        Claim(
            f"over-{name.replace(' ', '-')}",
            f"MP less {name}, both against V",
            0.0,
            relation=Relation.BESIDE,
            unit="points a game",
            where="a control",
        )
        for name in CONTROLS
    ),
    Claim(
        "held-out",
        "MP against V from held-out boards",
        0.5,
        relation=Relation.BESIDE,
        unit="points a game",
    ),
    Claim(
        "replaced",
        "specialists that lose to V on validation boards",
        0.0,
        relation=Relation.BESIDE,
        unit="of all",
    ),
    *(
        Claim(
            f"explained-{name.replace(', ', '-')}",
            f"outcomes that clusters explain: {name}",
            0.0,
            relation=Relation.BESIDE,
            unit="of the variance",
        )
        for name in (*NAMED_OPTIONS, "evolved")
    ),
    Claim(
        "units-by-data",
        "units whose clusters predict most of the outcomes of other boards",
        25,
        relation=Relation.BESIDE,
        where="IV.B: 25 units, without a reason",
    ),
)


class Counted(NamedTuple):
    """What a match says of loops beside its score."""

    score: float
    loops: float  # of all games
    unequal: float


def measure(lab: Lab) -> Iterator[Measurement]:
    """Train all arms, play the paper's matches and those of the controls, and measure maps."""
    snapshots = train_all(lab)
    settings = arms(quick=lab.quick)
    v, n = at_match_depth(load_player("visiondraughts")), neurodraughts()
    plain = play(lab, v, n, 0)
    yield from measure_games(TABLE[0], plain)
    players = {
        name: [make_player(settings[name], one, f"{name}-{k}") for k, one in enumerate(each)]
        for name, each in snapshots.items()
    }
    players |= make_variants(settings["map"], snapshots["map"])
    yield from measure_specialists(lab, players["map"], v, n, counted(plain))
    yield from measure_controls(lab, players, v)
    yield from measure_agents(snapshots["map"])
    first, options = snapshots["map"][0], settings["map"].map_options()
    yield from measure_maps(lab, first, options)
    yield measure_units(lab, first, options)


def arms(*, quick: bool) -> dict[str, MpDraughtsSettings]:
    """Return the settings of what is trained, all with equal games."""
    base = TUNED.model_dump() | {"exam_every": 0} | (QUICK if quick else {})
    return {name: MpDraughtsSettings(**{**base, **changes}) for name, changes in ARMS.items()}


def train_all(lab: Lab) -> dict[str, list[Snapshot]]:
    """Train every arm from every seed; return the last snapshots."""
    runs = QUICK_RUNS if lab.quick else RUNS
    trained = train_seeds(lab, find_recipe(SYSTEM), arms(quick=lab.quick), runs, edition=EDITION)
    return {name: [latest_snapshot(one.folder) for one in each] for name, each in trained.items()}


def make_variants(
    settings: MpDraughtsSettings, snapshots: Sequence[Snapshot]
) -> dict[str, list[Player]]:
    """Return the players of the same agents that choose anew, and that replace none."""
    anew = settings.model_copy(update={"keeps": False})
    every = [make_player(anew, one, f"every-{k}") for k, one in enumerate(snapshots)]
    whole = [
        make_player(settings, one, f"whole-{k}", replaces=False) for k, one in enumerate(snapshots)
    ]
    return dict(zip(VARIANTS, (every, whole), strict=True))


def at_match_depth(player: Player) -> Player:
    """Return a player with the depth of the matches as its own limit."""
    return player.with_settings(player.settings, SearchLimits(depth=DEPTH))


def neurodraughts() -> Player:
    """Return NeuroDraughts as it plays here."""
    player = load_player("neurodraughts")
    settings = replace(player.settings, quiescence=False)
    return player.with_settings(settings, SearchLimits(depth=NEURODRAUGHTS_DEPTH))


def play(lab: Lab, one: Player, other: Player, number: int) -> MatchResult:
    """Play a match of two players to their own limits, from other openings for each run."""
    seed = MATCH_SEED + 1000 * lab.seed + number
    pairs = QUICK_PAIRS if lab.quick else PAIRS
    terms = Terms(pairs=pairs, openings=openings(REPORT, seed), rules=one.game.draws, seed=seed)
    result = play_match(one, other, terms, lab.executor, workers=lab.workers)
    lab.tell(f"{one.name} against {other.name}: {result.score.score:.3f}")
    return result


def counted(result: MatchResult) -> Counted:
    """Return the shares of a match."""
    games, loops = result.score.tally.games, result.loops
    unequal = sum(material_balance(game.last) != 0 for game in loops)
    return Counted(result.score.score, len(loops) / games, unequal / games)


def measure_games(published: Published, result: MatchResult) -> Iterator[Measurement]:
    """Measure a match of two given players: the game is the unit."""
    tally, elo = result.score.tally, result.score.elo
    found = counted(result)
    games = tally.games
    note = describe_tally(tally)
    low, high = expected_score(elo.low), expected_score(elo.high)
    yield Measurement(published.name, found.score, low, high, note)
    for name, share in (("loops", found.loops), ("unequal", found.unequal)):
        yield Measurement(f"{published.name}-{name}", *share_of_seeds(round(share * games), games))


def describe_tally(tally: Tally) -> str:
    """Return the results of games in words."""
    return f"{tally.wins} won, {tally.losses} lost, {tally.draws} drawn of {tally.games}"


def measure_specialists(
    lab: Lab, players: Sequence[Player], v: Player, n: Player, plain: Counted
) -> Iterator[Measurement]:
    """Measure the table's other matches: the run is the unit."""
    for published, rival in ((TABLE[1], n), (TABLE[2], v)):
        results = [
            play(lab, at_match_depth(player), rival, number)
            for number, player in enumerate(players)
        ]
        tally = sum((result.score.tally for result in results), Tally())
        note = f"{describe_tally(tally)}; {len(results)} runs"
        found = [counted(result) for result in results]
        scores = score_over_seeds([one.score for one in found])
        yield Measurement(published.name, *scores, note)
        for name in ("loops", "unequal"):
            shares = score_over_seeds([getattr(one, name) for one in found])
            yield Measurement(f"{published.name}-{name}", *shares, note)
        if rival is v:
            yield Measurement("specialists", *scores, note)
        else:
            less = mean_over_seeds([one.unequal - plain.unequal for one in found])
            yield Measurement("fewer-loops", *less, f"V {plain.unequal:.3f} of all games")


def measure_controls(
    lab: Lab, players: Mapping[str, Sequence[Player]], v: Player
) -> Iterator[Measurement]:
    """Let all arms meet V from the same openings."""
    scores = {
        name: [
            play(lab, at_match_depth(player), v, number).score.score
            for number, player in enumerate(each)
        ]
        for name, each in players.items()
    }
    for name in CONTROLS:
        slug = name.replace(" ", "-")
        yield Measurement(f"{slug}-v", *score_over_seeds(scores[name]))
        lead = difference_over_seeds(scores["map"], scores[name])
        yield Measurement(f"over-{slug}", *lead)
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


def measure_units(lab: Lab, snapshot: Snapshot, usual: MapOptions) -> Measurement:
    """Measure how many units the boards of the first run ask for."""
    boards = MapProgress.of(snapshot).boards or []
    numbers = [units for units in NUMBERS_OF_UNITS if units <= len(boards) // 2]
    found = choose_units(boards, usual, lab.seeds(1)[0], numbers)
    best = next(iter(found))
    note = ", ".join(f"{units}: {share:.3f}" for units, share in sorted(found.items()))
    return Measurement("units-by-data", best, best, best, f"variance predicted by {note}")


def measure_maps(lab: Lab, snapshot: Snapshot, usual: MapOptions) -> Iterator[Measurement]:
    """Measure what clusters explain by what the map sees, on the boards of the first run."""
    now = MapProgress.of(snapshot)
    boards, held_out = now.boards or [], now.held_out or []
    seed = lab.seeds(1)[0]
    chosen = choose_attributes(
        boards,
        usual,
        seed,
        lab.learners.map,
        generations=QUICK_GENERATIONS if lab.quick else GENERATIONS,
    )
    options = {**NAMED_OPTIONS, "evolved": replace(usual, features=chosen.features)}
    for name, option in options.items():
        each = replace(option, training=usual.training)
        quality = judge_map(boards, each, seed)
        other = explained_by(held_out, each, seed)
        note = (
            f"predicted for other boards {quality.predicted:.3f}, on held-out boards {other:.3f}; "
            f"{quality.effective_units:.1f} effective units, error down by {quality.fall:.1%}, "
            f"topographic error {quality.topographic:.3f}"
        )
        if name == "evolved":
            note += f"; {len(chosen.features)} features: {', '.join(chosen.features)}"
        claim = f"explained-{name.replace(', ', '-')}"
        yield Measurement(claim, *(quality.explained,) * 3, note)


EXPERIMENT = register(
    Experiment(
        SYSTEM,
        "Duarte, Julia, Barcelos & Otsuka, MP-Draughts, 2009, table I",
        CLAIMS,
        measure,
        "VisionDraughts (V), NeuroDraughts (N) and MP-Draughts (MP) meet, and controls with equal "
        "games show what the map, its clusters and the kept choice are worth.",
        f"The training run is the unit, but for V against N, both shipped players; {2 * PAIRS} "
        f"games a match from the openings {REPORT}, V and MP at depth {DEPTH}, N at depth "
        f"{NEURODRAUGHTS_DEPTH} without quiescence. MP is at least as good as V if all of the "
        "interval of its points is one half or more.",
        judges_quick=False,
    )
)
