"""The champion's rounds: the same for any workers, resumable anywhere, and better by the round."""

from __future__ import annotations

import shutil
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from crossboard.arena.elo import Elo
from crossboard.evaluators import NetPhase, SmallNet
from crossboard.farm.executors import threads
from crossboard.learn import Schooling, Snapshot
from crossboard.players import Player, load_player
from crossboard.systems.champion import ChampionRecipe, describe, draw, learn, player_of
from crossboard.systems.champion_rounds import POSITIONS, Point, RoundState, net_of, own_of
from crossboard.systems.recipes import find_recipe
from crossboard.systems.training import Training

TINY = ChampionRecipe(
    games=50,
    round_games=(16, 20),
    nodes=(60, 80),
    kept_rounds=1,
    block_games=8,
    hidden=8,
    second=8,
    passes=2,
    batch=64,
    match_pairs=1,
    match_nodes=50,
)


def train(
    settings: ChampionRecipe,
    folder: Path,
    *,
    workers: int = 2,
    start: Snapshot | None = None,
    steps: int | None = None,
) -> list[Snapshot]:
    with ThreadPoolExecutor(workers) as executor:
        schooling = Schooling(3, executor, workers, start, folder=folder)
        return list(islice(learn(settings, schooling), steps))


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> list[Snapshot]:
    return train(TINY, tmp_path_factory.mktemp("whole"))


def same(one: Snapshot, other: Snapshot) -> bool:
    arrays = one.arrays.keys() == other.arrays.keys() and all(
        one.arrays[name].tobytes() == other.arrays[name].tobytes() for name in one.arrays
    )
    return arrays and one.plain == other.plain and one.games == other.games


def test_rounds_play_fit_and_meet(whole: list[Snapshot]) -> None:
    curve = RoundState.of(whole[-1]).curve
    assert [one.number for one in curve] == [1, 2, 3]
    assert [one.games for one in curve] == [16, 36, 50]
    assert whole[-1].games == 50
    passes = [one.measured["pass"] for one in whole if "pass" in one.measured]
    assert passes == [1, 2] * 3
    nodes = [one.measured["nodes"] for one in whole if "labels" in one.measured]
    assert max(nodes[:2]) <= 60 < min(nodes[2:]) <= 80


def test_any_number_of_workers_trains_alike(whole: list[Snapshot], tmp_path: Path) -> None:
    alone = train(TINY, tmp_path, workers=1)
    assert len(alone) == len(whole)
    assert all(same(one, other) for one, other in zip(alone, whole, strict=True))


def test_it_resumes_after_every_step(whole: list[Snapshot], tmp_path: Path) -> None:
    last, steps = None, 0
    while steps < len(whole):
        (last,) = train(TINY, tmp_path, start=last, steps=1, workers=1 + steps % 2)
        assert same(last, whole[steps])
        steps += 1
    assert train(TINY, tmp_path, start=last) == []


def test_labels_of_rounds_that_are_over_are_removed(tmp_path: Path) -> None:
    train(TINY, tmp_path)
    left = sorted(path.name for path in (tmp_path / POSITIONS).iterdir())
    assert {name[:10] for name in left} == {"round-0003"}


def test_missing_labels_are_named(whole: list[Snapshot], tmp_path: Path) -> None:
    # Two blocks of games were played; their labels are gone.
    with pytest.raises(OSError, match="round-0001-00001"):
        train(TINY, tmp_path, start=whole[1])


def test_the_player_is_the_last_net_that_was_kept(whole: list[Snapshot]) -> None:
    player = player_of(TINY, whole[-1], "one")
    net = player.evaluator
    assert isinstance(net, SmallNet)
    kept = np.round(net.floats.reshape(4, -1), 2)
    assert np.allclose(kept, np.round(whole[-1].arrays["net"], 2), atol=0.011)


