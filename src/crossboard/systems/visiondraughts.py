"""VisionDraughts and D-VisionDraughts: NeuroDraughts' learner on better searches.

Caixeta & Julia 2008 (as MP-Draughts 2009, III.C, and D-VisionDraughts 2011, 1 and 3, tell it):
version 1 is depth-limited alpha-beta, version 2 adds deepening, a table and its ordering.
D-VisionDraughts shares each search between processors by Young Brothers Wait.
"""

from __future__ import annotations

from crossboard.systems.neurodraughts import PUBLISHED as PUBLISHED_NEURODRAUGHTS
from crossboard.systems.neurodraughts import TUNED as TUNED_NEURODRAUGHTS
from crossboard.systems.neurodraughts import NeuroDraughtsSettings, kept_of, learn, player_of
from crossboard.systems.recipes import Recipe, register

# MP-Draughts 2009, V: "by self-play with cloning, during 10 tournaments of 250 games each one", and
# Lynch 1997, 8.1: a tournament is a set number of training games followed by the test.
TOURNAMENTS, TOURNAMENT_GAMES = 10, 250
PUBLISHED_GAMES = TOURNAMENTS * TOURNAMENT_GAMES
# Chosen: the depth at which this project's matches are played; the papers do not tell theirs.
PUBLISHED_LOOK_AHEAD = 8
# D-VisionDraughts 2011, 4: the depth of the training that was compared.
DISTRIBUTED_LOOK_AHEAD = 12
# The same: games of the training in four hours, on ten processors and on one.
DISTRIBUTED_GAMES, SERIAL_GAMES = 79, 27
# Chosen: no paper tells its table's size.
TABLE_MB = 16
# Chosen: Lynch's ten games. The paper calls its four hours one tournament, but after one test there
# would be no "best player" of a training to speak of.
DISTRIBUTED_TEST_AFTER = PUBLISHED_NEURODRAUGHTS.test_after
# D-VisionDraughts' own cluster had ten processors; this is what every machine has.
THREADS = 2

VERSION_2 = NeuroDraughtsSettings(
    games=PUBLISHED_GAMES,
    test_after=TOURNAMENT_GAMES,
    look_ahead=PUBLISHED_LOOK_AHEAD,
    algorithm="alphabeta",
    table_mb=TABLE_MB,
    exam_every=TOURNAMENT_GAMES,
)
VERSION_1 = VERSION_2.model_copy(update={"table_mb": 0})
# One net on both sides: deeper searches make games of a student and its copy so one-sided that a
# student which falls behind does not come back.
TUNED = TUNED_NEURODRAUGHTS.model_copy(
    update={"games": 20_000, "look_ahead": 4, "quiescence": True, "regime": "mirror"}
)
# Both compared searches of the paper are those of version 1.
DISTRIBUTED = VERSION_1.model_copy(
    update={
        "look_ahead": DISTRIBUTED_LOOK_AHEAD,
        "threads": THREADS,
        "games": DISTRIBUTED_GAMES,
        "test_after": DISTRIBUTED_TEST_AFTER,
        "exam_every": 0,
    }
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
        kept_of,
        check=NeuroDraughtsSettings.check_means,
        shares_searches=True,
        quick={
            "published": {"look_ahead": 4, "games": 1250, "exam_every": 500},
            "version1": {"look_ahead": 4, "games": 1250, "exam_every": 500},
            "tuned": {"games": 4000, "exam_every": 2000},
        },
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
        kept_of,
        check=NeuroDraughtsSettings.check_means,
        shares_searches=True,
        quick={"published": {"look_ahead": 6}, "tuned": {"look_ahead": 8}},
    )
)
