"""The experiment `mp-draughts` in a very small size, and a map whose attributes are evolved."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from crossboard.arena.match import MatchResult
from crossboard.draughts.random_endgames import random_endgame
from crossboard.evaluators import BoardAttributes, EvalNet, Network
from crossboard.experiments import mp_draughts, mp_maps
from crossboard.experiments.claims import Verdict
from crossboard.experiments.experiment import Lab, conduct
from crossboard.experiments.mp_claims import CONTROLS, slug
from crossboard.experiments.mp_draughts import PlayedMatch
from crossboard.learn.som import MapSettings
from crossboard.players import Player, Specialists, load_player
from crossboard.systems import map_evolution
from crossboard.systems.board_maps import MapOptions
from crossboard.systems.endgame_agents import first_network
from crossboard.systems.endgame_boards import EndgameBoard, read_endgame_boards
from crossboard.systems.mp_stages import MapProgress

BOARDS = Path(__file__).parents[1] / "data" / "endgame_boards.fen"

TINY = {
    "games": 8,
    "boards": 12,
    "held_out": 4,
    "units": 2,
    "block_games": 2,
    "board_depth": 1,
    "look_ahead": 1,
    "map_decay": 0.5,
    "judge_pairs": 1,
    "validation_pairs": 1,
    "match_depth": 1,
}


def test_the_table_and_its_controls_are_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(mp_draughts, "QUICK", TINY)
    monkeypatch.setattr(mp_draughts, "QUICK_PAIRS", 1)
    monkeypatch.setattr(mp_draughts, "DEPTH", 1)
    monkeypatch.setattr(mp_draughts, "NEURODRAUGHTS_DEPTH", 1)
    monkeypatch.setattr(map_evolution, "SIZE", 4)
    with ThreadPoolExecutor(2) as executor:
        outcome = conduct(mp_draughts.EXPERIMENT, tmp_path / "run", executor, quick=True)
    assert outcome.verdict is Verdict.SHOWN  # a quick size says nothing of the paper
    measured = {one.claim.name: one.measured for one in outcome.findings}
    assert measured.keys() == {claim.name for claim in mp_draughts.CLAIMS}
    assert "of 2" in measured["replaced"].note
    assert "features:" in measured["explained-evolved"].note
    folders = {path.name for path in (tmp_path / "run" / "arms").iterdir()}
    arms = mp_draughts.arms(quick=True)
    assert folders == {f"{name}-{number}" for name in arms for number in (0, 1)}
    assert (tmp_path / "run" / "controls.svg").exists()
    # Three columns of the table, of which one is that of all arms and variants against V.
    matches = list((tmp_path / "run" / mp_draughts.MATCHES).iterdir())
    assert len(matches) == 2 * (2 + 1 + len(mp_draughts.CONTROLS))


def test_all_arms_have_the_games_of_all_agents():
    arms = mp_draughts.arms(quick=False)
    assert {settings.games for settings in arms.values()} == {25 * 2500}
    assert [arms[name].units for name in ("map", "one agent", "random clusters")] == [25, 1, 25]
    assert arms["random clusters"].clusters == "random"


@pytest.mark.parametrize("quick", [True, False])
def test_agents_of_all_arms_are_the_best_of_as_many_students(quick: bool):
    arms = mp_draughts.arms(quick=quick).values()
    blocks = {one.games / one.units / one.block_games for one in arms}
    assert blocks == {6 if quick else 10}


def lab_of(folder: Path, executor: ThreadPoolExecutor, told: list[str]) -> Lab:
    return Lab(True, 1, executor, folder, {}, told.append)


def scaled(net: EvalNet, factor: float) -> EvalNet:
    return EvalNet(net.w1 * factor, net.w2, net.w3)


def test_a_match_is_played_once_and_again_only_by_other_players(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(mp_draughts, "QUICK_PAIRS", 1)
    monkeypatch.setattr(mp_draughts, "DEPTH", 1)
    matches = list[str]()
    play_match = mp_draughts.play_match

    def counted(one: Player, *others: Any, **options: Any) -> MatchResult:
        matches.append(one.name)
        return play_match(one, *others, **options)

    monkeypatch.setattr(mp_draughts, "play_match", counted)
    v, n = (
        mp_draughts.at_match_depth(load_player(name))
        for name in ("visiondraughts", "neurodraughts")
    )
    with ThreadPoolExecutor(1) as executor:
        told = list[str]()
        first = mp_draughts.play_each(lab_of(tmp_path, executor, told), [v, v], n)
        again = mp_draughts.play_each(lab_of(tmp_path, executor, told), [v, v], n)
        assert first == again
        assert first[0].tally.games == 2
        assert len(matches) == 2
        main = first_network()
        other = Network.of(main.mapping, scaled(main.net, 2))
        changed = mp_draughts.at_match_depth(Player(v.name, other))
        mp_draughts.play_each(lab_of(tmp_path, executor, told), [changed], n)
    assert len(matches) == 3
    assert len(told) == 5


def test_whoever_plays_otherwise_is_another_player():
    net = first_network()
    attributes = BoardAttributes(["ufu.PieceAdvantage"])
    others = [Network.of(net.mapping, scaled(net.net, k)) for k in (2, 3)]
    made = [
        Player("p", net),
        *(
            Player("p", net, specialists=Specialists(attributes, rows, agents, keeps=keeps))
            for rows in ([[0.0], [1.0]], [[1.0], [0.0]])
            for agents in (others, others[::-1], [net, others[1]])
            for keeps in (True, False)
        ),
    ]
    made.append(mp_draughts.at_match_depth(made[0]))
    assert len({mp_draughts.identity(one) for one in made}) == len(made)


def test_loops_are_compared_match_by_match():
    plain = [PlayedMatch(10, 80, 10, 20, 4), PlayedMatch(10, 80, 10, 30, 10)]
    ours = [PlayedMatch(20, 70, 10, 10, 2), PlayedMatch(20, 70, 10, 10, 8)]
    found = mp_draughts.measure_lead_of_loops(ours, plain)
    # Runs differ, but in each of them two of a hundred games fewer end so.
    assert (found.value, found.low, found.high) == pytest.approx((-0.02, -0.02, -0.02))
    assert found.note == "by runs: -0.020, -0.020"


def test_controls_are_compared_run_by_run(tmp_path: Path):
    scores = {name: [PlayedMatch(k, 0, 100 - k, 0, 0) for k in (40, 60)] for name in CONTROLS}
    scores["map"] = [PlayedMatch(50, 0, 50, 0, 0), PlayedMatch(70, 0, 30, 0, 0)]
    with ThreadPoolExecutor(1) as executor:
        found = list(mp_draughts.measure_controls(lab_of(tmp_path, executor, []), scores))
    leads = {one.claim: (one.value, one.low, one.high) for one in found if "over" in one.claim}
    assert set(leads) == {f"over-{slug(name)}" for name in CONTROLS}
    assert all(lead == pytest.approx((0.1, 0.1, 0.1)) for lead in leads.values())


def test_held_out_boards_have_no_part_in_maps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(map_evolution, "SIZE", 4)
    boards = read_endgame_boards(BOARDS)[:60]
    usual = MapOptions(training=MapSettings(units=4, decay=0.5))
    snapshots = [
        MapProgress(boards=boards[k:], held_out=boards[: 2 * k + 2]).snapshot(0, {})
        for k in range(2)
    ]
    without = [MapProgress(boards=boards[k:], held_out=[]).snapshot(0, {}) for k in range(2)]
    with ThreadPoolExecutor(1) as executor:
        lab = lab_of(tmp_path, executor, [])
        found = [list(mp_maps.measure_options(lab, some, usual)) for some in (snapshots, without)]
        chosen = mp_maps.measure_units(lab, without, usual)
    assert found[0] == found[1]
    assert [one.claim for one in found[0]][-1] == "explained-evolved"
    assert "of other boards" in chosen.note
    assert 1 <= chosen.low <= chosen.value <= chosen.high <= 49
    known = {one.claim: one for one in [*found[0], chosen]}
    with ThreadPoolExecutor(1) as executor:
        lab = replace(lab_of(tmp_path, executor, []), known=known)
        assert list(mp_maps.measure_options(lab, without, usual)) == []  # not measured again
        assert mp_maps.measure_units(lab, without, usual) is chosen


def test_the_papers_scores_are_those_of_its_games():
    scores = {one.name: one.score for one in mp_draughts.TABLE}
    assert {name: round(score.value, 3) for name, score in scores.items()} == {
        "v-n": 0.725,
        "mp-n": 0.775,
        "mp-v": 0.6,
    }
    assert scores["mp-v"].low < 0.5 < scores["v-n"].low


def test_evolution_finds_the_attribute_that_outcomes_depend_on():
    random = Random(1)
    positions = [random_endgame(random) for _ in range(60)]
    telling = BoardAttributes(["ufu.PieceAdvantage"]).of(positions)[:, 0]
    boards = [
        EndgameBoard(position, outcome=1.0 if is_ahead else -1.0)
        for position, is_ahead in zip(positions, telling, strict=True)
    ]
    assert {board.outcome for board in boards} == {1.0, -1.0}
    options = MapOptions(training=MapSettings(units=6, decay=0.8))
    chosen = map_evolution.choose_attributes(boards, options, 1, size=8, generations=6)
    every = map_evolution.explained(boards, options, 1, options.features)
    assert map_evolution.explained(boards, options, 1, chosen.features) > every
    assert chosen.best == sorted(chosen.best)  # the elite is judged by the same boards again
    assert "ufu.PieceAdvantage" in chosen.features
