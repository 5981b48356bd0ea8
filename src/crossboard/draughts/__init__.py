"""English draughts: positions, moves, games in PDN, openings, drawings."""

from collections.abc import Sequence

from crossboard._core import DrawRules
from crossboard._core.draughts import (
    AmbiguousMove,
    IllegalMove,
    InvalidFen,
    LegalMoves,
    Move,
    Past,
    Position,
    RandomGames,
    play_random_games,
)
from crossboard.draughts.ballots import Ballot, ballots
from crossboard.draughts.board_files import StartBoard, format_boards, read_boards
from crossboard.draughts.drawing import svg
from crossboard.draughts.middlegames import middlegames
from crossboard.draughts.pdn import parse_pdn, read_pdn
from crossboard.draughts.random_endgames import random_endgame
from crossboard.draughts.random_lines import random_line
from crossboard.draughts.records import Node, PdnError, Record, result_for
from crossboard.records import Outcome

Sequence.register(LegalMoves)

__all__ = [
    "AmbiguousMove",
    "Ballot",
    "DrawRules",
    "IllegalMove",
    "InvalidFen",
    "LegalMoves",
    "Move",
    "Node",
    "Outcome",
    "Past",
    "PdnError",
    "Position",
    "RandomGames",
    "Record",
    "StartBoard",
    "ballots",
    "format_boards",
    "middlegames",
    "parse_pdn",
    "play_random_games",
    "random_endgame",
    "random_line",
    "read_boards",
    "read_pdn",
    "result_for",
    "svg",
]
