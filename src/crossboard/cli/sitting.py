"""Matches played for a command: on its farm, with a bar, a file of games and Ctrl-C."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import NamedTuple

import typer

from crossboard.arena.game_file import GameFile
from crossboard.arena.halt import Halt
from crossboard.arena.match import Fixture, MatchResult, play_fixtures
from crossboard.cli import INTERRUPTED
from crossboard.cli.interruption import Interruption
from crossboard.cli.progress import Bar
from crossboard.cli.remarks import print_remarks
from crossboard.farm import mpi_job
from crossboard.farm.executors import Farm, farm


@contextmanager
def gathering(workers: int | None, *, mpi: bool, dask: str | None) -> Iterator[Farm | None]:
    """Give the farm that the options ask for; raise ValueError if processes would play alike."""
    if mpi_job.is_under_mpiexec() and not mpi:
        raise ValueError("under mpiexec every process would play all games: say --mpi")
    with farm(workers, mpi=mpi, dask=dask) as found:
        yield found


class End(NamedTuple):
    """How the games of a command ended."""

    is_interrupted: bool
    is_kept: bool  # in a file from which they can be resumed
    error: OSError | None  # why games could not be written

    @property
    def is_early(self) -> bool:
        return self.is_interrupted or self.error is not None

    def print_hint(self) -> None:
        """Print how to continue, where that can be done."""
        if self.is_early and self.is_kept:
            print("To continue, give the same command with --resume.")

    def leave(self) -> None:
        """End the command, whose result has been printed, with an error or its exit code."""
        if self.error is not None:
            raise self.error
        if self.is_interrupted:
            raise typer.Exit(INTERRUPTED)


def play_out(
    fixtures: Sequence[Fixture],
    found: Farm,
    keeping: AbstractContextManager[GameFile],
    label: str,
    describe: Callable[[MatchResult], str],
) -> End:
    """Play matches with a bar, after those of their pairs that the file holds already."""
    total = sum(2 * fixture.terms.pairs for fixture in fixtures)
    damage: dict[str, None] = {}  # of endgame tables, a sentence for all processes that met it
    with (
        keeping as kept,
        Bar(label, total, has_lines=True) as bar,
        stopping(found) as (interruption, stop),
    ):
        kept.restore(fixtures)
        done = sum(2 * len(fixture.result.pairs) for fixture in fixtures)

        def show(result: MatchResult) -> None:
            nonlocal done
            done += 2
            if not kept.keep(result):
                stop.set()
            bar.update(done, lambda: describe(result))

        play_fixtures(
            fixtures,
            found.executor,
            workers=found.workers,
            stop=stop,
            on_pair=show,
            on_damage=lambda sentence: damage.setdefault(sentence),
        )
    print_remarks(damage)
    return End(interruption.happened, kept.can_resume, kept.error)


@contextmanager
def stopping(found: Farm) -> Iterator[tuple[Interruption, Halt]]:
    """Make Ctrl-C end all games at the next move, so that what was played is whole.

    A second one ends what is done here at once, with what has come in.
    """
    halt = Halt(everywhere=found.everywhere)
    with Interruption() as interruption, suppress(KeyboardInterrupt):
        interruption.stop = halt.set
        yield interruption, halt
