"""Network files as players, and players as network files."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from crossboard.draughts.words import WordError
from crossboard.evaluators import Mapping, Network
from crossboard.players import Player, SearchLimits, SearchSettings
from crossboard.systems.neurodraughts_files import (
    FEATURE_SUFFIX,
    NetworkText,
    format_files,
    read_features,
    read_network,
)

# The paper's players look one move ahead (6.4), without playing captures out.
LOOK_AHEAD = SearchLimits(depth=2)
SEARCH = SearchSettings(quiescence=False, table_mb=0)
QUIRKS_REMARK = (
    "it sees boards with the quirks of 1997, which network files do not tell: "
    "convert --quirks lynch reads it as it is"
)


class NetworkPlayer(NamedTuple):
    """A player made of a network file, and what should be told of the file."""

    player: Player
    remark: str


def load_network_player(
    path: str | Path, features: str | Path | None = None, *, quirks: str | None = None
) -> NetworkPlayer:
    """Make a player of a network or creation file.

    Without `features` a feature file of the same name beside it tells the map, if there is one.
    Raises ValueError that names file, line and what was expected.
    """
    path = Path(path)
    beside = path.with_suffix(FEATURE_SUFFIX)
    if features is None and beside.is_file():
        features = beside
    chosen: Mapping | None = read_features(features, quirks=quirks) if features else None
    try:
        found = read_network(path, chosen, quirks=quirks)
    except WordError as error:
        if features != beside:
            raise
        # It may be the other file that is wrong, which nobody has named.
        raise WordError(f"{error} (its features are those of {beside})") from None
    player = Player(
        fitting_name(found.name),
        found.network,
        search=SEARCH,
        limits=LOOK_AHEAD,
        about={"made_by": f"crossboard convert {path.name}"},
    )
    return NetworkPlayer(player, found.remark)


def fitting_name(name: str) -> str:
    """Return a name that a player may have."""
    kept = re.sub(r"[^A-Za-z0-9 ._+-]", "-", name.strip()).lstrip(" ._+-")
    return kept[:100].rstrip() or "network"


class PlayerText(NamedTuple):
    """A player's network as files, and what should be told of them."""

    text: NetworkText
    remark: str


def format_player(player: Player) -> PlayerText:
    """Write a player's network; raise ValueError if it is more, or less, than files can hold."""
    network = player.evaluator
    if not isinstance(network, Network) or player.phases:
        raise ValueError(f"player {player.name!r} is not one network: no network file can hold it")
    try:
        text = format_files(player.name, network)
    except ValueError as error:
        raise ValueError(f"player {player.name!r}: {error}") from None
    return PlayerText(text, QUIRKS_REMARK if network.mapping.quirks else "")
