"""A set-up of 1997, in its files, as settings of a system to train."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from crossboard.draughts import read_boards
from crossboard.evaluators import Mapping, Network
from crossboard.systems.expert_games import describe_unused, read_expert_games
from crossboard.systems.experts import ExpertsSettings
from crossboard.systems.net_settings import NetSettings
from crossboard.systems.neurodraughts import BOARD_KEYS, NeuroDraughtsSettings
from crossboard.systems.neurodraughts_files import (
    Creation,
    features_of,
    is_creation,
    read_creation,
    read_features,
    read_network,
    read_parameters,
)
from crossboard.systems.recipes import ALIASES

# Which option belongs to which system alone.
OF_NEURODRAUGHTS, OF_EXPERTS = ("boards",), ("training", "epochs")
# Which settings are one choice: who sets one of them has chosen what the net sees.
MAP_KEYS = {"mapping", "features"}
# What the weights of a network file fix.
WEIGHT_KEYS = MAP_KEYS | {"hidden", "direct_links", "weights", "low", "high", "weights_seed"}


@dataclass(frozen=True, kw_only=True)
class SetUp:
    """The files that ND and XTRAIN were given, and XTRAIN's epochs."""

    create: Path | None = None  # a creation file or a network file
    params: Path | None = None
    boards: Path | None = None
    features: Path | None = None
    training: Path | None = None
    epochs: int | None = None

    @property
    def is_empty(self) -> bool:
        return self == SetUp()

    @property
    def is_old(self) -> bool:
        """Whether it says how to train; games alone do not."""
        return any((self.create, self.params, self.boards, self.features))


class Applied(NamedTuple):
    """Settings with a set-up's in them, and what should be told of its files."""

    settings: Any
    remarks: tuple[str, ...] = ()


def apply_set_up(setup: SetUp, settings: Any, given: Collection[str] = ()) -> Applied:
    """Put what the files say into a system's settings; raise ValueError for what does not fit.

    `given` are the keys that somebody has set, by any of their names, which files do not override,
    and which must have an effect.
    """
    applied = _apply(setup, settings, given)
    # What somebody sets of boards counts for all that a file has.
    of_boards = BOARD_KEYS if setup.boards is not None else ()
    applied.settings.refuse_idle([key for key in given if key not in of_boards])
    return applied


def _apply(setup: SetUp, settings: Any, given: Collection[str]) -> Applied:
    fixed = {ALIASES.get(key, key) for key in given}
    if {"games", "blocks"} <= fixed:
        raise ValueError("say games or blocks, which are test_after games on each board: not both")
    if setup.is_empty and not isinstance(settings, ExpertsSettings):
        return Applied(settings)
    if not isinstance(settings, NetSettings):
        raise ValueError("files of NeuroDraughts are for the systems neurodraughts and experts")
    is_cloning = isinstance(settings, NeuroDraughtsSettings)
    foreign = OF_EXPERTS if is_cloning else OF_NEURODRAUGHTS
    for name in foreign:
        if getattr(setup, name) is not None:
            other = "experts" if is_cloning else "neurodraughts"
            raise ValueError(f"--{name} is for the system {other}")
    changes, remarks = _read_net(setup, settings, fixed)
    changes |= _read_parameters(setup)
    if isinstance(settings, NeuroDraughtsSettings):
        changes |= _read_boards(setup, settings, fixed)
    else:
        found, left_out = _read_games(setup, settings, fixed)
        changes, remarks = changes | found, (*remarks, *left_out)
    if fixed & MAP_KEYS:
        fixed |= MAP_KEYS
    kept = {key: value for key, value in changes.items() if key not in fixed}
    return Applied(settings.checked({**settings.model_dump(), **kept}), remarks)


def _read_net(
    setup: SetUp, settings: NetSettings, given: Collection[str]
) -> tuple[dict[str, Any], tuple[str, ...]]:
    quirks = "lynch" if settings.quirks else None
    if setup.create is None:
        if setup.features is None:
            return {}, ()
        return _mapping(read_features(setup.features, quirks=quirks)), ()
    with features_of(setup.create, setup.features, quirks=quirks) as chosen:
        if is_creation(setup.create):
            return _of_creation(read_creation(setup.create, chosen, quirks=quirks), settings)
        for key in sorted(WEIGHT_KEYS.intersection(given)):
            raise ValueError(f"{setup.create} is a network with weights: {key} cannot be set")
        found = read_network(setup.create, chosen, quirks=quirks)
    changes = {**_weights(found.network), **_name(settings, found.name)}
    return changes, ((found.remark,) if found.remark else ())


def _of_creation(
    creation: Creation, settings: NetSettings
) -> tuple[dict[str, Any], tuple[str, ...]]:
    drawn = {"low": creation.low, "high": creation.high, "weights_seed": creation.seed}
    sizes = {"hidden": creation.hidden, "direct_links": creation.direct_links}
    name = _name(settings, creation.name)
    remarks = (creation.remark,) if creation.remark else ()
    return {**_mapping(creation.mapping), **drawn, **sizes, **name}, remarks


def _name(settings: NetSettings, name: str) -> dict[str, Any]:
    """Return the tag of the networks that are saved (Lynch 1997, 14.1), where any are."""
    return {"network_name": name} if isinstance(settings, NeuroDraughtsSettings) else {}


def _mapping(mapping: Mapping) -> dict[str, Any]:
    if mapping.kind != "features":
        return {"mapping": mapping.kind, "features": []}
    return {"features": mapping.features}


def _weights(network: Network) -> dict[str, Any]:
    flat = [float(one) for array in network.arrays().values() for one in array.flat]
    sizes = {"hidden": network.net.hidden, "direct_links": network.net.w3 is not None}
    return {**_mapping(network.mapping), **sizes, "weights": flat}


def _read_parameters(setup: SetUp) -> dict[str, Any]:
    if setup.params is None:
        return {}
    found = read_parameters(setup.params)
    return {name: getattr(found, name) for name in ("rate1", "rate2", "momentum", "gamma", "decay")}


def _read_boards(
    setup: SetUp, settings: NeuroDraughtsSettings, given: Collection[str]
) -> dict[str, Any]:
    kept: dict[str, Any] = {"keep_files": True}
    if setup.boards is None or "boards" in given:
        return kept
    boards = read_boards(setup.boards)
    if not boards:
        raise ValueError(f"{setup.boards}, line 1: expected a board to train on, not 0")
    listed = [
        (board.position.fen, *(getattr(settings if k in given else board, k) for k in BOARD_KEYS))
        for board in boards
    ]
    if "games" not in given:
        # More boards make longer blocks, not fewer of them (Lynch 1997, 9.2).
        kept["games"] = settings.games * len(boards)
    return {**kept, "boards": listed}


def _read_games(
    setup: SetUp, settings: NetSettings, given: Collection[str]
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return what an experts' file says, and of how many games it cannot be learnt."""
    assert isinstance(settings, ExpertsSettings)
    if "games" in given:
        raise ValueError("experts teach all games of their file: say --epochs instead of games")
    epochs, source = settings.epochs, settings.source
    if setup.epochs is not None and "epochs" not in given:
        epochs = setup.epochs
    if setup.training is not None and "source" not in given:
        source = str(setup.training)
    if not source:
        raise ValueError("experts teach by their games: --training names a PDN or training file")
    unused: list[str] = []
    games = read_expert_games(
        source,
        ignore_draws=settings.ignore_draws,
        result_convention=settings.result_convention,
        unused=unused,
    )
    changes = {"epochs": epochs, "source": source, "games": epochs * len(games)}
    return changes, ((describe_unused(source, unused),) if unused else ())
