"""NeuroDraughts with a net for each phase, ahead, level and behind (Lynch 1997, 5.3)."""

from __future__ import annotations

from collections.abc import Iterator

from crossboard.evaluators import Network
from crossboard.learn import Snapshot
from crossboard.learn.modular import ALONE, BY_MATERIAL, learn_modular, nets_of
from crossboard.players import Player, SearchLimits, When
from crossboard.systems.neurodraughts import PLAY_SECONDS, NeuroDraughtsSettings
from crossboard.systems.recipes import Recipe, Schooling, register


class ModularSettings(NeuroDraughtsSettings):
    """The settings of NeuroDraughts, of which regime, rounds and momentum are not used."""

    modules: bool = True  # False: one net for everything, to compare with


# Chosen: all changes of a game come at once, so each is smaller.
PUBLISHED = ModularSettings(first_scale=0.2, last_scale=0.2)


def learn(settings: ModularSettings, schooling: Schooling) -> Iterator[Snapshot]:
    """Train the nets by self-play with cloning; they begin with the same weights."""
    network = settings.initial(schooling.seed)
    phases = BY_MATERIAL if settings.modules else ALONE
    nets = dict.fromkeys(phases, network.net)
    cloning = settings.cloning()
    yield from learn_modular(
        network.mapping, nets, cloning, seed=schooling.seed, start=schooling.start
    )


def player_of(settings: ModularSettings, snapshot: Snapshot, name: str) -> Player:
    """Make a player with phases of the student's nets."""
    mapping = settings.make_mapping()
    networks = {
        phase: Network.of(mapping, net) for phase, net in nets_of(snapshot, "student").items()
    }
    main = networks.pop("level") if settings.modules else networks.pop("any")
    phases = [(When(balance=phase), network) for phase, network in networks.items()]
    return Player(name, main, phases=phases, limits=SearchLimits(seconds=PLAY_SECONDS))


register(
    Recipe(
        "modular",
        "Lynch 1997, 5.3",
        "NeuroDraughts with a net for each phase: ahead, level, behind",
        {"published": PUBLISHED, "tuned": PUBLISHED},
        learn,
        player_of,
    )
)
