"""Network files as players, and players as network files."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from crossboard.evaluators import Network
from crossboard.players import Player, SearchLimits, SearchSettings
from crossboard.systems.neurodraughts_files import (
    NetworkText,
    features_of,
    format_files,
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
    name: str  # as the file has it, which may be none for a player


def load_network_player(
    path: str | Path, features: str | Path | None = None, *, quirks: str | None = None
) -> NetworkPlayer:
    """Make a player of a network or creation file.

    Without `features` a feature file of the same name beside it tells the map, if there is one.
    Raises ValueError that names file, line and what was expected.
    """
    with features_of(path, features, quirks=quirks) as chosen:
        found = read_network(path, chosen, quirks=quirks)
    player = Player(
        fitting_name(found.name),
        found.network,
        search=SEARCH,
        limits=LOOK_AHEAD,
        about={"made_by": f"crossboard convert {Path(path).name}"},
    )
    return NetworkPlayer(player, found.remark, found.name)


def fitting_name(name: str) -> str:
    """Return a name that a player may have."""
    kept = re.sub(r"[^A-Za-z0-9 ._+-]", "-", name.strip()).lstrip(" ._+-")
    return kept[:100].rstrip() or "network"


class PlayerText(NamedTuple):
    """A player's network as files, and what should be told of them."""

    text: NetworkText
    remark: str


def format_player(player: Player, name: str | None = None) -> PlayerText:
    """Write a player's network, under another name if there is one.

    Raises ValueError if it is more, or less, than files can hold.
    """
    network = player.evaluator
    if not isinstance(network, Network) or player.phases or player.specialists:
        raise ValueError(f"player {player.name!r} is not one network: no network file can hold it")
    try:
        text = format_files(name or player.name, network)
    except ValueError as error:
        raise ValueError(f"player {player.name!r}: {error}") from None
    return PlayerText(text, QUIRKS_REMARK if network.mapping.quirks else "")
