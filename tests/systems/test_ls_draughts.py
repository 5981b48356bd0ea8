"""LS-Draughts: features that matter are found, and the same ones however a run is worked on."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from pathlib import Path
from random import Random

import pytest
from far_executor import FarExecutor

from crossboard.evaluators import Network
from crossboard.farm.executors import Farm
from crossboard.learn import Schooling, Snapshot, schooling
from crossboard.learn.individuals import DRAWN, Generation, History, Individual, Pool
from crossboard.learn.variation import draw_a_bit
from crossboard.players import load_player
from crossboard.runs import Run, differences
from crossboard.systems import cohort, exams, feature_nets
from crossboard.systems.feature_figures import (
    Subset,
    compare_pools,
    pareto_front,
    subsets_of,
)
from crossboard.systems.feature_nets import FeatureNets, Lineage
from crossboard.systems.ls_draughts import (
    LYNCH,
    OFFERED,
    PUBLISHED,
    TUNED,
    LsDraughtsSettings,
    evolve_features,
    learn,
)
from crossboard.systems.neurodraughts_files import read_features
from crossboard.systems.recipes import find_recipe
from crossboard.systems.trained import Trained
from crossboard.systems.training import Training

TINY = TUNED.with_changes(
    [
        "pool=4",
        "generations=2",
        "individual_games=4",
        "winner_games=6",
        "openings=1",
        "meeting_depth=1",
        "look_ahead=1",
        "exam_every=0",
        "max_moves=20",
        "test_after=2",
        "round_size=2",
    ]
)
TEN = TUNED.model_copy(update={"features": OFFERED[:10], "pool": 20})
MATTER = (3, 7)


class Killed(Exception):
    """Stands for whatever ends a process."""


@pytest.fixture(autouse=True)
def short_match(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exams, "FINAL_GAMES", 2)


def toy_judge(seed: int) -> Callable[[Pool, History], Sequence[float]]:
    """Two features are worth a tenth each, the others cost a little; and chance has a say."""

    def judge(pool: Pool, history: History) -> Sequence[float]:
        random = Random(f"{seed} {len(history)}")
        return [
            0.1 * sum(one.genes[place] for place in MATTER)
            - 0.01 * sum(one.genes)
            + random.gauss(0.0, 0.05)
            for one in pool
        ]

    return judge


def evolve_toy(settings: LsDraughtsSettings, seed: int) -> tuple[int, ...]:
    """Return the features that an evolution keeps."""
    with ThreadPoolExecutor(1) as executor:
        *_, last = evolve_features(settings, toy_judge(seed), Schooling(seed, executor))
    return settings.strategy().answer(History.of(last.arrays))


@pytest.mark.parametrize("preset", [PUBLISHED, TUNED], ids=["published", "tuned"])
def test_both_features_that_matter_are_kept_in_nine_of_ten_seeds(preset: LsDraughtsSettings):
    settings = preset.model_copy(update={"features": OFFERED[:10]})
    kept = [evolve_toy(settings, seed) for seed in range(1, 11)]
    assert sum(all(genes[place] for place in MATTER) for genes in kept) >= 9
    # All that are drawn at random keep both in a quarter of the cases, and half of the others.
    assert sum(map(sum, kept)) < 10 * (len(MATTER) + 0.45 * 8)


def test_an_empty_subset_is_given_a_feature_and_others_are_left_alone():
    assert sum(draw_a_bit((0,) * 28, Random(1))) == 1
    assert draw_a_bit((0, 1, 1), Random(1)) == (0, 1, 1)
    drawn = {draw_a_bit((0, 0, 0), Random(seed)) for seed in range(20)}
    assert len(drawn) == 3


def test_nobody_sees_nothing_even_if_that_scores_best():
    settings = TEN.model_copy(update={"features": OFFERED[:3]})
    with ThreadPoolExecutor(1) as executor:
        *_, last = evolve_features(
            settings, lambda pool, _: [-sum(one.genes) for one in pool], Schooling(1, executor)
        )
    pools = [one.genes for each in History.of(last.arrays) for one in each.pool]
    assert min(map(sum, pools)) == 1


def test_the_features_on_offer_are_the_familys_28_with_83_bits_lynchs_first():
    assert (len(OFFERED), sum(bits for _, bits in OFFERED)) == (28, 83)
    assert sum(bits for _, bits in OFFERED[:LYNCH]) == 38
    assert OFFERED[0][0] == "ufu.PieceAdvantage"  # which may be dropped as any other
    assert LsDraughtsSettings().all_generations == 15


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("features=[['ufu.Gep', 4]]", "there is no feature 'ufu.Gep'; ufu has PieceAdvantage"),
        ("features=[['ufu.Gap', 4], ['ufu.Gap', 3]]", "ufu.Gap is named twice"),
        ("features=[]", "features: there must be one or more to choose from"),
        (f"weights={[0.5] * 1105}", "weights: nets of other features have others"),
        ("games=39999", "games: a generation has 40000, more than 39999"),
        ("pool=1", "pool: Input should be greater than or equal to 2, not 1"),
        ("mutations=-1", "mutations: Input should be greater than or equal to 0, not -1"),
        ("elites=11", "elites are at most half of a pool of 20, not 11"),
        ("opening_source=ballots:none", "there is no 'ballots:none'"),
    ],
)
def test_what_makes_no_sense_is_refused(change: str, words: str):
    with pytest.raises(ValueError, match=words):
        TUNED.with_changes([change])


@pytest.mark.parametrize("key", ["mapping", "blocks", "keep_files", "network_name"])
def test_settings_of_single_nets_are_named_as_idle(key: str):
    with pytest.raises(ValueError, match=f"{key} has no effect here"):
        TUNED.refuse_idle([key])


def test_generations_say_how_many_games_there_are():
    assert TUNED.with_changes(["generations=3"]).games == 3 * 20 * 2 * 1000
    assert TINY.games == TINY.games_after(2) == 2 * 4 * 2 * 4


def test_names_of_folders_tell_feature_sets_games_and_seeds_apart():
    names = {
        Lineage(genes, games, seed).folder_name
        for genes in ((1, 0, 1), (1, 1, 0))
        for games in (4, 6)
        for seed in (1, 2)
    }
    assert len(names) == 8
    assert Lineage((1, 0, 0, 0, 0, 0, 0, 0, 1), 4, 2).folder_name == "101-4-seed2"


def evolve_tiny(
    executor: Executor, workers: int, folder: Path | None = None, start: Snapshot | None = None
) -> list[Snapshot]:
    given = Schooling(3, executor, workers, start, folder=folder)
    return list(learn(TINY, given))


def same(one: Snapshot, other: Snapshot) -> bool:
    return (one.games, one.measured, one.plain) == (other.games, other.measured, other.plain) and {
        name: array.tobytes() for name, array in one.arrays.items()
    } == {name: array.tobytes() for name, array in other.arrays.items()}


@pytest.fixture(scope="module")
def alone() -> list[Snapshot]:
    """All snapshots of an evolution by one worker, without a folder."""
    with ThreadPoolExecutor(1) as executor:
        return evolve_tiny(executor, 1)


@pytest.mark.parametrize("workers", [2, 3])
def test_workers_make_no_difference(workers: int, alone: list[Snapshot], tmp_path: Path):
    with FarExecutor(workers) as executor:
        together = evolve_tiny(executor, workers, tmp_path)
    assert [one.games for one in alone] == [32, 64]
    assert all(map(same, alone, together))


def test_an_individual_is_trained_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    trained = []
    train_part = cohort.train_part

    def note(one: Training) -> dict[str, bytes]:
        trained.append(one.folder.name)
        return train_part(one)

    monkeypatch.setattr(cohort, "train_part", note)
    with ThreadPoolExecutor(1) as executor:
        found = evolve_tiny(executor, 1, tmp_path)
        again = evolve_tiny(executor, 1, tmp_path)
    history = History.of(found[-1].arrays)
    subsets = {one.genes for each in history for one in each.pool}
    # The elite comes again, so there are fewer than there are places in the pools.
    assert len(subsets) < 2 * TINY.pool
    assert len(trained) == len(set(trained)) == 2 * len(subsets) + 1
    assert all(map(same, found, again))


def test_progress_and_what_is_trained_once_more_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(schooling, "TOLD_SECONDS", 0.0)
    one, other = (Lineage((1, *genes), 2, 1) for genes in ([0] * 27, [1] * 27))
    told = list[str]()
    with ThreadPoolExecutor(1) as executor:
        given = Schooling(1, executor, folder=tmp_path, tell=told.append)
        for lineages in ([one], [one, other]):
            FeatureNets(TINY, given, tmp_path).train(lineages, "generation 1")
        path = tmp_path / feature_nets.FOLDER / one.folder_name / "metrics.jsonl"
        path.write_text("nothing")
        FeatureNets(TINY, given, tmp_path).train([one, other], "generation 2")
    first, second, damage, again = told
    assert first == "generation 1: 0 of 1 nets trained"
    assert second == "generation 1: 1 of 2 nets trained"
    assert damage.startswith(f"{one.folder_name}: trained once more, since it was damaged")
    assert again == "generation 2: 1 of 2 nets trained"


def conduct(folder: Path, *, has_report: bool = False) -> Path:
    training = Training(find_recipe("ls-draughts"), TINY, 3, folder, has_report=has_report)
    with ThreadPoolExecutor(1) as executor:
        training.conduct(Farm(executor, 1), resume=True)
    return folder


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run without a kill."""
    return conduct(tmp_path_factory.mktemp("whole") / "run")


