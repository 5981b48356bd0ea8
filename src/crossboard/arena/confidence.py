"""How sure intervals are: 95 %, in all that is told about results."""

from __future__ import annotations

CONFIDENCE = 0.95
Z = 1.959963984540054  # standard deviations to each side that hold 95 % of a normal distribution
