"""Writing a player's folder: whoever reads it, whenever, finds a whole player."""

from __future__ import annotations

import os
import re
import secrets
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from crossboard.evaluators import Evaluation
from crossboard.players.errors import PlayerError
from crossboard.players.folder import DESCRIPTION, MAX_MADE_BY, NAME, SEARCH_KEYS, check_size
from crossboard.players.player import Player, RandomPlayer
from crossboard.players.settings import SearchSettings
from crossboard.players.weights import WEIGHTS, WEIGHTS_PATTERN
from crossboard.storage import TEMPORARY, make_folder, naming, sync_folder, write_whole
from crossboard.toml import format_toml

Table = dict[str, Any]  # of TOML

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Arrays = dict[str, NDArray[Any]]


def save_player(player: Player, folder: str | Path) -> None:
    """Write a player's folder, in place of an older player; other files there are left alone.

    Whatever happens, kill -9 and a full disk included, the folder holds the older player or the
    new one, whole, also for those who read meanwhile. Only one may write at a time.
    Raises PlayerError if the player cannot be written down, or the folder holds something else.
    """
    folder = Path(folder)
    if _is_taken(folder):
        raise PlayerError(f"{folder} is there already and is no player: nothing was written")
    table, arrays = describe(player)
    make_folder(folder)
    if arrays:
        from safetensors.numpy import save

        _put_weights(folder, save(arrays), table)
    write_whole(folder / DESCRIPTION, format_toml(table).encode())
    kept = {DESCRIPTION, WEIGHTS} if arrays else {DESCRIPTION}
    for path in folder.iterdir():
        if _is_ours(path.name) and path.name not in kept:
            with naming(path):
                path.unlink()


def _put_weights(folder: Path, weights: bytes, table: Table) -> None:
    if not (folder / DESCRIPTION).exists():
        write_whole(folder / WEIGHTS, weights)
        return
    # An older description needs the older weights, so the new ones come under another name, which
    # the new description tells: putting that in place changes both. What it names may then get
    # the usual name, since that is where a reader looks next.
    interim = WEIGHTS.replace(".", f".{secrets.token_hex(4)}.")
    write_whole(folder / interim, weights)
    write_whole(folder / DESCRIPTION, format_toml({"weights": interim, **table}).encode())
    with naming(folder / WEIGHTS):
        os.replace(folder / interim, folder / WEIGHTS)
        sync_folder(folder)


def _is_taken(folder: Path) -> bool:
    if not folder.is_dir():
        return folder.exists()
    if (folder / DESCRIPTION).is_file():
        return False
    return not all(_is_ours(path.name) for path in folder.iterdir())


def _is_ours(name: str) -> bool:
    """Whether a file is one that saving makes, for good or for a moment."""
    if name.startswith(".") and name.endswith(TEMPORARY):
        name = name[1 : -len(TEMPORARY)]
    return name == DESCRIPTION or re.fullmatch(WEIGHTS_PATTERN, name) is not None


def describe(player: Player) -> tuple[Table, Arrays]:
    """Return what player.toml says and the arrays; raise PlayerError for a Python function."""
    if not re.fullmatch(NAME, player.name):
        raise PlayerError(
            f"player {player.name!r} cannot be saved: a name has up to 100 letters, digits, "
            "spaces and ._+- and begins with a letter or digit"
        )
    table: Table = {"game": player.game.name, "name": player.name}
    if made_by := player.about.get("made_by"):
        # A command may hold a whole net.
        is_long = len(made_by) > MAX_MADE_BY
        table["made_by"] = f"{made_by[: MAX_MADE_BY - 2]} …" if is_long else made_by
    if isinstance(player, RandomPlayer):
        return table | {"evaluators": {"main": {"kind": "random"}}}, {}
    arrays: Arrays = {}
    evaluators: dict[str, Table] = {}
    for key, evaluator in player.evaluators.items():
        evaluators[key], own = _describe(evaluator, player)
        arrays |= {f"{key}.{name}": array for name, array in own.items()}
    try:
        check_size(len(evaluators))
    except ValueError as error:
        raise PlayerError(f"player {player.name!r} cannot be saved: {error}") from None
    names = {id(evaluator): key for key, evaluator in player.evaluators.items()}
    settings, usual = asdict(player.settings), asdict(SearchSettings())
    others = {
        "search": {key: settings[key] for key in SEARCH_KEYS if settings[key] != usual[key]},
        "limits": player.limits.for_engine(),
        "phases": [
            {"evaluator": names[id(evaluator)], **asdict(when)} for when, evaluator in player.phases
        ],
    }
    if (specialists := player.specialists) is not None:
        others["specialists"] = specialists.table(names)
        arrays |= {f"specialists.{name}": array for name, array in specialists.arrays().items()}
    table |= {"evaluators": evaluators, **{key: each for key, each in others.items() if each}}
    return table, arrays


def _describe(evaluator: Any, player: Player) -> tuple[Table, Arrays]:
    if not isinstance(evaluator, Evaluation):
        raise PlayerError(
            f"player {player.name!r} cannot be saved: no folder holds a Python function"
        )
    # An array without numbers is not written: its shape says all.
    arrays = {name: array for name, array in evaluator.arrays().items() if array.size}
    return evaluator.table(), arrays
