"""The rounds of the champion: play and label, fit, meet the last net and `treestrap`.

Labels are kept as files in the run's folder, since they are too many for a checkpoint; a snapshot
says how many of them belong to it. What comes after them is played again, alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from crossboard.arena.elo import Elo
from crossboard.arena.match import Terms, play_match
from crossboard.arena.openings import REPORT, SELECT, openings
from crossboard.evaluators import SmallNet
from crossboard.learn import Schooling, Snapshot, game_seed
from crossboard.learn.fitting import FitSettings, FitState, fit, rescaled
from crossboard.learn.labels import Labelled, LabelSettings, spread_labelled
from crossboard.players import Player, SearchLimits, SearchSettings, load_player
from crossboard.storage import make_folder
from crossboard.systems.label_files import load_labels, save_labels
from crossboard.tables import Building

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

Number = TypeVar("Number", int, float)

POSITIONS = "positions"  # the folder of label files, below the run's
TABLES = "tables"  # and that of endgame tables
RIVAL = "treestrap"
FITTED = ("weights", "means", "spreads")  # the arrays of a fit
MATCH_SEED = 1992


@dataclass(frozen=True, kw_only=True)
class Rounds:
    """A plan: how many games, how they are played, how they are learnt.

    Of `round_games`, `nodes`, `rates` and `shares` each round has its own number, and the last
    number stays.
    """

    games: int
    round_games: Sequence[int]
    round_labels: int  # with so many a round ends early: they are what the run's folder keeps
    nodes: Sequence[int]
    kept_rounds: int
    block_games: int
    labels: LabelSettings
    fit: FitSettings  # but for its rate
    rates: Sequence[float]
    shares: Sequence[float]  # of the search in a target; the rest is the game's result
    knows_nothing: bool  # the first net: its searches find nothing to learn, but results do
    search: SearchSettings
    table_pieces: int  # of the endgame tables that the run builds for its games; 0: none
    match_pairs: int
    match_nodes: int

    def games_of(self, number: int, before: int) -> int:
        """Return how many games a round has; `before` were played in earlier ones."""
        return min(own_of(self.round_games, number), self.games - before)

    def labelling(self, number: int) -> LabelSettings:
        """Return how a round's games are played."""
        samples = self.labels.samples if self.share_of(number) else 0
        return replace(self.labels, nodes=own_of(self.nodes, number), samples=samples)

    def share_of(self, number: int) -> float:
        """Return the share of the search in the targets of a round."""
        return 0.0 if self.knows_nothing and number == 0 else own_of(self.shares, number)

    def fit_of(self, number: int) -> FitSettings:
        """Return how a round's labels are learnt."""
        return replace(self.fit, rate=own_of(self.rates, number))


def own_of(numbers: Sequence[Number], place: int) -> Number:
    """Return the number of a round: the last one stays."""
    return numbers[min(place, len(numbers) - 1)]


class Point(NamedTuple):
    """A round on the curve: what was learnt, and Elo with 95 % intervals at equal nodes."""

    number: int
    games: int  # of all rounds so far
    labels: int  # that were learnt
    loss: float
    before: Elo  # against the net before
    rival: Elo  # against treestrap's weights in the same search
    is_kept: bool


@dataclass(frozen=True)
class RoundState:
    """Where a training stands: the net that plays, and the round in progress."""

    net: Floats  # a row for each phase
    number: int = 0  # of the round
    played: int = 0  # games of the round
    games: int = 0  # of all rounds
    blocks: tuple[int, ...] = ()  # label files of each round so far, the present one last
    labels: tuple[int, ...] = ()  # positions in them
    fit: FitState | None = None
    curve: tuple[Point, ...] = ()
    begun_by: str = ""  # what made the net that it began with

    @classmethod
    def of(cls, snapshot: Snapshot) -> RoundState:
        """Read what a snapshot has."""
        arrays: Mapping[str, Any] = snapshot.arrays
        plain = snapshot.plain
        state = None
        if plain["passes"] is not None:
            weights, means, spreads = (arrays[f"fit.{name}"] for name in FITTED)
            counts = plain["passes"], tuple(plain["batches"]), plain["loss"]
            state = FitState(weights, means, spreads, *counts)
        curve = [
            Point(**one | {"before": Elo(*one["before"]), "rival": Elo(*one["rival"])})
            for one in plain["curve"]
        ]
        return cls(
            arrays["net"],
            plain["round"],
            plain["played"],
            snapshot.games,
            tuple(plain["blocks"]),
            tuple(plain["labels"]),
            state,
            tuple(curve),
            plain["begun_by"],
        )

    def snapshot(self, measured: Mapping[str, float]) -> Snapshot:
        """Return everything there is to keep."""
        arrays: dict[str, Any] = {"net": self.net}
        plain: dict[str, Any] = {
            "round": self.number,
            "played": self.played,
            "blocks": list(self.blocks),
            "labels": list(self.labels),
            "passes": None,
            "begun_by": self.begun_by,
            "curve": [
                one._asdict() | {"before": list(one.before), "rival": list(one.rival)}
                for one in self.curve
            ],
        }
        if self.fit is not None:
            arrays |= {f"fit.{name}": getattr(self.fit, name) for name in FITTED}
            plain |= {name: getattr(self.fit, name) for name in ("passes", "loss")}
            plain["batches"] = list(self.fit.batches)
        return Snapshot(self.games, arrays, plain, measured)


