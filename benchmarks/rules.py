"""The rules: counting move trees, listing moves, playing random games."""

from __future__ import annotations

import re
import subprocess
from functools import cache
from itertools import repeat
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from benchmarks.compiler import compile_program, find_compiler
from benchmarks.measure import (
    Contender,
    Demand,
    MeasurementError,
    Row,
    Settings,
    compare,
    repeated,
    timed,
)
from benchmarks.peers import Peer, contenders
from crossboard.draughts import DrawRules, Past, Position, play_random_games

FASTER_THAN_PLAIN = Demand(1.5, on="ratio")
PLAIN_GENERATOR = Path(__file__).with_name("plain_perft.cpp")
LOOP_GAMES = 2_000
SEED = 1


def perft(settings: Settings) -> list[Row]:
    """Count leaves from the start position without remembering any; peers at their own depth."""
    depth = settings.perft_depth
    with TemporaryDirectory() as folder:
        programs = [
            _program(source, Path(folder, str(number)), depth)
            for number, source in enumerate((PLAIN_GENERATOR, *settings.references))
        ]
        peers = programs + contenders(_peer_perft)
        ours = timed(lambda: Position().perft(depth))
        return compare(f"perft({depth})", "leaves/s", ours, peers, settings)


def _program(source: Path, program: Path, depth: int) -> Contender:
    """Compile a program that takes a depth and prints leaves and leaves per second."""
    compiler = find_compiler()
    if compiler is None:
        return Contender(source.stem, None, note="no compiler", demand=FASTER_THAN_PLAIN)
    compile_program(compiler, source, program)

    def measure() -> float:
        done = subprocess.run([program, str(depth)], capture_output=True, text=True)
        printed = re.fullmatch(r"(\d+) (\S+)\s*", done.stdout)
        if done.returncode or not printed:
            raise MeasurementError(
                f"{source.name} fails or does not print 'leaves leaves_per_second'"
            )
        _check_leaves(source.name, depth, int(printed[1]))
        return float(printed[2])

    return Contender(source.stem, measure, demand=FASTER_THAN_PLAIN)


def _peer_perft(peer: Peer) -> Contender:
    depth = peer.perft_depth
    _check_leaves(peer.name, depth, peer.perft(depth))
    return Contender(f"{peer.name}, depth {depth}", timed(lambda: peer.perft(depth)))


def _check_leaves(name: str, depth: int, leaves: int) -> None:
    expected = _leaves(depth)
    if leaves != expected:
        raise MeasurementError(
            f"{name} counts {leaves} leaves at depth {depth}, we count {expected}"
        )


@cache
def _leaves(depth: int) -> int:
    return Position().perft(depth)


def legal_moves(settings: Settings) -> list[Row]:
    """Count and list the moves of the start position; the peers can only list them."""
    peers = contenders(lambda peer: Contender(peer.name, repeated(peer.list_moves, settings)))
    count, build = repeated(_count_moves, settings), repeated(_list_moves, settings)
    return [
        *compare("len(legal_moves)", "calls/s", count, peers, settings, Demand(2e6)),
        *compare("list(legal_moves)", "calls/s", build, peers, settings, Demand(0.7e6)),
    ]


def _count_moves(times: int) -> None:
    position = Position()
    for _ in repeat(None, times):
        len(position.legal_moves)


def _list_moves(times: int) -> None:
    position = Position()
    for _ in repeat(None, times):
        list(position.legal_moves)


def random_games(settings: Settings) -> list[Row]:
    """Play random games: in one call of the core, and move by move in Python as the peers do."""
    peers = contenders(_peer_games)
    batch, loop = timed(lambda: _play_batch(settings.games)), timed(_play_loop)
    return [
        *compare("random games, one call", "games/s", batch, peers, settings, Demand(300_000)),
        *compare("random games, Python loop", "games/s", loop, peers, settings),
    ]


def _play_batch(games: int) -> int:
    play_random_games(games, seed=SEED)
    return games


def _play_loop() -> int:
    rng = Random(SEED)
    for _ in range(LOOP_GAMES):
        _play_random_game(rng)
    return LOOP_GAMES


def _play_random_game(rng: Random) -> None:
    position, rules = Position(), DrawRules()
    past = Past(position)
    while not position.is_over and past.draw(rules) is None:
        move = rng.choice(position.legal_moves)
        past.add(position, move)
        position = position.after(move)


def _peer_games(peer: Peer) -> Contender:
    def play() -> int:
        rng = Random(SEED)  # the same games in every round: their lengths differ
        for _ in range(peer.games):
            peer.play_random_game(rng)
        return peer.games

    return Contender(peer.name, timed(play))
