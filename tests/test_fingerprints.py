"""Fingerprints of search and learning: node counts, and the games and weights that a seed gives.

A change of structure leaves all of them alone. A commit that means to change a count writes the
new one into `tests/data/bench.txt` and ends with the line `Bench: <nodes of material>`. After a
change that means to change a training, `python -m tests.test_fingerprints` writes its file anew.
"""

from __future__ import annotations

import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from crossboard import duchess
from crossboard.cli import bench
from crossboard.draughts import Position, middlegames
from crossboard.players import SearchSettings, load_player
from crossboard.systems.recipes import Schooling, all_recipes, find_recipe

DATA = Path(__file__).parent / "data"
BENCH = DATA / "bench.txt"
TRAININGS = DATA / "trainings"
SEED = 1
# The last bits of numpy's sums differ between processors.
TOLERANCE = 1e-9


def duchess_positions() -> list[Any]:
    """Return positions of one game, some plies apart, of moves that any version lists alike."""
    position, found = duchess.Position(players=4), []
    for ply in range(40):
        if ply % 8 == 0:
            found.append(position)
        moves = sorted(map(str, position.legal_moves))
        position = position.after(moves[7 * ply % len(moves)])
    return found


DRAUGHTS_POSITIONS = [Position(), *middlegames()]
# Players whose nodes are counted: positions and depth; the first is `crossboard bench`.
COUNTED: dict[str, tuple[list[Any], int]] = {
    "material": (DRAUGHTS_POSITIONS, 13),
    "treestrap": (DRAUGHTS_POSITIONS, 9),
    "duchess-2": (duchess_positions(), 4),
}


def count_nodes(name: str) -> int:
    positions, depth = COUNTED[name]
    player = load_player(name, search=SearchSettings(table_mb=64, threads=1))
    nodes = 0
    for position in positions:
        player.clear()
        nodes += player.search(position, depth=depth).nodes
    return nodes


def expected_nodes() -> dict[str, int]:
    lines = (line.split() for line in BENCH.read_text().splitlines())
    return {player: int(nodes) for player, nodes in lines}


@pytest.mark.parametrize("name", COUNTED)
def test_a_search_counts_its_nodes(name: str) -> None:
    assert count_nodes(name) == expected_nodes()[name]


def test_bench_counts_the_same_nodes() -> None:
    assert (
        bench.search_all(DRAUGHTS_POSITIONS, bench.DEFAULT_DEPTH)[0]
        == (expected_nodes()["material"])
    )


def test_the_commit_that_set_the_count_names_it() -> None:
    def git(*words: str) -> str:
        command = ["git", "-C", str(DATA), *words]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()

    try:
        is_shallow = git("rev-parse", "--is-shallow-repository") == "true"
        is_tracked = git("ls-files", BENCH.name) != ""
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("this is no git checkout")
    if is_shallow or not is_tracked or git("status", "--porcelain", BENCH.name):
        pytest.skip("the commit of the count is not here, or not made yet")
    message = git("log", "-1", "--format=%B", "--", BENCH.name)
    assert message.splitlines()[-1] == f"Bench: {expected_nodes()['material']}"


class Tiny(NamedTuple):
    """A training that is small enough for every test run."""

    system: str
    preset: str
    changes: tuple[str, ...]


# Every recipe, and beside it the ways to train that share the least code with the others.
TRAINED = {
    "neurodraughts": Tiny("neurodraughts", "tuned", ("games=120",)),
    "neurodraughts-published": Tiny("neurodraughts", "published", ("games=36",)),
    "neurodraughts-modules": Tiny("neurodraughts", "tuned", ("games=120", "modules=true")),
    "visiondraughts": Tiny("visiondraughts", "tuned", ("games=60", "look_ahead=3")),
    "visiondraughts-published": Tiny(
        "visiondraughts", "published", ("games=8", "look_ahead=6", "test_after=2")
    ),
    "dvisiondraughts": Tiny(
        "dvisiondraughts", "tuned", ("games=8", "test_after=2", "look_ahead=6", "threads=1")
    ),
    "experts": Tiny("experts", "tuned", ("epochs=2",)),
    "treestrap": Tiny("treestrap", "tuned", ("games=12", "round_size=3", "stages=[0, 4, 8]")),
    "treestrap-published": Tiny(
        "treestrap", "published", ("games=6", "stages=[2, 4]", "depth=3", "depths=[]")
    ),
    "tdleaf": Tiny("tdleaf", "tuned", ("games=24", "round_size=3")),
    "duchess": Tiny("duchess", "tuned", ("games=2", "round_size=1", "depth=2", "depths=[[40, 3]]")),
    "duchess-endgame": Tiny(
        "duchess", "stage-2", ("games=2", "depth=1", "depths=[]", "endgame=40")
    ),
    "draft5-ga": Tiny("draft5-ga", "tuned", ("method=genetic", "pool=6", "games=90")),
    "mp-draughts": Tiny(
        "mp-draughts",
        "tuned",
        (
            *("games=8", "units=2", "boards=8", "held_out=2", "board_depth=2", "look_ahead=2"),
            *("block_games=2", "judge_pairs=1", "validation_pairs=1", "map_decay=0.9"),
        ),
    ),
    "ls-draughts": Tiny(
        "ls-draughts",
        "tuned",
        ("pool=4", "individual_games=20", "winner_games=20", "openings=1", "generations=2"),
    ),
    "champion": Tiny(
        "champion",
        "tuned",
        (
            *("games=12", "round_games=[6]", "nodes=[60]", "hidden=8", "second=8", "passes=2"),
            *("match_pairs=2", "match_nodes=60", "table_pieces=3"),
        ),
    ),
    "duchess-six": Tiny("duchess", "six", ("games=1", "depth=1", "depths=[]")),
}


def train(tiny: Tiny) -> tuple[list[str], dict[str, np.ndarray]]:
    """Return the moves of all games, one line a game, and all weights at the end."""
    recipe = find_recipe(tiny.system)
    settings = recipe.preset(tiny.preset).with_changes(tiny.changes)
    if tiny.system == "experts":
        settings = settings.model_copy(update={"source": str(TRAININGS / "experts.pdn")})
    games: list[str] = []
    arrays: dict[str, np.ndarray] = {}
    with ThreadPoolExecutor(1) as executor:
        for snapshot in recipe.learn(settings, Schooling(SEED, executor)):
            games += (" ".join(map(str, game.moves)) for game in snapshot.played)
            arrays = dict(snapshot.arrays)
    return games, arrays


@pytest.mark.parametrize("name", TRAINED)
def test_a_seed_gives_the_same_games_and_weights(name: str) -> None:
    games, arrays = train(TRAINED[name])
    with np.load(TRAININGS / f"{name}.npz", allow_pickle=False) as kept:
        expected = dict(kept)
    assert games == list(expected.pop("games"))
    assert arrays.keys() == expected.keys()
    for array, weights in expected.items():
        np.testing.assert_allclose(arrays[array], weights, rtol=0, atol=TOLERANCE, err_msg=array)


def test_every_recipe_has_a_fingerprint() -> None:
    assert {tiny.system for tiny in TRAINED.values()} == {one.name for one in all_recipes()}


def write_all() -> None:
    """Write what this version counts and trains."""
    BENCH.write_text("".join(f"{name} {count_nodes(name)}\n" for name in COUNTED))
    for name, tiny in TRAINED.items():
        games, arrays = train(tiny)
        np.savez_compressed(TRAININGS / f"{name}.npz", games=np.array(games, str), **arrays)


if __name__ == "__main__":
    write_all()
