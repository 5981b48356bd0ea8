"""What the tables of a folder say about each slice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from crossboard._core.draughts import EndgameTables


@dataclass(frozen=True)
class SliceCounts:
    """A slice: positions with Black to move that Black wins, draws and loses."""

    slice: tuple[int, int, int, int]  # Black's men and kings, White's men and kings
    win: int
    draw: int
    loss: int

    @property
    def positions(self) -> int:
        """All placements with a capture or without, men not on their last row."""
        return self.win + self.draw + self.loss

    @property
    def pieces(self) -> int:
        """How many pieces stand on the board."""
        return sum(self.slice)

    def as_json(self) -> dict[str, Any]:
        """Return it as `crossboard tables --json` prints it."""
        counts = {"positions": self.positions, "win": self.win, "draw": self.draw}
        return {"slice": list(self.slice), **counts, "loss": self.loss}


def list_slices(tables: EndgameTables) -> list[SliceCounts]:
    """Return the slices that are there, fewer pieces first."""
    return [SliceCounts(*one) for one in tables.slices]
