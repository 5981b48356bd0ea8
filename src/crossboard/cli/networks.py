"""Between network files of NeuroDraughts and player folders, for `crossboard convert`."""

from __future__ import annotations

import json
import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

from crossboard.cli.files import STANDARD_STREAM, naming, writing
from crossboard.play.wording import one_line

# Every command pays for what is imported here, so systems are imported by those who need them.
if TYPE_CHECKING:
    from crossboard.players import Player
    from crossboard.systems.network_players import NetworkPlayer


def to_player(
    source: str, target: str, features: str | None, quirks: str | None, *, as_json: bool
) -> None:
    """Write the player that a network or creation file holds to a folder."""
    if target == STANDARD_STREAM:
        raise ValueError("a network file becomes a folder: name both")
    found = _read(source, features, quirks)
    found.player.save(target)
    _report(source, [target], [found.remark], as_json=as_json)


def to_network(
    source: str, target: str, features: str | None, quirks: str | None, *, as_json: bool
) -> None:
    """Write the network that a creation file asks for, or that another file holds."""
    found = _read(source, features, quirks)
    _write(source, found, target, as_json=as_json)


def from_player(source: str, target: str, *, as_json: bool) -> None:
    """Write a player's network to a file."""
    from crossboard.players import load_player
    from crossboard.systems.network_players import NetworkPlayer

    player = load_player(source)
    _write(source, NetworkPlayer(player, "", player.name), target, as_json=as_json)


def _read(source: str, features: str | None, quirks: str | None) -> NetworkPlayer:
    from crossboard.systems.network_players import load_network_player

    if source == STANDARD_STREAM:
        raise ValueError("a network is read from a file, for its features stand beside it: name it")
    with naming(source):
        return load_network_player(source, features, quirks=quirks)


def _write(source: str, found: NetworkPlayer, target: str, *, as_json: bool) -> None:
    """Write a network, and its features beside it if the file does not tell them."""
    from crossboard.systems.network_players import format_player
    from crossboard.systems.neurodraughts_files import FEATURE_SUFFIX

    text, remark = format_player(found.player, found.name)
    files, beside = {target: text.network}, os.path.splitext(target)[0] + FEATURE_SUFFIX
    if target == STANDARD_STREAM:
        if text.features is not None:
            raise ValueError(f"{source} has features of its own, for a second file: name the first")
    elif os.path.isfile(beside):
        files |= _features_beside(found.player, target, beside)
    elif text.features is not None:
        files[beside] = text.features
    for path, content in files.items():
        with writing(path) as output:
            output.write(content)
    _report(source, list(files), [found.remark, remark], as_json=as_json)


def _features_beside(player: Player, target: str, beside: str) -> dict[str, str]:
    """Return what a feature file must become: whoever reads the network will believe it.

    Raises ValueError if it is not that of a network that is replaced.
    """
    from crossboard.evaluators import Network
    from crossboard.systems.neurodraughts_files import format_features, read_features

    assert isinstance(player.evaluator, Network)  # it was written as one
    mapping, kept = player.evaluator.mapping, None
    with suppress(ValueError):  # a file that cannot be read holds other features
        kept = read_features(beside, quirks="lynch" if mapping.quirks else None)
    if kept == mapping:
        return {}
    if mapping.kind != "features" or not os.path.exists(target):
        raise ValueError(
            f"{beside} would be taken for the features of {target}, and it is not: "
            "name another file"
        )
    return {beside: format_features(mapping)}


def _report(source: str, targets: list[str], remarks: list[str], *, as_json: bool) -> None:
    told = [remark for remark in remarks if remark]
    if as_json:
        found = {"source": source, "target": targets[0], "files": targets, "remarks": told}
        print(json.dumps(found))
        return
    for text in (*told, f"written: {', '.join(targets)}"):
        print(one_line(text), file=sys.stderr)