def count_parts(folder: Path) -> int:
    return len(list((folder / feature_nets.FOLDER).iterdir()))


@pytest.mark.parametrize("place", [4, -2, -1], ids=["first pool", "last pool", "winner"])
def test_killed_in_the_midst_of_a_generation_it_ends_as_an_unbroken_one(
    place: int, whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    number = place % count_parts(whole) + 1
    finish, finished = Run.finish, list[str]()

    def die(self: Run) -> None:
        finished.append(self.folder.name)
        if len(finished) == number:
            raise Killed
        finish(self)

    with monkeypatch.context() as patch:
        patch.setattr(Run, "finish", die)
        with pytest.raises(Killed):
            conduct(tmp_path / "broken")
    assert not Run.open(tmp_path / "broken").is_finished
    conduct(tmp_path / "broken")
    assert differences(Run.open(tmp_path / "broken"), Run.open(whole)) == []
    assert count_parts(tmp_path / "broken") == count_parts(whole)


def test_the_player_has_the_kept_features_and_the_report_its_figures(tmp_path: Path):
    conduct(tmp_path / "run", has_report=True)
    last = Run.open(tmp_path / "run").latest()
    assert last is not None
    genes = TINY.strategy().answer(History.of(last.tensors))
    network = load_player(tmp_path / "run" / "player").evaluator
    assert isinstance(network, Network)
    kept = [each for each, bit in zip(OFFERED, genes, strict=True) if bit]
    assert network.mapping.features == kept
    assert read_features(tmp_path / "run" / "kept.ftr").features == kept
    names = ", ".join(name for name, _ in kept)
    told = Trained.read(Run.open(tmp_path / "run")).conclusion
    assert told == f"Features kept, {len(kept)} of 28: {names}"
    winner = TINY.winner(genes, 3).folder_name
    part = load_player(tmp_path / "run" / feature_nets.FOLDER / winner / "player").evaluator
    assert isinstance(part, Network)
    assert network.net.w1.tobytes() == part.net.w1.tobytes()
    report = (tmp_path / "run" / "report.md").read_text()
    for figure in ("features", "pareto", "fitness", "family"):
        assert f"({figure}.svg)" in report
        assert (tmp_path / "run" / f"{figure}.svg").exists()


def test_pareto_fronts_leave_out_what_a_smaller_one_equals():
    points = [(3, 0.5), (1, 0.2), (2, 0.2), (3, 0.6), (4, 0.6), (5, 0.9)]
    assert pareto_front(points) == [(1, 0.2), (3, 0.6), (5, 0.9)]


def test_subsets_count_once_and_their_points_are_those_of_the_last_pool(alone: list[Snapshot]):
    history = History.of(alone[-1].arrays)
    found = subsets_of(history, OFFERED)
    assert len(found) == len({one.genes for each in history for one in each.pool})
    best = history.last.best.genes
    score = compare_pools(history)[best]
    assert Subset(sum(best), TINY.bits_of(best), score) in found
    odds = [log_odds(compare_pools(history)[one.genes]) for one in history.last.pool]
    assert sum(odds) == pytest.approx(0, abs=1e-9)


def test_pools_are_compared_by_those_who_were_in_both():
    # The second pool is as much stronger as its weakest is worse there than in the first: at odds
    # of 3 to 1 against a pool that has 2 to 3, the odds of the other are 2 to 27.
    first = Generation((individual(1, 0), individual(0, 1)), (0.75, 0.25))
    second = Generation((individual(1, 0), individual(1, 1)), (0.4, 0.6))
    found = compare_pools(History([first, second]))
    assert found == pytest.approx({(1, 0): 2 / 5, (0, 1): 2 / 29, (1, 1): 3 / 5})


def test_points_of_all_games_or_none_can_be_compared():
    pool = (individual(1, 0), individual(0, 1))
    found = compare_pools(History([Generation(pool, (1.0, 0.0))]))
    assert 0 < found[0, 1] < 0.5 < found[1, 0] < 1


def log_odds(points: float) -> float:
    return math.log(points / (1 - points))


def individual(*genes: int) -> Individual:
    return Individual(0, genes, DRAWN, 0)
