"""Several nets for one player, each for its phase: ahead, level, behind (Lynch 1997, 5.3).

The net whose phase it is chooses the move and learns from the board it leaves behind; credit goes
back through the whole game, whichever nets were in charge.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from crossboard._core.draughts import Chooser, Phase, PlayedGame, Position, play_games
from crossboard.draughts import StartBoard, random_line
from crossboard.evaluators import EvalNet, Network
from crossboard.evaluators import Mapping as Map
from crossboard.learn.cloning import CloningSettings, measure_block
from crossboard.learn.rounds import credits_of
from crossboard.learn.snapshot import Snapshot, game_seed
from crossboard.learn.td import TdSettings, rate_of
from crossboard.players import make_engine

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# How the side to move may stand in material; "any" is one net for everything.
ALONE = ("any",)
BY_MATERIAL = ("ahead", "level", "behind")

Nets = Mapping[str, EvalNet]


class Turn(NamedTuple):
    """A move of the learner: the board it left behind, and the phase it was made in."""

    board: Position
    phase: str


def turns_of(game: PlayedGame, seat: int, phases: Sequence[str], *, skip: int = 0) -> list[Turn]:
    """Return the turns of one seat (0: who moved first) after so many plies of the opening."""
    roles = [(name, Phase(balance=name)) for name in phases]
    found, position = [], game.start
    for ply, move in enumerate(game.moves):
        after = position.after(move)
        if ply % 2 == seat and ply >= skip:
            phase = next(name for name, when in roles if when.holds(position))
            found.append(Turn(after, phase))
        position = after
    return found


def learn_game(
    mapping: Map,
    nets: Nets,
    turns: Sequence[Turn],
    reward: float,
    settings: TdSettings,
    *,
    scale: float = 1.0,
) -> dict[str, EvalNet]:
    """Return the nets after one game, played with the weights they have now."""
    import numpy as np

    if not turns:
        return dict(nets)
    inputs = mapping.batch([turn.board for turn in turns])
    owners = np.array([turn.phase for turn in turns])
    values = np.empty(len(turns))
    for name, net in nets.items():
        values[owners == name] = net.forward(inputs[owners == name])
    credits = credits_of(values, reward, settings)
    return {
        name: _moved(net, inputs[owners == name], credits[owners == name], settings, scale)
        for name, net in nets.items()
    }


def _moved(
    net: EvalNet,
    inputs: NDArray[np.float64],
    credits: NDArray[np.float64],
    settings: TdSettings,
    scale: float,
) -> EvalNet:
    if not len(inputs):
        return net
    change = net.summed_gradient(inputs, credits)
    weights = {
        name: array + scale * rate_of(name, net, settings) * change[name]
        for name, array in net.arrays().items()
    }
    return EvalNet(weights["w1"], weights["w2"], weights.get("w3"))


def learn_modular(
    mapping: Map,
    nets: Nets,
    settings: CloningSettings,
    *,
    seed: int,
    start: Snapshot | None = None,
) -> Iterator[Snapshot]:
    """Train the nets by self-play with cloning, as `learn_by_cloning` does one.

    Weights change after each game, without momentum. `measured` also tells which share of the
    boards each phase got.
    """
    school = _School(mapping, settings, seed)
    student, opponent, block, clones = dict(nets), dict(nets), 0, 0
    if start is not None:
        student, opponent = (nets_of(start, who) for who in ("student", "opponent"))
        block, clones = start.plain["block"], start.plain["clones"]
    for number in range(block, settings.blocks):
        student, games, turns = school.train(number, student, opponent)
        points = [school.test(board, student, opponent) for board in settings.boards]
        cloned = all(
            got >= board.points_to_clone for got, board in zip(points, settings.boards, strict=True)
        )
        opponent, clones = (student, clones + 1) if cloned else (opponent, clones)
        shares = {
            f"share_{name}": sum(turn.phase == name for turn in turns) / max(1, len(turns))
            for name in nets
        }
        seats = [school.seat(place) for place in range(len(games))]
        measured = {**measure_block(seats, games), **shares, "cloned": float(cloned)}
        measured |= {"test_points": float(sum(points)), "clones": float(clones)}
        arrays = {
            f"{who}.{name}.{key}": array
            for who, each in (("student", student), ("opponent", opponent))
            for name, net in each.items()
            for key, array in net.arrays().items()
        }
        plain = {"block": number + 1, "clones": clones}
        played = (number + 1) * settings.games_of_block
        yield Snapshot(played, arrays, plain, measured, games)


def nets_of(snapshot: Snapshot, who: str) -> dict[str, EvalNet]:
    """Return the nets of the student or the opponent, by phase."""
    found: dict[str, dict[str, NDArray[np.float64]]] = {}
    for key, array in snapshot.arrays.items():
        owner, phase, name = key.split(".")
        if owner == who:
            found.setdefault(phase, {})[name] = array
    return {phase: EvalNet(n["w1"], n["w2"], n.get("w3")) for phase, n in found.items()}


@dataclass(frozen=True)
class _School:
    mapping: Map
    settings: CloningSettings
    seed: int

    def seat(self, place: int) -> int:
        """Return where the student sits: Black, who moves first, in even games."""
        return place % 2

    def train(
        self, block: int, student: Nets, opponent: Nets
    ) -> tuple[dict[str, EvalNet], list[PlayedGame], list[Turn]]:
        settings = self.settings
        played, turns = [], []
        for place in range(settings.games_of_block):
            board = settings.boards[place // settings.games]
            number = block * settings.games_of_block + place
            seed = game_seed(self.seed, "modular", number)
            choosers = [self._chooser(nets, learning=True) for nets in (student, opponent)]
            game = self._play(choosers, board, self.seat(place), seed, settings.random_plies)
            skip = settings.random_plies
            own = turns_of(game, self.seat(place), list(student), skip=skip)
            reward = board.reward(game, self.seat(place))
            scale = settings.scale(block)
            student = learn_game(self.mapping, student, own, reward, settings.td, scale=scale)
            played.append(game)
            turns += own
        return dict(student), played, turns

    def test(self, board: StartBoard, student: Nets, opponent: Nets) -> float:
        """Return the student's points of two games without learning, one with each colour."""
        choosers = [self._chooser(nets, learning=False) for nets in (student, opponent)]
        points = 0.0
        for seat in (0, 1):
            winner = self._play(choosers, board, seat, 0, 0).winner
            points += 1.0 if winner is None else 2.0 * (winner == seat)
        return points

    def _play(
        self, choosers: Sequence[Chooser], board: StartBoard, seat: int, seed: int, plies: int
    ) -> PlayedGame:
        first, second = choosers if seat == 0 else reversed(choosers)
        line = random_line(board.position, plies, Random(seed))
        opening = (board.position, list(line))
        rules = self.settings.rules
        return play_games(first, second, openings=[opening], seeds=[seed], rules=rules)[0]

    def _chooser(self, nets: Nets, *, learning: bool) -> Chooser:
        settings = self.settings
        roles = [
            (
                Phase(balance=name),
                Chooser.engine(
                    make_engine(Network.of(self.mapping, net), settings.search),
                    depth=settings.depth,
                    random_ties=learning and settings.random_ties,
                ),
            )
            for name, net in nets.items()
        ]
        return roles[0][1] if len(roles) == 1 else Chooser.phased(roles)
