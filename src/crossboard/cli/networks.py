"""Between network files of NeuroDraughts and player folders, for `crossboard convert`."""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING

from crossboard.cli.files import STANDARD_STREAM, naming, writing
from crossboard.cli.wording import one_line

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
    _write(source, found.player, target, [found.remark], as_json=as_json)


def from_player(source: str, target: str, *, as_json: bool) -> None:
    """Write a player's network to a file."""
    from crossboard.players import load_player

    _write(source, load_player(source), target, [], as_json=as_json)


def _read(source: str, features: str | None, quirks: str | None) -> NetworkPlayer:
    from crossboard.systems.network_players import load_network_player

    if source == STANDARD_STREAM:
        raise ValueError("a network is read from a file, for its features stand beside it: name it")
    with naming(source):
        return load_network_player(source, features, quirks=quirks)


def _write(source: str, player: Player, target: str, remarks: list[str], *, as_json: bool) -> None:
    """Write a player's network, and its features beside it if the file does not tell them."""
    from crossboard.systems.network_players import format_player
    from crossboard.systems.neurodraughts_files import FEATURE_SUFFIX

    beside = os.path.splitext(target)[0] + FEATURE_SUFFIX
    # Whoever reads the network will believe a feature file beside it.
    is_believed = target != STANDARD_STREAM and os.path.isfile(beside)
    text, remark = format_player(player, with_features=is_believed)
    files = {target: text.network}
    if text.features is not None:
        if target == STANDARD_STREAM:
            raise ValueError(f"{source} has features of its own, for a second file: name the first")
        files[beside] = text.features
    elif is_believed:
        raise ValueError(
            f"{beside} would be taken for the features of {target}, which sees squares: "
            "name another file"
        )
    for path, content in files.items():
        with writing(path) as output:
            output.write(content)
    _report(source, list(files), [*remarks, remark], as_json=as_json)


def _report(source: str, targets: list[str], remarks: list[str], *, as_json: bool) -> None:
    told = [remark for remark in remarks if remark]
    if as_json:
        found = {"source": source, "target": targets[0], "files": targets, "remarks": told}
        print(json.dumps(found))
        return
    for text in (*told, f"written: {', '.join(targets)}"):
        print(one_line(text), file=sys.stderr)
