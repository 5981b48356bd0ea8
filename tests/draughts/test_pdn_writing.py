"""Games written as PDN: the text, what cannot be written, and that nothing is lost."""

from __future__ import annotations

import copy
import pickle

import pytest
from pdn_texts import GAME

from crossboard.draughts import IllegalMove, Node, Position, Record, parse_pdn, result_for


def read_one(text: str) -> Record:
    (record,) = parse_pdn(text)
    return record


def played(*moves: str, start: Position | None = None) -> Record:
    record = Record(start)
    for move in moves:
        record.play(move)
    return record


def test_plain_game():
    record = played("11-15", "22-18", "15x22", "25x18")
    record.tags = {"Event": "Friendly", "Black": "A", "White": "B"}
    record.result = "1-0"
    assert record.pdn == (
        '[Event "Friendly"]\n[Black "A"]\n[White "B"]\n\n1. 11-15 22-18 2. 15x22 25x18 1-0\n'
    )


def test_game_with_everything():
    record = read_one(GAME)
    assert record.pdn == (
        '[Event "Friendly \\"match\\""]\n[Date "1998.??.??"]\n[Black "Ünal"]\n'
        '[White "A \\\\ B"]\n[Result "1-0"]\n\n'
        "{before all} 1. 11-15 $1 {good} 1... 22-18 $6 (1... 23-18 2. 8-11 {so so} (2.\n"
        "9-14) 2... 27-23) 2. 15x22 25x18 {[%clk 0:01:00]} {two} 3. 8-11\n"
        "{to the end of the line} 3... 29-25 {like this} 4. 4-8 1-0\n"
    )
    assert read_one(record.pdn) == record


def test_empty_game():
    assert Record().pdn == "*\n"
    assert read_one("*\n") == Record()


def test_game_that_white_begins():
    start = Position.from_fen("W:W32:B1")
    record = played("32-28", "1-5", "28-24", start=start)
    assert record.pdn == '[FEN "W:W32:B1"]\n\n1... 32-28 2. 1-5 28-24 *\n'


def test_jump_is_written_as_short_as_it_can_be_read():
    record = played("1x10x19", start=Position.from_fen("B:W6,15,32:B1"))
    assert "1. 1x19 *" in record.pdn
    record = played("2x9x18", start=Position.from_fen("B:W6,7,14,15,32:B2"))
    assert "1. 2x9x18 *" in record.pdn


@pytest.mark.parametrize("move", ["15x24", "15x6x13x22x15x24"])
def test_jump_in_a_circle_reads_back(move: str):
    start = Position.from_fen("B:W9,10,17,18,19,32:BK15")
    record = Record(start, tags={"FEN": start.fen})
    record.play(next(legal for legal in start.legal_moves if str(legal) == move))
    twin = read_one(record.pdn)
    assert twin.errors == []
    assert [str(legal) for legal in twin.moves] == [move]


def test_record_of_a_set_up_reads_back_equal():
    record = played("32-28", start=Position.from_fen("W:W32:B1"))
    assert read_one(record.pdn) == record


def test_wrong_fen_tag_gives_way_to_the_start():
    record = Record(Position.from_fen("W:W32:B1"), tags={"FEN": "B:W31:B2", "Event": "x"})
    assert read_one(record.pdn).start == record.start
    assert read_one(record.pdn).tags == {"Event": "x", "FEN": "W:W32:B1"}


def test_lines_are_short():
    record = read_one("1. 11-15 {a comment of some length} 22-18 2. 15x22 25x18 *")
    for _ in range(5):
        for move in ("8-11", "29-25", "4-8", "25-22", "12-16"):
            if move in record.position.legal_moves:
                record.play(move).comments.append("and some more words")
    assert len(record.pdn) > 200
    assert all(len(line) <= 80 for line in record.pdn.splitlines())
    assert read_one(record.pdn) == record


@pytest.mark.parametrize(
    "result", ["1-0", "0-1", "1/2-1/2", "1/2", "0-0", "2-0", "0-2", "1-1", "*"]
)
def test_results_read_back(result: str):
    record = played("11-15")
    record.result = result
    assert read_one(record.pdn).result == result


def test_result_of_a_tag_that_is_no_token_reads_back():
    record = read_one('[Result "won on time"]\n1. 11-15')
    assert record.result == "won on time"
    assert read_one(record.pdn) == record


@pytest.mark.parametrize(
    "comment",
    [
        "a } b",
        "}",
        "{",
        "{{",
        "(",
        "$1",
        "1-0",
        "*",
        "% a",
        "; a",
        "two\nlines",
        "\xa0a\u3000",
        "a\x7f",
        "a\x1bb",
    ],
)
def test_comments_read_back(comment: str):
    record = played("11-15", "22-18")
    record.tree.comments.append(comment)
    record.tree.variations[0].comments.extend([comment, "and", comment])
    record.tree.add("9-13").comments_before.append(comment)
    record.tree.variations[1].comments.append(comment)
    record.end.comments.append(comment)
    assert read_one(record.pdn) == record


@pytest.mark.parametrize(
    "value", ['"', "\\", '\\"', '"]', "]", '" ]', "\\\\", "", " x ", "a\tb", "%", "{"]
)
def test_tag_values_read_back(value: str):
    record = Record(tags={"Event": value, "Site": value})
    assert read_one(record.pdn) == record


@pytest.mark.parametrize("name", ["", "a b", "é", "[", '"', "a\n"])
def test_tag_name_that_cannot_be_written_is_refused(name: str):
    with pytest.raises(ValueError, match="cannot be the name of a PDN tag"):
        _ = Record(tags={name: "x"}).pdn


