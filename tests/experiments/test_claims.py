"""Verdicts on published figures."""

from __future__ import annotations

import math

import pytest

from crossboard.experiments import Claim, Finding, Measurement, Relation, Verdict, judge
from crossboard.experiments.claims import judge_all
from crossboard.experiments.report import draw_findings, format_row

EQUAL = Claim("score", "the score", 0.6, tolerance=0.05)
AT_LEAST = Claim("score", "the score", 0.6, relation=Relation.AT_LEAST)
AT_MOST = Claim("time", "the time", 13, tolerance=2, relation=Relation.AT_MOST, unit="s")


@pytest.mark.parametrize(
    ("claim", "low", "high", "verdict"),
    [
        (EQUAL, 0.56, 0.64, Verdict.HOLDS),
        (EQUAL, 0.5, 0.64, Verdict.UNDECIDED),
        (EQUAL, 0.3, 0.9, Verdict.UNDECIDED),
        (EQUAL, 0.3, 0.54, Verdict.FAILS),
        (EQUAL, 0.66, 0.9, Verdict.FAILS),
        (AT_LEAST, 0.6, 0.7, Verdict.HOLDS),
        (AT_LEAST, 0.59, 0.7, Verdict.UNDECIDED),
        (AT_LEAST, 0.5, 0.59, Verdict.FAILS),
        (AT_MOST, 1, 15, Verdict.HOLDS),
        (AT_MOST, 14, 16, Verdict.UNDECIDED),
        (AT_MOST, 15.5, 16, Verdict.FAILS),
    ],
)
def test_verdicts(claim: Claim, low: float, high: float, verdict: Verdict):
    measured = Measurement(claim.name, (low + high) / 2, low, high)
    assert judge(claim, measured) is verdict
    assert Finding(claim, measured).as_json()["verdict"] == str(verdict)


@pytest.mark.parametrize(("low", "high"), [(0.56, 0.64), (0.3, 0.54), (0.5, 0.64)])
def test_what_was_measured_in_another_size_is_not_judged(low: float, high: float):
    measured = Measurement("score", low, low, high, "depth 4, not 8", is_other=True)
    assert judge(EQUAL, measured) is Verdict.SHOWN


def test_claims_are_written_as_papers_do():
    assert str(EQUAL) == "0.6 ± 0.05"
    assert str(AT_LEAST) == "≥ 0.6"
    assert str(AT_MOST) == "≤ 13 ± 2 s"


def test_an_equal_figure_needs_a_tolerance():
    with pytest.raises(ValueError, match="without a tolerance"):
        Claim("a", "b", 1.0)
    for value, tolerance in ((math.nan, 1), (1, -1), (1, math.inf)):
        with pytest.raises(ValueError, match="no published figure"):
            Claim("a", "b", value, tolerance)


@pytest.mark.parametrize("numbers", [(1, 2, 3), (1, 0, 0.5), (math.nan, 0, 1), (1, 0, math.inf)])
def test_what_is_no_measurement(numbers: tuple[float, float, float]):
    with pytest.raises(ValueError, match="is no measurement"):
        Measurement("a", *numbers)


def test_a_table_holds_if_all_of_it_does():
    def finding(low: float, high: float) -> Finding:
        return Finding(EQUAL, Measurement("score", low, low, high))

    def beside(low: float, high: float) -> Finding:
        return Finding(EQUAL, Measurement("score", low, low, high, is_other=True))

    holds, open_, fails = finding(0.58, 0.62), finding(0.5, 0.7), finding(0.1, 0.2)
    assert judge_all([holds, holds]) is Verdict.HOLDS
    assert judge_all([holds, open_]) is Verdict.UNDECIDED
    assert judge_all([open_, fails, holds]) is Verdict.FAILS
    assert judge_all([beside(0.1, 0.2), holds]) is Verdict.HOLDS
    assert judge_all([beside(0.1, 0.2)]) is Verdict.SHOWN


def test_a_tolerance_has_three_figures():
    assert str(Claim("score", "the score", 0.725, tolerance=0.129178)) == "0.725 ± 0.129"


def test_a_figure_of_ours_has_nothing_published_and_no_verdict():
    ours = Claim("lead", "a lead of ours", 0.5, relation=Relation.UNPUBLISHED, unit="points")
    _, published, measured, _, verdict = format_row(
        Finding(ours, Measurement("lead", 0.1, 0.05, 0.2))
    )
    assert (published, measured, verdict) == ("", "0.1 points", Verdict.SHOWN)
    assert ours.published is None
    assert EQUAL.published == 0.6


def test_what_stands_beside_without_an_interval_is_not_drawn():
    weight = Claim("weight", "the weight", 0.1, relation=Relation.BESIDE)
    point = Finding(weight, Measurement("weight", 0.2, 0.2, 0.2))
    others = [
        Finding(weight, Measurement("weight", 0.2, 0.1, 0.3)),
        Finding(AT_LEAST, Measurement("score", 0.7, 0.7, 0.7)),
    ]
    assert len(draw_findings([point, *others]).axes) == len(others)
    assert len(draw_findings([point, point]).axes) == 2
