"""Published figures, measured ones, and whether the former hold."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any


class Relation(StrEnum):
    """What a paper says of a figure."""

    EQUAL = "="
    AT_LEAST = "≥"
    AT_MOST = "≤"
    BESIDE = "beside"  # of one training, or of other machines: nothing to judge
    UNPUBLISHED = "unpublished"  # nothing: the value is that of no difference


# The relations of figures that no verdict is about.
NOT_JUDGED = (Relation.BESIDE, Relation.UNPUBLISHED)


class Verdict(StrEnum):
    """Whether a published figure holds."""

    HOLDS = "holds"
    FAILS = "does not hold"
    UNDECIDED = "undecided at this size"
    SHOWN = "not judged"


@dataclass(frozen=True, slots=True)
class Claim:
    """A figure that a paper gives, and how near we must come for it to hold."""

    name: str  # short, without blanks: what the measurement is called too
    what: str  # a sentence for the report
    value: float
    tolerance: float = 0.0
    relation: Relation = Relation.EQUAL
    unit: str = ""
    where: str = ""  # the table or section of the paper

    def __post_init__(self) -> None:
        if not (math.isfinite(self.value) and 0 <= self.tolerance < math.inf):
            raise ValueError(f"{self.name}: {self.value} ± {self.tolerance} is no published figure")
        if self.relation is Relation.EQUAL and not self.tolerance:
            raise ValueError(f"{self.name}: nothing measured equals a figure without a tolerance")

    @property
    def range(self) -> tuple[float, float]:
        """The values that would do."""
        low, high = self.value - self.tolerance, self.value + self.tolerance
        if self.relation is Relation.AT_LEAST:
            high = math.inf
        elif self.relation is Relation.AT_MOST:
            low = -math.inf
        elif self.relation in NOT_JUDGED:
            low, high = -math.inf, math.inf
        return low, high

    @property
    def published(self) -> float | None:
        """What was published; None for a figure of ours."""
        return None if self.relation is Relation.UNPUBLISHED else self.value

    def __str__(self) -> str:
        if self.published is None:
            return ""
        is_bare = self.relation in (Relation.EQUAL, Relation.BESIDE)
        sign = "" if is_bare else f"{self.relation} "
        tolerance = f" ± {self.tolerance:.3g}" if self.tolerance else ""
        return f"{sign}{self.value:g}{tolerance} {self.unit}".strip()


@dataclass(frozen=True, slots=True)
class Measurement:
    """What was measured of a claim, with its 95 % interval."""

    claim: str
    value: float
    low: float
    high: float
    note: str = ""  # how large the measurement was: games, seeds
    # Whether it is of another depth or length than the published figure, or of other games: then it
    # is not judged.
    is_other: bool = False

    def __post_init__(self) -> None:
        # NaN fails every comparison, so it is refused too.
        if not -math.inf < self.low <= self.value <= self.high < math.inf:
            raise ValueError(
                f"{self.claim}: {self.value} in [{self.low}, {self.high}] is no measurement"
            )


@dataclass(frozen=True, slots=True)
class Finding:
    """A claim beside what was measured of it."""

    claim: Claim
    measured: Measurement

    @property
    def verdict(self) -> Verdict:
        return judge(self.claim, self.measured)

    @property
    def is_judged(self) -> bool:
        return self.verdict is not Verdict.SHOWN

    @property
    def has_interval(self) -> bool:
        return self.measured.low < self.measured.high

    def as_json(self) -> dict[str, Any]:
        return {
            "claim": self.claim.name,
            "published": asdict(self.claim),
            "measured": asdict(self.measured),
            "verdict": str(self.verdict),
        }


def judge(claim: Claim, measured: Measurement) -> Verdict:
    """Say whether a claim holds.

    It holds if all of the measured interval lies within what would do, it does not hold if none of
    it does, and otherwise more games are needed.
    """
    if claim.relation in NOT_JUDGED or measured.is_other:
        return Verdict.SHOWN
    low, high = claim.range
    if low <= measured.low and measured.high <= high:
        return Verdict.HOLDS
    if measured.high < low or high < measured.low:
        return Verdict.FAILS
    return Verdict.UNDECIDED


def judge_all(findings: Iterable[Finding]) -> Verdict:
    """Judge a table: it holds if all of it that is judged does, and not if one does not."""
    verdicts = {finding.verdict for finding in findings}
    for verdict in (Verdict.FAILS, Verdict.UNDECIDED, Verdict.HOLDS):
        if verdict in verdicts:
            return verdict
    return Verdict.SHOWN
