"""What a player learns from a game on the page: in a copy of its own, which can be undone."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from crossboard.learn.people import learn_from_person
from crossboard.play.saved_game import SavedGame
from crossboard.players import Player, load_player
from crossboard.players.errors import PlayerError
from crossboard.players.folder import DESCRIPTION, OWN_FOLDER, read_description, split_level
from crossboard.players.games import Seat
from crossboard.players.saving import save_player
from crossboard.players.weights import WEIGHTS

PREFIX = "my-"
# The kind of evaluation that games against people teach.
TAUGHT_KIND = "network"


class PageLesson(NamedTuple):
    """What was learnt: in which player, from which origin, from how many boards."""

    player: str
    origin: str
    boards: int
    mean_error: float
    made_by: str  # of the player afterwards: it changes with every further lesson


def pupil_of(saved: SavedGame) -> Seat | None:
    """Return the seat of the one computer that can learn from a game, None if there is none."""
    occupants = saved.occupants
    if not saved.rules.learns_from_people or len(occupants) != 1:
        return None
    ((seat, occupant),) = occupants.items()
    try:
        name, level = split_level(occupant.player)
        table = read_description(name)
    except PlayerError:  # random, or a player that has gone
        return None
    kinds = [each.kind for each in table.evaluators.values()]
    return seat if kinds == [TAUGHT_KIND] and level is None else None


def copy_of(origin: str) -> str:
    """Return the name of the copy that learns in place of a player; a copy learns itself."""
    path = Path(origin)
    if path.name.startswith(PREFIX) and len(path.parts) == 1:
        return origin
    # A run's player is called player; the run has the name.
    return PREFIX + (path.parent.name if len(path.parts) > 1 else path.name)


def teach(saved: SavedGame, kept: Path) -> PageLesson:
    """Learn from a finished game into the copy, whose older self is kept in a folder.

    Raises ValueError if the game goes on, or its player cannot learn from it.
    """
    seat = pupil_of(saved)
    if seat is None:
        raise ValueError("from this game nothing can be learnt: no network with hidden units plays")
    if saved.contest.ending is None:
        raise ValueError("the game goes on: a player learns from it when it is over")
    origin = saved.occupants[seat].player
    name = copy_of(origin)
    target = OWN_FOLDER / name
    has_copy = (target / DESCRIPTION).is_file()
    player = load_player(str(target)) if has_copy else _copied(load_player(origin), name, origin)
    taught = learn_from_person(player, saved.contest.record(), str(seat))
    if taught is None:
        raise ValueError(f"{origin} has made no move in this game: there is nothing to learn from")
    if has_copy:
        save_player(player, kept)
    save_player(taught.player, target)
    made_by = taught.player.about["made_by"]
    return PageLesson(name, origin, taught.boards, taught.mean_error, made_by)


def unteach(lesson: PageLesson, kept: Path) -> None:
    """Make the copy what it was before a lesson; raise ValueError if it has learnt more since."""
    target = OWN_FOLDER / lesson.player
    if read_description(str(target)).made_by != lesson.made_by:
        raise ValueError(f"{lesson.player} has changed since: this lesson cannot be undone alone")
    if (kept / DESCRIPTION).is_file():
        save_player(load_player(str(kept)), target)
        return
    for name in (DESCRIPTION, WEIGHTS):
        (target / name).unlink(missing_ok=True)
    if not any(target.iterdir()):
        target.rmdir()


def _copied(player: Player, name: str, origin: str) -> Player:
    made_by = f"a copy of {origin} ({player.about.get('made_by', '')})"
    return Player(
        name,
        player.evaluator,
        search=player.settings,
        limits=player.limits,
        about={**player.about, "made_by": made_by},
    )
