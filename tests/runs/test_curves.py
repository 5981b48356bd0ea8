"""Curves as text, as figures, as CSV, for TensorBoard."""

from __future__ import annotations

import builtins
import csv
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossboard.runs.curves import BLOCKS, PLAIN_BLOCKS, draw_curves, figure_bytes, format_csv, plot
from crossboard.runs.metrics import series
from crossboard.runs.tensorboard import TensorBoardSink, export

LINES = [
    {"step": 1, "loss": 4.0, "seconds": 0.1},
    {"step": 2, "loss": 3.0, "wins": 7, "seconds": 0.2},
    {"step": 5, "wins": 9, "seconds": 0.9},
]


def test_a_rising_line_rises():
    assert plot([0, 1, 2, 3, 4, 5, 6, 7], 8) == ["▁▂▃▄▅▆▇█"]
    assert plot([0, 1, 2, 3, 4, 5, 6, 7], 8, blocks=PLAIN_BLOCKS) == [".:-=+*#@"]


def test_a_level_line_is_half_way_up():
    assert plot([5, 5, 5], 10) == ["▄▄▄"]
    assert plot([5], 10, 2) == [" ", "█"]
    assert plot([], 10) == [""]


def test_many_values_share_columns():
    assert plot([0, 0, 7, 7], 2) == ["▁█"]
    assert plot(list(range(1000)), 8) == ["▁▂▃▄▅▆▇█"]


def test_a_higher_plot_has_more_lines():
    assert plot([0, 15], 2, 2) == [" █", "▁█"]
    assert plot([0, 7, 8, 15], 4, 2) == ["  ▁█", "▁███"]


@given(
    st.lists(st.floats(-1e300, 1e300), max_size=50),
    st.integers(1, 30),
    st.integers(1, 4),
)
def test_a_plot_fits(values: list[float], width: int, height: int):
    lines = plot(values, width, height)
    assert len(lines) == height
    assert {len(line) for line in lines} == {min(width, len(values))}
    assert set("".join(lines)) <= set(BLOCKS)


def test_series_are_kept_apart():
    assert series(LINES) == {"loss": ([1, 2], [4.0, 3.0]), "wins": ([2, 5], [7, 9])}


def test_csv_has_a_column_for_each_metric():
    assert format_csv(LINES) == "step,loss,wins,seconds\n1,4.0,,0.1\n2,3.0,7,0.2\n5,,9,0.9\n"
    assert format_csv([]) == "step,seconds\n"
    odd = format_csv([{"step": 1, 'a,"b"': 2}])
    assert next(csv.DictReader(io.StringIO(odd)))['a,"b"'] == "2"


@pytest.mark.parametrize("lines", [LINES, [], [{"step": 1, "$x^$": 1.0}]])
def test_figures_are_files_and_the_same_every_time(lines: list[dict[str, float]]):
    png = figure_bytes(draw_curves(lines, "a $run^$"), "png")
    assert png.startswith(b"\x89PNG")
    first, second = (figure_bytes(draw_curves(lines, "a $run^$"), "svg") for _ in range(2))
    assert first == second
    assert b"a $run^$" in first
    for name in series(lines):
        assert name.encode() in first


def test_tensorboard_gets_every_value(tmp_path: Path):
    pytest.importorskip("tensorboardX")
    export(LINES, tmp_path)
    (file,) = tmp_path.iterdir()
    data = file.read_bytes()
    assert data.count(b"loss") == data.count(b"wins") == 2


def test_tensorboard_forgets_what_a_resumed_run_tells_again(tmp_path: Path):
    pytest.importorskip("tensorboardX")
    from tensorboardX.proto.event_pb2 import Event, SessionLog

    with TensorBoardSink(tmp_path) as sink:
        assert not list(tmp_path.iterdir())  # not before there is something to tell
        sink(40, {"loss": 0.5})
        sink(60, {"loss": 0.25})
    (file,) = tmp_path.iterdir()
    data, events = file.read_bytes(), []
    while data:  # length, its checksum, event, its checksum
        end = 12 + int.from_bytes(data[:8], "little")
        events.append(Event.FromString(data[12:end]))
        data = data[end + 4 :]
    starts = [each for each in events if each.session_log.status == SessionLog.START]
    assert [each.step for each in starts] == [40]


def test_without_tensorboardx_it_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    real = builtins.__import__

    def missing(name: str, *arguments: object, **options: object) -> object:
        if name == "tensorboardX":
            raise ImportError(name)
        return real(name, *arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(builtins, "__import__", missing)
    with pytest.raises(ValueError, match=r"pip install 'crossboard\[tensorboard\]'"):
        TensorBoardSink(tmp_path)
