"""The experiment `ls-draughts`: features that evolution keeps against Lynch's, and against all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from statistics import mean
from typing import TYPE_CHECKING, NamedTuple

from crossboard.arena.bootstrap import mean_over_seeds, score_over_seeds
from crossboard.experiments.claims import Claim, Measurement, Relation
from crossboard.experiments.comparison import (
    EXAM_OPENINGS,
    FOLDER,
    OWN_DEPTH,
    at_depth,
    meet,
    train_parts,
    train_seeds,
)
from crossboard.experiments.experiment import Experiment, Lab, register
from crossboard.learn.individuals import History
from crossboard.systems.cohort import part
from crossboard.systems.feature_figures import (
    Subset,
    draw_fronts,
    draw_removals,
    draw_survival,
    subsets_of,
)
from crossboard.systems.feature_nets import Features, settings_of_net
from crossboard.systems.ls_draughts import LYNCH, OFFERED, TUNED, LsDraughtsSettings
from crossboard.systems.recipes import DEFAULT_SYSTEM, find_recipe
from crossboard.systems.trained import Trained, latest_snapshot

if TYPE_CHECKING:
    from crossboard.players import Player

SYSTEM = "ls-draughts"
# Raised when the same settings and seed begin to give other weights.
EDITION = 1
MATCH_SEED = 2007
LYNCHS, ALL = "lynch", "all"
LYNCH_BITS = sum(bits for _, bits in OFFERED[:LYNCH])
ALL_BITS = sum(bits for _, bits in OFFERED)
# 2 won and 5 drawn of 7; the tolerance is the 95 % interval of so few games.
SCORE, SCORE_TOLERANCE = 0.643, 0.226
WHERE = "MP-Draughts 2009, II"


class ExperimentSize(NamedTuple):
    """How large an experiment is."""

    runs: int
    pairs: int  # of games of each match
    changes: tuple[str, ...] = ()  # of the preset


FULL = ExperimentSize(5, 200)
QUICK = ExperimentSize(
    2,
    20,
    (
        "pool=10",
        "generations=4",
        "individual_games=400",
        "winner_games=1500",
        "mutations=10",
    ),
)

CLAIMS = (
    Claim(
        "neurodraughts",
        "points a game against a net of Lynch's 12 features",
        SCORE,
        SCORE_TOLERANCE,
        where=f"{WHERE}: 2 won, 5 drawn of 7",
    ),
    Claim(
        "better",
        "LS-Draughts beats NeuroDraughts",
        0.5,
        relation=Relation.AT_LEAST,
        unit="points a game",
        where=WHERE,
    ),
    Claim(
        "features",
        "features kept: a more concise set than NeuroDraughts'",
        LYNCH,
        relation=Relation.AT_MOST,
        unit="features",
        where=WHERE,
    ),
    Claim(
        "bits",
        "bits of the features kept, beside NeuroDraughts'",
        LYNCH_BITS,
        relation=Relation.BESIDE,
        unit="bits",
        where="NeuroDraughts 1997, appendix A",
    ),
    Claim(
        "all-features",
        "points a game against a net of all 28 features",
        0.5,
        relation=Relation.UNPUBLISHED,
        unit="points a game",
    ),
    Claim(
        "removal",
        "points a game that a kept feature is worth: above one half, against a net without it",
        0.0,
        relation=Relation.UNPUBLISHED,
        unit="points a game",
    ),
)


class ChosenFeatures(NamedTuple):
    """What one evolution has kept, and all that it has judged."""

    trained: Trained
    kept: Features
    subsets: list[Subset]

    @property
    def bits(self) -> int:
        return sum(bits for _, bits in self.kept)


def measure(lab: Lab) -> Iterator[Measurement]:
    """Evolve from several seeds, train rivals as long as the winners, and let them meet."""
    size = QUICK if lab.quick else FULL
    settings = TUNED.with_changes(size.changes)
    chosen = evolve_all(lab, settings, size.runs)
    scores = meet_rivals(lab, settings, chosen, size.pairs)
    draw(lab, chosen, scores)
    note = (
        f"{size.runs} runs; each winner and each rival learns from {settings.winner_games} games, "
        f"{2 * size.pairs} games a match from {EXAM_OPENINGS} at depth {OWN_DEPTH}"
    )
    against = score_over_seeds([one[LYNCHS] for one in scores])
    yield Measurement("neurodraughts", *against, note)
    yield Measurement("better", *against, note)
    sizes = mean_over_seeds([float(len(one.kept)) for one in chosen]).within(1, len(OFFERED))
    yield Measurement("features", *sizes, f"{note}; {format_survivors(chosen)}")
    bits = mean_over_seeds([float(one.bits) for one in chosen]).within(1, ALL_BITS)
    yield Measurement("bits", *bits, note)
    yield Measurement("all-features", *score_over_seeds([one[ALL] for one in scores]), note)
    losses = [worth for one in scores if (worth := mean_worth(one)) is not None]
    if losses:
        told = f"{note}; the mean over the features that a run keeps"
        found = mean_over_seeds(losses).within(-0.5, 0.5)
        yield Measurement("removal", *found, told)


def evolve_all(lab: Lab, settings: LsDraughtsSettings, runs: int) -> list[ChosenFeatures]:
    """Evolve features from every seed, each in a run of its own below the experiment's."""
    arms = {"evolution": settings}
    trained = train_seeds(lab, find_recipe(SYSTEM), arms, runs, edition=EDITION)
    return [read_chosen(one) for one in trained["evolution"]]


