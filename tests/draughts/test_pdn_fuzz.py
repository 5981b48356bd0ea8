"""PDN under fire: games with everything in them, and texts with nothing right about them."""

from __future__ import annotations

import pickle

from hypothesis import example, given, note, settings
from hypothesis import strategies as st
from pdn_texts import BAD, DIRTY, GAME, Dribble
from strategies import records

from crossboard.draughts import PdnError, Record, parse_pdn, read_pdn

WORDS = [
    *'()[]{}/$*%;!?.-"\\\n \t\r',
    *("1.", "1...", "2.", "11-15", "22-18", "15x22", "25x18", "9-13", "1-0", "2-0", "1/2", "1-1"),
    *(
        '[Event "x"]\n',
        '[FEN "B:W32:B1"]\n',
        '/FEN "W:W32:B1"/',
        "{c}",
        "%c\n",
        "(?)",
        "$1",
        "é",
        "11",
    ),
]
PDN_LIKE = st.lists(st.sampled_from(WORDS), max_size=60).map("".join)


def check_any(text: str | bytes) -> list[Record]:
    """Read anything; fail unless there are records or an error of ours, and sound ones."""
    found: list[Record] = []
    refusal: PdnError | None = None
    try:
        found.extend(parse_pdn(text))
    except PdnError as error:
        refusal = error
    for number, record in enumerate(found, start=1):
        check_record(record, number)
    assert refusal is None or (refusal.game > len(found) and refusal.line >= 1 and refusal.reason)
    return found


def check_record(record: Record, number: int) -> None:
    assert all(error.game == number for error in record.errors)
    assert all(error.line >= 1 and error.reason for error in record.errors)
    assert record.moves == [node.move for node in record.tree.main_line() if node.move is not None]
    waiting = [record.tree]
    while waiting:
        node = waiting.pop()
        for child in node.variations:
            if child.move is not None:
                assert child.move in node.position.legal_moves
                assert child.position == node.position.after(child.move)
        waiting += node.variations


@given(records())
def test_what_is_written_reads_back(record: Record):
    note(record.pdn)
    (twin,) = parse_pdn(record.pdn)
    assert twin == record
    assert twin.pdn == record.pdn
    assert pickle.loads(pickle.dumps(record)) == record


@settings(max_examples=50)
@given(st.lists(records(), max_size=4))
def test_games_written_one_after_another_read_back(games: list[Record]):
    for number, game in enumerate(games):
        game.tags = {"Event": str(number), **game.tags}
    text = "\n".join(game.pdn for game in games)
    note(text)
    assert list(parse_pdn(text)) == games


@given(records(), st.data())
def test_cut_or_damaged_game_is_read_or_refused(record: Record, data: st.DataObject):
    text = record.pdn
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    check_any(text[:start])
    check_any(text[:start] + data.draw(PDN_LIKE) + text[end:])


@given(PDN_LIKE | st.text(st.characters()))
@example("\ud800")
@example("1. 11-15 {\ud800} *")
def test_any_text_is_read_or_refused(text: str):
    check_any(text)


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(data: bytes):
    check_any(data)


@given(st.lists(st.sampled_from([GAME, *DIRTY.values(), *(text for text, *_ in BAD.values())])))
def test_dirty_games_in_any_order_are_read_or_refused(texts: list[str]):
    check_any("\n".join(texts))


@given(PDN_LIKE)
def test_what_is_read_without_errors_is_written_and_reads_back(text: str):
    for record in check_any(text):
        if not record.errors:
            (twin,) = parse_pdn(record.pdn)
            assert twin == record


@given(PDN_LIKE, st.integers(1, 10))
def test_games_do_not_depend_on_where_the_pieces_end(text: str, size: int):
    data = text.encode()
    whole, pieces = [], []
    for found, source in ((whole, parse_pdn(data)), (pieces, read_pdn(Dribble(data, size)))):
        try:
            found.extend(map(pickle.dumps, source))
        except PdnError as refusal:
            found.append(str(refusal))
    assert pieces == whole
