"""Games read from PDN: clean ones, dirty ones, and what is said about rubbish."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from pathlib import Path

import pytest
from pdn_texts import BAD, DIRTY, GAME, Dribble

from crossboard.draughts import PdnError, Position, Record, parse_pdn, read_pdn


def read_one(text: str | bytes) -> Record:
    (record,) = parse_pdn(text)
    return record


def moves_of(record: Record) -> list[str]:
    return [str(move) for move in record.moves]


def test_game_with_everything():
    record = read_one(GAME)
    assert record.errors == []
    assert record.tags == {
        "Event": 'Friendly "match"',
        "Date": "1998.??.??",
        "Black": "Ünal",
        "White": "A \\ B",
        "Result": "1-0",
    }
    assert moves_of(record) == ["11-15", "22-18", "15x22", "25x18", "8-11", "29-25", "4-8"]
    assert record.result == "1-0"
    assert record.tree.comments == ["before all"]
    first, second, third, fourth, fifth, sixth, _ = record.tree.main_line()
    assert (first.nags, first.comments) == ([1], ["good"])
    assert (second.nags, second.comments) == ([6], [])
    assert second.variations == [third]
    assert third.variations == [fourth]
    assert fourth.comments == ["[%clk 0:01:00]", "two"]
    assert fourth.comment == "[%clk 0:01:00] two"
    assert fifth.comments == ["to the end of the line"]
    assert sixth.comments == ["like this"]
    assert [str(node.move) for node in first.variations] == ["22-18", "23-18"]
    variation = first.variations[1]
    assert [str(node.move) for node in variation.main_line()] == ["8-11", "27-23"]
    assert [str(node.move) for node in variation.variations] == ["8-11", "9-14"]
    assert variation.variations[0].comments == ["so so"]
    assert record.position == Position.from_fen(
        "W:W18,21,23,24,25,26,27,28,30,31,32:B1,2,3,5,6,7,8,9,10,11,12"
    )


def test_variation_has_a_comment_before_its_first_move():
    record = read_one("1. 11-15 ({or} {better} 1. 9-13 {!}) 22-18 *")
    variation = record.tree.variations[1]
    assert variation.comments_before == ["or", "better"]
    assert variation.comments == ["!"]


@pytest.mark.parametrize(
    ("result", "winner"),
    [
        ("1-0", "B"),  # in English draughts: Black, who moves first, won
        ("0-1", "W"),
        ("2-0", "B"),
        ("0-2", "W"),
        ("1/2-1/2", None),
        ("1/2", None),
        ("1-1", None),
        ("0-0", None),
        ("*", None),
    ],
)
@pytest.mark.parametrize("after", ["", "\n", " {remark}", '\n[Event "next"]\n*'])
def test_result_tokens(result: str, winner: str | None, after: str):
    record = next(parse_pdn(f"1. 11-15 22-18 {result}{after}"))
    assert moves_of(record) == ["11-15", "22-18"]
    assert record.result == result
    assert record.winner == winner
    assert record.errors == []


def test_result_looks_like_a_move_but_a_move_is_no_result():
    record = read_one('[FEN "B:W32:BK1,K2"]\n1. 1-5 32-28 2. 2-6 28-24 3. 5-1 24-20 1-0')
    assert moves_of(record) == ["1-5", "32-28", "2-6", "28-24", "5-1", "24-20"]
    assert record.result == "1-0"


def test_result_of_the_tags_counts_where_the_token_is_missing():
    assert read_one('[Result "0-1"]\n1. 11-15 22-18').winner == "W"
    assert read_one('[Result "won"]\n1. 11-15 22-18').result == "won"
    assert read_one("1. 11-15 22-18").result == "*"


def test_result_of_the_tags_counts_where_a_star_only_separates_games():
    # PDN 3.0 ends every game with a star and keeps the result in the tag.
    records = list(parse_pdn('[Result "1-0"]\n1. 11-15 *\n[Result "0-1"]\n1. 9-13 *\n'))
    assert [record.result for record in records] == ["1-0", "0-1"]
    assert [record.winner for record in records] == ["B", "W"]


def test_token_counts_more_than_the_tag():
    assert read_one('[Result "0-1"]\n1. 11-15 1-0').result == "1-0"


def test_games_are_separated_by_results_and_stars():
    records = list(parse_pdn("1. 11-15 1-0 1. 9-13 * 1. 10-14 0-1\n1. 12-16 1/2-1/2 *"))
    assert [moves_of(record) for record in records] == [["11-15"], ["9-13"], ["10-14"], ["12-16"]]
    assert [record.result for record in records] == ["1-0", "*", "0-1", "1/2-1/2"]


def test_text_without_games():
    for text in ("", " \n\r\n\t", b"", "\ufeff", "% nothing\n"):
        assert list(parse_pdn(text)) == []


def test_game_of_tags_only():
    records = list(parse_pdn('[Event "a"]\n[Site "x"]\n[Event "b"]\n'))
    assert [record.tags for record in records] == [{"Event": "a", "Site": "x"}, {"Event": "b"}]
    assert [record.moves for record in records] == [[], []]


def test_set_up_by_a_tag():
    record = read_one('[FEN "W:WK10,15:B1,K22."]\n[SetUp "1"]\n1... 10-7 2. 1-6 *')
    assert record.start == Position.from_fen("W:WK10,15:B1,K22")
    assert moves_of(record) == ["10-7", "1-6"]


def test_set_up_in_the_middle_of_a_game():
    record = read_one('1. 11-15 /FEN "W:WK10:BK22"/ {new} 1... 10-7 *')
    assert record.errors == []
    first, second, third = record.tree.main_line()
    assert second.move is None
    assert second.position == Position.from_fen("W:WK10:BK22")
    assert second.comments == ["new"]
    assert str(third.move) == "10-7"
    assert [str(move) for move in record.moves] == ["11-15", "10-7"]
    assert first.position == Position().after("11-15")


def test_english_draughts_by_any_of_its_game_types():
    for game_type in ("21", "21,B,8,8,N1,0"):
        assert read_one(f'[GameType "{game_type}"]\n1. 11-15 *').errors == []


@pytest.mark.parametrize("text", DIRTY.values(), ids=DIRTY.keys())
def test_dirty_game_is_understood(text: str):
    record = read_one(text)
    assert record.errors == []
    assert moves_of(record) == ["11-15", "22-18", "15x22", "25x18"]
    assert record.result == "*"


@pytest.mark.parametrize("text", DIRTY.values(), ids=DIRTY.keys())
def test_game_after_a_dirty_one_is_read(text: str):
    first, second = parse_pdn(text.rstrip("\x1a") + '\n[Event "next"]\n1. 9-13 22-18 1-0\n')
    assert moves_of(first) == ["11-15", "22-18", "15x22", "25x18"]
    assert second.tags == {"Event": "next"}
    assert moves_of(second) == ["9-13", "22-18"]


def test_forced_move_of_old_files_is_nag_7():
    first, second = read_one("1. 11-15* 22-18* 1-0").tree.main_line()
    assert first.nags == second.nags == [7]


def test_strengths_are_nags():
    texts = ["!", "?", "!!", "??", "!?", "?!", "(?)", "(!!)", "$7"]
    records = [read_one(f"1. 11-15{text} 22-18 *") for text in texts]
    assert [next(record.tree.main_line()).nags for record in records] == [
        [nag] for nag in (1, 2, 3, 4, 5, 6, 2, 3, 7)
    ]
    assert all(len(record.moves) == 2 for record in records)


def test_missing_result_before_the_next_first_move():
    records = list(parse_pdn("1. 11-15 22-18 2. 15x22 25x18\n1. 9-13 22-18 2. 6-9 *"))
    assert [moves_of(record) for record in records] == [
        ["11-15", "22-18", "15x22", "25x18"],
        ["9-13", "22-18", "6-9"],
    ]


def test_latin_1_file():
    record = read_one('[Event "Café"]\n1. 11-15 {naïve} *'.encode("latin-1"))
    assert record.tags == {"Event": "Café"}
    assert record.end.comments == ["naïve"]


def test_utf_8_file():
    record = read_one('[Event "Čafé 棋"]\n1. 11-15 {♔} *'.encode())
    assert record.tags == {"Event": "Čafé 棋"}
    assert record.end.comments == ["♔"]


def test_quotes_inside_a_value_and_tags_on_one_line():
    record = read_one('[Event "the "big" one"] [Site "x"]\n[ Round  "3" ]\n*')
    assert record.tags == {"Event": 'the "big" one', "Site": "x", "Round": "3"}


@pytest.mark.parametrize(("text", "move", "line", "reason"), BAD.values(), ids=BAD.keys())
def test_error_tells_game_line_move_and_reason_and_the_next_game_is_read(
    text: str, move: str, line: int | None, reason: str
):
    before, bad, after = parse_pdn(
        f'[Event "1"]\n1. 11-15 22-18\n1-0\n[Event "2"]\n{text}\n[Event "3"]\n1. 9-13 0-1\n'
    )
    assert before.errors == after.errors == []
    assert (before.tags["Event"], bad.tags["Event"], after.tags["Event"]) == ("1", "2", "3")
    assert moves_of(before) == ["11-15", "22-18"]
    assert moves_of(after) == ["9-13"]
    assert after.winner == "W"
    error = bad.errors[0]
    assert error.game == 2
    assert error.line == line or (line is None and 5 <= error.line <= 8)
    assert error.move.startswith(move)
    assert bool(error.move) == bool(move)
    assert reason in error.reason
    for part in ("game 2", f"line {error.line}", error.move, error.reason):
        assert part in str(error)


def test_moves_before_an_error_are_kept_and_those_after_it_are_not():
    record = read_one("1. 11-15 22-18 2. 15x22 25x18 3. 1-2 29-25 {lost} 4. 4-8 1-0")
    assert moves_of(record) == ["11-15", "22-18", "15x22", "25x18"]
    assert record.result == "1-0"
    assert [error.move for error in record.errors] == ["1-2"]
    assert record.end.comments == []


def test_a_game_knows_where_it_begins():
    text = '\n; a remark\n[Event "one"]\n\n1. 11-15 1-0\n\n\n1. 9-13\n22-18 0-1\r\n \n9-14 *'
    records = list(parse_pdn(text))
    assert [str(record.place) for record in records] == [
        "game 1, line 2",
        "game 2, line 8",
        "game 3, line 11",
    ]
    assert Record().place is None


def test_error_in_a_variation_leaves_the_main_line_whole():
    record = read_one("1. 11-15 (1. 9-13 22-1 2. 1-6 (2. 5-9) 21-17) 22-18 2. 15x22 1-0")
    assert moves_of(record) == ["11-15", "22-18", "15x22"]
    assert [str(node.move) for node in record.tree.variations] == ["11-15", "9-13"]
    assert record.tree.variations[1].variations == []
    assert [error.move for error in record.errors] == ["22-1"]


def test_first_game_that_cannot_be_read_is_told_too():
    # No tags, no result and no legal move: still a game, and something is to be said about it.
    first, second = parse_pdn('1. 12-13 22-18\n\n[Event "b"]\n1. 11-15 *')
    assert [error.move for error in first.errors] == ["12-13"]
    assert moves_of(second) == ["11-15"]


@pytest.mark.parametrize("stray", [".", "-", "----", "!", "1.", "7", "$1", "41. - -"])
def test_stray_marks_between_games_cost_no_game(stray: str):
    records = list(
        parse_pdn(f'{stray}\n[Event "a"]\n1. 11-15 1-0\n{stray}\n[Event "b"]\n1. 9-13 *')
    )
    assert [record.tags.get("Event") for record in records if record.moves] == ["a", "b"]
    assert [moves_of(record) for record in records if record.moves] == [["11-15"], ["9-13"]]


def test_errors_of_one_game_come_to_an_end():
    record = read_one('[Event "x"]\n' + "[bad]\n" * 10_000 + "1. 11-15 *")
    assert 10 < len(record.errors) < 1000
    assert moves_of(record) == ["11-15"]


def test_error_is_a_value_error_that_can_be_pickled():
    error = PdnError(3, 14, "1-2", "why")
    assert isinstance(error, ValueError)
    twin = pickle.loads(pickle.dumps(error))
    assert (twin.game, twin.line, twin.move, twin.reason) == (3, 14, "1-2", "why")
    assert str(twin) == str(error) == "game 3, line 14, 1-2: why"


@pytest.mark.parametrize(
    "rubbish",
    [
        b"\x00" * 1000,
        bytes(range(256)) * 100,
        b"\x7fELF\x02\x01\x01\x00",
        b"\x89PNG\r\n\x1a\n\x00\x00",
        "this is no game at all",
        "<html><body>404</body></html>",
        "\ud800",
        "B:W21-32:B1-12",
    ],
)
def test_rubbish_is_an_error_that_says_where(rubbish: str | bytes):
    with pytest.raises(PdnError, match=r"game 1, line \d") as refusal:
        list(parse_pdn(rubbish))
    assert refusal.value.reason


def test_games_before_binary_rubbish_are_read():
    records = parse_pdn(b"1. 11-15 1-0\n1. 9-13 0-1\n\x00\x01\x02")
    assert moves_of(next(records)) == ["11-15"]
    assert moves_of(next(records)) == ["9-13"]
    with pytest.raises(PdnError, match=r"game 3, line 3.*zero byte"):
        next(records)


def parse_pdn_until_error(text: bytes) -> Iterator[Record]:
    records = parse_pdn(text)
    while True:
        try:
            yield next(records)
        except (PdnError, StopIteration):
            return


HOSTILE = [
    *'([{)}]/$*%;!?.-"\\',
    "1",
    "1.",
    "1-",
    "1x",
    "11-15 ",
    "(?",
    "(!!",
    "(1. 9-13 ",
    "1. 11-15 (",
    '[Event "a"]\n',
    '[Event "',
    "[Event ",
    '/FEN "',
    '/FEN "B:W32:B1"/ ',
    "{} ",
    "{a} ",
    "1/2",
    "\n",
    "é",
    "\ufeff",
]


@pytest.mark.parametrize("word", HOSTILE)
@pytest.mark.parametrize("before", ["", "1. 11-15 "], ids=["alone", "behind a move"])
def test_a_word_a_hundred_thousand_times_does_no_harm(word: str, before: str):
    try:
        records = list(parse_pdn(before + word * 100_000))
    except PdnError:
        assert not before  # else there is a game to be told about
        return
    assert records or not before
    assert all(error.reason for record in records for error in record.errors)


def test_thirty_thousand_tags_do_no_harm():
    record = read_one("".join(f'[T{i} "{i}"]\n' for i in range(30_000)) + "1. 11-15 *")
    assert len(record.tags) == 1000
    assert "too many tags" in record.errors[0].reason
    assert moves_of(record) == ["11-15"]


@pytest.mark.parametrize("closed", [False, True])
def test_a_million_nested_brackets_are_an_error(closed: bool):
    nested = "(1. 9-13 " * 1_000_000 + ")" * (1_000_000 if closed else 0)
    record, following = parse_pdn(f'1. 11-15 {nested} 22-18\n[Event "next"]\n1. 10-14 *')
    assert "nested more than 200 deep" in record.errors[0].reason
    assert moves_of(record) == (["11-15", "22-18"] if closed else ["11-15"])
    assert moves_of(following) == ["10-14"]
    with pytest.raises(PdnError, match="before the first move"):
        list(parse_pdn("(" * 1_000_000))


def test_every_cut_of_a_file_keeps_the_games_before_it():
    text = GAME + "\n" + GAME.replace("1-0", "0-1") + '[Event "last"]\n[FEN "B:W6:B1"]\n1. 1x10 *\n'
    whole = list(parse_pdn(text))
    assert len(whole) == 3
    data = text.encode()
    for end in range(len(data)):
        records = list(parse_pdn_until_error(data[:end]))
        for number, (record, original) in enumerate(zip(records, whole, strict=False), start=1):
            if number < len(records):
                assert record == original
            assert record.moves == original.moves[: len(record.moves)]


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ('[Event "x"]\n1. 11-15 {and th', 2, "comment is not closed"),
        ('[Event "x"]\n1. 11-15\n(1. 9-13', 3, "variation is not closed"),
        ('[Event "x"]\n[Site "here', 2, "tag Site is not closed"),
        ('[Event "x"]\n1. 11-15 22-18 2. 15x2', 2, "capture is compulsory"),
    ],
)
def test_cut_off_file_says_where(text: str, line: int, reason: str):
    record = read_one(text)
    assert [(error.game, error.line) for error in record.errors] == [(1, line)]
    assert reason in record.errors[0].reason


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "games.pdn"
    path.write_bytes((GAME + '[Event "b"]\n1. 1-2 *\n{é} 1. 9-13 {棋} 0-1\n').encode())
    return path


def test_path_text_file_and_binary_file_give_the_same_games(file: Path):
    expected = list(parse_pdn(file.read_bytes()))
    assert len(expected) == 3
    assert list(read_pdn(file)) == expected
    assert list(read_pdn(str(file))) == expected
    assert list(parse_pdn(file.read_text("utf-8"))) == expected
    with file.open(encoding="utf-8") as text_file:
        assert list(read_pdn(text_file)) == expected
    with file.open("rb") as binary_file:
        assert list(read_pdn(binary_file)) == expected
    with file.open(encoding="ascii", errors="surrogateescape") as text_file:
        assert list(read_pdn(text_file)) == expected


@pytest.mark.parametrize("size", [1, 2, 3, 7, 64])
def test_games_do_not_depend_on_where_the_pieces_end(file: Path, size: int):
    dirty = "\n".join(f'[Event "{i}"]\n{text}' for i, (text, *_) in enumerate(BAD.values()))
    data = file.read_bytes() + dirty.encode() + "\n".join(DIRTY.values()).encode()
    assert list(read_pdn(Dribble(data, size))) == list(parse_pdn(data))


def test_missing_file_is_an_os_error(tmp_path: Path):
    with pytest.raises(FileNotFoundError):
        list(read_pdn(tmp_path / "none.pdn"))


@pytest.mark.parametrize("cut", ["22", "22-", "2"])
def test_half_a_move_at_the_end_is_told(cut: str):
    record = read_one(f"1. 11-15 {cut}")
    assert moves_of(record) == ["11-15"]
    assert [error.reason for error in record.errors] == ["half of the move is missing"]


def test_words_between_games_are_told_with_the_game_behind_them():
    first, second = parse_pdn('1. 11-15 1-0\nplayed in London\n[Event "b"]\n1. 9-13 *')
    assert not first.errors
    assert [error.move for error in second.errors] == ["played"]
    assert moves_of(second) == ["9-13"]


def test_unclosed_comment_ends_before_any_tag():
    first, second = parse_pdn('1. 11-15 {never closed\n[Site "b"]\n1. 9-13 *')
    assert "comment is not closed" in first.errors[0].reason
    assert moves_of(second) == ["9-13"]


def test_control_characters_cost_one_game_only():
    first, second = parse_pdn("1. 11-15 \x01 22-18 1-0\n1. 9-13 *")
    assert moves_of(first) == ["11-15"]
    assert len(first.errors) == 1
    assert moves_of(second) == ["9-13"]


def test_long_dashes_and_commas_are_read():
    assert moves_of(read_one("1. 11\u201315, 22-18, *")) == ["11-15", "22-18"]


def test_numbers_may_begin_again_behind_a_set_up():
    text = '1. 11-15 22-18 2. 15x22 25x18 /FEN "B:W21-32:B1-12"/ 1. 9-13 *'
    assert moves_of(read_one(text))[-1] == "9-13"


def test_missing_file_is_told_at_once(tmp_path: Path):
    with pytest.raises(FileNotFoundError):
        read_pdn(tmp_path / "missing.pdn")
