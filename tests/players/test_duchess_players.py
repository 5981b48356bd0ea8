"""Players of Duchess: searching, choosing, folders, games of the core."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from crossboard import draughts
from crossboard._core import duchess as core
from crossboard.duchess import Move, Position
from crossboard.evaluators import Material, OneLayer
from crossboard.players import (
    Player,
    RandomPlayer,
    SearchLimits,
    SearchSettings,
    When,
    load_player,
)
from crossboard.players.games import GAMES

MATE_IN_ONE = "4; 1:K1e1; 2:K2a1 Q1d4 R1b2; 3:K4e1; 4:K5a1 Q4d2 R4b2; turn 2"
MATED = "4; 1:K1e1; 2:K2a1 Q1d2 R1b2; 3:K4a1; 4:K5a1; turn 1"
QUEEN = "4; 1:K1a1; 2:K2e1; 3:K4a1; 4:K5e1 Q5c3; turn 1"
PLAIN = SearchSettings(quiescence=False, table_mb=0, killers=1)


@pytest.fixture
def player() -> Player:
    return Player("first", OneLayer.initial(), search=PLAIN, limits=SearchLimits(depth=2))


def test_a_team_is_mated(player: Player) -> None:
    position = Position.from_text(MATE_IN_ONE)
    result = player.search(position, depth=3)
    assert position.after(result.move).winner == "even"
    assert (result.win_in, result.value) == (1, 100.0)


def test_who_cannot_move_passes(player: Player) -> None:
    result = player.search(Position.from_text(MATED), depth=2)
    assert result.move == Move("pass")
    assert len(result.pv) == 2


def test_values_are_weighted_sums(player: Player) -> None:
    position = Position.from_text("4; 1:K1a1 Q1c3; 2:K2e1; 3:K4a1; 4:K5e1; turn 1")
    assert player.search(position, depth=1).value == pytest.approx(0.1, abs=0.31)
    assert player.engine.evaluate(position) == 100_000


def test_switches_do_not_change_values() -> None:
    position = Position().after("N1b2-1c4").after("P2a3-2a4")
    values = {
        Player("p", OneLayer.initial(), search=search.full_width()).search(position, depth=3).value
        for search in (
            PLAIN,
            SearchSettings(quiescence=False, table_mb=0, killers=0, history=False),
            SearchSettings(quiescence=False, pvs=False, aspiration=False),
            SearchSettings(quiescence=False, threads=2, grain=1),
        )
    }
    assert len(values) == 1


def test_from_scratch_finds_the_same_with_as_many_nodes() -> None:
    whole = OneLayer.initial().extended(attack="plain", piece_square=True)
    weights = np.random.default_rng(1).uniform(-0.05, 0.05, whole.weights.size)
    carried = whole.with_weights(weights)
    anew = OneLayer(carried.arrays(), cumulative=False)
    one, other = (
        Player("p", evaluator, search=PLAIN).search(Position(), depth=3)
        for evaluator in (carried, anew)
    )
    assert (one.move, one.value, one.nodes) == (other.move, other.value, other.nodes)


def test_few_pieces_are_searched_deeper(player: Player) -> None:
    few = Position.from_text("4; 1:K1a1; 2:K2a1; 3:K4a1; 4:K5a1; turn 1")
    player.limits = SearchLimits(depth=1, floors=((20, 2), (8, 3)))
    assert player.search(few).depth == 3
    assert player.search(Position()).depth == 1


def walk(position: Position, plies: int) -> list[Position]:
    """Let kings step there and back: the positions of a game without a capture, that one first."""
    steps = ["K1a1-1a2", "K2e1-2e2", "K4a1-4a2", "K5e1-5e2"]
    steps += [f"{step[0]}{step[5:]}-{step[1:4]}" for step in steps]
    positions = [position]
    for ply in range(plies):
        positions.append(positions[-1].after(steps[ply % len(steps)]))
    return positions


def test_quiet_plies_of_the_game_count(player: Player) -> None:
    def value(start: str, plies: int, depth: int) -> float:
        *history, position = walk(Position.from_text(start), plies)
        return player.search(position, depth=depth, history=history).value

    # At 199 any move draws that captures nothing, one ply before it draws with the next one.
    assert [value(QUEEN, plies, depth=1) == 0 for plies in (100, 197, 198, 199)] == [
        False,
        False,
        False,
        True,
    ]
    assert [value(QUEEN, plies, depth=2) == 0 for plies in (197, 198, 199)] == [False, True, True]
    assert value(QUEEN.replace("K4a1", "K4a1 N5c4"), 199, depth=1) > 0


def test_in_the_game_before_a_search_players_take_turns(player: Player) -> None:
    first, _, third, last = walk(Position.from_text(QUEEN), 3)
    with pytest.raises(ValueError, match="the players take turns"):
        player.search(last, depth=1, history=[first, third])


def test_random_player_plays_either_game() -> None:
    random = RandomPlayer(seed=1, game="duchess")
    assert random.choose(Position()) in Position().legal_moves
    assert random.choose(Position.from_text(MATED)) == Move("pass")


def test_players_keep_to_their_game(player: Player) -> None:
    with pytest.raises(ValueError, match="first plays duchess, not the game of Position"):
        player.choose(draughts.Position())  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="plays draughts"):
        Player("material").choose(Position())
    with pytest.raises(ValueError, match="the game is draughts, not 'duchess'"):
        Player("material", Material(), game="duchess")
    with pytest.raises(ValueError, match="the game is draughts or duchess, not 'chess'"):
        Player("nobody", game="chess")


def test_a_function_may_judge() -> None:
    def wizards(position: Position) -> float:
        own = position.turn % 2
        return sum(
            (1 if seat % 2 == own else -1) * "".join(position.pieces(seat)).count("W")
            for seat in range(1, 5)
        )

    player = Player("wizards", wizards, game="duchess", search=PLAIN)
    position = Position.from_text("4; 1:K1a1 R1c1; 2:K2a1 W1c3; 3:K4a1; 4:K5a1; turn 1")
    assert str(player.choose(position, depth=1)) == "R1c1x1c3"


def test_folder_keeps_a_player(tmp_path: Path, player: Player) -> None:
    whole = OneLayer.initial().extended(attack="modes", piece_square=True)
    weights = np.random.default_rng(2).uniform(-0.05, 0.05, whole.weights.size)
    limits = SearchLimits(depth=5, floors=((20, 7), (8, 9)))
    kept = Player("kept", whole.with_weights(weights), search=PLAIN, limits=limits)
    kept.save(tmp_path / "kept")
    loaded = load_player(tmp_path / "kept")
    assert (loaded.game, loaded.limits, loaded.settings) == (GAMES["duchess"], limits, PLAIN)
    assert loaded.evaluator == kept.evaluator


def test_folder_of_another_game_is_refused(tmp_path: Path) -> None:
    Player("kept", OneLayer.initial()).save(tmp_path / "kept")
    description = tmp_path / "kept" / "player.toml"
    description.write_text(description.read_text().replace('"duchess"', '"draughts"'))
    with pytest.raises(ValueError, match="the game is duchess, not 'draughts'"):
        load_player(tmp_path / "kept")


@pytest.mark.parametrize(
    "name", ["duchess-0", "duchess-1", "duchess-2", "duchess-3", "duchess-six-0", "duchess-six"]
)
def test_shipped_players_play(name: str) -> None:
    player = load_player(name)
    position = Position(6 if "six" in name else 4)
    assert player.choose(position, depth=1) in position.legal_moves


@pytest.mark.parametrize("players", [4, 6])
def test_core_plays_whole_games(players: int) -> None:
    chooser = Player("p", OneLayer.initial(players), search=PLAIN).chooser(SearchLimits(depth=1))
    games = core.play_games(
        chooser, core.Chooser.random(), openings=[(Position(players), [])] * 2, seeds=[1, 2]
    )
    for game in games:
        assert game.ending == ("quiet" if game.winner is None else "mate")
        winner = {0: "odd", 1: "even", None: None}[game.winner]
        assert game.last.winner == winner
    assert games == core.play_games(
        chooser, core.Chooser.random(), openings=[(Position(players), [])] * 2, seeds=[1, 2]
    )


def test_phases_have_weights_of_their_own(tmp_path: Path) -> None:
    late = OneLayer.initial().extended(attack="plain")
    player = Player("phased", OneLayer.initial(), phases=[(When(most_pieces=19), late)])
    few = Position.from_text(MATED)
    assert player.engine_for(few) is not player.engine
    assert player.engine_for(Position()) is player.engine
    player.save(tmp_path / "phased")
    assert load_player(tmp_path / "phased").phases == player.phases
