"""Writing a player's folder: whoever reads it, whenever, finds a whole player."""

from __future__ import annotations

import json
import os
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from crossboard.evaluators import Linear, Mapping, Material, Network, OneLayer
from crossboard.players.errors import PlayerError
from crossboard.players.folder import DESCRIPTION, NAME, SearchTable
from crossboard.players.player import Player, RandomPlayer
from crossboard.players.weights import WEIGHTS, WEIGHTS_PATTERN

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Arrays = dict[str, NDArray[np.float64]]

TEMPORARY = ".tmp"


def save_player(player: Player, folder: str | Path) -> None:
    """Write a player's folder, in place of an older player; other files there are left alone.

    Whatever happens, kill -9 and a full disk included, the folder holds the older player or the
    new one, whole, also for those who read meanwhile. Only one may write at a time.
    Raises PlayerError if the player cannot be written down, or the folder holds something else.
    """
    folder = Path(folder)
    if _is_taken(folder):
        raise PlayerError(f"{folder} is there already and is no player: nothing was written")
    description, arrays = describe(player)
    if not folder.is_dir():
        with _naming(folder):
            folder.mkdir(parents=True, exist_ok=True)
    if arrays:
        from safetensors.numpy import save

        _put_weights(folder, save(arrays), description)
    _put(folder / DESCRIPTION, description)
    kept = {DESCRIPTION, WEIGHTS} if arrays else {DESCRIPTION}
    for path in folder.iterdir():
        if _is_ours(path.name) and path.name not in kept:
            with _naming(path):
                path.unlink()


def _put_weights(folder: Path, weights: bytes, description: str) -> None:
    if not (folder / DESCRIPTION).exists():
        _put(folder / WEIGHTS, weights)
        return
    # An older description needs the older weights, so the new ones come under another name, which
    # the new description tells: putting that in place changes both. What it names may then get
    # the usual name, since that is where a reader looks next.
    interim = WEIGHTS.replace(".", f".{secrets.token_hex(4)}.")
    _put(folder / interim, weights)
    _put(folder / DESCRIPTION, f"weights = {_quote(interim)}\n{description}")
    with _naming(folder / WEIGHTS):
        os.replace(folder / interim, folder / WEIGHTS)
        _sync(folder)


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


def _put(path: Path, content: str | bytes) -> None:
    """Put a file in place of what stood there, durably; after an error the old one stands."""
    data = content.encode() if isinstance(content, str) else content
    temporary = path.with_name(f".{path.name}{TEMPORARY}")
    with _naming(path):
        try:
            descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666)
            try:
                _write_all(descriptor, data)
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
            os.replace(temporary, path)
        except BaseException:
            with suppress(OSError):
                os.unlink(temporary)
            raise
        _sync(path.parent)


def _write_all(descriptor: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def _sync(folder: Path) -> None:
    """Make the names in a folder durable."""
    if os.name == "nt":  # Windows cannot open a folder, and does this by itself
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    """Make an OSError name the file that people know, not a temporary or none."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), str(path)) from error


def describe(player: Player) -> tuple[str, Arrays]:
    """Return a player's TOML and its arrays; raise PlayerError for a Python function."""
    if not re.fullmatch(NAME, player.name):
        raise PlayerError(
            f"player {player.name!r} cannot be saved: a name has up to 100 letters, digits, "
            "spaces and ._+- and begins with a letter or digit"
        )
    lines = [f"game = {_quote(player.game.name)}", f"name = {_quote(player.name)}"]
    if made_by := player.about.get("made_by"):
        lines.append(f"made_by = {_quote(made_by)}")
    arrays: Arrays = {}
    named: dict[int, str] = {}
    for evaluator in [player.evaluator, *(evaluator for _, evaluator in player.phases)]:
        if id(evaluator) in named:
            continue
        key = f"agent{len(named)}" if named else "main"
        named[id(evaluator)] = key
        is_random = isinstance(player, RandomPlayer)
        fields, own = ({"kind": "random"}, {}) if is_random else _describe(evaluator, player)
        lines += ["", f"[evaluators.{key}]", *_fields(fields)]
        arrays |= {f"{key}.{name}": array for name, array in own.items()}
    if isinstance(player, RandomPlayer):
        return "\n".join([*lines, ""]), arrays
    settings = asdict(player.settings) | {"draws": None}
    defaults = SearchTable().model_dump()
    changed = {name: settings[name] for name in defaults if settings[name] != defaults[name]}
    for title, fields in (("search", changed), ("limits", player.limits.for_engine())):
        if fields:
            lines += ["", f"[{title}]", *_fields(fields)]
    for when, evaluator in player.phases:
        fields = {"evaluator": named[id(evaluator)], **asdict(when)}
        lines += ["", "[[phases]]", *_fields(fields)]
    return "\n".join([*lines, ""]), arrays


def _describe(evaluator: Any, player: Player) -> tuple[dict[str, Any], Arrays]:
    match evaluator:
        case Material():
            return {"kind": "material"}, {}
        case Linear():
            fields = {"kind": "linear", "man": evaluator.man, "features": list(evaluator.features)}
            return fields, evaluator.arrays()
        case Network():
            arrays = {name: array for name, array in evaluator.arrays().items() if array.size}
            return _describe_network(evaluator), arrays
        case OneLayer():
            return _describe_one_layer(evaluator), evaluator.arrays()
        case _:
            raise PlayerError(
                f"player {player.name!r} cannot be saved: no folder holds a Python function"
            )


def _describe_network(network: Network) -> dict[str, Any]:
    mapping, net = network.mapping, network.net
    fields = {"kind": "network", **_describe_mapping(mapping), "hidden": net.hidden}
    return fields | {"direct_links": net.w3 is not None}


def _describe_mapping(mapping: Mapping) -> dict[str, Any]:
    fields: dict[str, Any] = {"mapping": mapping.kind}
    match mapping.kind:
        case "binary":
            fields |= {"off": mapping.off}
        case "features":
            names, bits = zip(*mapping.features, strict=True)
            fields |= {"features": list(names), "bits": list(bits)}
            fields |= {"off": mapping.off, "quirks": mapping.quirks}
        case "patterns":
            fields |= {"squares": mapping.squares, "states": mapping.states}
        case "joined":
            fields |= {"parts": [_describe_mapping(part) for part in mapping.parts]}
    return fields


def _describe_one_layer(evaluator: OneLayer) -> dict[str, Any]:
    fields = {"kind": "one-layer", "players": evaluator.players, "attack": evaluator.attack}
    return fields | {"piece_square": evaluator.piece_square}


def _fields(fields: dict[str, Any]) -> list[str]:
    return [f"{name} = {_value(value)}" for name, value in fields.items()]


def _value(value: Any) -> str:
    match value:
        case bool():
            return str(value).lower()
        case list() | tuple():
            return f"[{', '.join(_value(each) for each in value)}]"
        case dict():
            return f"{{{', '.join(_fields(value))}}}"
        case str():
            return _quote(value)
        case _:
            return repr(value)


def _quote(text: str) -> str:
    # What JSON escapes TOML escapes alike.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
