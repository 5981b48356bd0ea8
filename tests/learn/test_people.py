"""Learning from a game against a person: whose boards, which reward, how much."""

from __future__ import annotations

import pytest

from crossboard.draughts import Position, Record, parse_pdn
from crossboard.evaluators import Network, feature_mapping
from crossboard.learn import TdLearner
from crossboard.learn.people import RATE_SCALE, SETTINGS, CannotLearn, learn_from_person
from crossboard.players import Player, SearchLimits, SearchSettings, load_player

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
    ("result", "rewards"), [("1-0", (1.0, -1.0)), ("0-1", (-1.0, 1.0)), ("1/2-1/2", (0.0, 0.0))]
)
@pytest.mark.parametrize("colour", ["B", "W"])
def test_it_learns_from_the_boards_that_both_left_behind(
    colour: str, result: str, rewards: tuple[float, float]
) -> None:
    taught = learn_from_person(PLAYER, record(result), colour)
    assert taught is not None
    by_hand, errors = TdLearner(NETWORK.net, SETTINGS, scale=RATE_SCALE), []
    for side, reward in zip("BW", rewards, strict=True):
        first, *others = (MAPPING.inputs(board) for board in boards(side))  # type: ignore[arg-type]
        by_hand.start(first)
        errors += [abs(by_hand.step(x)) for x in others] + [abs(by_hand.finish(reward))]
    assert taught.player.evaluator == Network.of(MAPPING, by_hand.net)
    assert taught.boards == 6
    assert (taught.mean_error, taught.max_error) == (sum(errors) / 6, max(errors))
    # The rest of the player is as it was, and so is the one that was given.
    assert (taught.player.limits, taught.player.settings) == (PLAYER.limits, PLAYER.settings)
    assert PLAYER.evaluator == NETWORK


def test_who_wins_again_and_again_expects_to() -> None:
    (last,) = boards("B")[-1:]
    player, values = PLAYER, []
    for _ in range(400):
        taught = learn_from_person(player, record("1-0"), "B")
        assert taught is not None
        player = taught.player
        values.append(player.evaluator.output(last))  # type: ignore[union-attr]
    assert values[0] < values[200] < values[-1]
    assert values[-1] > 0.5
    assert player.about["made_by"] == ", then 400 games against people"


def test_who_loses_again_and_again_does_not_think_that_all_is_lost() -> None:
    player = load_player("neurodraughts")
    before = player.evaluator.output(Position())  # type: ignore[union-attr]
    short = record("0-1", "1. 11-15 23-19")
    for _ in range(10):
        taught = learn_from_person(player, short, "B")
        assert taught is not None
        player = taught.player
    after = player.evaluator.output(Position())  # type: ignore[union-attr]
    assert abs(after - before) < 0.15


def test_a_game_without_its_moves_teaches_nothing() -> None:
    assert learn_from_person(PLAYER, Record(), "B") is None
    assert learn_from_person(PLAYER, record("1-0", "1. 11-15"), "W") is None


def test_only_networks_with_hidden_units_learn() -> None:
    for evaluator in (None, Network.one_layer(MAPPING)):
        player = Player("other", evaluator, search=SearchSettings(table_mb=0))
        with pytest.raises(CannotLearn, match="other cannot learn from a game: it has no network"):
            learn_from_person(player, record(), "B")