def learn_in_rounds(
    form: SmallNet, now: RoundState, plan: Rounds, schooling: Schooling
) -> Iterator[Snapshot]:
    """Go from round to round until all games are played; yield a snapshot after each step.

    `form` gives the sizes and phases of all nets, `now` is where to begin.
    """
    with _folder_of(schooling) as folder, ThreadPoolExecutor(schooling.workers) as fitters:
        tables = build_tables(folder.parent / TABLES, plan.table_pieces, schooling)
        desk = _Desk(form, plan, schooling, folder, tables, fitters)
        while plan.games_of(now.number, now.games - now.played) > 0:
            for stage in (desk.play, desk.fit, desk.examine):
                for after, measured in stage(now):
                    now = after
                    # The labels that are removed then are needed until there is a checkpoint.
                    is_over = stage == desk.examine
                    snapshot = now.snapshot(measured)
                    yield replace(snapshot, is_kept_at_once=is_over, counts_if_late=is_over)
            desk.tidy(now)


@contextmanager
def _folder_of(schooling: Schooling) -> Iterator[Path]:
    """Give a folder for label files: below the run's, or a temporary one."""
    if schooling.folder is not None:
        yield schooling.folder / POSITIONS
        return
    with TemporaryDirectory() as place:
        yield Path(place) / POSITIONS


def build_tables(folder: Path, pieces: int, schooling: Schooling) -> Path | None:
    """Build the endgame tables that are missing in a folder; return it, None without pieces."""
    if not pieces:
        return None
    building = Building(folder, pieces, workers=schooling.workers, resume=True)
    if building.positions:
        schooling.tell(f"building endgame tables of up to {pieces} pieces")
    building.conduct(lambda done, name: None)
    return folder


Step = tuple[RoundState, Mapping[str, float]]


