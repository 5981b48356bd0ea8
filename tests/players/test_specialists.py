"""Which agent plays: the main one down to 13 pieces, then the one that the map picks, which stays.

Games are played in the core; a slow version of the choice says whose moves they must be.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from drawn_specialists import (
    BORDER,
    DEPTH,
    OPENING_PLIES,
    UNITS,
    drawn_openings,
    drawn_player,
    expected_move,
    expected_units,
    name_of,
    nearest,
    pieces,
    positions_of,
)

from crossboard._core import draughts as core
from crossboard.draughts import Position
from crossboard.evaluators import (
    UFU_ATTRIBUTES,
    BoardAttributes,
    Linear,
    Material,
    Network,
    OneLayer,
    feature_mapping,
)
from crossboard.players import Player, SearchLimits, SearchSettings, Specialists, When
from crossboard.players.player import WrongGame

NO_TABLE = SearchSettings(table_mb=0)
GAMES = 12
MAPS = BoardAttributes(["ufu.PieceAdvantage", "ufu.PieceDisadvantage"])


def play(player: Player, other: Player | None = None, seed: int = 1) -> list[core.PlayedGame]:
    """Play games against chance, or another player, from openings of six random plies."""
    opponent = core.Chooser.random() if other is None else other.chooser()
    openings = drawn_openings(seed, GAMES)
    return core.play_games(
        player.chooser(), opponent, openings=openings, seeds=list(range(seed, seed + GAMES))
    )


def turns_of(game: core.PlayedGame, side: int) -> tuple[list[Position], list[int]]:
    """Return the positions of a game and the plies of one side's turns behind the opening."""
    line = positions_of(game.start, list(game.moves))
    return line, list(range(OPENING_PLIES + side, len(game.moves), 2))


def check_game(player: Player, game: core.PlayedGame, side: int) -> Iterator[tuple[Any, ...]]:
    """Compare every move of a side, and yield the pieces before and now, the unit, the map's."""
    line, plies = turns_of(game, side)
    units = expected_units(player, [line[ply] for ply in plies])
    before = 24
    for ply, unit in zip(plies, units, strict=True):
        wanted = expected_move(player, unit, line[ply], line[:ply])
        assert game.moves[ply] == wanted, (ply, unit, line[ply].fen)
        yield before, pieces(line[ply]), unit, nearest(player, line[ply]), line[ply], wanted
        before = pieces(line[ply])


@pytest.mark.parametrize("keeps", [True, False])
@pytest.mark.parametrize("replaced", [(), (0, 3)])
def test_games_of_the_core_are_played_by_the_agents_in_charge(
    keeps: bool, replaced: tuple[int, ...]
):
    player = drawn_player(keeps=keeps, replaced=replaced)
    seen, borders, moved_on, differing = set(), set(), 0, 0
    for game in play(player):
        for before, now, unit, map_unit, position, move in check_game(player, game, 0):
            assert (unit is None) == (now > BORDER)
            seen.add(unit)
            if now <= BORDER < before:
                borders.add((before, now))
            moved_on += unit is not None and unit != map_unit
            differing += unit is not None and move != expected_move(player, None, position, [])
    assert len(seen) >= UNITS - 1
    assert {(14, 12), (13, 12), (13, 11)} <= borders
    assert (moved_on > 0) == keeps
    assert differing > 0  # or any agent's games would have passed


def test_both_sides_of_a_game_choose_for_themselves():
    player = drawn_player()
    chosen = []
    for game in play(player, player):
        ends = [list(check_game(player, game, side))[-1][2] for side in (0, 1)]
        chosen.append(tuple(ends))
    assert any(None not in pair and pair[0] != pair[1] for pair in chosen)


def test_games_at_once_do_not_share_a_choice():
    player = drawn_player()
    alone = [play(player, seed=seed) for seed in (1, 2, 3)]
    with ThreadPoolExecutor(3) as threads:
        at_once = list(threads.map(lambda seed: play(player, seed=seed), (1, 2, 3)))
    assert at_once == alone


def test_two_games_in_turn_do_not_share_a_choice():
    player = drawn_player()
    first, second = (turns_of(game, 0) for game in play(player)[:2])
    for (line, plies), (other, others) in ((first, second), (second, first)):
        units = expected_units(player, [line[ply] for ply in plies])
        for ply, elsewhere, unit in zip(plies, others, units, strict=False):
            player.search(other[elsewhere], depth=1, history=other[:elsewhere])
            found = player.search(line[ply], depth=1, history=line[:ply])
            assert found.agent == name_of(player, unit)


