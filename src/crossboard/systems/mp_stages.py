"""The stages of MP-Draughts: boards, held-out boards, map, agents one by one, and the last match.

What is finished stands in every snapshot, so that a training resumes at any of them; each agent is
a training of its own inside the run, which resumes by itself.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from crossboard.arena.elo import expected_score
from crossboard.draughts import Position
from crossboard.evaluators import EvalNet, Network
from crossboard.farm.executors import Farm
from crossboard.learn import Schooling, Snapshot, game_seed
from crossboard.learn.schooling import paced
from crossboard.learn.som import TrainedMap, effective_units, shares_of, variance_explained
from crossboard.players import Player, SearchLimits, Specialists
from crossboard.systems.board_collection import NOTHING, Collected, collect_boards
from crossboard.systems.board_maps import clusters_of, fall_of, units_of
from crossboard.systems.endgame_agents import (
    Specialist,
    first_network,
    meet_from,
    train_agents,
)
from crossboard.systems.endgame_boards import EndgameBoard
from crossboard.systems.mp_settings import MpDraughtsSettings
from crossboard.systems.neurodraughts import PLAY_SECONDS
from crossboard.systems.training import Training

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Units = NDArray[np.intp]

AGENTS_FOLDER = "agents"


@dataclass(frozen=True)
class MapProgress:
    """What a training has so far; what is missing is None."""

    boards: list[EndgameBoard] | None = None
    held_out: list[EndgameBoard] | None = None
    map: TrainedMap | None = None
    specialists: list[Specialist] = field(default_factory=list)
    result: Mapping[str, float] | None = None  # of the match from held-out boards
    collected: Collected = NOTHING  # of boards, or then of held-out boards, until there are all

    @classmethod
    def of(cls, snapshot: Snapshot | None) -> MapProgress:
        """Read what a snapshot has."""
        if snapshot is None:
            return cls()
        arrays, plain = snapshot.arrays, snapshot.plain
        names = [f"map.{name}" for name in TrainedMap._fields]
        specialists = [
            Specialist(_net_of(arrays, unit), **known)
            for unit, known in enumerate(plain["specialists"])
        ]
        return cls(
            _parse(plain["boards"]),
            _parse(plain["held_out"]),
            TrainedMap(*(arrays[name] for name in names)) if names[0] in arrays else None,
            specialists,
            plain["result"],
            _parse_collected(plain.get("collected")),
        )

    def snapshot(self, games: int, measured: Mapping[str, float]) -> Snapshot:
        """Return everything there is to keep."""
        arrays: dict[str, NDArray[np.float64]] = {}
        if self.map is not None:
            arrays |= {f"map.{name}": each for name, each in self.map._asdict().items()}
        plain: dict[str, Any] = {
            "boards": _format(self.boards),
            "held_out": _format(self.held_out),
            "specialists": [],
            "result": self.result and dict(self.result),
        }
        if self.collected.games:
            boards, played = self.collected
            plain["collected"] = {"boards": _format(boards), "games": played}
        for unit, one in enumerate(self.specialists):
            arrays |= {f"agent{unit}.{name}": each for name, each in one.net.arrays().items()}
            plain["specialists"].append(one.known())
        return Snapshot(games, arrays, plain, measured)

    def positions(self) -> list[Position]:
        """Return the boards to learn from."""
        return [board.position for board in self.boards or ()]

    def units(self, settings: MpDraughtsSettings) -> Units:
        """Return the unit of each board."""
        assert self.map is not None
        return units_of(settings.map_options(), self.map, self.positions())


def _format(boards: Sequence[EndgameBoard] | None) -> list[str] | None:
    return None if boards is None else [board.format() for board in boards]


def _parse(lines: Sequence[str] | None) -> list[EndgameBoard] | None:
    return None if lines is None else [EndgameBoard.parse(line) for line in lines]


def _parse_collected(plain: Mapping[str, Any] | None) -> Collected:
    return Collected(_parse(plain["boards"]) or (), plain["games"]) if plain else NOTHING


def _net_of(arrays: Mapping[str, Any], unit: int) -> EvalNet:
    prefix = f"agent{unit}."
    own = {key.removeprefix(prefix): each for key, each in arrays.items() if key.startswith(prefix)}
    return EvalNet(**own)


def learn(settings: MpDraughtsSettings, schooling: Schooling) -> Generator[Snapshot, None, None]:
    """Make the boards, the map and the agents, and play the match from held-out boards."""
    now = MapProgress.of(schooling.start)
    if now.boards is None:
        boards, games = yield from _make_boards(settings, schooling, now)
        now = replace(now, boards=[*boards], collected=NOTHING)
        yield now.snapshot(0, {"boards": len(boards), "board_games": games})
    if now.held_out is None:
        held_out, games = yield from _collect(settings, schooling, now, held_out=True)
        now = replace(now, held_out=[*held_out], collected=NOTHING)
        yield now.snapshot(0, {"held_out": len(held_out), "held_out_games": games})
    if now.map is None:
        schooling.tell(f"map: {settings.units} units learn from {len(now.positions()):,} boards")
        now = replace(now, map=settings.map_options().train(now.positions(), schooling.seed))
        yield now.snapshot(0, measure_map(settings, now))
    with _folder_of(schooling) as folder:
        known = len(now.specialists)
        parts = agent_parts(settings, now, schooling.seed, folder)[known:]
        if parts:
            schooling.tell(f"agents: {known} of {settings.units} trained")
        for one in train_agents(parts, schooling.learners, schooling.tell, known=known):
            now = replace(now, specialists=[*now.specialists, one])
            yield now.snapshot(_games_of(settings, now), measure_specialist(now))
    if now.result is None:
        now = replace(now, result=_play_held_out(settings, now, schooling))
        score = {"held_out_score": now.result["score"]} if now.result else {}
        yield now.snapshot(_games_of(settings, now), score)


def _games_of(settings: MpDraughtsSettings, now: MapProgress) -> int:
    return len(now.specialists) * (settings.games // settings.units)


def _make_boards(
    settings: MpDraughtsSettings, schooling: Schooling, now: MapProgress
) -> Generator[Snapshot, None, Collected]:
    """Read or collect the boards to learn from; return them and how many games were played."""
    if settings.boards_file:
        return Collected(settings.read_boards())
    return (yield from _collect(settings, schooling, now, held_out=False))


def _collect(
    settings: MpDraughtsSettings, schooling: Schooling, now: MapProgress, *, held_out: bool
) -> Generator[Snapshot, None, Collected]:
    """Collect boards to learn from, or held-out ones, none of which is learnt from.

    Yields a snapshot with the boards so far after each batch of games.
    """
    asked = settings.collecting(held_out=held_out, seed=schooling.seed)
    what, tell = "held-out boards" if held_out else "boards", paced(schooling.tell)
    found = now.collected
    batches = collect_boards(
        asked,
        schooling.executor,
        schooling.workers,
        start=found,
        avoid=now.positions(),
        on_game=lambda count: tell(f"{what}: {count:,} of {asked.count:,}"),
    )
    # Left in the midst, it ends the games that are played then.
    with closing(batches):
        for found in batches:
            if len(found.boards) < asked.count:
                yield replace(now, collected=found).snapshot(0, {})
    return found


def measure_map(settings: MpDraughtsSettings, now: MapProgress) -> dict[str, float]:
    """Return what the metrics tell of a map."""
    assert now.map is not None
    assert now.boards is not None
    units = now.units(settings)
    told = {
        "quantisation_fall": fall_of(now.map.quantisation),
        "topographic_error": float(now.map.topographic[-1]),
        "effective_units": effective_units(shares_of(units, settings.units)),
    }
    outcomes = [board.outcome for board in now.boards if board.outcome is not None]
    if len(outcomes) < len(now.boards):
        return told
    return told | {"outcome_variance_explained": variance_explained(outcomes, units)}


def measure_specialist(now: MapProgress) -> dict[str, float]:
    """Return what the metrics tell of the last agent that was trained."""
    last = now.specialists[-1]
    return {"agent": len(now.specialists), **last.known(), "plays": last.plays}


@contextmanager
def _folder_of(schooling: Schooling) -> Iterator[Path]:
    """Give a folder for the agents' trainings: below the run's, or a temporary one."""
    if schooling.folder is not None:
        yield schooling.folder / AGENTS_FOLDER
        return
    with TemporaryDirectory() as place:
        yield Path(place)


def agent_parts(
    settings: MpDraughtsSettings, now: MapProgress, seed: int, folder: Path
) -> list[Training]:
    """Return the training of each unit's agent."""
    assert now.map is not None
    positions, plan = now.positions(), settings.agent_plan()
    units = now.units(settings)
    if settings.clusters == "random":
        units = dealt_out(units, seed)
    return [
        plan.training(
            folder / f"agent-{unit + 1:02}",
            [positions[place] for place in places],
            game_seed(seed, "agent", unit),
        )
        for unit, places in enumerate(clusters_of(now.map.prototypes, units))
    ]


