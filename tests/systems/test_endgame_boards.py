"""Endgame boards: what a game gives, the same on any number of workers, and their files."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from crossboard._core.draughts import Chooser, play_games
from crossboard.arena.halt import Halt
from crossboard.arena.openings import openings
from crossboard.arena.pool import Share
from crossboard.draughts import DrawRules, Position
from crossboard.systems import board_collection
from crossboard.systems.board_collection import (
    BATCH,
    Collected,
    Collecting,
    board_of,
    collect_boards,
)
from crossboard.systems.endgame_boards import (
    EndgameBoard,
    UnfitBoards,
    count_pieces,
    format_endgame_boards,
    read_endgame_boards,
)

KEPT = Path(__file__).parents[1] / "data" / "endgame_boards.fen"
FEW = Collecting(count=25, depth=1)
# Twelve pieces; Black is to move in both, and is not over.
ONE = "B:W21,22,23,24,25,26:B1,2,3,4,5,6"
OTHER = "B:W21,22,23,24,25,27:B1,2,3,4,5,6"
ELEVEN = "B:W21,22,23,24,25:B1,2,3,4,5,6"
# Both of Black's men stand before two pieces in a row.
OVER = "B:W9,14,16,19,22,23,24,30,31,32:B5,12"


def collect(asked: Collecting, workers: int = 1, **options):
    *_, last = batches(asked, workers, **options)
    return last


def batches(asked: Collecting, workers: int = 1, **options) -> list[Collected]:
    with ThreadPoolExecutor(workers) as executor:
        return list(collect_boards(asked, executor, workers, **options))


def test_a_game_gives_its_first_board_of_twelve_pieces() -> None:
    found = []
    games = play_games(
        Chooser.random(),
        Chooser.random(),
        openings=[(Position(), [])] * 200,
        seeds=range(200),
        rules=DrawRules(),
    )
    for game in games:
        stands = [game.start]
        for move in game.moves:
            stands.append(stands[-1].after(move))
        at = [ply for ply, position in enumerate(stands) if count_pieces(position) == 12]
        board = board_of(game, "an opening")
        if not at:
            assert board is None  # a jump passed twelve, or the game ended before
            continue
        ply, position = at[0], stands[at[0]]
        found.append(position.turn)
        expected = position if position.turn == "B" else position.mirrored
        mover = ply % 2
        outcome = 0.0 if game.winner is None else 1.0 if game.winner == mover else -1.0
        assert board == EndgameBoard(expected, "an opening", ply, outcome)
    assert {"B", "W"} == set(found)
    assert 50 < len(found) < 200


def test_collected_boards_are_different_boards_of_twelve_pieces() -> None:
    found = collect(FEW)
    positions = [board.position for board in found.boards]
    assert len(set(positions)) == FEW.count <= found.games
    assert {count_pieces(position) for position in positions} == {12}
    assert {position.turn for position in positions} == {"B"}
    assert not any(position.is_over for position in positions)
    assert len({board.outcome for board in found.boards}) == 3
    ballots = {one.name for one in openings("ballots:select").listed}
    assert {board.opening.partition(" + ")[0] for board in found.boards} <= ballots


@pytest.mark.parametrize("workers", [2, 3])
def test_workers_make_no_difference(workers: int) -> None:
    assert collect(FEW, workers) == collect(FEW)


def test_another_seed_collects_others() -> None:
    assert collect(replace(FEW, seed=2)).boards != collect(FEW).boards


def test_boards_to_avoid_are_not_collected() -> None:
    first = {board.position for board in collect(FEW).boards}
    assert not first & {board.position for board in collect(FEW, avoid=first).boards}


@pytest.mark.parametrize("workers", [1, 2])
def test_resumed_after_any_batch_it_collects_the_same(workers: int) -> None:
    asked = replace(FEW, count=60)
    whole = batches(asked)
    assert [found.games for found in whole[:-1]] == list(range(BATCH, whole[-1].games, BATCH))
    assert len(whole) >= 3
    for number, found in enumerate(whole[:-1], start=1):
        assert len(found.boards) < asked.count
        assert batches(asked, workers, start=found) == whole[number:]


def test_boards_that_were_collected_before_are_not_collected_again() -> None:
    first, *_, last = batches(replace(FEW, count=60))
    # The same games once more: only boards that are not there yet count.
    again = collect(replace(FEW, count=60), start=first._replace(games=0))
    assert set(again.boards) == set(last.boards)
    assert again == (last.boards, last.games)


def test_left_after_a_batch_it_plays_no_more_games(monkeypatch: pytest.MonkeyPatch) -> None:
    play, played = Share.play, list[int]()

    def counted(self: Share, halt: Halt) -> list[Any]:
        games = play(self, halt)
        played.append(len(games))
        return games

    monkeypatch.setattr(Share, "play", counted)
    with ThreadPoolExecutor(1) as executor:
        collecting = collect_boards(replace(FEW, count=1000, depth=4), executor)
        assert next(collecting).games == BATCH
        collecting.close()
    assert sum(played) < BATCH * (1 + board_collection.AHEAD)


def test_an_interruption_ends_the_games_that_are_played(monkeypatch: pytest.MonkeyPatch) -> None:
    play, played, runs = Share.play, list[int](), Event()

    def counted(self: Share, halt: Halt) -> list[Any]:
        if self.first == BATCH:
            runs.set()
        games = play(self, halt)
        played.append(len(games))
        return games

    def interrupt(_: int) -> None:
        assert runs.wait(300)
        raise KeyboardInterrupt

    monkeypatch.setattr(Share, "play", counted)
    with pytest.raises(KeyboardInterrupt):
        collect(replace(FEW, depth=5), on_game=interrupt)
    first, second = played
    assert first == BATCH
    assert second < BATCH


def test_games_that_give_no_new_boards_end(tmp_path: Path) -> None:
    path = tmp_path / "two.fen"
    path.write_text(f"{ONE}\n{ELEVEN}\n")
    # Each game begins with twelve pieces or fewer: there is one board, and with random plies few.
    asked = replace(FEW, count=2, openings=str(path))
    message = "60 games of visiondraughts from the openings .* gave 1 different boards of 12 pieces"
    with pytest.raises(ValueError, match=message):
        collect(asked)


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    boards = [
        *collect(FEW).boards,
        EndgameBoard(Position.from_fen(ONE)),
        EndgameBoard(Position.from_fen(OTHER), "a study"),
    ]
    path = tmp_path / "boards.fen"
    path.write_text(format_endgame_boards(boards))
    assert read_endgame_boards(path) == boards


def test_the_files_are_openings() -> None:
    boards = read_endgame_boards(KEPT)
    listed = openings(str(KEPT)).listed
    assert [one.position for one in listed] == [board.position for board in boards]


def test_boards_with_white_to_move_are_turned(tmp_path: Path) -> None:
    position = Position.from_fen(ONE)
    path = tmp_path / "boards.fen"
    path.write_text(f"\n# a remark\n{position.mirrored.fen}\n")
    assert read_endgame_boards(path) == [EndgameBoard(position)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"{ONE}\n{ELEVEN}\n", "line 2: boards of 12 pieces are needed, not of 11"),
        (f"{ONE.replace(':B', ',K7:B')}\n", "line 1: boards of 12 pieces are needed, not of 13"),
        (f"{OVER}\n", "line 1: the game is over: no games can begin there"),
        (f"{ONE}\n\n{ONE}\n", "line 3: the board of line 1 again, seen by the side to move"),
        (
            f"{ONE}\n{Position.from_fen(ONE).mirrored.fen}\n",
            "line 2: the board of line 1 again, seen by the side to move",
        ),
        (f"{ONE}\n{OTHER}\n", "3 boards or more are needed, not 2"),
        ("", "3 boards or more are needed, not 0"),
        ("B:W1:B1\n", "line 1: "),
    ],
)
def test_files_that_do_not_fit_are_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "boards.fen"
    path.write_text(text)
    with pytest.raises(UnfitBoards) as found:
        read_endgame_boards(path, least=3)
    assert str(found.value).startswith(str(path))
    assert message in str(found.value)
    assert "\n" not in str(found.value)


@pytest.mark.parametrize("coding", ["utf-16", "utf-16-le", "latin-1"])
def test_files_that_are_no_text_are_refused(tmp_path: Path, coding: str) -> None:
    path = tmp_path / "boards.fen"
    path.write_bytes(f"{ONE}  # Größe\n".encode(coding))
    with pytest.raises(ValueError, match=r"^[^\n]*boards\.fen[^\n]*$"):
        read_endgame_boards(path)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(UnfitBoards, match=r"nothing\.fen: there is no such file of boards$"):
        read_endgame_boards(tmp_path / "nothing.fen")