def test_the_untaught_net_teaches_by_results_alone(tmp_path: Path) -> None:
    plan = TINY.rounds()
    assert [plan.share_of(number) for number in range(3)] == [0.0, 0.7, 0.7]
    assert [plan.labelling(number).samples for number in range(3)] == [0, 1, 1]
    begun = TINY.model_copy(update={"begin_with": "somewhere"}).rounds()
    # A taught net learns from searches alone, in smaller steps.
    assert begun.share_of(0) == 1.0
    assert begun.fit_of(0).rate < plan.fit_of(0).rate
    assert (begun.round_games, begun.nodes) == ((20,), (80,))


def test_a_worse_net_is_dropped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def lose(*_: object) -> Elo:
        return Elo(-100.0, -150.0, -50.0)

    monkeypatch.setattr("crossboard.systems.champion_rounds._Desk._meet", lose)
    snapshots = train(TINY, tmp_path)
    nets = {one.arrays["net"].tobytes() for one in snapshots}
    assert len(nets) == 1
    assert [one.is_kept for one in RoundState.of(snapshots[-1]).curve] == [False] * 3


def test_it_begins_with_another_players_net(whole: list[Snapshot], tmp_path: Path) -> None:
    player_of(TINY, whole[-1], "before").save(tmp_path / "before")
    settings = TINY.model_copy(update={"begin_with": str(tmp_path / "before")})
    net = load_player(tmp_path / "before").evaluator
    assert isinstance(net, SmallNet)
    assert settings.begin(1).net.tobytes() == net.floats.tobytes()


def test_what_made_the_net_it_began_with_is_told(whole: list[Snapshot], tmp_path: Path) -> None:
    folder = tmp_path / "before"
    first = training(TINY, "crossboard train champion --seed 1").player(whole[-1])
    first.save(folder)
    settings = TINY.model_copy(update={"begin_with": str(folder)})
    (begun,) = train(settings, tmp_path, steps=1)
    shutil.rmtree(folder)  # later steps do not need it
    (later,) = train(settings, tmp_path, start=begun, steps=1)
    second = training(settings, "crossboard train champion --seed 2").player(later)
    own = "crossboard train champion --seed 2: 0 games, "  # no round was finished
    assert second.about["made_by"].startswith(f"{first.about['made_by']}; {own}")


def test_games_of_a_player_are_those_that_taught_it(whole: list[Snapshot], tmp_path: Path) -> None:
    curve = RoundState.of(whole[-1]).curve
    games = max(one.games for one in curve if one.is_kept)
    made_by = training(TINY, "a command").player(whole[-1]).about["made_by"]
    assert made_by.startswith(f"a command: {games} games, ")
    # So many games make the same net.
    again = train(TINY.model_copy(update={"games": games}), tmp_path)[-1]
    assert again.arrays["net"].tobytes() == whole[-1].arrays["net"].tobytes()


def training(
    settings: ChampionRecipe, command: str, folder: Path = Path("nowhere"), **more: Any
) -> Training:
    return Training(find_recipe("champion"), settings, 3, folder, command, **more)


