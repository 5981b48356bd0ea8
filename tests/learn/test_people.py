"""Learning from a game against a person: whose boards, which reward, how much."""

from __future__ import annotations

import pytest

from crossboard.draughts import Record, parse_pdn
from crossboard.evaluators import Network, feature_mapping
from crossboard.learn import TdLearner, TdSettings
from crossboard.learn.people import RATE_SCALE, CannotLearn, learn_from_person
from crossboard.players import Player, SearchLimits, SearchSettings

MAPPING = feature_mapping("lynch")
NETWORK = Network.initial(MAPPING, 4, seed=2)
PLAYER = Player("net", NETWORK, search=SearchSettings(table_mb=0), limits=SearchLimits(depth=3))
MOVES = "1. 11-15 22-18 2. 15x22 25x18 3. 8-11 29-25"


def record(result: str = "1-0", moves: str = MOVES) -> Record:
    (found,) = parse_pdn(f"{moves} {result}")
    return found


def boards(colour: str) -> list[object]:
    return [node.position for node in record().tree.main_line() if node.position.turn != colour]


@pytest.mark.parametrize(
    ("colour", "result", "reward"),
    [("B", "1-0", 1.0), ("W", "1-0", -1.0), ("B", "0-1", -1.0), ("W", "1/2-1/2", 0.0)],
)
def test_it_learns_from_the_boards_it_left_behind(colour: str, result: str, reward: float) -> None:
    taught = learn_from_person(PLAYER, record(result), colour)
    assert taught is not None
    by_hand = TdLearner(NETWORK.net, TdSettings(), scale=RATE_SCALE)
    first, *others = (MAPPING.inputs(board) for board in boards(colour))  # type: ignore[arg-type]
    by_hand.start(first)
    errors = [abs(by_hand.step(x)) for x in others] + [abs(by_hand.finish(reward))]
    assert taught.player.evaluator == Network.of(MAPPING, by_hand.net)
    assert taught.boards == 3
    assert (taught.mean_error, taught.max_error) == (sum(errors) / 3, max(errors))
    # The rest of the player is as it was, and so is the one that was given.
    assert (taught.player.limits, taught.player.settings) == (PLAYER.limits, PLAYER.settings)
    assert PLAYER.evaluator == NETWORK


def test_who_wins_again_and_again_expects_to() -> None:
    (last,) = boards("B")[-1:]
    player, values = PLAYER, []
    for _ in range(200):
        taught = learn_from_person(player, record("1-0"), "B")
        assert taught is not None
        player = taught.player
        values.append(player.evaluator.output(last))  # type: ignore[union-attr]
    assert values[0] < values[100] < values[-1]
    assert values[-1] > 0.8
    assert player.about["made_by"] == ", then 200 games against people"


def test_a_game_without_its_moves_teaches_nothing() -> None:
    assert learn_from_person(PLAYER, Record(), "B") is None
    assert learn_from_person(PLAYER, record("1-0", "1. 11-15"), "W") is None


def test_only_networks_with_hidden_units_learn() -> None:
    for evaluator in (None, Network.one_layer(MAPPING)):
        player = Player("other", evaluator, search=SearchSettings(table_mb=0))
        with pytest.raises(CannotLearn, match="other cannot learn from a game: it has no network"):
            learn_from_person(player, record(), "B")
