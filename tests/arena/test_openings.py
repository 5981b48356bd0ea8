"""Openings: none twice while there are others, an order by seed, and files of every kind."""

from __future__ import annotations

from pathlib import Path

import pytest

from crossboard.arena.openings import PARTS, Openings, openings
from crossboard.draughts import Position, ballots

START = [1] * 12 + [0] * 8 + [2] * 12


def board_file(*boards: list[int]) -> str:
    rows = [" ".join(map(str, [*board, 0, 0, 0])) for board in boards]
    return "\n".join([str(len(boards)), *rows])


def test_ballots_come_once_each():
    count = len(ballots())
    taken = openings("ballots", seed=3).take(0, count)
    assert {tuple(map(str, opening.moves)) for opening in taken} == {
        tuple(ballot.moves) for ballot in ballots()
    }
    assert all(len(opening.moves) == 3 for opening in taken)


def test_when_ballots_have_run_out_random_plies_are_added():
    count = len(ballots())
    series = openings("ballots", seed=3)
    first, more = series.take(0, count), series.take(count, 5 * count)
    assert {len(opening.moves) for opening in more} == {5}
    assert {opening.moves[:3] for opening in more[:count]} == {o.moves for o in first}
    assert all("2 random plies" in opening.name for opening in more)
    assert len({opening.position for opening in more}) == len(more)


def test_ballots_to_select_by_and_to_report_from_are_all_and_share_none():
    parts = [openings(name, seed=3) for name in PARTS]
    counts = [len(part.listed) for part in parts]
    assert counts == [70, 74]  # as docs/arena.md has it
    taken = [part.take(0, count) for part, count in zip(parts, counts, strict=True)]
    assert all(len(opening.moves) == 3 for some in taken for opening in some)
    assert {opening.moves for some in taken for opening in some} == {
        opening.moves for opening in openings("ballots").listed
    }
    assert sum(counts) == len(ballots())


def test_parts_of_the_ballots_share_no_opening_after_they_have_run_out():
    one, other = (
        {opening.position for opening in openings(name, seed).take(0, 1000)}
        for seed, name in enumerate(PARTS)
    )
    assert len(one) == len(other) == 1000
    assert not one & other


def test_without_the_division_parts_would_meet():
    # Two plies behind different ballots often lead to the same position.
    one, other = (
        {opening.position for opening in Openings(openings(name).listed, seed).take(0, 1000)}
        for seed, name in enumerate(PARTS)
    )
    assert one & other


def test_random_openings_come_once_each():
    # 49 lines of two plies, and no two of them lead to the same position.
    taken = openings("random:2", seed=3).take(0, 60)
    assert len({opening.position for opening in taken}) == 60
    assert [len(opening.moves) for opening in taken] == [2] * 49 + [4] * 11


@pytest.mark.parametrize("fen", ["B:WK32:BK1", "B:W18:B14", "B:WK29:BK1,K4"])
def test_few_positions_come_again_when_nothing_new_is_left(fen: str, tmp_path: Path):
    file = tmp_path / "one.fen"
    file.write_text(fen)
    taken = openings(str(file)).take(0, 1000)
    assert len(taken) == 1000
    assert not any(opening.position.is_over for opening in taken)
    first = taken[0].position
    again = [n for n, opening in enumerate(taken) if opening.position == first]
    seen = {opening.position for opening in taken}
    # A man that is taken at once leaves nothing to choose; kings leave a lot.
    assert len(seen) == (again[1] if len(again) > 1 else 1000)


def test_the_seed_decides_the_order():
    one, same, other = (openings("ballots", seed=seed).take(0, 20) for seed in (1, 1, 2))
    assert one == same
    assert one != other


def test_a_piece_of_the_series_is_that_of_the_whole():
    series = openings("ballots", seed=9)
    whole = series.take(0, 400)
    assert series.take(150, 30) == whole[150:180]


@pytest.mark.parametrize(("plies", "count"), [(1, 7), (8, 30), (40, 30)])
def test_random_plies(plies: int, count: int):
    taken = openings(f"random:{plies}", seed=4).take(0, count)
    assert all(len(opening.moves) == plies for opening in taken)
    assert not any(opening.position.is_over for opening in taken)
    assert taken == openings(f"random:{plies}", seed=4).take(0, count)
    assert taken != openings(f"random:{plies}", seed=5).take(0, count)


