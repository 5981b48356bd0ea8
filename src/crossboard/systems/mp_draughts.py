"""MP-Draughts: VisionDraughts until the endgame, then the agent of the board's cluster.

Duarte, Julia, Barcelos and Otsuka 2009.
"""

from __future__ import annotations

from crossboard.learn import Snapshot
from crossboard.systems.endgame_boards import format_endgame_boards
from crossboard.systems.mp_report import conclude_match, describe_specialists, draw_map
from crossboard.systems.mp_settings import (
    PUBLISHED,
    QUICK,
    QUICK_PUBLISHED,
    TUNED,
    MpDraughtsSettings,
)
from crossboard.systems.mp_stages import MapProgress, learn, make_player
from crossboard.systems.recipes import Kept, Recipe, register


def kept_of(settings: MpDraughtsSettings, snapshot: Snapshot) -> Kept:
    """Return the files of boards when they have just been made."""
    if not snapshot.measured:  # boards are still being collected: reading them takes time
        return Kept()
    now = MapProgress.of(snapshot)
    made = {"boards": ("boards.fen", now.boards), "held_out": ("held-out.fen", now.held_out)}
    return Kept(
        {
            name: format_endgame_boards(boards)
            for key, (name, boards) in made.items()
            if key in snapshot.measured and boards
        }
    )


register(
    Recipe(
        "mp-draughts",
        "Duarte, Julia, Barcelos & Otsuka 2009",
        "VisionDraughts and an agent for each cluster of endgame boards",
        {"published": PUBLISHED, "tuned": TUNED},
        learn,
        make_player,
        kept_of,
        check=MpDraughtsSettings.check_means,
        draw=draw_map,
        describe=describe_specialists,
        conclude=conclude_match,
        spreads_work=True,
        quick={"published": QUICK | QUICK_PUBLISHED, "tuned": QUICK},
    )
)
