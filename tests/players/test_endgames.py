"""Players that probe endgame tables: inside the tree, at the root, and without any."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from random import Random

import pytest

from crossboard import duchess
from crossboard._core.draughts import EndgameTables, TablesError
from crossboard.draughts import Position
from crossboard.draughts.random_endgames import CROWNING_ROWS
from crossboard.players import Player, SearchSettings, load_player
from crossboard.players.endgames import VARIABLE, find_tables, open_tables, usual_folder

PROBING = SearchSettings(tables=True)
# Two kings win against one, but material alone does not see how.
FAR_WIN = Position.from_fen("B:BK1,K5:WK32")
DRAWN = Position.from_fen("B:BK14:WK20")


@pytest.fixture
def prober(small_tables: Path) -> Player:
    """Material with tables of up to 3 pieces."""
    return Player("prober", search=PROBING, tables=small_tables)


def random_positions(random: Random, pieces: int) -> Iterator[Position]:
    """Yield positions with so many pieces in which the game goes on."""
    while True:
        sides: dict[str, list[str]] = {"B": [], "W": []}
        for place, square in enumerate(random.sample(range(1, 33), pieces)):
            colour = "BW"[place] if place < 2 else random.choice("BW")
            is_king = square in CROWNING_ROWS[colour] or random.random() < 0.5
            sides[colour].append(f"{'K' if is_king else ''}{square}")
        fen = ":".join([random.choice("BW"), *(f"{c}{','.join(s)}" for c, s in sides.items())])
        position = Position.from_fen(fen)
        if not position.is_over:
            yield position


def test_a_move_never_gives_the_value_away(prober: Player):
    tables = prober.tables
    assert isinstance(tables, EndgameTables)
    seen = set()
    for position in islice(random_positions(Random(1), 3), 300):
        value = tables.probe(position)
        assert value is not None
        move = prober.choose(position, depth=2)
        # A side that has lost has no legal move.
        assert tables.probe(position.after(move)) == -value
        seen.add(value)
    assert seen == {-1, 0, 1}


def test_a_won_position_takes_the_shortest_distance(prober: Player):
    tables = prober.tables
    assert tables is not None
    checked = 0
    for position in islice(random_positions(Random(2), 3), 200):
        if tables.probe(position) != 1 or position.has_capture:
            continue
        distance = tables.distance(position)
        after = position.after(prober.choose(position, depth=1))
        assert distance == 1 or tables.distance(after) == distance - 1
        checked += 1
    assert checked > 20


def test_a_won_endgame_is_won_against_best_defence(prober: Player):
    tables = prober.tables
    assert tables is not None
    position, plies = FAR_WIN, 0
    while not position.is_over:
        if tables.probe(position) == 1:
            move = prober.choose(position, depth=3)
        else:
            moves = list(position.legal_moves)
            move = max(moves, key=lambda one: tables.distance(position.after(one)) or 0)
        position, plies = position.after(move), plies + 1
        assert plies < 60
    assert position.turn == "W"  # a side without a move has lost


def test_without_tables_material_cannot_tell_a_far_win():
    found = Player("plain").search(FAR_WIN, depth=3)
    assert (found.value, found.win_in) == (1.5, None)


def test_a_known_win_is_above_every_evaluation_and_below_a_proved_win(prober: Player):
    known = prober.search(FAR_WIN, depth=3)
    assert known.value == prober.value_of_win(FAR_WIN)
    assert known.win_in is None
    last_capture = Position.from_fen("B:BK10:WK7")
    assert prober.search(last_capture, depth=3).win_in == 1
    lost = prober.search(FAR_WIN.after(known.move), depth=3)
    assert lost.value == -known.value


def test_the_tree_ends_where_tables_know(prober: Player):
    # The capture that is forced leads to two kings against one: lost, but far from its end.
    position = Position.from_fen("B:BK1:WK6,K27,K20")
    found = prober.search(position, depth=5)
    plain = Player("plain").search(position, depth=5)
    assert found.value == -prober.value_of_win(position)
    assert plain.value == -1.5
    assert found.nodes < plain.nodes


def test_a_drawn_root_has_value_0_and_keeps_the_draw(prober: Player):
    found = prober.search(DRAWN, depth=6)
    assert found.value == 0
    assert prober.tables is not None
    assert prober.tables.probe(DRAWN.after(found.move)) == 0


def test_analysis_sees_the_moves_that_lose_too(prober: Player):
    position = FAR_WIN
    lines = prober.search(position, depth=3, multipv=20).lines
    assert len(lines) == len(position.legal_moves)


def test_threads_find_the_same_value(small_tables: Path):
    four = Position.from_fen("B:BK1,K2:WK31,K32")
    settings = replace(PROBING, grain=2)
    values = {
        Player("p", search=replace(settings, threads=threads), tables=small_tables)
        .search(four, depth=9)
        .value
        for threads in (1, 2, 4)
    }
    assert len(values) == 1


def test_tables_are_probed_only_where_settings_ask_for_them(small_tables: Path):
    assert Player("plain", tables=small_tables).tables is None
    assert load_player("treestrap").with_tables(small_tables).tables is None


def test_the_usual_folder_is_that_of_the_variable(
    small_tables: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.chdir(tmp_path)
    assert usual_folder() == Path("tables")
    assert Player("prober", search=PROBING).tables is None
    monkeypatch.setenv(VARIABLE, str(small_tables))
    tables = Player("prober", search=PROBING).tables
    assert tables is not None
    assert tables is find_tables(small_tables)


def test_a_player_without_tables_searches_without(tmp_path: Path):
    lone = Player("lone", search=PROBING, tables=tmp_path)
    assert lone.tables is None
    assert lone.choose(FAR_WIN, depth=3) in FAR_WIN.legal_moves
    with pytest.raises(TablesError, match="crossboard tables build"):
        open_tables(tmp_path)


def test_a_player_with_tables_can_be_sent_to_another_process(prober: Player):
    sent = pickle.loads(pickle.dumps(prober))
    assert sent.tables is prober.tables
    assert sent.choose(FAR_WIN, depth=1) == prober.choose(FAR_WIN, depth=1)


def test_a_folder_keeps_that_tables_are_asked_for(prober: Player, tmp_path: Path):
    prober.save(tmp_path / "kept")
    assert load_player(tmp_path / "kept").settings.tables


def test_duchess_has_no_tables():
    assert duchess.Position().players == 4
    with pytest.raises(ValueError, match="endgame tables are for draughts"):
        load_player("duchess-2").with_settings(PROBING)


def test_damage_met_in_a_search_switches_a_slice_off(damaged_tables: Path):
    tables = open_tables(damaged_tables)
    player = Player("prober", search=PROBING, tables=damaged_tables)
    values = {player.search(each, depth=1).value for each in islice(two_against_one(), 200)}
    warning = tables.take_warning()
    assert warning is not None
    assert str(damaged_tables / "0-2-0-1.outcomes") in warning
    assert "crossboard tables build" in warning
    assert tables.take_warning() is None
    assert len(values) > 1


def two_against_one() -> Iterator[Position]:
    for place in range(1, 33):
        for other in range(place + 1, 33):
            third = (other + 7) % 32 + 1
            if third not in (place, other):
                position = Position.from_fen(f"B:BK{place},K{other}:WK{third}")
                if not (position.is_over or position.has_capture):
                    yield position