def test_a_search_with_the_game_keeps_the_choice_and_one_without_it_chooses_anew():
    player = drawn_player(replaced=(2,))
    differing = 0
    for game in play(player):
        line, plies = turns_of(game, 0)
        units = expected_units(player, [line[ply] for ply in plies])
        for ply, unit in zip(plies, units, strict=True):
            position, history = line[ply], line[:ply]
            told: list[str] = []
            found = player.search(
                position,
                depth=DEPTH,
                history=history,
                on_depth=lambda result, told=told: told.append(result.agent),
            )
            assert found.agent == player.agent_for(position, history) == name_of(player, unit)
            assert set(told) <= {found.agent}
            assert found.move == game.moves[ply]
            anew = nearest(player, position) if pieces(position) <= BORDER else None
            assert player.search(position, depth=1).agent == name_of(player, anew)
            differing += name_of(player, unit) != name_of(player, anew)
    assert differing > 0


def test_thirteen_pieces_are_one_too_many():
    player = drawn_player()
    thirteen = Position.from_fen("B:W21,22,23,24,25,26,27:B1,2,3,4,5,6")
    twelve = Position.from_fen("B:W21,22,23,24,25,26:B1,2,3,4,5,6")
    assert player.search(thirteen, depth=1).agent == "main"
    assert player.search(twelve, depth=1).agent != "main"


def test_agents_of_phases_and_of_the_map_stand_side_by_side():
    main, early, both = Material(), Material(), Material()
    units = [both, main, Material()]
    player = Player(
        "three",
        main,
        phases=[(When(least_pieces=20), early), (When(most_pieces=14), both)],
        specialists=Specialists(MAPS, [[1, 0], [0, 1], [0, 0]], units),
        search=NO_TABLE,
    )
    assert list(player.evaluators) == ["main", "agent1", "agent2", "unit3"]
    boards = {
        "agent1": "B:W17,21,22,23,24,25,26,27,28,29:B1,2,3,4,5,6,7,8,9,10",
        "main": "B:W21,22,23,24,25,26,27,28:B1,2,3,4,5,6,7",
        "agent2": "B:W21,22,23,24,25,26,27:B1,2,3,4,5,6,7",
        "unit3": "B:W21,22,23,24,25,26:B1,2,3,4,5,6",
    }
    for agent, fen in boards.items():
        assert player.agent_for(Position.from_fen(fen)) == agent
    ahead, behind = (Position.from_fen(f"{turn}:W21:B1,2") for turn in "BW")
    assert player.agent_for(ahead) == "agent2"
    assert player.agent_for(behind) == "main"
    # A unit that is left to the main evaluator was chosen like any other, and stays.
    level = Position.from_fen("W:W21,22:B1,2")
    assert player.agent_for(level, [behind]) == "main"
    assert player.engine_for(level, [behind]) is player.engine
    assert player.scale_for(level, [behind]).unit == "men"


# ---- many copies of one net


def copies(nets: list[Network], search: SearchSettings) -> Player:
    prototypes = np.random.default_rng(3).random((25, 28))
    attributes = BoardAttributes(UFU_ATTRIBUTES)
    specialists = Specialists(attributes, prototypes, nets[1:], keeps=False)
    return Player("copies", nets[0], specialists=specialists, search=search)


def same_nets(count: int) -> list[Network]:
    mapping = feature_mapping("lynch")
    return [Network.initial(mapping, 4, seed=1) for _ in range(count)]


@pytest.mark.parametrize("are_distinct", [True, False])
def test_copies_of_one_net_play_move_for_move_like_that_net(are_distinct: bool):
    nets = same_nets(26) if are_distinct else same_nets(1) * 26
    many, alone = copies(nets, NO_TABLE), Player("alone", nets[0], search=NO_TABLE)
    assert len(many.evaluators) == (26 if are_distinct else 1)
    many.limits = alone.limits = SearchLimits(depth=3)
    games = play(many)
    assert games == play(alone)
    assert min(pieces(game.last) for game in games) < BORDER
    line = positions_of(games[0].start, list(games[0].moves))
    agents = set()
    for ply in range(0, len(line) - 1, 3):
        asked = {"depth": 4, "history": line[:ply]}
        ours, theirs = (each.search(line[ply], **asked) for each in (many, alone))
        assert (ours.move, ours.value, ours.nodes) == (theirs.move, theirs.value, theirs.nodes)
        agents.add(ours.agent)
    assert (len(agents) > 2) == are_distinct


