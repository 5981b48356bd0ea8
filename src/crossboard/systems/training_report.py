"""The report of a training: its curves, as the papers draw them, and the match at its end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from crossboard.runs.curves import figure_bytes
from crossboard.runs.metrics import STEP, Line
from crossboard.systems.blocks import draw_blocks
from crossboard.systems.recipes import format_value

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

BLOCKS, EXAMS = "blocks", "exams"
LONGEST_SETTING = 100


def draw_training(lines: Sequence[Line], examiner: str) -> dict[str, bytes]:
    """Draw what a run's metrics have: moves and pieces of each block, points of each exam."""
    figures = {}
    blocks = [{**line, "games": line[STEP]} for line in lines if "pieces" in line]
    if blocks:
        figures[BLOCKS] = figure_bytes(draw_blocks({"": blocks}), "svg")
    if any("exam" in line for line in lines):
        figures[EXAMS] = figure_bytes(draw_exams(lines, examiner), "svg")
    return figures


def draw_exams(lines: Sequence[Line], examiner: str) -> Figure:
    """Draw points a game against the fixed opponent, with their 95 % intervals."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 3.5), layout="constrained")
    axes: Axes = figure.subplots()
    found = [line for line in lines if "exam" in line]
    games = [line[STEP] for line in found]
    # Exams against several opponents have no interval.
    low, high = ([line.get(n, line["exam"]) for line in found] for n in ("exam_low", "exam_high"))
    axes.axhline(0.5, color="0.6", linewidth=0.8)
    axes.fill_between(games, low, high, color="tab:blue", alpha=0.2, linewidth=0)
    axes.plot(games, [line["exam"] for line in found], color="tab:blue", marker=".")
    axes.set_ylim(0, 1)
    axes.set_xlabel("training games")
    axes.set_ylabel(f"points a game against {examiner}")
    return figure


def format_training(
    command: str,
    config: Mapping[str, Any],
    final: Mapping[str, Any],
    figures: Sequence[str],
    own_text: str = "",
    *,
    learnt: int | None = None,
) -> str:
    """Write the report as Markdown; it holds no clock, so the same seed gives the same report.

    `own_text` is the system's own part. `learnt` is the number of games that a training with
    `--seconds` has learnt from; None without that limit.
    """
    lines = [f"# {config['system']}, seed {config['seed']}", ""]
    lines += [
        f"Against `{final['other']}` at the end, both {format_quiescence(final)}, at depth "
        f"{final['depth']}, from the openings {final['openings']}: "
        f"{final['wins']} won, {final['draws']} drawn, {final['losses']} lost; "
        f"score {final['score']:.3f}, Elo {final['elo']:+.0f} "
        f"({final['elo_low']:+.0f} to {final['elo_high']:+.0f}).",
        "",
        *([own_text, ""] if own_text else []),
        *([_format_command(command, config["settings"]["games"], learnt), ""] if command else []),
        "| setting | value |",
        "|---|---|",
        *(f"| {key} | {_short(value)} |" for key, value in config["settings"].items()),
        "",
    ]
    for figure in figures:
        lines += [f"![{figure}]({figure}.svg)", ""]
    return "\n".join(lines)


def _format_command(command: str, games: int, learnt: int | None) -> str:
    """Name the command that trains the same, or the one that `--seconds` stopped early."""
    if learnt is None or learnt >= games:
        return f"Trained again by `{command}`."
    return f"Trained by `{command}`, stopped by `--seconds` after {learnt:,} of {games:,} games."


def format_quiescence(final: Mapping[str, Any]) -> str:
    """Return whether captures were played out in a match at the end; older runs never did."""
    return "with quiescence" if final.get("quiescence") else "without quiescence"


def _short(value: Any) -> str:
    """Write a setting; of hundreds of weights the beginning will do."""
    text = format_value(value)
    return text if len(text) <= LONGEST_SETTING else f"{text[:LONGEST_SETTING]} …"
