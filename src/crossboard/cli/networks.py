"""Between network files of NeuroDraughts and player folders, for `crossboard convert`."""

from __future__ import annotations

import json
import os
import sys

from crossboard.cli.files import STANDARD_STREAM, naming, writing
from crossboard.cli.wording import one_line


def to_player(
    source: str, target: str, features: str | None, quirks: str | None, *, as_json: bool
) -> None:
    """Write the player that a network or creation file holds to a folder."""
    from crossboard.systems.network_players import load_network_player

    if STANDARD_STREAM in (source, target):
        raise ValueError("a network file becomes a folder: name both")
    with naming(source):
        found = load_network_player(source, features, quirks=quirks)
    found.player.save(target)
    _report(source, [target], found.remark, as_json=as_json)


def to_network(source: str, target: str, *, as_json: bool) -> None:
    """Write a player's network to a file, and its features beside it if the file tells them not."""
    from crossboard.players import load_player
    from crossboard.systems.network_players import format_player
    from crossboard.systems.neurodraughts_files import FEATURE_SUFFIX

    text, remark = format_player(load_player(source))
    files = {target: text.network}
    if text.features is not None:
        if target == STANDARD_STREAM:
            raise ValueError(f"{source} has features of its own, for a second file: name the first")
        files[os.path.splitext(target)[0] + FEATURE_SUFFIX] = text.features
    for path, content in files.items():
        with writing(path) as output:
            output.write(content)
    _report(source, list(files), remark, as_json=as_json)


def _report(source: str, targets: list[str], remark: str, *, as_json: bool) -> None:
    if as_json:
        remarks = [remark] if remark else []
        told = {"source": source, "target": targets[0], "files": targets, "remarks": remarks}
        print(json.dumps(told))
        return
    for text in (remark, f"written: {', '.join(targets)}"):
        if text:
            print(one_line(text), file=sys.stderr)