def dealt_out(units: Units, seed: int) -> Units:
    """Return clusters of the same sizes, to which boards belong by chance."""
    import numpy as np

    return np.random.default_rng(seed).permutation(units)


def make_player(
    settings: MpDraughtsSettings, snapshot: Snapshot, name: str, *, replaces: bool | None = None
) -> Player:
    """Make the player of a moment; agents that are not trained yet are the first agent.

    `replaces` says whether the first agent takes the place of specialists that lose by it; None
    leaves it to the settings.
    """
    now, main = MapProgress.of(snapshot), first_network()
    limits = SearchLimits(seconds=PLAY_SECONDS)
    if now.map is None:
        return Player(name, main, limits=limits)
    is_strict = settings.replaces if replaces is None else replaces
    agents = [
        main if is_strict and not one.plays else Network.of(main.mapping, one.net)
        for one in now.specialists
    ]
    agents += [main] * (len(now.map.prototypes) - len(agents))
    specialists = Specialists(
        settings.map_options().attributes(), now.map.prototypes, agents, keeps=settings.keeps
    )
    return Player(name, main, specialists=specialists, limits=limits)


def _play_held_out(
    settings: MpDraughtsSettings, now: MapProgress, schooling: Schooling
) -> dict[str, float]:
    """Play the first agent once from all held-out boards; return the result."""
    if not now.held_out:
        return {}
    schooling.tell(f"match: {2 * len(now.held_out):,} games from held-out boards")
    player = make_player(settings, now.snapshot(0, {}), "mp-draughts")
    match = meet_from(
        player,
        [board.position for board in now.held_out],
        Farm(schooling.executor, schooling.workers),
        pairs=len(now.held_out),
        depth=settings.match_depth,
        seed=schooling.seed,
    )
    score, told = match.score, match.as_json()
    counts = ("games", "wins", "draws", "losses", "loops", "loops_unequal")
    return {
        "score": score.score,
        "low": expected_score(score.elo.low),
        "high": expected_score(score.elo.high),
        **{key: told[key] for key in counts},
    }
