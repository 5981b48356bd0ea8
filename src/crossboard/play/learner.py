"""A computer that learns from its games against people, and keeps what it has learnt."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import NamedTuple

from crossboard.draughts import Record
from crossboard.learn.people import CannotLearn, learn_from_person, network_of
from crossboard.play.opponents import is_network
from crossboard.play.thinkers import Dice, Thinker
from crossboard.players import LevelPlayer, Player
from crossboard.players.folder import OWN_FOLDER, find_folder, shipped_folder
from crossboard.players.games import Seat


class GameLesson(NamedTuple):
    """What a player learnt from a game, and where it is saved."""

    name: str
    folder: Path
    boards: int = 0  # none, if it made no move
    mean_error: float = 0.0
    max_error: float = 0.0


class Learner:
    """Learns from a game once, as soon as it has ended, and forgets it if it goes on after all."""

    def __init__(self, opponent: Thinker, adviser: Thinker, seat: Seat, folder: Path) -> None:
        self.folder = folder
        self._opponent = opponent
        self._adviser = adviser
        self._seat = seat
        self._before: Player | None = None  # as it was before the game that has ended

    def begin(self) -> None:
        """Keep what was learnt: another game begins."""
        self._before = None

    def learn(self, record: Record) -> GameLesson | None:
        """Learn from a game that has ended and save the player; None if it did so before.

        Raises ValueError if the player cannot be saved: then it has learnt nothing.
        """
        if self._before is not None:
            return None
        player = self._opponent.player
        taught = learn_from_person(player, record, str(self._seat))
        if taught is None:
            return GameLesson(player.name, self.folder)
        self._save(taught.player)
        self._take(taught.player)
        self._before = player
        return GameLesson(
            player.name, self.folder, taught.boards, taught.mean_error, taught.max_error
        )

    def forget(self) -> bool:
        """Unlearn the game that has ended, for it has not; return whether there was one.

        Raises ValueError if that cannot be saved: in this game it is forgotten all the same.
        """
        if self._before is None:
            return False
        before, self._before = self._before, None
        self._take(before)
        self._save(before)
        return True

    def _save(self, player: Player) -> None:
        try:
            player.save(self.folder)
        except OSError as error:
            raise ValueError(f"{error.filename}: {error.strerror}") from error

    def _take(self, player: Player) -> None:
        self._opponent.take(player)
        self._adviser.take(player)


def make_learner(computer: Thinker | Dice, adviser: Thinker, seat: Seat) -> Learner:
    """Return a computer as one that learns; raise ValueError if it cannot, or must not."""
    if isinstance(computer, Dice):
        raise CannotLearn(f"{computer.name} cannot learn from a game: it does not think")
    if isinstance(computer.player, LevelPlayer):
        raise CannotLearn(
            f"{computer.name} cannot learn from a game: it is a level, which has no folder of its "
            "own; the player itself can"
        )
    network_of(computer.player)
    return Learner(computer, adviser, seat, folder_of(computer.called))


def folder_of(called: str) -> Path:
    """Return where a player is to be saved; raise ValueError if that cannot be."""
    if is_network(called):
        target = OWN_FOLDER / Path(called).stem
        raise ValueError(
            f"{called} is a file, which learns nothing: first make a player of it by "
            f"{shlex.join(['crossboard', 'convert', called, str(target)])}"
        )
    folder = find_folder(called)
    if folder.resolve().is_relative_to(shipped_folder().resolve()):
        own = OWN_FOLDER / f"my-{folder.name}"
        raise ValueError(
            f"{folder.name} comes with Crossboard and stays as it is: first copy it by "
            f"mkdir -p {OWN_FOLDER} && {shlex.join(['cp', '-r', str(folder), str(own)])}, "
            f"then play with --opponent {own.name}"
        )
    return folder
