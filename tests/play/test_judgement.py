"""What moves of a game lose: values of one depth, draws, wins, averages."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from crossboard.draughts import Position, Record, parse_pdn
from crossboard.play.judgement import (
    MOST_LOSS,
    SETTINGS,
    Analysis,
    Judgement,
    Turn,
    Worth,
    judge,
    turns,
)
from crossboard.players import Player, SearchLimits, SearchSettings, load_player

# White's third move gives a man away.
BLUNDER = "1. 11-15 22-18 2. 15x22 25x18 3. 12-16 18-14 4. 9x18 1-0"
# White is lost and repeats; Black lets it.
REPEATED = """[FEN "W:WK16:BK9,K24"]
1... 16-12 2. 9-13 12-16 3. 13-9 16-12 4. 9-13 12-16 5. 13-9 1/2-1/2
"""
# Kings and men: the moves lead to each other's positions in many ways.
ENDGAME = """[Event "1981 World Championship Match, Tinsley - Long, game 37, the end"]
[FEN "W:WK1,K4,12,21:B3,K11,K14,K30"]
1... 1-6 2. 30-26 6-1 3. 26-22 1-6 4. 22-18 6-1 5. 14-9 1-5 6. 9-6 21-17 7. 18-22 1-0
"""


def judged(pdn: str, **limits: Any) -> list[Judgement]:
    (record,) = parse_pdn(pdn)
    player = load_player("material", search=SETTINGS)
    return [judge(player, SearchLimits(**limits), turn) for turn in turns(record)]


def random_game(seed: int, plies: int) -> Record:
    rng, record = random.Random(seed), Record()
    while record.outcome() is None and len(record.moves) < plies:
        record.play(rng.choice(record.position.legal_moves))
    return record


def test_both_values_are_exact_and_of_the_same_depth() -> None:
    depth, losses = 9, []
    plain = load_player("material", search=SearchSettings(table_mb=0).full_width())
    player = load_player("material", search=SETTINGS.full_width())
    for record in (random_game(1, plies=40), *parse_pdn(ENDGAME)):
        for turn in turns(record):
            judgement = judge(player, SearchLimits(depth=depth), turn)
            after = turn.position.after(turn.move)
            history = [*turn.history, turn.position]
            best = plain.search(turn.position, depth=depth, history=turn.history)
            assert judgement.worth == (best.value, best.win_in)
            reply = plain.search(after, depth=depth - 1, history=history)
            assert judgement.played.value == -reply.value
            assert judgement.played.value <= judgement.worth.value
            losses.append(judgement.loss)
    assert len(losses) > 50
    assert 0 < sum(loss > 0 for loss in losses) < len(losses)


def test_the_best_move_loses_nothing_by_whatever_way_it_jumps() -> None:
    player = load_player("material", search=SETTINGS)
    position, routes = Position.from_fen("B:W10,11,18,19,32:BK7,1"), []
    for move in position.legal_moves:
        turn = Turn(1, "1.", position, move, [], False)
        judgement = judge(player, SearchLimits(depth=5), turn)
        if judgement.loss == 0:
            assert judgement.best == move
            routes.append(move)
    assert len(routes) > 1


def test_history_is_what_can_come_back() -> None:
    (record,) = parse_pdn('[FEN "B:WK32,21:BK1,12"] 1. 1-6 32-28 2. 6-1 21-17 3. 1-6 28-32 *')
    found = list(turns(record))
    assert [len(turn.history) for turn in found] == [0, 1, 2, 3, 0, 1]
    assert found[3].history == [turn.position for turn in found[:3]]
    assert [turn.number for turn in found] == ["1.", "1...", "2.", "2...", "3.", "3..."]


def test_a_set_up_begins_anew() -> None:
    (record,) = parse_pdn('[FEN "B:WK32:BK1"] 1. 1-6 32-28 /FEN "W:WK16:BK9,K24"/ 2... 16-12 *')
    assert record.errors == []
    found = list(turns(record))
    assert [turn.ply for turn in found] == [1, 2, 3]
    assert found[2].position.fen == "W:WK16:BK9,K24"
    assert found[2].history == []


def test_a_draw_that_was_a_win_is_a_blunder() -> None:
    found = judged(REPEATED, depth=9)
    assert [judgement.turn.is_draw for judgement in found] == [False] * 7 + [True]
    last = found[-1]
    assert last.worth == (100.0, 9)
    assert last.played == (0.0, None)
    assert found[3].played == (0.0, None)  # White can repeat already
    # White, lost at first, finds its draw.
    assert found[0].played == (-100.0, -8)
    assert found[4].played == (0.0, None)


def test_a_move_that_draws_is_worth_a_draw_whatever_follows() -> None:
    bad = list(turns(next(parse_pdn(BLUNDER))))[5]
    player = load_player("material", search=SETTINGS)
    judgement = judge(player, SearchLimits(depth=7), replace(bad, is_draw=True))
    assert (judgement.played, judgement.loss) == ((0.0, None), 0.0)


def test_the_winning_move_and_the_missed_one() -> None:
    (won,) = judged('[FEN "B:W5:BK6,K2"] 1. 6-1 *', depth=5)
    assert won.worth == won.played == (100.0, 1)
    (missed,) = judged('[FEN "B:W5:BK6,K2"] 1. 6-10 *', depth=5)
    assert (missed.worth, missed.played, missed.mark) == ((100.0, 1), (1.5, None), "??")
    _, _, thrown, _ = judged('[FEN "B:W5:BK6,K2"] 1. 6-10 5-1 2. 10-6 1x10 *', depth=5)
    assert thrown.played == (-100.0, -4)
    for capture in ("14x23", "15x22"):  # of which only one can be called the best
        (other,) = judged(f'[FEN "B:W18:BK14,K15"] 1. {capture} *', depth=5)
        assert other.played == (100.0, 1)


def test_another_win_is_no_loss_if_it_is_within_the_depth() -> None:
    found = judged('[FEN "W:WK16:BK9,K24"] 1... 16-12 2. 9-6 *', depth=13)
    assert found[1].worth == (100.0, 7)
    assert found[1].played == (100.0, 11)
    assert found[1].loss == 0


@pytest.mark.parametrize("limits", [{"nodes": 1}, {"nodes": 20_000}, {"seconds": 0.01}])
def test_the_move_is_searched_as_deep_as_the_best_one(
    monkeypatch: pytest.MonkeyPatch, limits: dict[str, Any]
) -> None:
    depths: list[tuple[int | None, int]] = []
    real = Player.search

    def listen(self: Player, position: Position, **asked: Any) -> Any:
        result = real(self, position, **asked)
        depths.append((asked["limits"].depth, result.depth))
        return result

    monkeypatch.setattr(Player, "search", listen)
    (first,) = judged("1. 11-15 *", **limits)
    assert str(first.best) != "11-15"
    _, before = depths[-2]
    assert before == first.depth >= 2
    assert depths[-1] == (before - 1, before - 1)


def summed_up(*losses: float) -> Analysis:
    (turn,) = turns(next(parse_pdn("1. 11-15 *")))
    judgements = [Judgement(turn, turn.move, Worth(loss), Worth(0.0), [], 9) for loss in losses]
    return Analysis(1, Record(), len(losses), judgements)


def test_half_a_man_is_a_mistake_and_a_man_a_blunder() -> None:
    summary = summed_up(0, 0.49, 0.5, 0.99, 1.0, 1.5).summary("B")
    assert (summary.moves, summary.mistakes, summary.blunders) == (6, 2, 2)
    assert summed_up().summary("B").average_loss is None


def test_a_win_thrown_away_does_not_make_the_average() -> None:
    assert summed_up(100.0, 0.0).summary("B").average_loss == MOST_LOSS / 2


def test_the_worst_moves_come_worst_first() -> None:
    worst = summed_up(0.5, 0.1, 3.0, 1.0, 2.0).worst
    assert [judgement.loss for judgement in worst] == [3.0, 2.0, 1.0]
