"""TreeStrap on Duchess: what one search teaches, rounds, resuming, independence of workers."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from crossboard.duchess import Position
from crossboard.evaluators import OneLayer
from crossboard.learn import Schooling
from crossboard.learn.snapshot import Snapshot
from crossboard.learn.treestrap_duchess import (
    DuchessStudySettings,
    _Game,
    _play_moves,
    learn_duchess_by_treestrap,
    study,
)

SMALL = DuchessStudySettings(games=4, round_size=2, depth=1, depths=())
POSITION = "4; 1:K1a1 Q1c3; 2:K2e1 R2c3; 3:K4a1; 4:K5e1 N5c3; turn 1"


def train(settings: DuchessStudySettings, workers: int, **options: Any) -> list[Snapshot]:
    """Return the snapshots after which a game has ended."""
    return [each for each in train_by_moves(settings, workers, **options) if each.played]


def train_by_moves(settings: DuchessStudySettings, workers: int, **options: Any) -> list[Snapshot]:
    with ThreadPoolExecutor(workers) as executor:
        schooling = Schooling(executor=executor, **options)
        return list(learn_duchess_by_treestrap(OneLayer.initial(), settings, schooling))


def sigmoid(z: float) -> float:
    return 1 / (1 + float(np.exp(-z)))


def test_a_search_of_one_ply_teaches_its_root_alone() -> None:
    evaluation = OneLayer.initial()
    position = Position.from_text(POSITION)
    options = DuchessStudySettings(depth=1, depths=(), clamp=0.0, rate=0.01).student_options()
    found = study(evaluation, options, position, (), seed=1)
    values = [-evaluation.evaluate(position.after(move)) for move in position.legal_moves]
    best = max(values)
    error = sigmoid(best) - sigmoid(evaluation.evaluate(position))
    expected = 0.01 * error * evaluation.features(position)
    assert found.changes == pytest.approx(expected, abs=1e-12)
    assert -evaluation.evaluate(position.after(found.move)) == best


def test_a_win_is_worth_one() -> None:
    # The even team mates with one move, whatever the weights say of the position.
    text = "4; 1:K1e1; 2:R1b2 Q1d4 K2a1; 3:K4e1; 4:R4b2 Q4d2 K5a1; turn 2"
    evaluation, position = OneLayer.initial(), Position.from_text(text)
    options = DuchessStudySettings(depth=1, depths=(), clamp=0.0, rate=1.0).student_options()
    found = study(evaluation, options, position, (), seed=1)
    error = 1 - sigmoid(evaluation.evaluate(position))
    assert found.changes == pytest.approx(error * evaluation.features(position))


def test_rates_fade_with_depth() -> None:
    position = Position.from_text(POSITION)
    evaluation = OneLayer.initial()

    def changes(decay: float) -> Any:
        settings = DuchessStudySettings(depth=2, depths=(), clamp=0.0, decay=decay)
        return study(evaluation, settings.student_options(), position, (), seed=1).changes

    root, tree = changes(0.0), changes(1.0)
    third = changes(1 / 3)
    # The root counts fully, its children a third each.
    assert third == pytest.approx(root + (tree - root) / 3)
    assert not np.allclose(third, root)


def test_no_weight_changes_by_more_than_the_clamp() -> None:
    position = Position.from_text(POSITION)
    wild = DuchessStudySettings(depth=2, depths=(), rate=10.0)
    changes = study(OneLayer.initial(), wild.student_options(), position, (), seed=1).changes
    assert np.abs(changes).max() == 0.001


def test_games_side_by_side_change_no_weight_by_more_than_one_move_may() -> None:
    # Any one of these searches changes some weight by all that its share allows.
    wild = replace(SMALL, depth=2, rate=10.0, round_size=6)
    begin = OneLayer.initial()
    with ThreadPoolExecutor(2) as executor:
        for games, most in ((1, 0.001 / 6), (6, 0.001)):
            playing = [_Game(4, 12, number, seed=number) for number in range(games)]
            after = _play_moves(begin, {"weights": begin.weights}, wild, playing, executor)
            assert np.abs(after["weights"] - begin.weights).max() == pytest.approx(most)


def test_bounds_teach_up_to_the_edge_of_the_window() -> None:
    # What a refutation is worth lies beyond the edge, so that it teaches more.
    position = Position.from_text(POSITION)
    lessons = []
    for at_edges in (True, False):
        settings = DuchessStudySettings(depth=3, depths=(), clamp=0.0, at_edges=at_edges)
        lessons.append(study(OneLayer.initial(), settings.student_options(), position, (), 1))
    edges, refutations = (lesson.changes for lesson in lessons)
    assert lessons[0].move == lessons[1].move
    assert 0 < np.abs(edges).sum() < np.abs(refutations).sum()


def test_the_same_seed_gives_the_same_weights_for_any_number_of_workers() -> None:
    one, two = train(SMALL, 1, seed=3), train(SMALL, 2, seed=3)
    assert one[-1].games == SMALL.games
    for left, right in zip(one, two, strict=True):
        assert left.arrays["weights"].tobytes() == right.arrays["weights"].tobytes()
        assert left.measured == right.measured
    other = train(SMALL, 1, seed=4)
    assert not np.array_equal(other[-1].arrays["weights"], one[-1].arrays["weights"])


def test_a_game_that_ends_makes_room_for_the_next() -> None:
    numbers: list[int] = []
    for snapshot in train_by_moves(replace(SMALL, games=5, round_size=3), 2, seed=5):
        numbers = [state["number"] for state in snapshot.plain["under_way"]]
        ended_before = snapshot.games - len(snapshot.played)
        # As many as may be at a time have made this move, or all that are left.
        assert len(numbers) + len(snapshot.played) == min(3, 5 - ended_before)
        assert numbers == sorted(set(numbers))
    assert numbers == []


def test_resuming_equals_not_having_stopped() -> None:
    settings = replace(SMALL, games=5, round_size=3, depth=1)
    snapshots = train_by_moves(settings, 2, seed=5)
    games = [each.games for each in snapshots]
    assert games[-1] == 5
    assert all(bool(each.measured) == bool(each.played) for each in snapshots)
    # After the first moves, when a game has just ended, later, and before the last move.
    for moment in (0, games.index(1), games.index(2) + 5, len(games) - 2):
        kept = json.loads(json.dumps(snapshots[moment].plain))
        start = replace(snapshots[moment], plain=kept, measured={}, played=())
        resumed = train_by_moves(settings, 1, seed=5, start=start)
        whole = snapshots[moment + 1 :]
        assert len(resumed) == len(whole)
        for one, other in zip(resumed, whole, strict=True):
            assert one.arrays["weights"].tobytes() == other.arrays["weights"].tobytes()
            assert (one.games, one.plain, one.measured) == (
                other.games,
                other.plain,
                other.measured,
            )
            assert one.played == other.played


def test_records_are_whole_games() -> None:
    snapshots = train(SMALL, 2, seed=8)
    assert sum(len(snapshot.played) for snapshot in snapshots) == SMALL.games
    for snapshot in snapshots:
        for record in snapshot.played:
            outcome = record.outcome()
            assert outcome is not None
            assert (outcome.plies, outcome.winner) == (len(record.moves), record.winner)
        plies = sum(len(record.moves) for record in snapshot.played) / len(snapshot.played)
        assert plies == snapshot.measured["plies"]


def test_weights_change_and_stay_near_where_they_began() -> None:
    before = OneLayer.initial().weights
    after = train(SMALL, 1, seed=6)[-1].arrays["weights"]
    assert not np.array_equal(before, after)
    assert np.abs(after - before).max() < 0.5


def test_the_end_of_the_game_may_have_weights_of_its_own() -> None:
    # With 60 pieces at the start and as many as 59 in the end's phase, both learn.
    settings = replace(SMALL, endgame=60)
    before = OneLayer.initial().weights
    first, *_, last = train(settings, 2, seed=7)
    for name in ("weights", "endgame_weights"):
        assert not np.array_equal(last.arrays[name], before)
    assert not np.array_equal(last.arrays["weights"], last.arrays["endgame_weights"])
    *_, resumed = train(settings, 1, seed=7, start=first)
    for name in ("weights", "endgame_weights"):
        assert resumed.arrays[name].tobytes() == last.arrays[name].tobytes()
    # Where the phase never comes its weights learn nothing.
    never = train(replace(SMALL, endgame=2), 2, seed=7)[-1]
    assert np.array_equal(never.arrays["endgame_weights"], before)
    assert (
        never.arrays["weights"].tobytes() == train(SMALL, 1, seed=7)[-1].arrays["weights"].tobytes()
    )


def test_students_of_six_players() -> None:
    evaluation = OneLayer.initial(6)
    found = study(evaluation, SMALL.student_options(), Position(6), (), seed=1)
    assert found.move in Position(6).legal_moves
    assert found.changes.shape == evaluation.weights.shape


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"games": 0}, "games must be 1 or more, not 0"),
        ({"depths": ((7, 0),)}, "the depth for 7 pieces must be 1 to 200, not 0"),
        ({"rate": -1.0}, "rate must be 0 to 1000, not -1.0"),
        ({"decay": float("nan")}, "decay must be 0 to 1, not nan"),
    ],
)
def test_bad_settings(change: dict[str, Any], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        DuchessStudySettings(**change)
