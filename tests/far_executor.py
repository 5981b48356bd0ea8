"""Threads that demand what the executors of clusters demand."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator, Sized
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any


class FarExecutor(ThreadPoolExecutor):
    """Takes work only that can be sent, and maps only what has a length, as Dask does."""

    def submit(self, work: Callable[..., Any], /, *given: Any, **named: Any) -> Future[Any]:
        work, given, named = pickle.loads(pickle.dumps((work, given, named)))
        return super().submit(work, *given, **named)

    def map(self, work: Callable[..., Any], *many: Iterable[Any], **options: Any) -> Iterator[Any]:
        assert all(isinstance(each, Sized) for each in many)
        return super().map(work, *many, **options)
