"""The sequential probability ratio test: stop a match as soon as it is decided."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import Any

from crossboard.arena.likelihood import (
    NO_PAIRS,
    Counts,
    count_pairs,
    log_likelihood,
    regularise,
)

MAX_ELO = 4000  # a lead that no match could tell from a larger one


class Decision(StrEnum):
    """What a sequential test says."""

    GO_ON = "go on"
    ELO0 = "elo0"  # the first player is not better than elo0
    ELO1 = "elo1"  # it is at least as good as elo1


@dataclass(frozen=True)
class Sprt:
    """A test of 'the lead is elo1' against 'the lead is elo0' and the pairs it has seen.

    It is a value: `after` gives the test one pair later. Generalised: what is not in question
    (how often pairs end 0, ½, 1, 1½, 2 under either hypothesis) is estimated from the pairs,
    with the same half pair added as in the score of a match, so that no outcome is impossible.
    The bounds are Wald's: with a lead of elo0 the test says elo1 with a probability of `alpha`
    at most, with elo1 it says elo0 with `beta` at most, nearly.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    pentanomial: Counts = NO_PAIRS

    def __post_init__(self) -> None:
        if not -MAX_ELO <= self.elo0 < self.elo1 <= MAX_ELO:
            raise ValueError(
                f"elo0 must be less than elo1, and both within ±{MAX_ELO}, "
                f"not {self.elo0:g} and {self.elo1:g}"
            )
        for name, chance in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < chance < 0.5:
                raise ValueError(f"{name} must be between 0 and 0.5, not {chance}")

    @classmethod
    def from_text(cls, text: str) -> Sprt:
        """Read 'elo0,elo1'; raise ValueError if that is not what it is."""
        try:
            elo0, elo1 = (float(part) for part in text.split(","))
        except ValueError:
            raise ValueError(f"SPRT {text!r}: give two Elo differences, as in 0,10") from None
        return cls(elo0, elo1)

    def after(self, points: float) -> Sprt:
        """Return the test after one more pair, of which the first player got so many points.

        Pairs that come after a decision change nothing: the test is over.
        """
        counted = count_pairs([points])
        if self.decision is not Decision.GO_ON:
            return self
        a, b, c, d, e = (old + new for old, new in zip(self.pentanomial, counted, strict=True))
        return replace(self, pentanomial=(a, b, c, d, e))

    @cached_property
    def llr(self) -> float:
        """The log-likelihood ratio of elo1 to elo0."""
        weights = regularise(self.pentanomial)
        return log_likelihood(weights, self.elo1) - log_likelihood(weights, self.elo0)

    @property
    def lower(self) -> float:
        """The ratio at which elo0 is decided for."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """The ratio at which elo1 is decided for."""
        return math.log((1 - self.beta) / self.alpha)

    @property
    def decision(self) -> Decision:
        llr = self.llr
        if llr >= self.upper:
            return Decision.ELO1
        return Decision.ELO0 if llr <= self.lower else Decision.GO_ON

    def as_json(self) -> dict[str, Any]:
        """Give the test and where it stands under the names that `--json` uses."""
        state = {"llr": self.llr, "lower": self.lower, "upper": self.upper}
        return asdict(self) | state | {"decision": str(self.decision)}
