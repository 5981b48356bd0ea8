"""Self-play with cloning: who learns from what, when the copy follows, and the same again."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from crossboard._core.draughts import Chooser, play_games
from crossboard.draughts import DrawRules, Position, StartBoard
from crossboard.evaluators import EvalNet, Network, feature_mapping
from crossboard.learn import Schooling, Snapshot, TdLearner, TdSettings
from crossboard.learn.cloning import CloningSettings, _School, learn_by_cloning, measure_block
from crossboard.players import make_engine
from crossboard.systems.neurodraughts import PUBLISHED

NETWORK = Network.initial(feature_mapping("lynch"), 4, seed=3)
SMALL = CloningSettings(most_games=12, games=4, depth=1)
CALM = TdSettings(momentum=0.0)
IN_ROUNDS = replace(SMALL, round_size=4, random_plies=4, td=CALM)


def learn(settings, *, seed=5, workers=1, start=None, network=NETWORK):
    with ThreadPoolExecutor(workers) as executor:
        return list(learn_by_cloning(network, settings, Schooling(seed, executor, workers, start)))


def same(one, other):
    return one.plain == other.plain and all(
        np.array_equal(one.arrays[name], other.arrays[name]) for name in one.arrays | other.arrays
    )


def student_of(snapshot):
    return {k.removeprefix("student."): v for k, v in snapshot.arrays.items() if "student" in k}


def test_the_student_learns_from_the_boards_it_left_behind():
    (snapshot,) = learn(replace(SMALL, most_games=4))
    learner = TdLearner(NETWORK.net, SMALL.td)
    for number, game in enumerate(snapshot.played):
        seat = number % 2  # Black, who moves first, in even games
        first, *others = (NETWORK.mapping.inputs(b) for b in game.boards_after(seat))
        learner.start(first)
        for inputs in others:
            learner.step(inputs)
        learner.finish(SMALL.boards[0].reward(game, seat))
    for name, array in learner.net.arrays().items():
        np.testing.assert_array_equal(array, student_of(snapshot)[name])


def test_with_both_learning_the_opponent_changes_too():
    (snapshot,) = learn(replace(SMALL, most_games=4, regime="straight"))
    for who in ("student", "opponent"):
        assert not np.array_equal(snapshot.arrays[f"{who}.w1"], NETWORK.net.w1)
    assert not np.array_equal(snapshot.arrays["student.w1"], snapshot.arrays["opponent.w1"])
    assert snapshot.plain["clones"] == 0


# Two kings against one: Black is to move in the first, has lost in the second.
BEHIND = Position.from_fen("B:WK4:BK28,K30")
AHEAD = Position.from_fen("B:WK28,K30:BK4")
TWO_BOARDS = (StartBoard(points_to_clone=2), StartBoard(position=BEHIND, points_to_clone=2))


@pytest.mark.parametrize(
    "settings",
    [
        SMALL,
        IN_ROUNDS,
        replace(IN_ROUNDS, regime="mirror"),
        replace(SMALL, most_games=10, games=2, boards=TWO_BOARDS),
        replace(IN_ROUNDS, most_games=10, games=2, boards=TWO_BOARDS),
        replace(IN_ROUNDS, most_games=10, block_games=4, boards=TWO_BOARDS),
    ],
)
def test_stopped_after_any_block_it_ends_where_it_would_have_ended(settings):
    whole = learn(settings)
    for stop in whole[:-1]:
        kept = Snapshot(stop.games, stop.arrays, stop.plain)
        rest = learn(settings, start=kept)
        assert same(rest[-1], whole[-1])
        assert [s.measured for s in rest] == [s.measured for s in whole[-len(rest) :]]


def test_workers_make_no_difference():
    assert same(learn(IN_ROUNDS)[-1], learn(IN_ROUNDS, workers=3)[-1])


def test_another_seed_plays_other_games():
    one, other = learn(IN_ROUNDS)[-1], learn(IN_ROUNDS, seed=6)[-1]
    assert not same(one, other)
    assert one.played != other.played


def test_a_clone_has_the_weights_of_the_student():
    generous = replace(SMALL, boards=(StartBoard(points_to_clone=0),))
    for block, snapshot in enumerate(learn(generous), start=1):
        assert snapshot.plain["clones"] == block
        for name, array in student_of(snapshot).items():
            np.testing.assert_array_equal(array, snapshot.arrays[f"opponent.{name}"])


def test_without_enough_points_nobody_is_cloned():
    strict = replace(SMALL, boards=(StartBoard(points_to_clone=5),))
    last = learn(strict)[-1]
    assert last.plain["clones"] == 0
    np.testing.assert_array_equal(last.arrays["opponent.w1"], NETWORK.net.w1)


def test_a_share_of_won_games_makes_a_clone():
    def clones(share):
        return [
            s.measured["cloned"] for s in learn(replace(SMALL, regime="share", clone_share=share))
        ]

    won = [
        sum(game.winner == n % 2 for n, game in enumerate(s.played))
        for s in learn(replace(SMALL, regime="share", clone_share=1.0))
    ]
    # Until the first clone the games do not depend on the share.
    assert clones(1.0)[0] == (won[0] == SMALL.games)
    assert clones(0.01)[0] == (won[0] >= 1)


def test_tests_and_clones_are_told_where_there_are_any():
    def told(settings):
        (snapshot,) = learn(replace(settings, most_games=4))
        return snapshot.measured.keys() & {"test_points", "cloned", "clones"}

    assert told(SMALL) == {"test_points", "cloned", "clones"}
    assert told(replace(SMALL, regime="share")) == {"cloned", "clones"}
    assert told(replace(SMALL, regime="straight")) == set()
    assert told(replace(IN_ROUNDS, regime="mirror")) == set()


def test_every_board_has_its_games_its_test_and_its_rewards():
    boards = (
        StartBoard(position=BEHIND, draw_as_black=-0.5, draw_as_white=0.5, points_to_clone=3),
        StartBoard(position=AHEAD, draw_as_black=0.5, draw_as_white=-0.5, points_to_clone=3),
    )
    rules = DrawRules(repetitions=0, quiet_plies=0, max_plies=20)
    (snapshot,) = learn(replace(SMALL, most_games=4, games=2, boards=boards, rules=rules))
    assert [game.start for game in snapshot.played] == [BEHIND, BEHIND, AHEAD, AHEAD]
    drawn = next(game for game in snapshot.played if game.winner is None)
    board = boards[[BEHIND, AHEAD].index(drawn.start)]
    assert board.reward(drawn, 0) == board.draw_as_black
    assert board.reward(drawn, 1) == board.draw_as_white


def points_on(board, student, opponent, settings):
    """What a student has of two games against its copy; equals are the first of the best."""
    rules, search = settings.rules, settings.search
    players = [
        Chooser.engine(make_engine(Network.of(NETWORK.mapping, net), search), depth=settings.depth)
        for net in (student, opponent)
    ]
    points = 0
    for seat in (0, 1):
        pair = players if seat == 0 else players[::-1]
        (game,) = play_games(*pair, openings=[(board.position, [])], seeds=[0], rules=rules)
        points += 1 if game.winner is None else 2 * (game.winner == seat)
    return points


@pytest.mark.parametrize("base", [SMALL, replace(IN_ROUNDS, random_plies=2)])
def test_a_board_is_tested_before_the_next_one_teaches(base):
    first, second = StartBoard(), StartBoard(position=BEHIND)
    base = replace(base, games=4, rules=DrawRules(repetitions=0, quiet_plies=0, max_plies=40))
    told = []
    for seed in range(6):
        (one,) = learn(replace(base, most_games=4, boards=(first,)), seed=seed)
        (both,) = learn(replace(base, most_games=8, boards=(first, second)), seed=seed)
        halfway, last = (EvalNet(**student_of(snapshot)) for snapshot in (one, both))
        at_once = points_on(first, halfway, NETWORK.net, base)
        later = points_on(first, last, NETWORK.net, base)
        rest = points_on(second, last, NETWORK.net, base)
        assert both.measured["test_points"] == at_once + rest
        told.append(at_once != later)
    assert any(told)


def test_on_every_board_the_student_begins_as_black():
    settings = replace(SMALL, games=3, boards=(StartBoard(), StartBoard(position=BEHIND)))
    for start in (Position(), BEHIND):
        assert [settings.seat_at(place, start) for place in range(6)] == [0, 1, 0] * 2
    red_first = Position.from_fen("W:WK4:BK28,K30")
    assert [settings.seat_at(place, red_first) for place in range(3)] == [1, 0, 1]
    with ThreadPoolExecutor(1) as executor:
        school = _School(NETWORK.mapping, settings, Schooling(1, executor))
        assert [one.seat for one in school._starts(0)] == [0, 1, 0] * 2


def test_a_win_is_worth_one_whatever_a_draw_is_worth():
    (snapshot,) = learn(replace(SMALL, most_games=6, games=6))
    won = next(game for game in snapshot.played if game.winner is not None)
    board = StartBoard(draw_as_black=0.3)
    assert board.reward(won, won.winner) == 1
    assert board.reward(won, 1 - won.winner) == -1


def test_moves_and_pieces_are_those_of_the_student():
    (snapshot,) = learn(replace(SMALL, most_games=2, games=2))
    games = snapshot.played
    mine = measure_block([0, 1], games)
    theirs = measure_block([1, 0], games)
    assert mine["moves"] == sum(game.plies for game in games) / 4
    assert mine["pieces"] == -theirs["pieces"]
    assert mine["won"] == 1 - theirs["won"]
    assert snapshot.measured["pieces"] == mine["pieces"]


def test_no_more_games_are_played_than_asked_for():
    settings = replace(SMALL, most_games=10)
    snapshots = learn(settings)
    assert [snapshot.games for snapshot in snapshots] == [4, 8, 10]
    assert [len(snapshot.played) for snapshot in snapshots] == [4, 4, 2]
    again = learn(settings, start=snapshots[1])
    assert same(again[-1], snapshots[-1])


def test_rates_fall_from_the_first_scale_to_the_last():
    settings = CloningSettings(most_games=50, first_scale=0.05, last_scale=0.005)
    scales = [settings.scale(block) for block in range(5)]
    assert scales[0] == pytest.approx(0.05)
    assert scales[-1] == pytest.approx(0.005)
    shares = [later / earlier for earlier, later in pairwise(scales)]
    assert shares == pytest.approx([shares[0]] * 4)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"regime": "clever"}, "the regime is test, share, straight or mirror, not 'clever'"),
        ({"boards": ()}, "training needs a board"),
        ({"games": 0}, "games must be 1 or more, not 0"),
        ({"clone_share": 0.0}, "clone_share must be above 0"),
        ({"regime": "straight", "round_size": 4, "td": CALM}, "round_size is 1"),
        ({"regime": "mirror"}, "round_size is 2 or more"),
        ({"round_size": 4}, "with a round_size of 4 it must be 0, not 0.9"),
    ],
)
def test_settings_that_make_no_sense_are_refused(change, words):
    with pytest.raises(ValueError, match=words):
        CloningSettings(**change)


@pytest.mark.parametrize(
    ("points", "needed", "cloned"),
    [
        ([4], [4], True),
        ([3], [4], False),
        ([4, 3], [4, 3], True),
        ([4, 2], [4, 3], False),  # on every board
        ([0, 4], [4, 3], False),
        ([4, 4, 0], [4, 4, 4], True),  # of many boards all points together: 60 % of the most
        ([4, 3, 0], [4, 4, 4], False),
    ],
)
def test_points_on_every_board_or_in_all_make_a_clone(points, needed, cloned):
    boards = tuple(StartBoard(points_to_clone=enough) for enough in needed)
    settings = replace(SMALL, boards=boards)
    with ThreadPoolExecutor(1) as executor:
        school = _School(NETWORK.mapping, settings, Schooling(1, executor))
        assert school.passes(points, [], []) == cloned


SPREAD = replace(
    SMALL,
    most_games=14,
    games=99,  # which has no effect then
    block_games=6,
    boards=(
        StartBoard(position=BEHIND),
        StartBoard(position=AHEAD),
        StartBoard(),
        StartBoard(position=BEHIND.after("30-26")),
    ),
    rules=DrawRules(repetitions=0, quiet_plies=0, max_plies=8),
)


def test_spread_games_go_through_the_boards_two_on_each():
    whole = learn(SPREAD)
    assert [len(snapshot.played) for snapshot in whole] == [6, 6, 2]
    starts = [game.start for snapshot in whole for game in snapshot.played]
    boards = [board.position for board in SPREAD.boards]
    assert starts == [boards[n // 2 % 4] for n in range(14)]
    # The student has each colour once on each board; White begins on the last one.
    seats = [SPREAD.seat_at(n % 6, start) for n, start in enumerate(starts)]
    assert seats == [0, 1, 0, 1, 0, 1, 1, 0, 0, 1, 0, 1, 0, 1]


def test_an_odd_number_of_spread_games_leaves_no_board_out():
    odd = replace(SPREAD, most_games=15, block_games=3)
    starts = [game.start for snapshot in learn(odd) for game in snapshot.played]
    assert set(starts) == {board.position for board in SPREAD.boards}


def test_where_random_plies_leave_no_game_it_begins_at_once():
    # White's only man is taken by whatever Black plays.
    doomed = StartBoard(Position.from_fen("B:W18:B14"))
    settings = replace(IN_ROUNDS, boards=(StartBoard(), doomed), games=2, most_games=4)
    (snapshot,) = learn(settings)
    assert [game.start == doomed.position for game in snapshot.played] == [False] * 2 + [True] * 2
    assert [game.plies for game in snapshot.played[2:]] == [1, 1]


def test_after_spread_games_all_boards_are_tested():
    easy = tuple(replace(board, points_to_clone=0) for board in SPREAD.boards)
    first = learn(replace(SPREAD, boards=easy))[0]
    # Two games on each of four boards are worth 16 points; of many boards 60 % are asked for.
    assert 0 <= first.measured["test_points"] <= 16
    assert first.measured["cloned"] == (first.measured["test_points"] >= 0.6 * 16)
    few = learn(replace(SPREAD, boards=easy[:2]))[0]
    assert few.measured["cloned"] == 1  # on every board, which here asks for nothing


def test_each_board_teaches_with_its_own_draws():
    boards = (
        StartBoard(position=BEHIND, draw_as_black=-0.5, draw_as_white=0.5),
        StartBoard(position=AHEAD, draw_as_black=0.7, draw_as_white=-0.7),
    )
    rules = DrawRules(repetitions=0, quiet_plies=0, max_plies=8)
    settings = replace(SMALL, most_games=4, games=2, boards=boards, rules=rules)
    (snapshot,) = learn(settings)
    learner = TdLearner(NETWORK.net, settings.td)
    for number, game in enumerate(snapshot.played):
        seat, board = number % 2, boards[number // 2]
        first, *others = (NETWORK.mapping.inputs(b) for b in game.boards_after(seat))
        learner.start(first)
        for inputs in others:
            learner.step(inputs)
        draw = board.draw_as_black if seat == 0 else board.draw_as_white
        won = {seat: 1.0, 1 - seat: -1.0, None: draw}
        learner.finish(won[game.winner])
    assert any(game.winner is None for game in snapshot.played)
    np.testing.assert_array_equal(learner.net.w1, student_of(snapshot)["w1"])


def test_searches_draw_by_the_rules_of_the_games():
    draws = CloningSettings().search.draws
    assert draws is not None
    assert (draws.repetitions, draws.quiet_plies) == (0, 0)
    assert draws == PUBLISHED.cloning().search.draws


def test_a_short_last_block_is_not_cloned_by_its_share():
    settings = replace(SMALL, regime="share", most_games=5)
    end = Position.from_fen("W:W18:B14")  # White takes the last man
    (won,) = play_games(Chooser.random(), Chooser.random(), openings=[(end, [])], seeds=[1])
    with ThreadPoolExecutor(1) as executor:
        school = _School(NETWORK.mapping, settings, Schooling(1, executor))
        (start,) = school._starts(1)
        start = start._replace(seat=won.winner)
        assert not school.passes([], [start], [won])
        assert school.passes([], [start] * settings.games, [won] * settings.games)