def test_the_specialist_in_charge_has_the_whole_table():
    search = SearchSettings(table_mb=1)
    many, alone = copies(same_nets(26), search), Player("alone", same_nets(1)[0], search=search)
    line = positions_of(Position(), list(play(drawn_player())[0].moves))
    for position in [each for each in line[:-1] if pieces(each) <= BORDER][:8]:
        many.clear()
        alone.clear()
        for _ in range(2):  # what the first search has found is there for the second
            ours, theirs = (each.search(position, depth=9) for each in (many, alone))
            assert (ours.move, ours.value, ours.nodes) == (theirs.move, theirs.value, theirs.nodes)


# ---- as values, and what is refused


def test_specialists_are_values():
    player = drawn_player(keeps=False, replaced=(1,))
    again = pickle.loads(pickle.dumps(player))
    assert again.specialists == player.specialists
    assert hash(again.specialists) == hash(player.specialists)
    assert list(again.evaluators) == list(player.evaluators)
    assert again.specialists.evaluators[1] is again.evaluator
    assert play(again) == play(player)
    assert drawn_player().specialists != player.specialists
    settings = SearchSettings(table_mb=1)
    assert player.with_settings(settings).specialists == player.specialists
    assert player.specialists is not None
    with pytest.raises(ValueError, match="read-only"):
        player.specialists.prototypes[0, 0] = 1


def two_units(**changes: Any) -> Specialists:
    given = {"prototypes": [[1, 0], [0, 1]], "evaluators": [Material(), Material()]} | changes
    prototypes, evaluators = given.pop("prototypes"), given.pop("evaluators")
    return Specialists(MAPS, prototypes, evaluators, **given)


BILLION = np.broadcast_to(np.float32(0), (10**9, 2))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"prototypes": [[1], [0]]}, r"1 to 99 rows of 2 attributes, not an array of shape \(2, 1"),
        ({"prototypes": [1, 0]}, r"1 to 99 rows of 2 attributes, not an array of shape \(2,\)"),
        ({"prototypes": np.zeros((0, 2))}, r"1 to 99 rows of 2 attributes, .* shape \(0, 2\)"),
        ({"prototypes": np.zeros((100, 2))}, r"1 to 99 rows of 2 attributes, .* shape \(100, 2\)"),
        ({"prototypes": BILLION}, r"1 to 99 rows of 2 attributes, .* shape \(1000000000, 2\)"),
        ({"prototypes": [[1, 0], [0, np.nan]]}, "prototype 2 has an attribute that is no finite"),
        ({"prototypes": [[-np.inf, 0], [0, 1]]}, "prototype 1 has an attribute that is no finite"),
        ({"prototypes": [["a", "b"], ["c", "d"]]}, "prototypes are numbers, not an array of"),
        ({"evaluators": [Material()]}, "there are 2 prototypes and 1 evaluators"),
        ({"most_pieces": 25}, "most_pieces: specialists begin with 0 to 24 pieces, not 25"),
        ({"most_pieces": -1}, "most_pieces: specialists begin with 0 to 24 pieces, not -1"),
    ],
)
def test_what_is_no_map_is_refused(changes: dict[str, Any], message: str):
    with pytest.raises(ValueError, match=message):
        two_units(**changes)


def test_specialists_must_be_able_to_play():
    with pytest.raises(WrongGame, match="specialists are for draughts, not for Duchess"):
        Player("mixed", OneLayer.initial(), specialists=two_units())
    with pytest.raises(WrongGame, match="the game is duchess, not 'draughts'"):
        Player("x", specialists=two_units(evaluators=[Material(), OneLayer.initial()]))
    with pytest.raises(ValueError, match="an evaluator is a function from a position"):
        Player("x", specialists=two_units(evaluators=[Material(), "material"]))


def test_two_evaluators_cannot_have_one_name():
    one, other = Material(), Linear(["draft5.piece"], [1], man=1)
    with pytest.raises(ValueError, match="two evaluators of a player are called 'unit1'"):
        Player("x", specialists=two_units(evaluators=[one, other]), names={"unit1": other})
