"""Work of many pieces, spread over workers: what comes out does not depend on who did it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from typing import TypeVar

Given = TypeVar("Given")
Made = TypeVar("Made")

# Chosen: how many shares of the work each worker gets, so that none waits long at its end.
SHARES_OF_WORKER = 3


def spread(
    work: Callable[[Sequence[Given]], Sequence[Made]],
    given: Sequence[Given],
    executor: Executor,
    workers: int,
) -> Iterator[Made]:
    """Work on all of something, a share at a time; yield what is made in the order of the given."""
    size = -(-len(given) // (SHARES_OF_WORKER * workers))
    shares = [given[at : at + size] for at in range(0, len(given), size)]
    futures = [executor.submit(work, share) for share in shares]
    for future in futures:
        yield from future.result()
