"""Recipes and experiments by their names: modules enter theirs when they are imported."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from typing import Protocol, TypeVar


class Named(Protocol):
    """What a register can hold."""

    @property
    def name(self) -> str: ...


T = TypeVar("T", bound=Named)


def enter(known: dict[str, T], one: T) -> T:
    """Put something into a register; raise ValueError if its name is taken."""
    if one.name in known:
        raise ValueError(f"there are two {type(one).__name__.lower()}s {one.name!r}")
    known[one.name] = one
    return one


def gather(known: dict[str, T], package: str, modules: Iterable[str]) -> list[T]:
    """Import those modules of a package that have something to enter; return all by name."""
    for module in modules:
        import_module(f"{package}.{module}")
    return [known[name] for name in sorted(known)]
