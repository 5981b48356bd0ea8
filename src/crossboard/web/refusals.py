"""What the server refuses, each with a sentence and a status."""

from __future__ import annotations

from crossboard.web.messages import GameState


class Refusal(ValueError):
    """A request that cannot be carried out."""

    def __init__(self, status: int, sentence: str, state: GameState | None = None) -> None:
        super().__init__(sentence)
        self.status = status
        self.state = state


def no_such_game() -> Refusal:
    """Return the refusal for a game that is not stored."""
    return Refusal(404, "there is no such game here: it may belong to another folder of games")


def no_key(what: str) -> Refusal:
    """Return the refusal for a command without the key of its seat."""
    return Refusal(403, f"{what}: open the link of that seat first")


def stale(expected: int, state: GameState) -> Refusal:
    """Return the refusal for a command that was meant for an earlier position."""
    return Refusal(
        409, f"the game stands at ply {state.ply}, not at {expected}: here is how it stands", state
    )
