"""Arms of a comparison: trained once, measured, compared; and the experiments made of them."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import replace
from importlib.metadata import version
from itertools import combinations
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from far_executor import FarExecutor
from small_trainings import train_one

from crossboard.arena import match as arena_match
from crossboard.arena import tournament
from crossboard.arena.bootstrap import mean_over_seeds
from crossboard.arena.match import MatchResult, Terms
from crossboard.arena.tournament import TournamentResult
from crossboard.draughts import Position, parse_pdn
from crossboard.experiments import (
    ExperimentResult,
    GivenGames,
    Lab,
    compare_learners,
    comparison,
    conduct,
    experts,
    lambda_league,
    network_parts,
    regimes,
    representations,
    vision_match,
)
from crossboard.experiments.claims import Verdict
from crossboard.experiments.comparison import Arm, Comparison, Plan, train_arms
from crossboard.learn.experts import ExpertGame
from crossboard.players import Player
from crossboard.runs import Run, differences
from crossboard.systems import exams, provenance
from crossboard.systems.exams import Grade
from crossboard.systems.neurodraughts import PUBLISHED
from crossboard.systems.trained import Trained

TINY = Plan(seeds=2, pairs=1, exams=2)
SETTINGS = PUBLISHED.model_copy(
    update={"games": 4, "test_after": 2, "look_ahead": 1, "max_moves": 6, "hidden": 2}
)
ARM = Arm(name="tiny", settings=SETTINGS)


@pytest.fixture(autouse=True)
def shallow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparison, "OWN_DEPTH", 1)
    monkeypatch.setattr(comparison, "OPPONENTS", (("random", 1), ("material", 2)))


def trained(score: float, seed: int = 0) -> Trained:
    return Trained(
        folder=Path(),
        seed=seed,
        games=2,
        seconds=10.0,
        learning_seconds=10.0,
        blocks=[{"games": 2, "cloned": 1.0}],
        exams=[Grade(0, 0.0, {"material 2": 0.0}), Grade(2, 10.0, {"material 2": score})],
    )


def make_lab(folder: Path, executor: ThreadPoolExecutor, told: list[str]) -> Lab:
    return Lab(True, 1, executor, folder, {}, told.append)


def test_a_run_is_measured_before_on_the_way_and_at_its_end(tmp_path: Path):
    found = train_one(tmp_path / "one", ARM, 1, TINY)
    assert [exam.games for exam in found.exams] == [0, 2, 4]
    assert set(found.exams[0].points) == {"random 1", "material 2"}
    assert all(0 <= points <= 1 for exam in found.exams for points in exam.points.values())
    assert [block["games"] for block in found.blocks] == [2, 4]
    again = train_one(tmp_path / "two", ARM, 1, TINY)
    assert differences(Run.open(tmp_path / "one"), Run.open(tmp_path / "two")) == []
    assert found.blocks == again.blocks
    assert [exam.points for exam in found.exams] == [exam.points for exam in again.exams]


def test_time_is_that_of_learning_and_begins_with_it(tmp_path: Path):
    seconds = [exam.seconds for exam in train_one(tmp_path / "run", ARM, 1, TINY).exams]
    assert seconds[0] == 0
    assert seconds == sorted(set(seconds))


def test_runs_of_a_seed_are_examined_from_the_same_openings_and_others_from_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    played = []

    def note(terms: Terms) -> None:
        played.append([opening.name for opening in terms.openings.take(0, 4)])

    def play_match(one: Player, other: Player, terms: Terms, executor: Executor) -> MatchResult:
        note(terms)
        return arena_match.play_match(one, other, terms, executor)

    def play_tournament(
        players: list[Player], terms: Terms, executor: Executor
    ) -> TournamentResult:
        note(terms)
        return tournament.play_tournament(players, terms, executor)

    monkeypatch.setattr(comparison, "play_match", play_match)
    monkeypatch.setattr(lambda_league, "play_tournament", play_tournament)
    monkeypatch.setattr(comparison, "OPPONENTS", (("material", 2),))
    monkeypatch.setattr(lambda_league, "OWN_DEPTH", 1)
    monkeypatch.setattr(regimes, "YARDSTICK_PAIRS", 1)
    player = Player("untrained", ARM.settings.initial(7))
    nets = {seed: train_one(tmp_path / str(seed), ARM, seed, TINY) for seed in (7, 8)}
    monkeypatch.setattr(Trained, "network", player.evaluator)
    for play in (
        lambda seed: comparison.examine(player, 1, seed),
        lambda seed: lambda_league.play_league([nets[seed]] * 2, 1),
        lambda seed: regimes.meet_yardstick(nets[seed]),
    ):
        played.clear()
        for seed in (7, 7, 8):
            play(seed)
        assert played[0] == played[1] != played[2]


def test_a_league_gives_the_points_of_its_matches_one_by_one(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(lambda_league, "OWN_DEPTH", 1)
    nets = [
        replace(trained(0.5, seed=7), player=Player("net", SETTINGS.initial(seed)))
        for seed in range(3)
    ]
    players = [lambda_league.player_of(net, "net") for net in nets]
    points = [0.0] * 3
    for one, other in combinations(range(3), 2):
        score = comparison.meet(players[one], players[other], 2, seed=lambda_league.LEAGUE_SEED + 7)
        points[one] += score
        points[other] += 1 - score
    assert lambda_league.play_league(nets, 2) == [each / 2 for each in points]
    assert len(set(points)) > 1


def test_the_first_exam_is_of_the_net_that_learning_begins_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    seen = []

    def examine(player: Player, pairs: int, seed: int) -> dict[str, float]:
        seen.append(player.evaluator)
        return {"material 2": 0.5}

    monkeypatch.setattr(comparison, "examine", examine)
    train_one(tmp_path / "run", ARM, 7, TINY)
    assert len(seen) == 3
    assert seen[0].evaluate(Position()) == SETTINGS.initial(7).evaluate(Position())


def test_scores_are_read_at_equal_times():
    found = trained(0.6)
    assert found.score_after(0) == 0
    assert found.score_after(5) == pytest.approx(0.3)
    assert found.score_after(10) == found.score_after(99) == pytest.approx(0.6)


def test_what_is_measured_of_cloning_is_the_last_clone(tmp_path: Path):
    # Nobody passes a test that asks for more points than there are, so the first net stays.
    first = SETTINGS.initial(1).net
    settings = SETTINGS.model_copy(update={"boards": (("B:WK4:BK28,K30", 0.0, 0.0, 5.0),)})
    never = train_one(tmp_path / "a", Arm(name="a", settings=settings), 1, TINY)
    assert never.clones == 0
    assert never.network.net.w2.tolist() == first.w2.tolist()
    straight = settings.model_copy(update={"regime": "straight"})
    moved = train_one(tmp_path / "b", Arm(name="b", settings=straight), 1, TINY)
    assert moved.network.net.w2.tolist() != first.w2.tolist()


def test_what_was_trained_before_a_stop_is_not_trained_again(tmp_path: Path):
    told: list[str] = []
    with ThreadPoolExecutor(2) as executor:
        lab = make_lab(tmp_path, executor, told)
        first = train_arms(lab, [ARM], TINY)
        assert len(told) == 2
        shutil.rmtree(tmp_path / "arms" / "tiny-1")
        again = train_arms(lab, [ARM], TINY)
    assert len(told) == 3
    assert again["tiny"][0].score == first["tiny"][0].score
    assert again["tiny"][1].exams[-1].points == first["tiny"][1].exams[-1].points
    assert [one.seed for one in again["tiny"]] == [1000, 1001]


@pytest.mark.parametrize(
    ("changed", "plan"), [({"decay": 0.4}, TINY), ({}, replace(TINY, pairs=2))]
)
def test_what_was_trained_in_another_way_is_trained_again(
    tmp_path: Path, changed: dict[str, float], plan: Plan
):
    told: list[str] = []
    other = Arm(name="tiny", settings=SETTINGS.model_copy(update=changed))
    with ThreadPoolExecutor(2) as executor:
        lab = make_lab(tmp_path, executor, told)
        train_arms(lab, [ARM], TINY)
        train_arms(lab, [other], plan)
    assert sum("trained once more" in line for line in told) == 2
    assert sum(": trained (" in line for line in told) == 4


def test_what_another_version_trained_is_trained_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    told: list[str] = []
    with ThreadPoolExecutor(2) as executor:
        lab = make_lab(tmp_path, executor, told)
        train_arms(lab, [ARM], TINY)
        kept = Run.open(tmp_path / "arms" / "tiny-0").config
        assert kept["origin"]["crossboard"] == version("crossboard")
        monkeypatch.setattr(provenance, "version", lambda _: "99.0")
        train_arms(lab, [ARM], TINY)
    again = [line for line in told if "once more" in line]
    assert [line.partition(":")[0] for line in again] == ["tiny-0", "tiny-1"]


def test_a_run_without_its_origin_is_trained_again(tmp_path: Path):
    told: list[str] = []
    with ThreadPoolExecutor(2) as executor:
        lab = make_lab(tmp_path, executor, told)
        train_arms(lab, [ARM], TINY)
        place = tmp_path / "arms" / "tiny-1" / "config.toml"
        place.write_text(place.read_text().replace("[origin]", "[elsewhere]"))
        train_arms(lab, [ARM], TINY)
    assert sum("tiny-1: trained once more" in line for line in told) == 1


def test_what_is_reported_is_played_from_openings_that_nothing_is_chosen_by():
    told = [comparison.EXAM_OPENINGS, vision_match.MATCH_OPENINGS, exams.FINAL_OPENINGS]
    assert set(told) == {"ballots:report"}
    assert exams.EXAM_OPENINGS == "ballots:select"
    assert "from the openings ballots:report" in comparison.RULE


def test_arms_are_compared_by_the_mean_scores_of_their_runs():
    trainings = {
        "one": [trained(score) for score in (0.6, 0.7, 0.8)],
        "other": [trained(score) for score in (0.1, 0.2, 0.3)],
    }
    found = Comparison(trainings, Plan(seeds=3, pairs=5)).lead("better", "one", "other")
    assert found.value == pytest.approx(0.5)
    assert 0 < found.low < found.value < found.high
    assert "one 0.700, other 0.200; 3 runs an arm" in found.note
    assert "clonings" not in found.note
    assert trainings["one"][0].clones == 1


def test_notes_count_the_clonings_of_arms_that_clone():
    never = replace(trained(0.3), blocks=[{"games": 2, "cloned": 0.0}])
    trainings = {"cloned": [trained(0.6), never], "straight": [trained(0.1), trained(0.2)]}
    found = Comparison(trainings, Plan(seeds=2, pairs=5), frozenset({"cloned"}))
    note = found.lead("better", "cloned", "straight").note
    assert note.endswith("; clonings a run: cloned 0.5, none in 1 of 2")


def test_every_regime_is_compared_with_straight_play_or_with_one_that_was():
    # Each way is said to be better than the last.
    pairs = {"share-straight", "test-straight", "test-share", "look-ahead"}
    assert {claim.name for claim in regimes.CLAIMS} == pairs | {regimes.YARDSTICK}


def test_rules_say_what_is_measured_where_nothing_was_cloned_and_between_exams():
    for experiment in (regimes.EXPERIMENT, representations.EXPERIMENT, network_parts.EXPERIMENT):
        assert "if nothing was cloned, that is the untrained net" in experiment.rule
    assert "begins with the exam of the untrained evaluation" in compare_learners.LEARNERS.rule


def run_tiny(
    module: Any, folder: Path, monkeypatch: pytest.MonkeyPatch, **options: Any
) -> ExperimentResult:
    """Conduct an experiment whose trainings are as short as they can be."""
    make: Callable[..., list[Arm]] = module.arms

    def tiny_arms(*given: Any) -> list[Arm]:
        small = {"look_ahead": 1, "max_moves": 6, "hidden": 2}
        small |= {} if module is experts else {"games": 4, "test_after": 2}
        return [
            Arm(
                name=arm.name,
                recipe=arm.recipe,
                settings=arm.settings.model_copy(
                    update={k: v for k, v in small.items() if k in type(arm.settings).model_fields}
                ),
            )
            for arm in make(*given)
        ]

    monkeypatch.setattr(module, "arms", tiny_arms)
    if module is experts:
        monkeypatch.setattr(experts, "QUICK", Plan(seeds=2, pairs=1))
    elif module is lambda_league:
        monkeypatch.setattr(lambda_league, "QUICK", TINY)
    monkeypatch.setattr(comparison, "QUICK", TINY)
    with FarExecutor(2) as executor:
        return conduct(module.EXPERIMENT, folder, executor, quick=True, **options)


@pytest.mark.parametrize("module", [network_parts, representations, regimes, lambda_league])
def test_experiments_measure_all_they_claim(
    module: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    if module is lambda_league:
        monkeypatch.setattr(module, "OWN_DEPTH", 1)
        monkeypatch.setattr(module, "QUICK_LEAGUE_PAIRS", 1)
    monkeypatch.setattr(regimes, "YARDSTICK_PAIRS", 2)
    outcome = run_tiny(module, tmp_path / "run", monkeypatch)
    assert len(outcome.findings) == len(module.CLAIMS)
    if module is regimes:
        notes = {one.claim.name: one.measured.note for one in outcome.findings}
        assert "clonings a run: share 0.0, none in 2 of 2" in notes["share-straight"]
        assert "clonings a run: look-ahead " in notes["look-ahead"]
        assert notes["material"] == "2 runs, 4 games each from ballots:report"
        assert outcome.findings[-1].verdict is Verdict.SHOWN
    report = (tmp_path / "run" / "report.md").read_text()
    figures = re.findall(r"!\[(\w+)\]", report)
    assert {"findings", "curves", "blocks"} <= set(figures)
    assert all((tmp_path / "run" / f"{figure}.svg").exists() for figure in figures)


def test_a_league_is_one_difference():
    # Whoever is ahead by as much in every league is ahead by that, however the leagues differ.
    found = lambda_league.find_lead([0.5, 0.75, 0.25], [0.375, 0.625, 0.125])
    assert tuple(found) == pytest.approx((0.125, 0.125, 0.125))


def test_clonings_are_counted_by_leagues(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    # Nets of a league are cloned equally often: more of them say no more.
    cloned = {0: 2, 1: 4, 2: 6}

    def net(seed: int) -> Trained:
        blocks = [{"games": 2 * n, "cloned": float(n <= cloned[seed])} for n in range(1, 9)]
        return replace(trained(0.5, seed), blocks=blocks)

    comparison = Comparison({name: [net(seed) for seed in cloned] for name in "ab"}, TINY)
    monkeypatch.setattr(lambda_league, "compare_arms", lambda *_, **__: comparison)
    monkeypatch.setattr(lambda_league, "TOTALS", {0.0: 10, 0.1: 8})
    monkeypatch.setattr(lambda_league, "WORST", 0.1)
    monkeypatch.setattr(lambda_league, "play_league", lambda *_, **__: [0.5, 0.5])
    with ThreadPoolExecutor(1) as executor:
        *_, found = lambda_league.measure(make_lab(tmp_path, executor, []))
    assert (found.claim, found.note) == ("generation", "6 runs of 8 blocks")
    assert (found.value, found.low, found.high) == mean_over_seeds([2, 4, 6])


def test_experts_are_those_of_the_given_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    games = tmp_path / "mine.pdn"
    games.write_text("1. 11-15 22-18 2. 15x22 25x18 1-0\n\n1. 11-15 23-18 0-1\n")
    outcome = run_tiny(experts, tmp_path / "run", monkeypatch, source=GivenGames(games))
    left = {finding.claim.name: finding.measured for finding in outcome.findings}["pieces-left"]
    assert left.value == 23.0  # 22 after two men were taken, and 24
    assert "mine.pdn" in left.note
    assert all(finding.is_judged for finding in outcome.findings)
    assert not (tmp_path / "run" / "experts.pdn").exists()


def test_somebody_may_say_whose_win_a_result_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    games = tmp_path / "mine.pdn"
    games.write_text("1. 11-15 22-18 2. 15x22 25x18 1-0\n\n1. 11-15 23-18 0-1\n")
    given = GivenGames(games, "white-first")
    run_tiny(experts, tmp_path / "run", monkeypatch, source=given)
    config = Run.open(tmp_path / "run").config
    assert (config["source"], config["result_convention"]) == (str(games), "white-first")
    (taught, _) = experts.arms(given, "", 2, 4)
    assert taught.settings.result_convention == "white-first"  # type: ignore[attr-defined]


def test_a_file_without_games_leaves_no_run_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "empty.pdn").write_text("")
    for name, told in (("empty.pdn", "expected a game with moves"), ("nowhere.pdn", "No such")):
        given = GivenGames(tmp_path / name)
        with pytest.raises((ValueError, OSError), match=told):
            run_tiny(experts, tmp_path / "run", monkeypatch, source=given)
    assert not (tmp_path / "run").exists()


def test_one_game_is_too_few_and_leaves_no_run_behind(tmp_path: Path):
    games = tmp_path / "one.pdn"
    games.write_text("1. 11-15 22-18 2. 15x22 1-0\n")
    with (
        ThreadPoolExecutor(1) as executor,
        pytest.raises(
            ValueError, match=r"one\.pdn: expected 2 games to learn from, or more, not 1"
        ),
    ):
        conduct(experts.EXPERIMENT, tmp_path / "run", executor, source=GivenGames(games))
    assert not (tmp_path / "run").exists()


def test_without_a_file_our_own_players_are_the_experts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(experts, "EXPERTS", (("draft5", 1), ("material", 1)))
    monkeypatch.setattr(experts, "EXPERT_GAMES", 4)
    outcome = run_tiny(experts, tmp_path / "run", monkeypatch)
    assert "4 games, played by draft5 and material" in outcome.findings[1].measured.note
    assert outcome.verdict is Verdict.SHOWN
    assert (tmp_path / "run" / "experts.pdn").read_text().count("[Result") == 4


def test_reports_name_the_games_they_are_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    games = tmp_path / "my games.pdn"
    games.write_text("1. 11-15 22-18 2. 15x22 25x18 1-0\n\n1. 11-15 23-18 0-1\n")
    run_tiny(experts, tmp_path / "run", monkeypatch, source=GivenGames(games, "white-first"))
    told = f"--games '{games}' --result-convention white-first`."
    assert told in (tmp_path / "run" / "report.md").read_text()


def test_other_games_in_the_same_file_teach_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(experts, "QUICK", TINY)
    games, told = tmp_path / "mine.pdn", []

    def measured(text: str) -> list[str]:
        games.write_text(text)
        told.clear()
        with ThreadPoolExecutor(1) as executor:
            lab = replace(make_lab(tmp_path, executor, told), source=GivenGames(games))
            list(experts.measure(lab))
        return [line for line in told if ": trained (" in line]

    first = "1. 11-15 22-18 2. 15x22 25x18 1-0\n\n1. 11-15 23-18 0-1\n"
    assert len(measured(first)) == 2 * TINY.seeds
    assert measured(first) == []
    assert len(measured(first.replace("0-1", "1-0"))) == TINY.seeds
    measured(f"{first}\n1. 9-13 *\n")
    assert "mine.pdn: 1 game was left out: game 3" in told[0]


def test_pieces_left_are_those_of_the_last_board():
    # White moves first from a set-up position, and takes last.
    text = '[FEN "W:W22,26:B17,6"] 1. 22x13 6-9 2. 13x6 0-1'
    (record,) = parse_pdn(text)
    assert experts.pieces_left(ExpertGame.of_record(record)) == 2
