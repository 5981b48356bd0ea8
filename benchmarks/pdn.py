"""Reading PDN: a file of made-up games, with and without the tree of moves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from importlib import import_module
from itertools import count, islice
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from benchmarks.measure import Contender, Demand, Row, Settings, compare, timed
from benchmarks.peers import Peer, Pydraughts, contenders
from crossboard.draughts import Node, Record, ballots, read_pdn

MEGABYTE = 1_000_000
SEED = 1

# Chosen: games as long as they are over the board.
PLIES = (20, 80)
VARIATION_PLIES = (1, 6)

PLAYERS = ("Ash, J.", "Birch, M.", "Cedar, T.", "Elm, R.", "Hazel, P.", "Oak, W.", "Rowan, A.")
SITES = ("Dublin", "Edinburgh", "Glasgow", "London", "Morecambe", "New York")
RESULTS = ("1-0", "0-1", "1/2-1/2")
COMMENTS = (
    "the natural reply",
    "a loser, but only just",
    "White now has the move",
    "forms the bridge; the alternative loses a piece after a short exchange",
    "published play goes the other way here, and draws with care",
)

# The peer copies the rest of the text for every game, so more games make it slower per megabyte.
PEER_GAMES = 100


@dataclass(frozen=True)
class Remarks:
    """How often something is said about a move. Chosen: as in annotated collections."""

    comments: float = 0.05
    nags: float = 0.05
    variations: float = 0.03


NO_REMARKS = Remarks(0, 0, 0)


def pdn(settings: Settings) -> list[Row]:
    """Read a file of games. We check the main lines for legality, the peer only splits the text."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "games.pdn")
        write_games(path, settings.pdn_megabytes)
        peers = contenders(_pydraughts, [Pydraughts])
        moves, trees = timed(lambda: _read_moves(path)), timed(lambda: _read_trees(path))
        return [
            *compare("PDN, main lines", "MB/s", moves, peers, settings),
            *compare("PDN, trees", "MB/s", trees, peers, settings, Demand(5)),
        ]


def _read_moves(path: Path) -> float:
    for record in read_pdn(path):
        assert record.moves
        assert not record.errors
    return path.stat().st_size / MEGABYTE


def _read_trees(path: Path) -> float:
    for record in read_pdn(path):
        assert record.tree.variations
        assert not record.errors
    return path.stat().st_size / MEGABYTE


def _pydraughts(peer: Peer) -> Contender:
    read = import_module(f"{peer.module}.PDN").PDNReader
    # Plain games: where a remark makes a move number stand twice it raises in some processes and
    # not in others, because it goes through the numbers in the order of a set.
    text = "".join(islice(made_up_games(Random(SEED), NO_REMARKS), PEER_GAMES))

    def work() -> float:
        read(text)
        return len(text) / MEGABYTE

    if len(read(text).games) != PEER_GAMES:
        return Contender(peer.name, None, note="cannot read it")
    return Contender(peer.name, timed(work))


def write_games(path: Path, megabytes: float) -> None:
    """Write about so much PDN, the same every time."""
    with path.open("w", encoding="utf-8") as file:
        size = 0
        for game in made_up_games(Random(SEED), Remarks()):
            size += file.write(game)
            if size >= megabytes * MEGABYTE:
                return


def made_up_games(rng: Random, remarks: Remarks) -> Iterator[str]:
    """Yield random games without end, each from a three-move opening and with its seven tags."""
    openings = ballots()
    for number in count(1):
        record = Record(tags=_tags(rng, number))
        record.result = record.tags["Result"]
        node = record.tree
        for move in rng.choice(openings).moves:
            node = node.add(move)
        _play_on(node, rng.randint(*PLIES), rng, remarks)
        yield record.pdn + "\n"


def _tags(rng: Random, number: int) -> dict[str, str]:
    black, white = rng.sample(PLAYERS, 2)
    return {
        "Event": f"Made-up tourney {number // 100 + 1}",
        "Site": rng.choice(SITES),
        "Date": f"{rng.randint(1900, 1999)}.{rng.randint(1, 12):02}.{rng.randint(1, 28):02}",
        "Round": str(rng.randint(1, 9)),
        "Black": black,
        "White": white,
        "Result": rng.choice(RESULTS),
    }


def _play_on(node: Node, plies: int, rng: Random, remarks: Remarks) -> None:
    """Add random moves; a variation has no variations of its own."""
    for _ in range(plies):
        moves = list(node.position.legal_moves)
        if not moves:
            return
        rng.shuffle(moves)
        following = node.add(moves[0])
        if rng.random() < remarks.comments:
            following.comment = rng.choice(COMMENTS)
        if rng.random() < remarks.nags:
            following.nags.append(rng.randint(1, 6))
        if len(moves) > 1 and rng.random() < remarks.variations:
            other = node.add(moves[1])
            _play_on(other, rng.randint(*VARIATION_PLIES), rng, replace(remarks, variations=0))
        node = following