def read_chosen(trained: Trained) -> ChosenFeatures:
    """Read what a finished evolution has left."""
    history = History.of(latest_snapshot(trained.folder).arrays)
    kept = tuple(trained.network.mapping.features)
    return ChosenFeatures(trained, kept, subsets_of(history, OFFERED))


def meet_rivals(
    lab: Lab, settings: LsDraughtsSettings, chosen: Sequence[ChosenFeatures], pairs: int
) -> list[dict[str, float]]:
    """Return each winner's points a game against every rival of its seed, by the rival's name."""
    recipe = find_recipe(DEFAULT_SYSTEM)
    parts = {
        f"{name}-{number}": part(
            lab.folder / FOLDER / f"{name}-{number}",
            recipe,
            settings_of_net(settings, features, settings.winner_games),
            one.trained.seed,
            edition=EDITION,
        )
        for number, one in enumerate(chosen)
        for name, features in rivals_of(one.kept).items()
    }
    rivals = train_parts(lab, parts)
    scores = []
    for number, one in enumerate(chosen):
        names = list(rivals_of(one.kept))
        players = {name: player_of(rivals[f"{name}-{number}"]) for name in names}
        scores.append(
            lab.kept(
                f"scores-{number}.json",
                partial(play_all, lab, one.trained, players, pairs),
                told=(EDITION, settings, one.trained.seed, names, pairs),
            )
        )
        found = ", ".join(f"{score:.3f} against {name}" for name, score in scores[-1].items())
        lab.tell(f"evolution {number}: {found}")
    return scores


def play_all(
    lab: Lab, winner: Trained, rivals: Mapping[str, Player], pairs: int
) -> dict[str, float]:
    """Return a winner's points a game against every rival, by the rival's name."""
    meet_one = partial(play, player_of(winner), seed=winner.seed, pairs=pairs)
    return dict(zip(rivals, lab.learners.map(meet_one, rivals.values()), strict=True))


def rivals_of(kept: Features) -> dict[str, Features]:
    """Return the opponents of a winner: Lynch's features, all, and its own without each of them."""
    without = {name: tuple(each for each in kept if each[0] != name) for name, _ in kept}
    removed = {f"without-{name}": features for name, features in without.items() if features}
    return {LYNCHS: OFFERED[:LYNCH], ALL: OFFERED, **removed}


def removals_of(scores: Mapping[str, float]) -> dict[str, float]:
    """Return what each kept feature is worth: the points above one half of the net that has it."""
    prefix = "without-"
    return {
        name.removeprefix(prefix): score - 0.5
        for name, score in scores.items()
        if name.startswith(prefix)
    }


def mean_worth(scores: Mapping[str, float]) -> float | None:
    """Return what the kept features of a run are worth in the mean, None if it keeps only one."""
    worths = removals_of(scores).values()
    return mean(worths) if worths else None


def player_of(trained: Trained) -> Player:
    """Return the player of a training as it plays in matches."""
    assert trained.player is not None
    return at_depth(trained.player, OWN_DEPTH)


def play(one: Player, other: Player, *, seed: int, pairs: int) -> float:
    """Return the points a game of one player against another of the same seed."""
    return meet(one, other, pairs, seed=MATCH_SEED + seed)


def draw(lab: Lab, chosen: Sequence[ChosenFeatures], scores: Sequence[Mapping[str, float]]) -> None:
    """Draw which features survive, what they are worth, and what subsets score by their size."""
    kept = [dict(one.kept) for one in chosen]
    shares = {name: mean(name in each for each in kept) for name, _ in OFFERED}
    lab.figures["survival"] = draw_survival(shares, len(chosen))
    worths: dict[str, list[float]] = {}
    for one in scores:
        for name, worth in removals_of(one).items():
            worths.setdefault(name, []).append(worth)
    if worths:
        lab.figures["removal"] = draw_removals(worths)
    lab.figures["pareto"] = draw_fronts(
        [one.subsets for one in chosen], [(len(one.kept), one.bits) for one in chosen]
    )


def format_survivors(chosen: Sequence[ChosenFeatures]) -> str:
    """Return which features every run keeps, and which none does."""
    kept = [{name for name, _ in one.kept} for one in chosen]
    always = [name for name, _ in OFFERED if all(name in each for each in kept)]
    never = [name for name, _ in OFFERED if not any(name in each for each in kept)]
    return f"kept by all: {', '.join(always) or 'none'}; by none: {', '.join(never) or 'none'}"


LS_DRAUGHTS = register(
    Experiment(
        SYSTEM,
        "Neto & Julia 2007, as MP-Draughts 2009, II, summarises it",
        CLAIMS,
        measure,
        "Features chosen by evolution against Lynch's twelve, and against all 28.",
        "An evolution is the unit, and none is selected. Its winner is trained at full length; "
        "nets of Lynch's features, of all, and of its own without one of them are trained from "
        "the same seed by as many games. A figure holds if its 95 % interval, by bootstrap over "
        "the evolutions, lies within that of the paper's 7 games, LS-Draughts is better if it "
        "lies above one half. Matches are from openings that evolution never sees.",
        judges_quick=False,
    )
)
