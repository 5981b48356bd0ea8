"""MP-Draughts: all stages at a small size, stopped anywhere, on any number of workers."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import takewhile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from crossboard.arena.match import Terms, play_match
from crossboard.draughts import Position
from crossboard.evaluators import EvalNet, Network
from crossboard.farm.executors import Farm, threads
from crossboard.learn import Schooling, Snapshot, game_seed
from crossboard.players import Player, load_player
from crossboard.runs import DamagedRun, NotARun, Run, differences
from crossboard.systems import endgame_agents, exams, mp_stages, training, visiondraughts
from crossboard.systems.board_collection import BATCH, Collecting
from crossboard.systems.endgame_agents import (
    EVEN,
    VALIDATION_PLIES,
    Specialist,
    first_network,
    start_board,
    train_agents,
    validation_score,
)
from crossboard.systems.endgame_boards import read_endgame_boards
from crossboard.systems.mp_settings import TUNED, MpDraughtsSettings
from crossboard.systems.mp_stages import (
    MapProgress,
    agent_parts,
    learn,
    make_player,
)
from crossboard.systems.recipes import Recipe, draw_nothing, find_recipe
from crossboard.systems.trained import Trained, latest_snapshot
from crossboard.systems.training import Training

KEPT = Path(__file__).parents[1] / "data" / "endgame_boards.fen"
BOARDS = read_endgame_boards(KEPT)
SMALL = TUNED.with_changes(
    [
        *("units=3", "boards=12", "held_out=3", "board_depth=1", "map_decay=0.6", "games=24"),
        *("block_games=4", "look_ahead=1", "judge_pairs=1", "validation_pairs=2", "match_depth=1"),
    ]
)
MANY = SMALL.with_changes(["boards=50", "held_out=25"])  # several batches of games for each
FEW_GAMES = SMALL.with_changes(["boards=30", "units=1", "games=4"])
RECIPE = find_recipe("mp-draughts")
# Without figures, which take longer than all the rest.
BARE = replace(RECIPE, draw=draw_nothing)
save = Run.save


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training, "CHECKPOINT_SECONDS", 0.0)
    monkeypatch.setattr(exams, "FINAL_GAMES", 2)


def all_snapshots(
    start: Snapshot | None = None, settings: MpDraughtsSettings = SMALL
) -> list[Snapshot]:
    with ThreadPoolExecutor(1) as executor:
        return list(learn(settings, Schooling(1, executor, 1, start)))


def conduct(
    folder: Path,
    workers: int = 1,
    recipe: Recipe = BARE,
    settings: MpDraughtsSettings = SMALL,
) -> Run:
    with threads(workers) as farm:
        Training(recipe, settings, 1, folder, "crossboard train").conduct(farm, resume=True)
    return Run.open(folder)


def reread(snapshot: Snapshot) -> Snapshot:
    """The snapshot as a checkpoint gives it back."""
    return Snapshot(snapshot.games, snapshot.arrays, json.loads(json.dumps(snapshot.plain)))


def same(one: Snapshot, other: Snapshot) -> bool:
    return (one.games, one.plain, one.arrays.keys()) == (
        other.games,
        other.plain,
        other.arrays.keys(),
    ) and all(np.array_equal(one.arrays[name], other.arrays[name]) for name in one.arrays)


@pytest.fixture(scope="module")
def whole() -> list[Snapshot]:
    return all_snapshots()


def test_the_stages_come_in_their_order(whole: list[Snapshot]) -> None:
    assert [one.games for one in whole] == [0, 0, 0, 8, 16, 24, 24]
    told = [set(one.measured) for one in whole]
    assert {"boards", "board_games"} == told[0]
    assert {"held_out", "held_out_games"} == told[1]
    assert {"quantisation_fall", "topographic_error", "effective_units"} < told[2]
    assert all({"agent", "training_score", "validation", "plays"} < one for one in told[3:6])
    assert [one.measured["agent"] for one in whole[3:6]] == [1, 2, 3]
    assert {"held_out_score"} == told[6]
    last = MapProgress.of(whole[-1])
    assert last.boards is not None
    assert last.held_out is not None
    assert len(last.boards) == 12
    assert len(last.held_out) == 3
    assert not {b.position for b in last.boards} & {b.position for b in last.held_out}


def test_games_that_units_do_not_divide_are_not_counted(whole: list[Snapshot]) -> None:
    assert SMALL.with_changes(["games=26"]) == SMALL
    assert whole[-1].games == SMALL.games == 24
    assert TUNED.with_changes(["units=24"]).games == 62_496


@pytest.mark.parametrize("stage", range(6))
def test_resumed_at_any_stage_it_ends_the_same(whole: list[Snapshot], stage: int) -> None:
    rest = all_snapshots(reread(whole[stage]))
    assert len(rest) == len(whole) - stage - 1
    assert same(rest[-1], whole[-1])


def test_resumed_at_the_end_nothing_is_left(whole: list[Snapshot]) -> None:
    assert all_snapshots(reread(whole[-1])) == []


def test_another_seed_makes_other_boards_maps_and_agents(whole: list[Snapshot]) -> None:
    with ThreadPoolExecutor(1) as executor:
        *_, other = learn(SMALL, Schooling(2, executor))
    assert other.plain["boards"] != whole[-1].plain["boards"]
    for name in ("map.prototypes", "agent0.w1"):
        assert not np.array_equal(other.arrays[name], whole[-1].arrays[name])


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(training, "CHECKPOINT_SECONDS", 0.0)
        patch.setattr(exams, "FINAL_GAMES", 2)
        return conduct(tmp_path_factory.mktemp("whole") / "run")


@pytest.mark.parametrize("workers", [2, 3])
def test_workers_make_no_difference(run: Run, tmp_path: Path, workers: int) -> None:
    assert differences(conduct(tmp_path / "run", workers=workers), run) == []


class Killed(Exception):
    """Stands for whatever ends a process."""


def dying(saves: int) -> Callable[..., None]:
    """Return how a run saves that is killed after so many checkpoints, of whichever part."""
    count = 0

    def save_and_die(self: Run, *given: Any) -> None:
        nonlocal count
        save(self, *given)
        count += 1
        if count == saves:
            raise Killed

    return save_and_die


def collecting(start: Snapshot | None = None, workers: int = 1) -> list[Snapshot]:
    """All snapshots until boards and held-out boards are there."""
    with ThreadPoolExecutor(workers) as executor:
        stages = learn(MANY, Schooling(1, executor, workers, start))
        found = list(takewhile(lambda one: "map.prototypes" not in one.arrays, stages))
        stages.close()
    return found


def test_resumed_amid_boards_it_collects_the_same() -> None:
    found = collecting()
    told = [set(one.measured) for one in found]
    boards, held_out = told.index({"boards", "board_games"}), len(told) - 1
    assert boards >= 2
    assert held_out > boards + 1
    assert told[held_out] == {"held_out", "held_out_games"}
    assert {one.games for one in found} == {0}
    # On the way there are neither news nor files.
    for number, one in enumerate(found):
        assert bool(told[number]) == bool(RECIPE.keep(MANY, one).files)
        assert bool(told[number]) == (number in (boards, held_out))
        rest = collecting(reread(one), workers=1 + number % 2)
        assert [each.plain for each in rest] == [each.plain for each in found[number + 1 :]]
        assert [each.measured for each in rest] == [each.measured for each in found[number + 1 :]]
    assert "collected" not in found[-1].plain


def test_killed_amid_boards_a_run_ends_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = conduct(tmp_path / "whole", settings=FEW_GAMES)
    with monkeypatch.context() as patch:
        patch.setattr(Run, "save", dying(1))
        with pytest.raises(Killed):
            conduct(tmp_path / "run", settings=FEW_GAMES)
    kept = latest_snapshot(tmp_path / "run")
    assert kept.plain["boards"] is None
    assert kept.plain["collected"]["games"] == BATCH
    assert len(kept.plain["collected"]["boards"]) > 0
    assert not (tmp_path / "run" / "boards.fen").exists()
    assert Run.open(tmp_path / "run").metrics() == []
    resumed = conduct(tmp_path / "run", workers=2, settings=FEW_GAMES)
    assert differences(resumed, whole) == []
    for name in ("boards.fen", "held-out.fen"):
        assert (resumed.folder / name).read_bytes() == (whole.folder / name).read_bytes()


def test_an_interruption_between_two_batches_ends_their_games(tmp_path: Path) -> None:
    closed = list[bool]()

    def noted(settings: MpDraughtsSettings, schooling: Schooling) -> Iterator[Snapshot]:
        try:
            yield from learn(settings, schooling)
        finally:
            closed.append(True)

    def interrupt(_: Any) -> None:
        raise KeyboardInterrupt

    lesson = Training(replace(BARE, learn=noted), FEW_GAMES, 1, tmp_path / "run")
    # What is raised keeps the learner alive, so that nothing but the loop closes it.
    with threads(1) as farm, pytest.raises(KeyboardInterrupt) as raised:
        lesson.conduct(farm, on_progress=interrupt)
    assert raised.value.__traceback__ is not None
    assert closed == [True]
    assert latest_snapshot(tmp_path / "run").plain["collected"]["games"] == BATCH


# The checkpoints of the run and of its parts: 3, then 4 for each agent and 1 of the run, then 2.
@pytest.mark.parametrize("saves", [1, 3, 5, 7, 9, 18])
def test_killed_after_any_checkpoint_it_ends_the_same(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, saves: int
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(Run, "save", dying(saves))
        with pytest.raises(Killed):
            conduct(tmp_path / "run")
    assert differences(conduct(tmp_path / "run"), run) == []


def test_boards_that_are_collected_are_not_collected_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(Run, "save", dying(1))
        with pytest.raises(Killed):
            conduct(tmp_path / "run")
    checkpoint = Run.open(tmp_path / "run").latest()
    assert checkpoint is not None
    assert checkpoint.tensors == {}
    asked, collect_boards = list[Collecting](), mp_stages.collect_boards

    def noted(collecting: Collecting, *given: Any, **options: Any) -> Any:
        asked.append(collecting)
        return collect_boards(collecting, *given, **options)

    monkeypatch.setattr(mp_stages, "collect_boards", noted)
    conduct(tmp_path / "run")
    assert asked == [SMALL.collecting(held_out=True, seed=1)]


def test_agents_that_are_trained_are_not_trained_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seeds = list[int]()
    learn_agent = endgame_agents.learn_agent

    def counted(settings: Any, schooling: Schooling) -> Any:
        seeds.append(schooling.seed)
        return learn_agent(settings, schooling)

    counting = replace(endgame_agents.RECIPE, learn=counted)
    monkeypatch.setattr(endgame_agents, "RECIPE", counting)
    with monkeypatch.context() as patch:
        patch.setattr(Run, "save", dying(12))
        with pytest.raises(Killed):
            conduct(tmp_path / "run")
    before = len(set(seeds))
    conduct(tmp_path / "run")
    assert len(set(seeds)) == 3
    assert 1 <= before <= 3
    assert len(seeds) <= 4  # one was in the midst of it


def test_the_run_holds_boards_figures_a_report_and_a_player(tmp_path: Path) -> None:
    run = conduct(tmp_path / "run", recipe=RECIPE)
    last = MapProgress.of(latest_snapshot(run.folder))
    assert read_endgame_boards(run.folder / "boards.fen") == last.boards
    assert read_endgame_boards(run.folder / "held-out.fen") == last.held_out
    report = (run.folder / "report.md").read_text()
    for name in ("map", "clusters", "boards", "agents"):
        assert f"![{name}]({name}.svg)" in report
        assert (run.folder / f"{name}.svg").read_text().startswith("<?xml")
    assert "from held-out boards, which had no other use" in report
    lost = [unit for unit, one in enumerate(last.specialists, start=1) if not one.plays]
    if lost:
        assert f"units {', '.join(map(str, lost))}." in report
    else:
        assert "No agent loses to visiondraughts" in report
    player = load_player(run.folder / "player")
    assert str(player.choose(Position(), depth=3)) in map(str, Position().legal_moves)
    for board in BOARDS[:5]:
        assert player.choose(board.position, depth=3) in board.position.legal_moves


def test_without_a_run_there_is_no_snapshot(tmp_path: Path) -> None:
    with pytest.raises(NotARun):
        latest_snapshot(tmp_path)
    Run.create(tmp_path / "begun", {"seed": 1}).close()
    with pytest.raises(DamagedRun, match="begun: this training has no checkpoint to read"):
        latest_snapshot(tmp_path / "begun")


def test_the_conclusion_is_the_match_from_held_out_boards(whole: list[Snapshot], run: Run) -> None:
    now = MapProgress.of(whole[-1])
    good, lost = (now.specialists[0]._replace(validation=score) for score in (EVEN, EVEN - 0.1))
    result = {**(now.result or {}), "score": 0.5012, "low": 0.49, "high": 0.5131}
    known = replace(now, specialists=[good, lost, good], result=result)
    agents = "visiondraughts plays for 1 of 3 agents"
    snapshot = known.snapshot(24, {})
    assert RECIPE.conclude(SMALL, snapshot) == (
        f"Against visiondraughts from 3 held-out boards: 0.501 (0.490 to 0.513); {agents}"
    )
    never = SMALL.model_copy(update={"replaces": False})
    assert RECIPE.conclude(never, snapshot).endswith("plays for 0 of 3 agents")
    without = replace(known, held_out=[], result={}).snapshot(24, {})
    assert RECIPE.conclude(SMALL, without) == agents
    # A finished run keeps its own.
    trained = Trained.read(run)
    assert trained.conclusion == RECIPE.conclude(SMALL, latest_snapshot(run.folder))
    assert trained.as_json()["conclusion"] == trained.conclusion
    assert trained.as_json()["match"].keys() == trained.final.keys()


def evaluators_of(player: Player) -> list[Any]:
    assert player.specialists is not None
    return list(player.specialists.evaluators)


def negated(net: EvalNet) -> EvalNet:
    """The net that wants to lose: what comes out is the negative of what came out before."""
    assert net.w3 is not None
    return EvalNet(net.w1, -net.w2, -net.w3)


def test_a_ruined_specialist_is_detected_and_replaced(whole: list[Snapshot]) -> None:
    main = first_network()
    fens = [board.position.fen for board in BOARDS[:10]]
    scores = []
    with ThreadPoolExecutor(1) as executor:
        for net in (main.net, negated(main.net)):
            player = Player("specialist", Network.of(main.mapping, net))
            scores.append(
                validation_score(player, fens, Farm(executor, 1), pairs=10, depth=2, seed=1)
            )
    assert scores[0] == 0.5  # an agent that plays as the first one does not lose to it
    assert scores[1] < 0.2
    good, ruined = (
        Specialist(net, 5, 1, 1.0, score)
        for net, score in zip((main.net, negated(main.net)), scores, strict=True)
    )
    assert (good.plays, ruined.plays) == (True, False)
    now = replace(MapProgress.of(whole[-1]), specialists=[good, ruined, good])
    snapshot = now.snapshot(24, {})
    kept, swapped, other = evaluators_of(make_player(SMALL, snapshot, "with"))
    assert swapped is first_network()
    assert kept is not first_network()
    assert np.array_equal(other.net.w1, main.net.w1)
    lax = make_player(SMALL, snapshot, "without", replaces=False)
    assert np.array_equal(evaluators_of(lax)[1].net.w2, -main.net.w2)
    never = make_player(SMALL.model_copy(update={"replaces": False}), snapshot, "never")
    assert np.array_equal(evaluators_of(never)[1].net.w2, -main.net.w2)
    assert "1 of 3 agents lose to visiondraughts" in RECIPE.describe(SMALL, snapshot)
    assert "units 2." in RECIPE.describe(SMALL, snapshot)


def test_an_agent_ruined_in_its_training_does_not_play(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ruined_seed = game_seed(1, "agent", 1)
    learn_agent = endgame_agents.learn_agent

    def ruining(settings: Any, schooling: Schooling) -> Iterator[Snapshot]:
        for snapshot in learn_agent(settings, schooling):
            if schooling.seed == ruined_seed:
                upset = {
                    name: -each if name.startswith("best.") and not name.endswith("w1") else each
                    for name, each in snapshot.arrays.items()
                }
                yield replace(snapshot, arrays=upset)
            else:
                yield snapshot

    monkeypatch.setattr(endgame_agents, "RECIPE", replace(endgame_agents.RECIPE, learn=ruining))
    ruined = conduct(tmp_path / "run")
    before, after = (
        MapProgress.of(latest_snapshot(each.folder)).specialists for each in (run, ruined)
    )
    assert np.array_equal(after[1].net.w2, -before[1].net.w2)
    assert after[1].validation < EVEN
    for one, other in ((before[0], after[0]), (before[2], after[2])):
        assert one.known() == other.known()
    lost = [number for number, one in enumerate(after, start=1) if not one.plays]
    assert 2 in lost
    report = (ruined.folder / "report.md").read_text()
    assert f"and visiondraughts plays for them: units {', '.join(map(str, lost))}." in report
    player = load_player(ruined.folder / "player")
    assert evaluators_of(player)[1] == first_network()
    for unit in (0, 2):
        assert (evaluators_of(player)[unit] == first_network()) is not after[unit].plays


def test_before_there_are_agents_the_first_agent_plays(whole: list[Snapshot]) -> None:
    assert make_player(SMALL, whole[0], "early").specialists is None
    agents = evaluators_of(make_player(SMALL, whole[3], "middle"))
    assert agents[1] is agents[2] is first_network()


def test_the_choice_may_be_made_anew(whole: list[Snapshot]) -> None:
    for keeps in (True, False):
        settings = SMALL.model_copy(update={"keeps": keeps})
        specialists = make_player(settings, whole[-1], "player").specialists
        assert specialists is not None
        assert specialists.keeps is keeps


def test_agents_learn_from_the_boards_of_their_cluster_and_are_tested_on_others(
    whole: list[Snapshot], tmp_path: Path
) -> None:
    now = MapProgress.of(whole[-1])
    units = now.units(SMALL)
    assert now.boards is not None
    for unit, one in enumerate(agent_parts(SMALL, now, 1, tmp_path)):
        own = {now.boards[n].position.fen for n in np.flatnonzero(units == unit)}
        learnt = {fen for fen, *_ in one.settings.boards}
        unseen = set(one.exam_function.terms["fens"])
        assert learnt | unseen == own
        assert len(own) < 2 or not learnt & unseen


def test_a_cluster_of_one_board_is_validated_behind_random_plies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = SMALL.model_copy(update={"validation_share": 0.9}).agent_plan()
    one, two = (
        plan.training(tmp_path, [board.position for board in BOARDS[:count]], 1) for count in (1, 2)
    )
    fen = BOARDS[0].position.fen
    assert one.exam_function.terms["fens"] == (fen,)
    assert [board[0] for board in one.settings.boards] == [fen]
    assert not {board[0] for board in two.settings.boards} & set(two.exam_function.terms["fens"])
    taken = list[Any]()

    def noted(player: Player, other: Player, terms: Terms, *given: Any, **options: Any) -> Any:
        taken.extend(terms.openings.take(0, terms.pairs))
        return play_match(player, other, terms, *given, **options)

    monkeypatch.setattr(endgame_agents, "play_match", noted)
    with ThreadPoolExecutor(1) as executor:
        for training in (one, two):
            training.exam_function.hold(endgame_agents.first_agent(), Farm(executor, 1))
    plies = [len(opening.moves) for opening in taken]
    assert plies == [VALIDATION_PLIES] * SMALL.validation_pairs + [0, VALIDATION_PLIES]
    assert "random_plies" not in two.exam_function.terms  # as in runs that began before


def test_what_is_known_of_an_agent_is_what_its_metrics_tell(tmp_path: Path) -> None:
    plan = SMALL.agent_plan()
    training = plan.training(tmp_path / "agent", [board.position for board in BOARDS[:4]], 1)
    with ThreadPoolExecutor(1) as executor:
        (found,) = train_agents([training], executor)
    scores = [line["training_score"] for line in Run.open(training.folder).metrics()]
    assert len(scores) == SMALL.games // SMALL.units // SMALL.block_games
    assert found.training_score == max(scores)
    assert found.block == scores.index(max(scores)) + 1


def test_random_clusters_have_the_sizes_of_the_map_and_other_boards(
    whole: list[Snapshot], tmp_path: Path
) -> None:
    now = MapProgress.of(whole[-1])
    dealt = SMALL.model_copy(update={"clusters": "random"})
    sizes, boards = [], []
    for settings in (SMALL, dealt):
        parts = agent_parts(settings, now, 1, tmp_path)
        sizes.append([len(one.settings.boards) for one in parts])
        boards.append([{fen for fen, *_ in one.settings.boards} for one in parts])
    assert sizes[0] == sizes[1]
    assert boards[0] != boards[1]


def test_draws_are_worth_what_the_material_says() -> None:
    level = start_board(Position.from_fen("B:W32:B1"))
    ahead = start_board(Position.from_fen("B:W32:B1,2"))
    behind = start_board(Position.from_fen("B:WK32:B1"))
    rewards = [(one.draw_as_black, one.draw_as_white) for one in (level, ahead, behind)]
    assert rewards == [(0, 0), (-0.5, 0.5), (0.5, -0.5)]


@pytest.mark.parametrize(("preset", "deep", "shallow"), [("tuned", 1, 0), ("published", 16, 16)])
def test_deep_training_has_a_table(preset: str, deep: int, shallow: int) -> None:
    usual = find_recipe("mp-draughts").preset(preset)
    board = [Position()]
    for look_ahead, table_mb in ((8, deep), (4, shallow)):
        plan = usual.with_changes([f"look_ahead={look_ahead}"]).agent_plan()
        assert plan.settings(board).table_mb == table_mb


def test_an_agent_begins_with_the_first_agents_weights_or_with_its_own(
    whole: list[Snapshot], tmp_path: Path
) -> None:
    now = MapProgress.of(whole[-1])
    own = SMALL.model_copy(update={"first_weights": "random"})
    one, other = (agent_parts(each, now, 1, tmp_path)[0].settings for each in (SMALL, own))
    assert np.array_equal(one.initial(5).weights, first_network().weights)
    assert not np.array_equal(other.initial(5).weights, first_network().weights)
    assert other.initial(5).mapping == first_network().mapping
    assert one.first_scale == pytest.approx(0.02 * visiondraughts.TUNED.first_scale)


def test_boards_of_a_file_are_learnt_from_as_they_are(tmp_path: Path) -> None:
    settings = SMALL.model_copy(update={"boards_file": str(KEPT)})
    with ThreadPoolExecutor(1) as executor:
        first = next(learn(settings, Schooling(1, executor)))
    assert MapProgress.of(first).boards == BOARDS
    assert first.measured == {"boards": len(BOARDS), "board_games": 0}


def test_without_held_out_boards_there_is_no_last_match(whole: list[Snapshot]) -> None:
    settings = SMALL.model_copy(update={"held_out": 0})
    last = all_snapshots(reread(whole[0]), settings)[-1]
    assert last.plain["result"] == {}
    assert "held-out boards" not in RECIPE.describe(settings, last)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("games=2", "games: 3 agents need as many, not 2"),
        ("units=0", "units: Input should be greater than or equal to 1, not 0"),
        ("units=1000000000", "units: Input should be less than or equal to 99, not 1000000000"),
        ("features=[]", "feature"),
        ("features=['ufu.Gap', 'ufu.Gap']", "ufu.Gap"),
        ("features=['ufu.Nothing']", "ufu.Nothing"),
        ("map_decay=1.0", "decay must be above 0 and below 1, not 1.0"),
        ("map_last_rate=0.95", "last_rate must be above 0 and below the rate of 0.9, not 0.95"),
        ("coding=bits", "coding: Input should be 'presence' or 'counts'"),
        ("validation_share=1.0", "validation_share: Input should be less than 1, not 1.0"),
    ],
)
def test_settings_that_make_no_sense_are_refused(change: str, message: str) -> None:
    with pytest.raises(ValueError, match=message) as found:
        SMALL.with_changes([change])
    assert "\n" not in str(found.value)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("boards=2", "boards: 3 units need as many, not 2"),
        ("boards_file=nowhere.fen", "nowhere.fen: there is no such file of boards"),
        ("board_openings=nowhere", "openings are 'ballots', .* there is no 'nowhere'"),
        ("held_out_openings=random:99", "say how many random plies, 1 to 40"),
    ],
)
def test_a_training_that_cannot_begin_is_refused(change: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        RECIPE.check(SMALL.with_changes([change]))