@dataclass(frozen=True)
class _Desk:
    """What the steps of all rounds need."""

    form: SmallNet  # sizes and phases of all nets
    plan: Rounds
    schooling: Schooling
    folder: Path
    tables: Path | None  # endgame tables for its games
    fitters: ThreadPoolExecutor

    def net(self, weights: Floats) -> SmallNet:
        return net_of(self.form, weights)

    def path(self, number: int, block: int) -> Path:
        return self.folder / f"round-{number + 1:04}-{block + 1:05}.safetensors"

    def play(self, now: RoundState) -> Iterator[Step]:
        """Play the games of the round that are left, a block at a time."""
        plan, schooling = self.plan, self.schooling
        if now.fit is not None:
            return
        net, wanted = self.net(now.net), plan.games_of(now.number, now.games - now.played)
        # Matches begin with reported ballots, which no game to learn from comes through.
        starts, reserved = (
            [one.position for one in openings(part).listed] for part in (SELECT, REPORT)
        )
        if len(now.blocks) == now.number:
            now = replace(now, blocks=(*now.blocks, 0), labels=(*now.labels, 0))
        make_folder(self.folder)
        while now.played < wanted and now.labels[-1] < plan.round_labels:
            count = min(plan.block_games, wanted - now.played)
            seeds = [
                game_seed(schooling.seed, "champion", now.games + place) for place in range(count)
            ]
            game = spread_labelled(
                net,
                plan.search,
                plan.labelling(now.number),
                starts,
                seeds,
                schooling.executor,
                schooling.workers,
                reserved,
                self.tables,
            )
            save_labels(game.labels, self.path(now.number, now.blocks[-1]))
            now = replace(
                now,
                played=now.played + count,
                games=now.games + count,
                blocks=(*now.blocks[:-1], now.blocks[-1] + 1),
                labels=(*now.labels[:-1], now.labels[-1] + len(game.labels)),
            )
            yield now, measure_block(game, now.number, count)

    def fit(self, now: RoundState) -> Iterator[Step]:
        """Fit the net to the labels of the last rounds."""
        boards, targets = self._lessons(now)
        begun = now.fit or FitState.begin(now.net)
        seed = game_seed(self.schooling.seed, "fit", now.number)
        self.schooling.tell(f"round {now.number + 1}: learning {len(boards):,} positions")
        settings = self.plan.fit_of(now.number)
        for state in fit(self.form, begun, boards, targets, settings, seed, self.fitters):
            done = replace(now, fit=state)
            if state.passes == settings.passes:
                net = rescaled(self.form, state.weights, boards, seed)
                done = replace(now, fit=state._replace(weights=net))
            yield done, {"round": now.number + 1, "pass": state.passes, "loss": state.loss}

    def _lessons(self, now: RoundState) -> tuple[NDArray[np.uint32], Floats]:
        """Return the boards of the last rounds and their targets."""
        import numpy as np

        plan = self.plan
        boards: list[NDArray[np.uint32]] = []
        targets: list[Floats] = []
        for number in range(max(0, now.number + 1 - plan.kept_rounds), now.number + 1):
            for block in range(now.blocks[number]):
                labels = load_labels(self.path(number, block))
                boards.append(labels.boards)
                targets.append(labels.targets(plan.share_of(number), plan.fit.softness))
        return np.concatenate(boards), np.concatenate(targets)

    def examine(self, now: RoundState) -> Iterator[Step]:
        """Let the new net meet the last one and treestrap's weights; drop it if it is worse."""
        assert now.fit is not None
        new = self._player("new", now.fit.weights)
        search = self.plan.search
        rival = load_player(RIVAL)
        rival = rival.with_settings(search)
        before = self._meet(new, self._player("last", now.net), now.number)
        against = self._meet(new, rival, now.number)
        is_kept = before.high >= 0
        learnt = sum(now.labels[-self.plan.kept_rounds :])
        point = Point(now.number + 1, now.games, learnt, now.fit.loss, before, against, is_kept)
        told = "kept" if is_kept else "dropped"
        self.schooling.tell(
            f"round {point.number}: {describe_elo(before)} against the last net ({told}), "
            f"{describe_elo(against)} against {RIVAL}'s weights"
        )
        measured = {
            "round": point.number,
            "elo_before": before.elo,
            "elo_rival": against.elo,
            "elo_rival_low": against.low,
            "elo_rival_high": against.high,
            "kept": float(is_kept),
        }
        net = now.fit.weights if is_kept else now.net
        curve = (*now.curve, point)
        after = replace(now, net=net, number=now.number + 1, played=0, fit=None, curve=curve)
        yield after, measured

    def _player(self, name: str, weights: Floats) -> Player:
        return Player(name, self.net(weights), search=self.plan.search)

    def _meet(self, one: Player, other: Player, number: int) -> Elo:
        terms = Terms(
            pairs=self.plan.match_pairs,
            openings=openings(REPORT, MATCH_SEED + number),
            limits=SearchLimits(nodes=self.plan.match_nodes),
            rules=one.game.draws,
            seed=MATCH_SEED + number,
        )
        schooling = self.schooling
        match = play_match(one, other, terms, schooling.executor, workers=schooling.workers)
        return match.score.elo

    def tidy(self, now: RoundState) -> None:
        """Remove the labels of rounds that no later round learns, nor one that is done again."""
        for number in range(now.number - self.plan.kept_rounds):
            for block in range(now.blocks[number]):
                self.path(number, block).unlink(missing_ok=True)


def net_of(form: SmallNet, weights: Floats) -> SmallNet:
    """Return the net of the same sizes and phases with these weights, a row for each phase."""
    return SmallNet.from_floats(
        weights.ravel(), hidden=form.hidden, second=form.second, phases=form.phases
    )


def describe_elo(elo: Elo) -> str:
    """Return an Elo difference with its 95 % interval."""
    return f"{elo.elo:+.0f} Elo ({elo.low:+.0f} to {elo.high:+.0f})"


def measure_block(game: Labelled, number: int, games: int) -> dict[str, float]:
    """Return what a block of games was like."""
    return {
        "round": number + 1,
        "labels": len(game.labels),
        "plies": game.plies / games,
        "decided": 1 - game.draws / games,
        "nodes": game.nodes / max(1, game.searches),
    }