def test_pdn_games_are_played_on(tmp_path: Path):
    file = tmp_path / "two.pdn"
    file.write_text('[Event "Cross"]\n1. 11-15 23-18 *\n\n[FEN "W:W31,32:B1,2"]\n1. 32-27 *\n')
    listed = openings(str(file)).listed
    assert [len(opening.moves) for opening in listed] == [2, 1]
    assert [opening.name for opening in listed] == ["Cross", "game 2"]
    assert listed[1].start.fen == "W:W31,32:B1,2"


def test_games_that_are_over_are_no_openings(tmp_path: Path):
    file = tmp_path / "games.pdn"
    back_and_forth = "1. 1-5 32-28 2. 5-1 28-32 3. 1-5 32-28 4. 5-1 28-32 "
    file.write_text(f'[FEN "B:WK32:BK1"]\n{back_and_forth}1/2-1/2\n\n1. 11-15 23-18 *\n')
    assert [opening.name for opening in openings(str(file)).listed] == ["game 2"]


def test_fen_lists(tmp_path: Path):
    file = tmp_path / "list.fen"
    file.write_text("# kings\nB:WK32:BK1\n\nW:W31,32:B1,2  # men\n")
    listed = openings(str(file)).listed
    assert [opening.position.fen for opening in listed] == ["B:WK32:BK1", "W:W31,32:B1,2"]
    assert [opening.name for opening in listed] == ["line 2", "line 4"]


def test_a_position_that_is_listed_twice_comes_once_before_random_plies(tmp_path: Path):
    path = tmp_path / "list.fen"
    fens = ["B:W21-32:B1-12", "W:W21-32:B1-11,16", "B:W21-32:B1-12", "B:W32,21-31:B1-12"]
    path.write_text("\n".join(fens))
    drawn = openings(str(path), seed=3).take(0, 6)
    assert {one.position.fen for one in drawn[:2]} == {Position.from_fen(f).fen for f in fens[:2]}
    assert all("random plies" in one.name for one in drawn[2:])
    assert len({one.position for one in drawn}) == 6


def test_boards_of_neurodraughts(tmp_path: Path):
    file = tmp_path / "boards.brd"
    kings = [3, *[0] * 30, 4]
    file.write_text(board_file(START, kings))
    listed = openings(str(file)).listed
    assert [opening.position for opening in listed] == [
        Position(),
        Position.from_fen("B:WK32:BK1"),
    ]


def test_positions_that_are_over_are_left_out(tmp_path: Path):
    file = tmp_path / "list.fen"
    file.write_text("W:W:B1\nB:WK32:BK1\n")
    assert len(openings(str(file)).listed) == 1


@pytest.mark.parametrize(
    ("name", "data", "told"),
    [
        ("a.fen", b"", "holds no position to play from"),
        ("a.fen", b"W:W:B1\n", "holds no position to play from"),
        ("a.fen", b"B:WK32:BK1\nnonsense\n", "a.fen, line 2: "),
        ("a.txt", b"\xff\xfe\x00", "is not text in UTF-8"),
        ("a.pdn", b"", "holds no position to play from"),
        ("a.pdn", b"1. 11-15 9-14 *", "a.pdn: "),
        ("a.pdn", b"\x00\x01\x02 this is no PDN", "a.pdn"),
        ("a.brd", b"", "a.brd, line 1: expected the number of boards"),
        ("a.brd", b"0", "holds no position to play from"),
    ],
)
def test_bad_files_are_refused_in_one_sentence(tmp_path: Path, name: str, data: bytes, told: str):
    file = tmp_path / name
    file.write_bytes(data)
    with pytest.raises(ValueError, match=r".") as caught:
        openings(str(file))
    assert told in str(caught.value)
    assert name in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("source", ["random:", "random:0", "random:41", "random:-1", "random:x"])
def test_random_plies_that_make_no_sense(source: str):
    with pytest.raises(ValueError, match="say how many random plies, 1 to 40"):
        openings(source)


@pytest.mark.parametrize(
    "source", ["", ".", "ballots:", "ballots:all", "nowhere.pdn", "x" * 5000, "a\0b"]
)
def test_sources_that_are_not_there(source: str):
    with pytest.raises(ValueError, match=r"openings are 'ballots', .*'random:N' or a file"):
        openings(source)
