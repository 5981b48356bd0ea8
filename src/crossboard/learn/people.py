"""Learning from games against people (Lynch 1997, 6.5, "Human Play"); people switch it on.

The paper expects a net to become better against strong people and worse against weak ones.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from crossboard.draughts import Record
from crossboard.evaluators import Network
from crossboard.learn.experts import ExpertGame, boards_of, learn_sequence, side_of
from crossboard.learn.td import TdLearner, TdSettings
from crossboard.players import Player

# Chosen, for one game must not overturn what thousands have taught: small rates, no momentum, and
# credit that goes far back, as in the tuned training. docs/measurements.md has what others do.
RATE_SCALE = 0.02
SETTINGS = TdSettings(momentum=0.0, gamma=1.0, decay=0.7)
# Chosen: both sides' boards teach, as experts' games do. From its own alone a net that loses again
# and again learns that every board is lost; and who is stronger has moves to learn from.
SIDES = ("B", "W")
WHO_CAN = "those can that neurodraughts, visiondraughts and experts train"
COUNTED = re.compile(r", then (\d+) games? against people$")


class CannotLearn(ValueError):
    """A player has nothing that games against people could teach."""


class Taught(NamedTuple):
    """A player after a game, and how far off its predictions were before each was corrected."""

    player: Player
    boards: int
    mean_error: float
    max_error: float


def network_of(player: Player) -> Network:
    """Return the network that would learn; raise CannotLearn if there is not exactly one."""
    network = player.evaluator
    if player.phases or player.specialists:
        why = "it has several evaluations"
    elif not isinstance(network, Network) or not network.net.hidden:
        why = "it has no network with hidden units"
    else:
        return network
    raise CannotLearn(f"{player.name} cannot learn from a game: {why} ({WHO_CAN})")


def learn_from_person(
    player: Player, record: Record, colour: str, settings: TdSettings = SETTINGS
) -> Taught | None:
    """Return the player after a finished game in which it had a colour; None if it never moved.

    It learns by TD(lambda) from the boards that each side left behind, seen from that side.
    """
    network = network_of(player)
    if not record.moves or not boards_of(game := ExpertGame.of_record(record), colour):
        return None
    learner = TdLearner(network.net, settings, scale=RATE_SCALE)
    errors = [
        error
        for side in SIDES
        if boards_of(game, side)
        for error in learn_sequence(learner, *side_of(network.mapping, game, side))
    ]
    taught = Player(
        player.name,
        Network.of(network.mapping, learner.net),
        search=player.settings,
        limits=player.limits,
        about={**player.about, "made_by": _with_a_game(player.about.get("made_by", ""))},
    )
    return Taught(taught, len(errors), sum(errors) / len(errors), max(errors))


def _with_a_game(made_by: str) -> str:
    """Say that there was one more game against people."""
    found = COUNTED.search(made_by)
    games = int(found[1]) + 1 if found else 1
    words = f", then {games} {'game' if games == 1 else 'games'} against people"
    return COUNTED.sub("", made_by) + words