@pytest.mark.parametrize("steps", [3, 4, 5, 6, 9])
def test_time_that_is_up_ends_with_the_last_round_that_was_finished(
    steps: int, whole: list[Snapshot], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A clock by steps: blocks and passes, two of each in a round, and a match.
    asked: list[bool] = []

    def is_late(_: object) -> bool:
        asked.append(len(asked) + 1 >= steps)
        return asked[-1]

    monkeypatch.setattr("crossboard.systems.training._Lesson._is_late", is_late)
    lesson = training(TINY, "", tmp_path / "run", seconds=1.0, has_report=False)
    with threads(1) as farm:
        lesson.conduct(farm)
    assert len(asked) == steps  # it ended at once
    player = load_player(tmp_path / "run" / "player")
    ends: list[Any] = [one.arrays["net"] for one in whole[:steps] if "kept" in one.measured]
    assert len(ends) == (steps >= 5)
    assert player.evaluator == net_of(TINY.form(), [TINY.begin(3).net, *ends][-1])


@pytest.mark.parametrize("change", [{"hidden": 16}, {"phases": (NetPhase(),)}])
def test_the_net_to_begin_with_has_the_same_form(tmp_path: Path, change: dict[str, Any]) -> None:
    form = {"hidden": 8, "second": 8, **change}
    Player("before", SmallNet.zero(**form)).save(tmp_path / "before")
    with pytest.raises(ValueError, match=r"begin_with: .* has <SmallNet .*, not <SmallNet 128-8"):
        TINY.model_copy(update={"begin_with": str(tmp_path / "before")}).begin(1)


def test_the_run_builds_its_endgame_tables(tmp_path: Path) -> None:
    settings = TINY.model_copy(update={"table_pieces": 2})
    (first,) = train(settings, tmp_path, steps=1)
    files = {path.name: path.stat().st_mtime_ns for path in (tmp_path / "tables").glob("*-*")}
    assert files
    train(settings, tmp_path, start=first, steps=1)  # finds them
    assert files == {p.name: p.stat().st_mtime_ns for p in (tmp_path / "tables").glob("*-*")}


def test_a_round_ends_when_its_share_of_the_disk_is_full(tmp_path: Path) -> None:
    settings = TINY.model_copy(update={"round_labels": 500})
    state = RoundState.of(train(settings, tmp_path)[-1])
    assert state.games == 50
    # At least the block that fills it, and none after that.
    assert len(state.labels) > len(TINY.round_games) + 1
    assert all(labels >= 500 for labels in state.labels[:-1])
    assert all(labels * (blocks - 1) / blocks < 500 for labels, blocks in counted(state))


def counted(state: RoundState) -> list[tuple[int, int]]:
    return list(zip(state.labels, state.blocks, strict=True))


@pytest.mark.parametrize("name", ["material", "treestrap"])
def test_it_begins_with_no_other_kind_of_player(name: str) -> None:
    settings = TINY.model_copy(update={"begin_with": name})
    with pytest.raises(ValueError, match=f"begin_with: {name} has"):
        find_recipe("champion").check(settings)


def test_sizes_must_fit_the_player_to_begin_with(whole: list[Snapshot], tmp_path: Path) -> None:
    player_of(TINY, whole[-1], "before").save(tmp_path / "before")
    settings = ChampionRecipe(begin_with=str(tmp_path / "before"))
    with pytest.raises(ValueError, match=r"128-8-8-1.*not.*128-128-32-1"):
        settings.begin(1)


def test_numbers_by_round_stay_at_the_last() -> None:
    assert [own_of((3, 5), place) for place in range(4)] == [3, 5, 5, 5]


def test_the_curve_is_drawn_and_written(whole: list[Snapshot]) -> None:
    figure = draw(TINY, whole[-1])["curve"]
    assert figure.axes[0].get_xlabel() == "training games"
    least = min(one.rival.elo for one in RoundState.of(whole[-1]).curve)
    # Intervals that reach far below hide nothing.
    assert least - 100 < figure.axes[0].get_ylim()[0] < least
    table = describe(TINY, whole[-1])
    assert table.count("\n") == 4
    assert "| 3 | 50 |" in table
    dropped = Point(1, 9, 9, 0.5, Elo(-9, -10, -8), Elo(0, -1, 1), False)
    state = replace(RoundState.of(whole[-1]), curve=(dropped,))
    assert "dropped" in describe(TINY, state.snapshot({}))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"nodes": (0,)}, "above 0"),
        ({"table_pieces": 1}, "not 1"),
        ({"hidden": 12}, "a multiple of 8"),
        ({"shares": (0.5, 2)}, "shares"),
        ({"rates": (0.1, 0)}, "rates"),
    ],
)
def test_settings_make_sense(change: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        ChampionRecipe.checked(change)


def test_the_untaught_net_takes_all_for_even() -> None:
    player = Player("none", TINY.form())
    assert isinstance(player.evaluator, SmallNet)
    assert not player.evaluator.floats.any()
    first = TINY.begin(5).net
    assert first.any()
    assert not first[:, -(8 + 128 + 1) :].any()
