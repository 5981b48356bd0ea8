"""NeuroDraughts with a net for each phase, ahead, level and behind (Lynch 1997, 5.3)."""

from __future__ import annotations

from crossboard.systems import neurodraughts
from crossboard.systems.neurodraughts import kept_of, learn, player_of
from crossboard.systems.recipes import Recipe, register

PUBLISHED, TUNED = (
    preset.model_copy(update={"modules": True})
    for preset in (neurodraughts.PUBLISHED, neurodraughts.TUNED)
)

RECIPE = register(
    Recipe(
        "modular",
        "Lynch 1997, 5.3",
        "NeuroDraughts with a net for each phase: ahead, level, behind",
        {"published": PUBLISHED, "tuned": TUNED},
        learn,
        player_of,
        kept_of,
    )
)
