"""Training on games of experts against self-play: the paper says that the former failed (6.1)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

from crossboard.arena.bootstrap import mean_over_seeds
from crossboard.arena.games import record_of
from crossboard.arena.match import Terms, play_match
from crossboard.arena.openings import openings
from crossboard.experiments.claims import Claim, Measurement, Relation
from crossboard.experiments.comparison import CLONING_RULE, Arm, Plan, compare_arms, opponent
from crossboard.experiments.experiment import Experiment, GivenGames, Lab, register
from crossboard.learn.experts import RESULT_CONVENTIONS, ExpertGame, digest_of
from crossboard.storage import write_whole
from crossboard.systems.expert_games import describe_unused, read_expert_games
from crossboard.systems.experts import PUBLISHED as TAUGHT
from crossboard.systems.experts import RECIPE
from crossboard.systems.neurodraughts import PUBLISHED

QUICK = Plan(seeds=5, pairs=6, exams=2)
FULL = Plan(seeds=20, pairs=15, exams=5)
# The paper had about 200 games.
EXPERT_GAMES = 200
QUICK_EPOCHS, FULL_EPOCHS = 2, 5
LEAST_GAMES = 2  # of which an interval can be told
# The players of the games if the user gives none, after six random plies.
EXPERTS = (("draft5", 8), ("material", 8))
MADE = "experts.pdn"
OPENING_SEED = 1847

CLAIMS = (
    Claim(
        "experts",
        "by games of experts, more than by as many games of self-play",
        0.0,
        relation=Relation.AT_MOST,
        unit="points a game",
        where="6.1: this approach failed",
    ),
    Claim(
        "pieces-left",
        "pieces on the board when games of experts end",
        6.0,
        relation=Relation.AT_LEAST,
        where="6.5: six or more",
    ),
)


def arms(source: GivenGames, digest: str, epochs: int, games: int) -> list[Arm]:
    """Return both ways to learn, from as many games."""
    taught = TAUGHT.model_copy(update={**source.config, "epochs": epochs, "games": games})
    alone = PUBLISHED.model_copy(update={"games": games, "exam_every": 0})
    return [
        Arm(name="experts", settings=taught, recipe=RECIPE, source=digest),
        Arm(name="self-play", settings=alone),
    ]


def measure(lab: Lab) -> Iterator[Measurement]:
    """Train on the given games, or on some made now, and by as many of self-play."""
    source = lab.source or GivenGames(make_games(lab))
    source = source._replace(path=source.path.absolute())  # those who learn may be elsewhere
    unused: list[str] = []
    games = read_games(source, unused)
    if unused:
        lab.tell(describe_unused(source.path, unused))
    epochs = QUICK_EPOCHS if lab.quick else FULL_EPOCHS
    # Whoever gives more games than the paper had trains on all of them.
    quick, full = (replace(plan, games=epochs * len(games)) for plan in (QUICK, FULL))
    found = compare_arms(
        lab, partial(arms, source, digest_of(games), epochs), quick=quick, full=full
    )
    # Our own players' games are played to the end, and what the paper blames is that its were not.
    is_other = lab.source is None
    yield replace(found.lead("experts", "experts", "self-play"), is_other=is_other)
    left = [pieces_left(game) for game in games]
    whose = source.path.name if lab.source else "played by draft5 and material at depth 8"
    note = f"{len(games)} games, {whose}"
    yield Measurement("pieces-left", *mean_over_seeds(left), note, is_other)


def read_games(source: GivenGames, unused: list[str] | None = None) -> list[ExpertGame]:
    """Read the games of a file; raise ValueError if there are too few to learn from.

    To `unused` is added which others there are, and why they are left out.
    """
    convention = source.result_convention or RESULT_CONVENTIONS[0]
    games = read_expert_games(source.path, result_convention=convention, unused=unused)
    if len(games) < LEAST_GAMES:
        raise ValueError(
            f"{source.path}: expected {LEAST_GAMES} games to learn from, or more, not {len(games)}"
        )
    return games


def pieces_left(game: ExpertGame) -> int:
    """Count the pieces of both sides on the last board of a game."""
    last = [boards[-1] for boards in (game.black, game.red) if boards]
    # Whoever moved last, pieces never come back.
    return min(len(board.pieces("B")) + len(board.pieces("W")) for board in last)


def make_games(lab: Lab) -> Path:
    """Let two of our own players play the experts' games; a stop keeps what was written."""
    path = lab.folder / MADE
    if path.exists():
        return path
    one, other = (opponent(*each) for each in EXPERTS)
    terms = Terms(
        pairs=EXPERT_GAMES // 2,
        openings=openings("random:6", OPENING_SEED + lab.seed),
        seed=lab.seed,
    )
    result = play_match(one, other, terms, lab.executor, workers=lab.workers)
    texts = []
    for pair in result.pairs:
        seats = ((one.name, other.name), (other.name, one.name))
        for game, names in zip(pair.games, seats, strict=True):
            texts.append(record_of(game, *names, {"Event": "experts"}).pdn + "\n")
    write_whole(path, "".join(texts).encode())
    return path


EXPERIMENT = register(
    Experiment(
        "experts",
        "Lynch, NeuroDraughts, 1997, sections 6.1 and 6.5",
        CLAIMS,
        measure,
        "Learning from given games (--games FILE; without it our own players play them) against "
        "learning by self-play.",
        f"{CLONING_RULE} As many games of self-play are learnt from, of one side each, as of "
        "experts, of both sides each, in all epochs together. Games that our own players made are "
        "played to their end, which the paper's were not, so that nothing is judged by them.",
        read_games=read_games,
    )
)
