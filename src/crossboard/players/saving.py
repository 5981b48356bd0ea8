"""Writing a player's folder: whoever reads it, whenever, finds a whole player."""

from __future__ import annotations

import json
import os
import re
import secrets
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from crossboard.evaluators import Linear, Mapping, Material, Network, OneLayer
from crossboard.players.errors import PlayerError
from crossboard.players.folder import DESCRIPTION, NAME, SearchTable
from crossboard.players.player import Player, RandomPlayer
from crossboard.players.weights import WEIGHTS, WEIGHTS_PATTERN
from crossboard.storage import TEMPORARY, make_folder, naming, sync_folder, write_whole

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Arrays = dict[str, NDArray[np.float64]]


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
    make_folder(folder)
    if arrays:
        from safetensors.numpy import save

        _put_weights(folder, save(arrays), description)
    write_whole(folder / DESCRIPTION, description.encode())
    kept = {DESCRIPTION, WEIGHTS} if arrays else {DESCRIPTION}
    for path in folder.iterdir():
        if _is_ours(path.name) and path.name not in kept:
            with naming(path):
                path.unlink()


def _put_weights(folder: Path, weights: bytes, description: str) -> None:
    if not (folder / DESCRIPTION).exists():
        write_whole(folder / WEIGHTS, weights)
        return
    # An older description needs the older weights, so the new ones come under another name, which
    # the new description tells: putting that in place changes both. What it names may then get
    # the usual name, since that is where a reader looks next.
    interim = WEIGHTS.replace(".", f".{secrets.token_hex(4)}.")
    write_whole(folder / interim, weights)
    write_whole(folder / DESCRIPTION, f"weights = {_quote(interim)}\n{description}".encode())
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
    return fields | {
        "piece_square": evaluator.piece_square,
        "king_reach": evaluator.king_reach,
    }


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
