"""VisionDraughts and D-VisionDraughts: NeuroDraughts' learner on better searches.

Caixeta & Julia 2008 (as MP-Draughts 2009, III.C, and D-VisionDraughts 2011, 1 and 3, tell it):
version 1 is depth-limited alpha-beta, version 2 adds deepening, a table and its ordering.
D-VisionDraughts shares each search between processors by Young Brothers Wait.
"""

from __future__ import annotations

from crossboard.systems.neurodraughts import TUNED as TUNED_NEURODRAUGHTS
from crossboard.systems.neurodraughts import NeuroDraughtsSettings, learn, player_of
from crossboard.systems.recipes import Recipe, register

# MP-Draughts 2009, IV.A: ten tournaments of 250 games.
PUBLISHED_GAMES = 2500
# Chosen: the depth at which this project's matches are played; the papers do not tell theirs.
PUBLISHED_LOOK_AHEAD = 8
# D-VisionDraughts 2011, 4: the depth of the training that was compared.
DISTRIBUTED_LOOK_AHEAD = 12
# Chosen: no paper tells its table's size.
TABLE_MB = 16
# D-VisionDraughts' own cluster had ten processors; this is what every machine has.
THREADS = 2

VERSION_2 = NeuroDraughtsSettings(
    games=PUBLISHED_GAMES,
    look_ahead=PUBLISHED_LOOK_AHEAD,
    algorithm="alphabeta",
    table_mb=TABLE_MB,
    exam_every=250,
)
VERSION_1 = VERSION_2.model_copy(update={"table_mb": 0})
# One net on both sides: deeper searches make games of a student and its copy so one-sided that a
# student which falls behind does not come back.
TUNED = TUNED_NEURODRAUGHTS.model_copy(
    update={"games": 20_000, "look_ahead": 4, "quiescence": True, "regime": "mirror"}
)
# Both compared searches of the paper are those of version 1.
DISTRIBUTED = VERSION_1.model_copy(
    update={"look_ahead": DISTRIBUTED_LOOK_AHEAD, "threads": THREADS, "games": 79, "exam_every": 0}
)
DISTRIBUTED_TUNED = DISTRIBUTED.model_copy(update={"table_mb": TABLE_MB, "refinements": True})

register(
    Recipe(
        "visiondraughts",
        "Caixeta & Julia 2008",
        "NeuroDraughts on alpha-beta with deepening and a table",
        {"published": VERSION_2, "version1": VERSION_1, "tuned": TUNED},
        learn,
        player_of,
    )
)
register(
    Recipe(
        "dvisiondraughts",
        "Barcelos, Julia & Matias 2011",
        "VisionDraughts on many processors: --set threads=N, or under mpiexec",
        {"published": DISTRIBUTED, "tuned": DISTRIBUTED_TUNED},
        learn,
        player_of,
    )
)
