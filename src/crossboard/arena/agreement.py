"""What the games of a match or tournament depend on, as plain data to keep and compare."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import asdict
from hashlib import sha256
from importlib.metadata import version
from itertools import chain
from typing import Any

from crossboard._core import DrawRules
from crossboard.arena.match import Terms
from crossboard.arena.openings import Openings
from crossboard.arena.sprt import Sprt
from crossboard.players import LevelPlayer, Player

RULES = ("repetitions", "quiet_plies", "max_plies", "loop_moves")
# Longer values are digests or lists: only their name is given.
MAX_SHOWN = 40
ABSENT = "nothing"


def describe_agreement(players: Sequence[Player], terms: Terms, pairings: str) -> dict[str, Any]:
    """Return all that decides which games are played, and in which order.

    `pairings` is 'match', 'round robin' or 'gauntlet'. The version is part of it, since another
    one may search in another way. Raises ValueError for a player that is a Python function.
    """
    keeps_limits = terms.limits is None
    described = {
        "crossboard": version("crossboard"),
        "pairings": pairings,
        "players": [_describe_player(one, keeps_limits=keeps_limits) for one in players],
        "games": 2 * terms.pairs,
        "openings": _describe_openings(terms.openings),
        "limits": None if terms.limits is None else terms.limits.as_json(),
        "rules": _describe_rules(terms.rules),
        "seed": terms.seed,
        "sprt": None if terms.sprt is None else _describe_sprt(terms.sprt),
    }
    plain: dict[str, Any] = json.loads(json.dumps(described))  # as a file gives it back
    return plain


def list_differences(kept: Any, given: Any, name: str = "") -> Iterator[str]:
    """Yield what differs between two agreements, by name; of other players the names alone."""
    if not name:
        before, now = (_names(each) for each in (kept, given))
        if before != now:
            yield f"players ({' - '.join(before)}, now {' - '.join(now)})"
            return
    if isinstance(kept, Mapping) and isinstance(given, Mapping):
        for key in chain(kept, (key for key in given if key not in kept)):
            yield from list_differences(
                kept.get(key, ABSENT), given.get(key, ABSENT), f"{name} {key}".strip()
            )
    elif isinstance(kept, list) and isinstance(given, list) and len(kept) == len(given):
        for number, (one, other) in enumerate(zip(kept, given, strict=True), start=1):
            yield from list_differences(one, other, f"{name} {number}".strip())
    elif kept != given:
        one, other = (
            each if each == ABSENT else json.dumps(each, ensure_ascii=False)
            for each in (kept, given)
        )
        is_short = len(one) <= MAX_SHOWN and len(other) <= MAX_SHOWN
        yield f"{name} ({one}, now {other})" if is_short else name


def _names(agreement: Mapping[str, Any]) -> list[str]:
    """Return the players' names, as far as an agreement has any."""
    players = agreement.get("players")
    if not isinstance(players, list):
        return []
    return [str(one.get("name")) for one in players if isinstance(one, dict)]


def _describe_player(player: Player, *, keeps_limits: bool) -> dict[str, Any]:
    """Return what decides a player's moves; its own limits only if it plays to them."""
    own = {"limits": player.limits.for_engine()} if keeps_limits else {}
    if not player.is_searcher:  # random moves, or an outside engine, whose command is its name
        return {"name": player.name, "kind": type(player).__name__, **own}
    from crossboard.players.saving import describe

    plain = copy(player)
    plain.name = "player"  # a folder's names are fewer than those of players
    table, arrays = describe(plain)
    weights = sha256()
    for name, array in sorted(arrays.items()):
        weights.update(f"{name} {array.shape} {array.dtype}".encode())
        weights.update(array.tobytes())
    names = ("game", "evaluators", "phases", "search")
    parts = {name: table[name] for name in names if name in table}
    tables = {} if player.tables is None else {"tables": player.tables.pieces}
    level = {"handicap": asdict(player.handicap)} if isinstance(player, LevelPlayer) else {}
    digest = {"weights": weights.hexdigest()}
    return {"name": player.name, **parts, **digest, **tables, **level, **own}


def _describe_openings(openings: Openings) -> dict[str, Any]:
    listed = sha256()
    for one in openings.listed:
        listed.update(f"{one.name}\n{one.start!r}\n{' '.join(map(str, one.moves))}\n".encode())
    return {
        "listed": listed.hexdigest(),
        "random_plies": openings.random_plies,
        "part": openings.part,
        "seed": openings.seed,
    }


def _describe_rules(rules: DrawRules) -> dict[str, int]:
    return {name: getattr(rules, name) for name in RULES}


def _describe_sprt(sprt: Sprt) -> dict[str, float]:
    return {"elo0": sprt.elo0, "elo1": sprt.elo1, "alpha": sprt.alpha, "beta": sprt.beta}