@pytest.mark.parametrize("value", ["\n", "a\rb", "\x00", "\ud800"])
def test_tag_value_that_cannot_be_written_is_refused(value: str):
    with pytest.raises(ValueError, match="Event"):
        _ = Record(tags={"Event": value}).pdn


@pytest.mark.parametrize("comment", ["a\x00b", 'a\n[Event "b', 'a\n[Site "b', "a }\nb", "a\ud800b"])
def test_comment_that_cannot_be_written_is_refused(comment: str):
    record = Record()
    record.tree.comments.append(comment)
    with pytest.raises(ValueError, match="cannot hold"):
        _ = record.pdn


@pytest.mark.parametrize("nag", [-1, 10**9])
def test_nag_that_cannot_be_read_back_is_refused(nag: int):
    record = played("11-15")
    record.end.nags.append(nag)
    with pytest.raises(ValueError, match=str(nag)):
        _ = record.pdn


def nested(depth: int) -> Record:
    """Make a game whose variations have variations, each another set-up."""
    record = Record()
    node = record.tree
    for _ in range(depth):
        node.variations = [Node(node, None, Position()) for _ in range(2)]
        node = node.variations[1]
    return record


def test_variations_can_be_nested_200_deep():
    record = nested(200)
    assert read_one(record.pdn) == record
    with pytest.raises(ValueError, match="200 deep"):
        _ = nested(201).pdn


def test_set_ups_for_the_same_side_read_back():
    # Black moves again and again: the number of the move must not look like a new game's.
    record = Record()
    for _ in range(6):
        record.end.add("11-15")
        end = record.end
        end.variations.append(Node(end, None, Position()))
    (twin,) = parse_pdn(record.pdn)
    assert twin == record


def test_set_up_in_a_variation_reads_back():
    record = played("11-15", "22-18")
    first = record.tree.variations[0]
    first.variations.append(Node(first, None, Position.from_fen("W:W32:BK1")))
    first.variations[1].comments_before.append("suppose")
    first.variations[1].add("32-28")
    assert read_one(record.pdn) == record


def test_long_game_is_no_trouble():
    moves = ["1-5", "32-28", "5-1", "28-32"] * 2500
    text = " ".join(f"{i // 2 + 1}. {move}" if i % 2 == 0 else move for i, move in enumerate(moves))
    record = read_one(f'[FEN "B:WK32:BK1"]\n{text} *')
    assert len(record.moves) == 10_000
    assert record.position == record.start
    assert read_one(record.pdn) == record
    assert pickle.loads(pickle.dumps(record)) == record
    assert copy.deepcopy(record) == record


def test_records_are_pickled_with_everything():
    records = list(parse_pdn(GAME + '[Event "b"]\n1. 1-2 *\n'))
    assert records[1].errors
    for record in records:
        twin = pickle.loads(pickle.dumps(record))
        assert twin == record
        assert list(map(str, twin.errors)) == list(map(str, record.errors))


def test_records_differ_by_anything():
    record = read_one(GAME)
    for change in (
        lambda twin: twin.tags.update(Event="other"),
        lambda twin: setattr(twin, "result", "0-1"),
        lambda twin: twin.end.comments.append("x"),
        lambda twin: twin.end.nags.append(1),
        lambda twin: twin.play(twin.position.legal_moves[0]),
        lambda twin: twin.tree.variations[0].variations[1].comments_before.append("x"),
    ):
        twin = read_one(GAME)
        assert twin == record
        change(twin)
        assert twin != record
    assert record != GAME
    assert Record(Position.from_fen("W:W32:B1")) != Record()


def test_record_is_not_hashable_because_it_changes():
    with pytest.raises(TypeError):
        hash(Record())


def test_play_refuses_an_illegal_move_and_keeps_the_game():
    record = played("11-15")
    with pytest.raises(IllegalMove, match="there is no piece on 18"):
        record.play("18-14")
    assert list(map(str, record.moves)) == ["11-15"]


def test_comment_can_be_set_at_once():
    record = played("11-15")
    record.end.comments.extend(["one", "two"])
    assert record.end.comment == "one two"
    record.end.comment = "three"
    assert record.end.comments == ["three"]
    record.end.comment = ""
    assert record.end.comments == []


def test_record_shows_itself():
    record = read_one(GAME)
    for part in ("Ünal", "A \\ B", "7 moves", "1-0"):
        assert part in repr(record)
    assert "11-15" in repr(record.tree.variations[0])


def test_many_games_in_one_file():
    records = []
    for number in range(20):
        record = Record(tags={"Event": str(number)})
        for _ in range(number):
            record.play(record.position.legal_moves[0])
        record.result = "1-0" if number % 2 else "*"
        records.append(record)
    assert list(parse_pdn("".join(record.pdn for record in records))) == records
    assert list(parse_pdn("\n\n".join(record.pdn for record in records))) == records


def test_result_is_one_truth():
    record = Record(tags={"Result": "1-0"})
    assert record.result == "1-0"
    assert read_one(record.pdn) == record
    record.result = "0-1"
    assert record.tags["Result"] == "0-1"
    with pytest.raises(ValueError, match="'resigned' is no result"):
        record.result = "resigned"


def test_record_begins_where_its_fen_tag_says():
    assert Record(tags={"FEN": "W:W32:B1"}).start == Position.from_fen("W:W32:B1")


@pytest.mark.parametrize("winner", ["B", "W", None])
def test_a_result_names_its_winner(winner: str | None):
    record = Record(Position())
    record.result = result_for(winner)
    assert record.winner == winner
    assert record.result != "*"
