"""DRAFT5-GA: the same pool anywhere, resumed anywhere, and settings that make no sense."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from crossboard.cli import commands
from crossboard.draughts import Position
from crossboard.learn import Schooling, Snapshot
from crossboard.learn.individuals import History
from crossboard.players import load_player
from crossboard.runs import Run
from crossboard.systems import exams
from crossboard.systems.draft5_ga import (
    BOX,
    EVOLVING_MAN,
    PIECE,
    PUBLISHED,
    ROW_OF_1997,
    TUNED,
    conclude,
    evolved_player,
    evolving_player,
    judge_pool,
    learn,
    player_of,
)

# Four generations of a small pool.
SMALL = ("pool=6", "generations=4", "look_ahead=1", "exam_every=0")
SMALL += ("method=genetic", "mutations=3")
KINDS: dict[str, tuple[str, ...]] = {
    "published": ("openings=0", "draw_points=0"),
    "genetic": (),
    "cma": ("method=cma",),
    "hill-climbing": ("method=hill-climbing",),
    "random": ("method=random",),
    "knock-out": ("form=knock-out",),
    "hall of fame": ("hall=2",),
}


def schooled(kind: str, workers: int = 1, start: Snapshot | None = None) -> Iterator[Snapshot]:
    settings = TUNED.with_changes([*SMALL, *KINDS[kind]])
    with ThreadPoolExecutor(workers) as executor:
        yield from learn(settings, Schooling(3, executor, workers, start))


@lru_cache
def whole(kind: str) -> list[Snapshot]:
    return list(schooled(kind))


def check_same(one: list[Snapshot], other: list[Snapshot]) -> None:
    assert len(one) == len(other) > 0
    for first, second in zip(one, other, strict=True):
        assert first.arrays.keys() == second.arrays.keys()
        for name, array in first.arrays.items():
            assert array.tobytes() == second.arrays[name].tobytes(), name
        assert (first.games, first.plain, first.measured) == (
            second.games,
            second.plain,
            second.measured,
        )


@pytest.mark.parametrize("kind", KINDS)
def test_the_pool_does_not_depend_on_workers(kind: str):
    for workers in (2, 3):
        check_same(list(schooled(kind, workers)), whole(kind))


@pytest.mark.parametrize("kind", KINDS)
def test_stopped_at_any_generations_it_evolves_the_same_pool(kind: str):
    random = Random(kind)
    found: list[Snapshot] = []
    while len(found) < 4:
        start = found[-1] if found else None
        for count, snapshot in enumerate(schooled(kind, start=start), 1):
            found.append(snapshot)
            if count == random.randint(1, 2):
                break
    check_same(found, whole(kind))


@pytest.mark.parametrize(
    ("kind", "games"), [("genetic", 30), ("knock-out", 10), ("published", 30), ("cma", 30)]
)
def test_games_are_counted_as_they_are_played(kind: str, games: int):
    assert [snapshot.games for snapshot in whole(kind)] == [games * n for n in (1, 2, 3, 4)]


def test_past_winners_cost_games():
    # Each of six meets up to two of them, with either colour.
    assert [snapshot.games for snapshot in whole("hall of fame")] == [30, 72, 126, 180]


def test_generations_set_the_games():
    assert TUNED.with_changes(["generations=3"]).games == 3 * 870
    assert TUNED.with_changes(["generations=3"]).all_generations == 3
    assert PUBLISHED.games == 43_500
    assert PUBLISHED.all_generations == TUNED.all_generations == 50
    assert len(whole("genetic")) == 4


def test_fitness_begins_at_nothing_in_each_generation():
    """From the start position the same pool has the same points, whatever came before."""
    settings = PUBLISHED.with_changes([*SMALL])
    history = History.of(whole("published")[-1].arrays)
    with ThreadPoolExecutor(1) as executor:
        schooling, strategy = Schooling(3, executor), settings.strategy(3)
        for before in (History(), history):
            points = judge_pool(settings, schooling, strategy, history.last.pool, before)
            assert tuple(points) == history.last.fitness
    assert all(max(each.fitness) <= 10 for each in history)


def test_each_generation_has_an_opening_of_its_own(monkeypatch: pytest.MonkeyPatch):
    from crossboard.systems import draft5_ga

    met = [draft5_ga.pool_terms(TUNED, 3, generation).openings for generation in range(6)]
    assert all(len(one) == 1 for one in met)
    assert len({str(one) for one in met}) == 6
    more = TUNED.with_changes(["openings=3"])
    assert len(draft5_ga.pool_terms(more, 3, 0).openings) == 3
    start = draft5_ga.pool_terms(PUBLISHED, 3, 5).openings
    assert [(one.start, one.moves) for one in start] == [(Position(), ())]


def test_the_elite_is_in_every_next_pool():
    for kind in ("published", "genetic", "knock-out", "hall of fame"):
        for one, following in pairwise(History.of(whole(kind)[-1].arrays)):
            assert following.pool[-1] == one.best


def test_the_row_of_1997_is_a_point_of_the_box():
    assert BOX.check(ROW_OF_1997) == ROW_OF_1997
    assert len(BOX) == 12
    assert evolved_player(ROW_OF_1997, "row").evaluator.weights[1] == 1590


def test_the_player_has_the_weights_of_the_last_winner():
    last = whole("genetic")[-1]
    settings = TUNED.with_changes([*SMALL])
    best = History.of(last.arrays).last.best.genes
    player = player_of(settings, last, "best")
    assert tuple(player.evaluator.weights) == best
    words = conclude(settings, last).removeprefix("Weights of the winner: ").split(", ")
    assert words == [f"{name} {weight}" for name, weight in zip(BOX.names, best, strict=True)]
    # In its pool it judges by one measure for all, here in men of its own: the moves are the same.
    rival, position = evolving_player(best), Position().after("11-15")
    values = [each.search(position, depth=3).value for each in (player, rival)]
    assert values[0] == pytest.approx(values[1] * EVOLVING_MAN / best[PIECE], abs=0.02)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        (["pool=1"], "pool: Input should be greater than or equal to 2, not 1"),
        (["pool=0"], "pool: Input should be greater than or equal to 2, not 0"),
        (["mutations=-1"], "mutations: Input should be greater than or equal to 0, not -1"),
        (["elites=16"], "elites are at most half of a pool of 30, not 16"),
        (["elites=-1"], "elites: Input should be greater than or equal to 0, not -1"),
        (["games=869"], "games: a generation has 870, more than 869"),
        (["games=1739", "openings=2"], "games: a generation has 1740, more than 1739"),
        (["look_ahead=0"], "look_ahead: Input should be greater than or equal to 1, not 0"),
        (["draw_points=1.5"], "draw_points: Input should be less than or equal to 1, not 1.5"),
        (["method=annealing"], "method: Input should be 'genetic', 'cma', 'hill-climbing' or"),
        (["selection=best"], "selection: Input should be 'truncation', 'tournament', 'rank' or"),
        (["crossover=two"], "crossover: Input should be 'one-point' or 'uniform', not 'two'"),
        (["form=swiss"], "form: Input should be 'round-robin' or 'knock-out', not 'swiss'"),
        (["form=knock-out", "hall=3"], "hall: past winners take part in a round robin alone"),
        (["inoculated=[[1, 2]]"], "12 genes are needed, not 2"),
        (
            [f"inoculated=[{[1201, *ROW_OF_1997[1:]]}]"],
            "gene piece is 1201: it goes from 0 to 1200",
        ),
        (
            [f"inoculated=[{[*ROW_OF_1997[:-1], -1]}]"],
            "gene move is -1: it goes from 0 to 240",
        ),
        (["pool=2", f"inoculated={[[*ROW_OF_1997]] * 3}"], "a pool of 2 has no room for 3 known"),
        (["inoculated=3"], "inoculated: Input should be a list in brackets, not 3"),
        (["generations=-1"], "generations: Input should be greater than or equal to 0, not -1"),
        (["generations=many"], "generations: Input should be a valid integer"),
        (["pool=many", "generations=3"], "pool: Input should be a valid integer"),
        (["poll=3"], "there is no key 'poll': did you mean pool?"),
    ],
)
def test_settings_that_make_no_sense_are_told_in_one_line_and_leave_nothing(
    changes: list[str], words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    options = [word for change in changes for word in ("--set", change)]
    code = commands.run(["train", "draft5-ga", *options, "--run", str(tmp_path / "run")])
    out, err = capsys.readouterr()
    assert (code, out) == (2, "")
    assert words in err
    assert err.startswith("crossboard: ")
    assert err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        (["games=9000", "generations=3"], "games has no effect here: generations says how many"),
        (["method=cma", "mutations=3"], "mutations has no effect here: it is for method=genetic"),
        (["form=knock-out", "draw_points=1"], "draw_points has no effect here: a knock-out"),
        (
            ["openings=0", "opening_source=ballots"],
            "opening_source has no effect here: it is for openings=1 or more",
        ),
    ],
)
def test_settings_without_effect_are_refused(changes: list[str], words: str):
    settings = TUNED.with_changes(changes)
    with pytest.raises(ValueError, match=words):
        settings.refuse_idle([change.partition("=")[0] for change in changes])


def train(folder: Path, *more: str) -> int:
    changes = [word for change in SMALL for word in ("--set", change)]
    return commands.run(["train", "draft5-ga", *changes, "--run", str(folder), *more])


def test_a_run_keeps_its_history_and_its_player_and_is_resumed_as_it_began(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr(exams, "FINAL_GAMES", 2)
    folder = tmp_path / "run"
    assert train(folder, "--seed", "3") == 0
    run = Run.open(folder)
    checkpoint = run.latest()
    assert checkpoint is not None
    check = whole("genetic")[-1]
    assert checkpoint.step == check.games
    for name, array in check.arrays.items():
        assert checkpoint.tensors[name].tobytes() == array.tobytes()
    best = History.of(check.arrays).last.best.genes
    assert tuple(load_player(folder / "player").evaluator.weights) == best
    for figure in ("fitness", "weights", "ratio", "family"):
        assert f"![{figure}]({figure}.svg)" in (folder / "report.md").read_text()
        assert (folder / f"{figure}.svg").stat().st_size > 1000
    capsys.readouterr()
    assert train(folder, "--seed", "3", "--resume", "--set", "pool=8") == 2
    err = capsys.readouterr().err
    # What was asked for, and what follows from it.
    assert "the run has games = 120, not 224; pool = 6, not 8: resume it" in err
    assert err.count("\n") == 1
    assert train(folder, "--seed", "4", "--resume") == 2
    assert "the run has seed = 3, not 4" in capsys.readouterr().err
