"""Games that label positions: which ones, with what, and on nothing else they depend."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from crossboard._core import draughts as core
from crossboard.arena.openings import SELECT, openings
from crossboard.draughts import Position
from crossboard.evaluators import SmallNet
from crossboard.learn.labels import (
    Labelled,
    Labels,
    LabelSettings,
    play_labelled,
    spread_labelled,
)
from crossboard.players import Player, SearchSettings
from crossboard.tables import Building

STARTS = [one.position for one in openings(SELECT).listed]
SEARCH = SearchSettings(table_mb=1)
# Counts men and kings: enough for games with a winner.
WEIGHTS = np.zeros((4, 128 * 8 + 8 + 8 * 8 + 8 + 8 + 128 + 1), np.float32)
WEIGHTS[:, -129:-1] = np.repeat([1.0, -1.0, 1.4, -1.4], 32)
NET = SmallNet.from_floats(WEIGHTS.ravel(), hidden=8, second=8)


def play(seeds: range, **settings: int) -> Labelled:
    return play_labelled(NET, SEARCH, LabelSettings(nodes=150, **settings), STARTS, list(seeds))


def position_of(board: np.ndarray) -> Position:
    """Return the position that a row of a board stands for, with Black to move."""
    squares = [[s + 1 for s in range(32) if int(word) >> s & 1] for word in board]
    own = [*map(str, squares[0]), *(f"K{s}" for s in squares[2])]
    other = [*map(str, squares[1]), *(f"K{s}" for s in squares[3])]
    return Position.from_fen(f"B:W{','.join(other)}:B{','.join(own)}")


def test_positions_are_quiet_and_leave_a_choice() -> None:
    labels = play(range(6)).labels
    assert len(labels) > 200
    for board in labels.boards:
        position = position_of(board)
        assert not position.has_capture
        assert not Position.from_fen("W" + position.fen[1:]).has_capture
        assert len(position.legal_moves) > 1


def test_values_are_those_of_searches() -> None:
    labels = play(range(3)).labels
    player = Player("net", NET, search=SEARCH)
    known = np.flatnonzero(labels.results != core.UNKNOWN_RESULT)
    off = []
    for place in known[::10]:
        found = player.search(position_of(labels.boards[place]), nodes=2000)
        if found.win_in is None and abs(labels.values[place]) < core.SURE_VALUE:
            off.append(abs(100 * found.value - labels.values[place]))
    assert len(off) > 5
    assert np.median(off) <= 20  # of other nodes, and of tables that know more


def test_results_are_of_the_side_to_move() -> None:
    labels = play(range(40), samples=0).labels
    ahead = np.abs(labels.values) > 300
    won, lost = labels.results == 1, labels.results == -1
    assert (won | lost).any()
    agreeing = (labels.values > 0) == won
    assert agreeing[ahead & (won | lost)].mean() > 0.9


def test_drawn_positions_have_no_result() -> None:
    without, with_some = play(range(4), samples=0), play(range(4), samples=2)
    assert not (without.labels.results == core.UNKNOWN_RESULT).any()
    share = (with_some.labels.results == core.UNKNOWN_RESULT).mean()
    assert 0.4 < share < 0.75


def level_share(worst_opening: int) -> float:
    """Return how many boards with most pieces are level, after wild openings."""
    wild = {"least_random_plies": 10, "most_random_plies": 16, "plies_after_opening": 16}
    labels = play(range(60), samples=0, random_every=0, worst_opening=worst_opening, **wild).labels
    counts = np.bitwise_count(labels.boards).astype(int)
    early = counts.sum(axis=1) >= 17
    return float((counts[early, 0] == counts[early, 1]).mean())


def test_openings_are_fair() -> None:
    assert level_share(50) > level_share(10_000) + 0.1


def test_games_depend_on_their_seeds_alone() -> None:
    whole = play(range(8))
    parts = [play(range(3)), play(range(3, 8))]
    joined = Labels.joined([part.labels for part in parts])
    assert same(whole.labels, joined)
    assert whole.nodes == sum(part.nodes for part in parts)
    assert not same(whole.labels, play(range(1, 9)).labels)


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_any_number_of_workers_labels_alike(workers: int) -> None:
    settings, seeds = LabelSettings(nodes=100), list(range(7))
    with ThreadPoolExecutor(workers) as executor:
        spread = spread_labelled(NET, SEARCH, settings, STARTS, seeds, executor, workers)
    alone = play_labelled(NET, SEARCH, settings, STARTS, seeds)
    assert same(spread.labels, alone.labels)
    assert spread[1:] == alone[1:]


def same(one: Labels, other: Labels) -> bool:
    pairs = zip(one.fields(), other.fields(), strict=True)
    return all(np.array_equal(first, second) for first, second in pairs)


@pytest.mark.parametrize(
    "change", [{"nodes": 0}, {"samples": -1}, {"most_random_plies": 3}, {"clear_plies": 0}]
)
def test_settings_make_sense(change: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=next(iter(change))):
        LabelSettings(**change)


def test_games_without_captures_end() -> None:
    short, usual = play(range(6), quiet_plies=4, samples=0), play(range(6), samples=0)
    assert short.plies < usual.plies


def board_of_black(position: Position) -> tuple[int, ...]:
    """Return the row of a board with men alone and Black to move, or its mirror image."""
    turned = position.turn == "W"
    sides = [position.pieces(side) for side in ("WB" if turned else "BW")]
    own, other = (sum(1 << (33 - s if turned else s) - 1 for s in side) for side in sides)
    return own, other, 0, 0


def test_openings_lead_through_no_reserved_position() -> None:
    start = Position()
    first = [start.after(move) for move in start.legal_moves]
    settings = {"least_random_plies": 1, "most_random_plies": 1, "plies_after_opening": 1}

    def begun(reserved: list[Position]) -> set[tuple[int, ...]]:
        """Return the positions that games begin with."""
        label = LabelSettings(nodes=50, samples=0, **settings)
        games = [play_labelled(NET, SEARCH, label, [start], [seed], reserved) for seed in range(40)]
        return {tuple(game.labels.boards[0].tolist()) for game in games}

    assert begun([]) > begun(first[1:]) == {board_of_black(start), board_of_black(first[0])}


def test_an_opening_cannot_be_reserved() -> None:
    with pytest.raises(ValueError, match="reserved cannot be an opening"):
        play_labelled(NET, SEARCH, LabelSettings(), STARTS, [1], STARTS[:1])


def test_games_end_where_endgame_tables_know_the_result(tmp_path: Path) -> None:
    Building(tmp_path, 4, workers=2).conduct(lambda done, name: None)
    settings, seeds = LabelSettings(nodes=150, samples=0), list(range(60))
    without = play_labelled(NET, SEARCH, settings, STARTS, seeds)
    played = play_labelled(NET, SEARCH, settings, STARTS, seeds, tables=tmp_path)
    assert fewest_pieces(without) <= 4 < fewest_pieces(played)
    assert played.plies < without.plies


def fewest_pieces(played: Labelled) -> int:
    return int(np.bitwise_count(played.labels.boards).sum(axis=1).min())


def test_no_openings_are_refused() -> None:
    with pytest.raises(ValueError, match="need an opening"):
        play_labelled(NET, SEARCH, LabelSettings(), [], [1])


def test_labels_are_of_many_positions() -> None:
    boards = {tuple(board) for board in play(range(20)).labels.boards.tolist()}
    others = {tuple(board) for board in play(range(20, 40)).labels.boards.tolist()}
    assert len(boards | others) > 0.9 * (len(boards) + len(others))
    assert all(one != other for one, other in pairwise(sorted(boards)))
