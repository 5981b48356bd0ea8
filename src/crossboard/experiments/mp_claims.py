"""The claims of MP-Draughts 2009, and what its experiment reports beside them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from crossboard.arena.bootstrap import Interval, share_of_seeds
from crossboard.experiments.claims import Claim, Relation
from crossboard.systems.board_maps import NAMED_OPTIONS

V, N, MP = "V", "N", "MP"


class Published(NamedTuple):
    """A column of the paper's table I: of twenty games."""

    one: str
    other: str
    wins: int
    losses: int
    draws: int
    loops: int

    @property
    def name(self) -> str:
        return f"{self.one.lower()}-{self.other.lower()}"

    @property
    def games(self) -> int:
        return self.wins + self.losses + self.draws

    @property
    def score(self) -> Interval:
        """The points a game, with the 95 % interval of so few games."""
        points = (self.wins + self.draws / 2) / self.games
        variance = (self.wins + self.draws / 4) / self.games - points**2
        reach = 1.96 * (variance / self.games) ** 0.5
        return Interval(points, points - reach, points + reach)


TABLE = (
    Published(V, N, 10, 1, 9, 5),
    Published(MP, N, 14, 3, 3, 0),
    Published(MP, V, 10, 6, 4, 2),
)
# Arms of their own, and players of the first arm's agents that play otherwise.
ONE_AGENT, RANDOM_CLUSTERS = "one agent", "random clusters"
EVERY_MOVE, NO_REPLACEMENT = "every move", "no replacement"
CONTROLS = (ONE_AGENT, RANDOM_CLUSTERS, EVERY_MOVE, NO_REPLACEMENT)
# What maps see: the options that others name, and attributes that evolution chooses.
EVOLVED = "evolved"
MAPS = (*NAMED_OPTIONS, EVOLVED)


def slug(name: str) -> str:
    """Return a name as claims and files have it."""
    return name.replace(", ", "-").replace(" ", "-")


def match_claims(published: Published) -> Iterator[Claim]:
    """Yield the claims of a column of the table."""
    match = f"{published.one} against {published.other}"
    where = (
        f"table I: {published.wins} won, {published.losses} lost, {published.draws} drawn, "
        f"{published.loops} loops of {published.games}"
    )
    points = published.score
    yield Claim(
        published.name,
        f"{match}: points",
        points.value,
        points.high - points.value,
        unit="a game",
        where=where,
    )
    loops = share_of_seeds(published.loops, published.games)
    reach = max(loops.high - loops.value, loops.value - loops.low)
    yield Claim(
        f"{published.name}-loops",
        f"{match}: loops",
        loops.value,
        reach,
        unit="of all games",
        where=where,
    )
    yield Claim(
        f"{published.name}-unequal",
        f"{match}: loops with unequal material",
        loops.value,
        relation=Relation.BESIDE,
        unit="of all games",
        where="loops of all kinds: table I",
    )


CLAIMS = (
    *(claim for published in TABLE for claim in match_claims(published)),
    Claim(
        "fewer-loops",
        "loops with unequal material against N: MP less V",
        0.0,
        relation=Relation.AT_MOST,
        unit="of all games",
        where="V: falling into loops though in advantage is what the agents are to cure",
    ),
    Claim(
        "specialists",
        "MP against V",
        0.5,
        relation=Relation.AT_LEAST,
        unit="points a game",
        where="table I: better",
    ),
    *(
        Claim(
            f"{slug(name)}-v",
            f"{name} against V",
            0.5,
            relation=Relation.UNPUBLISHED,
            unit="points a game",
            where="a control",
        )
        for name in CONTROLS
    ),
    *(
        Claim(
            f"over-{slug(name)}",
            f"MP less {name}, both against V",
            0.0,
            relation=Relation.UNPUBLISHED,
            unit="points a game",
            where="a control",
        )
        for name in CONTROLS
    ),
    Claim(
        "held-out",
        "MP against V from held-out boards",
        0.5,
        relation=Relation.UNPUBLISHED,
        unit="points a game",
    ),
    Claim(
        "replaced",
        "specialists that lose to V on validation boards",
        0.0,
        relation=Relation.UNPUBLISHED,
        unit="of all",
    ),
    *(
        Claim(
            f"explained-{slug(name)}",
            f"outcomes of other boards that clusters predict: {name}",
            0.0,
            relation=Relation.UNPUBLISHED,
            unit="of the variance",
        )
        for name in MAPS
    ),
    Claim(
        "units-by-data",
        "units whose clusters predict most of the outcomes of other boards",
        25,
        relation=Relation.BESIDE,
        where="IV.B: 25 units, without a reason",
    ),
)
