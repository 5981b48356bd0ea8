"""An opponent that learns from its games against people, and keeps what it has learnt."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from crossboard.draughts import Record
from crossboard.learn.people import CannotLearn, learn_from_person, network_of
from crossboard.play.contest import OTHER
from crossboard.play.opponents import is_network
from crossboard.play.wording import counted, one_line
from crossboard.players import Player
from crossboard.players.folder import OWN_FOLDER, find_folder, shipped_folder

if TYPE_CHECKING:
    from crossboard.play.thinkers import Computer, Thinker


class Learner:
    """Learns from a game once, as soon as it has ended, and forgets it if it goes on after all."""

    def __init__(self, opponent: Thinker, adviser: Thinker, colour: str, folder: Path) -> None:
        self.folder = folder
        self._opponent = opponent
        self._adviser = adviser
        self._colour = colour
        self._before: Player | None = None  # as it was before the game that has ended

    def begin(self) -> None:
        """Keep what was learnt: another game begins."""
        self._before = None

    def learn(self, record: Record) -> str:
        """Learn from a game that has ended, save the player, and say what it learnt."""
        if self._before is not None:
            return ""
        player = self._opponent.player
        taught = learn_from_person(player, record, self._colour)
        if taught is None:
            return f"{player.name} has made no move and learnt nothing."
        self._save(taught.player)
        self._take(taught.player)
        self._before = player
        return (
            f"{player.name} has learnt from {counted(taught.boards, 'board')} and is saved in "
            f"{one_line(str(self.folder))}: its predictions were off by {taught.mean_error:.3f} on "
            f"average, by {taught.max_error:.3f} at most."
        )

    def forget(self) -> str:
        """Unlearn the game that has ended, if one has, for it has not."""
        if self._before is None:
            return ""
        before, self._before = self._before, None
        self._take(before)  # who goes on playing has forgotten it, whether that can be saved or not
        self._save(before)
        return "What was learnt from the game is forgotten."

    def _save(self, player: Player) -> None:
        try:
            player.save(self.folder)
        except OSError as error:
            raise ValueError(f"{error.filename}: {error.strerror}") from error

    def _take(self, player: Player) -> None:
        self._opponent.take(player)
        self._adviser.take(player)


def make_learner(computer: Computer, adviser: Thinker, people: str) -> Learner:
    """Return the opponent as one that learns; raise ValueError if it cannot, or must not."""
    if len(people) != 1:
        raise ValueError("--learn: with --side both nobody is there to learn")
    if computer.thinker is None:
        raise CannotLearn(f"{computer.opponent.name} cannot learn from a game: it does not think")
    network_of(computer.thinker.player)
    return Learner(computer.thinker, adviser, OTHER[people], folder_of(computer.thinker.name))


def folder_of(name: str) -> Path:
    """Return where a player is to be saved; raise ValueError if that cannot be."""
    if is_network(name):
        target = OWN_FOLDER / Path(name).stem
        raise ValueError(
            f"{name} is a file, which learns nothing: first make a player of it by "
            f"{shlex.join(['crossboard', 'convert', name, str(target)])}"
        )
    folder = find_folder(name)
    if folder.resolve().is_relative_to(shipped_folder().resolve()):
        own = OWN_FOLDER / f"my-{folder.name}"
        raise ValueError(
            f"{folder.name} comes with Crossboard and stays as it is: first copy it by "
            f"mkdir -p {OWN_FOLDER} && {shlex.join(['cp', '-r', str(folder), str(own)])}, "
            f"then play with --opponent {own.name}"
        )
    return folder
