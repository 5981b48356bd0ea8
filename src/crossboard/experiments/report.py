"""The report of an experiment: published and measured side by side."""

from __future__ import annotations

import math
import shlex
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from crossboard.experiments.claims import Finding, Verdict, judge_all

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FINDINGS = "findings"  # the figure that every report has
COLOURS = {
    Verdict.HOLDS: "tab:green",
    Verdict.FAILS: "tab:red",
    Verdict.UNDECIDED: "tab:orange",
    Verdict.SHOWN: "tab:blue",
}
HEAD = ("claim", "published", "measured", "95 % interval", "verdict")


def format_row(finding: Finding) -> tuple[str, str, str, str, str]:
    """Give one line of the table, for the report and for the terminal."""
    claim, measured = finding.claim, finding.measured
    return (
        claim.what,
        str(claim),
        f"{measured.value:.4g} {claim.unit}".strip(),
        f"{measured.low:.4g} to {measured.high:.4g}",
        str(finding.verdict),
    )


def format_report(
    name: str,
    paper: str,
    summary: str,
    rule: str,
    findings: Sequence[Finding],
    *,
    settings: Mapping[str, Any],
    figures: Sequence[str],
    tables: Mapping[str, str] | None = None,
) -> str:
    """Write the report as Markdown; it holds no clock, so the same seed gives the same report."""
    lines = [f"# {name}: {judge_all(findings)}", "", paper, ""]
    lines += [summary, ""] if summary else []
    lines += [f"The rule, fixed before the run: {rule}", ""] if rule else []
    lines += [_format_cells(HEAD), _format_cells(["---"] * len(HEAD))]
    lines += [_format_cells(format_row(finding)) for finding in findings]
    lines += ["", *_remarks(findings)]
    lines += [
        "A claim holds if all of the measured interval lies within what was published, with its "
        "tolerance; it does not hold if none of it does. What is not judged, for one training, "
        "another size or other games say nothing of it, stands beside what was published for "
        "comparison only.",
        "",
        f"Measured again by `{_command(name, settings)}`.",
        "",
    ]
    for figure in figures:
        lines += [f"![{figure}]({figure}.svg)", ""]
    for title, table in (tables or {}).items():
        lines += [f"## {title}", "", table, ""]
    return "\n".join(lines)


def format_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Write a table as Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(_format_cells(line) for line in lines)


def _command(name: str, settings: Mapping[str, Any]) -> str:
    """Return what measures the same again."""
    words = ["crossboard", "experiment", name, *(["--quick"] if settings["quick"] else [])]
    told = {"--seed": "seed", "--games": "source", "--result-convention": "result_convention"}
    for option, key in told.items():
        words += [option, str(settings[key])] if key in settings else []
    return shlex.join(words)


def _remarks(findings: Sequence[Finding]) -> list[str]:
    found = []
    for one in findings:
        parts = [part for part in (one.claim.where, one.measured.note) if part]
        found += [f"- {one.claim.what}: {'; '.join(parts)}"] if parts else []
    return [*found, ""] if found else []


def _format_cells(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def draw_findings(findings: Sequence[Finding]) -> Figure:
    """Draw for each claim what would do as a band, and what was measured with its interval.

    Figures that stand beside others without any interval are a table's.
    """
    from matplotlib.figure import Figure

    drawn = [one for one in findings if one.is_judged or one.has_interval] or findings
    figure = Figure(figsize=(7, 0.3 + 0.95 * len(drawn)), layout="constrained")
    rows = figure.subplots(len(drawn), squeeze=False)[:, 0]
    for axes, finding in zip(rows, drawn, strict=True):
        claim, measured = finding.claim, finding.measured
        ends = [x for x in claim.range if math.isfinite(x)]
        shown = [*ends, claim.value, measured.low, measured.high]
        room = 0.1 * (max(shown) - min(shown) or 1)
        left, right = min(shown) - room, max(shown) + room
        low, high = claim.range
        if finding.is_judged:
            axes.axvspan(max(low, left), min(high, right), color="0.88")
        axes.axvline(claim.value, color="0.4", linestyle="--")
        reach = [[measured.value - measured.low], [measured.high - measured.value]]
        colour = COLOURS[finding.verdict]
        axes.errorbar([measured.value], [0], xerr=reach, fmt="o", capsize=4, color=colour)
        axes.set_xlim(left, right)
        axes.set_yticks([])
        unit = f" ({claim.unit})" if claim.unit else ""
        title = f"{claim.what}{unit}: {finding.verdict}"
        axes.set_title(title, fontsize="small", loc="left", parse_math=False)
    return figure
