"""What a player finds: fields of a result, best moves, history, trace, and the same again."""

from __future__ import annotations

import os
from itertools import pairwise
from random import Random

import pytest

import crossboard
from crossboard._core import draughts as core
from crossboard.draughts import DrawRules, Move, Position
from crossboard.evaluators import Material, Network, OneLayer, feature_mapping
from crossboard.players import (
    Player,
    RandomPlayer,
    SearchLimits,
    SearchResult,
    SearchSettings,
    When,
    load_player,
)
from crossboard.players.player import WrongGame

NO_DRAWS = DrawRules(repetitions=0, quiet_plies=0)
SMALL = SearchSettings(table_mb=1)
NO_TABLE = SearchSettings(table_mb=0, draws=NO_DRAWS)
# White takes 18 and has won: Black has nothing left.
WON = Position.from_fen("W:W22:B18")


@pytest.fixture
def player() -> Player:
    return Player("material", search=SMALL)


def positions(count: int, seed: int) -> list[Position]:
    """Return positions of random games in which there is something to choose."""
    random, found = Random(seed), []
    while len(found) < count:
        position = Position()
        for _ in range(random.randrange(60)):
            if not position.is_over:
                position = position.after(random.choice(list(position.legal_moves)))
        if len(position.legal_moves) > 1:
            found.append(position)
    return found


def men(position: Position) -> float:
    """Count material as the player does, a king as a man and a half."""
    worth = {"b": 1.0, "B": 1.5, "w": -1.0, "W": -1.5, None: 0.0}
    black = sum(worth[position.piece_at(square)] for square in range(1, 33))
    return black if position.turn == "B" else -black


def minimax(position: Position, depth: int) -> float:
    """Value in men by the plain definition; a win is 100 wherever it is."""
    if position.is_over:
        return -100.0
    if depth <= 0 and not position.has_capture:
        return men(position)
    return max(-minimax(position.after(move), depth - 1) for move in position.legal_moves)


def check_playable(position: Position, result: SearchResult) -> None:
    for line in result.lines:
        assert line.pv[0] == line.move
        end = position
        for move in line.pv:
            assert move in end.legal_moves
            end = end.after(move)


# ---- a result


def test_result_of_a_search(player: Player):
    result = player.search(Position(), depth=6)
    assert result.move in Position().legal_moves
    assert result.move == result.pv[0] == result.lines[0].move
    assert result.depth == 6
    assert result.selective_depth >= 6
    assert result.nodes > 6
    assert 0 < result.seconds < 30
    assert result.win_in is None
    assert result.stopped is False
    assert len(result.lines) == 1
    assert result.trace == []
    check_playable(Position(), result)


def test_value_is_in_men_for_the_side_to_move():
    player = Player("material", search=NO_TABLE)
    for position in positions(25, seed=1):
        result = player.search(position, depth=3)
        assert result.value == minimax(position, 3), position.fen
        assert isinstance(result.value, float)


def test_mirrored_position_has_the_same_value():
    player = Player("material", search=NO_TABLE)
    for position in positions(25, seed=2):
        there = player.search(position, depth=5)
        back = player.search(position.mirrored, depth=5)
        assert (there.value, there.win_in) == (back.value, back.win_in), position.fen


def test_win_is_told_in_plies(player: Player):
    result = player.search(WON, depth=5)
    assert (result.win_in, result.value) == (1, 100.0)
    assert [str(move) for move in result.pv] == ["22x15"]
    lost = player.search(Position.from_fen("B:W14:B5"), depth=5)
    assert (lost.win_in, lost.value) == (-2, -100.0)


def test_settings_do_not_change_the_value():
    for position in positions(15, seed=3):
        values = {
            Player("x", search=settings.full_width()).search(position, depth=5).value
            for settings in (
                SearchSettings(algorithm="minimax", draws=NO_DRAWS),
                NO_TABLE,
                SearchSettings(table_mb=0, pvs=False, killers=0, draws=NO_DRAWS),
                SearchSettings(table_mb=0, deepening=False, history=False, draws=NO_DRAWS),
                SearchSettings(table_mb=0, aspiration=False, draws=NO_DRAWS),
                SearchSettings(table_mb=1, exact_depth_hits=True, draws=NO_DRAWS),
                SearchSettings(table_mb=1, order_only=True, draws=NO_DRAWS),
                SearchSettings(table_mb=0, threads=3, grain=2, draws=NO_DRAWS),
            )
        }
        assert len(values) == 1, position.fen


def test_table_that_only_orders_believes_no_deeper_search():
    orders = SearchSettings(table_mb=1, order_only=True)
    (position,) = positions(1, seed=9)
    player = Player("x", search=orders)
    deep = player.search(position, depth=9)
    again = player.search(position, depth=9)
    # What the first search left shortens the second, but does not spare it.
    assert deep.value == again.value
    assert deep.nodes / 4 < again.nodes < deep.nodes
    believer = Player("x", search=SearchSettings(table_mb=1))
    believer.search(position, depth=9)
    assert believer.search(position, depth=9).nodes < again.nodes / 2


def test_without_quiescence_a_leaf_is_judged_at_once():
    # 11-15 offers a man: one ply deep that looks like nothing.
    position = Position.from_fen("B:W19,24:B11,12")
    settings = SearchSettings(table_mb=0, quiescence=False)
    assert Player("x", search=settings).search(position, depth=1).value == 0
    for move in position.legal_moves:
        assert men(position.after(move)) == 0


def test_choose_gives_the_move_of_search(player: Player):
    for position in positions(10, seed=4):
        player.clear()
        move = player.choose(position, depth=4)
        player.clear()
        assert move == player.search(position, depth=4).move


def test_shipped_player():
    player = load_player("material", search=SMALL)
    assert player.name == "material"
    assert repr(player) == "<Player material>"
    assert crossboard.load_player is load_player
    assert player.search(Position(), depth=3).depth == 3
    with pytest.raises(
        ValueError,
        match="there is no player 'strongest': there are champion, draft5, draft5-1997, draft5-ga",
    ):
        load_player("strongest")


def test_history_may_end_with_the_present_position_but_must_be_in_order():
    position, history = Position.from_fen("W:WK16:BK9,K24"), []
    for move in ("16-12", "9-13", "12-16", "13-9"):
        history.append(position)
        position = position.after(move)
    player = Player("x", search=SMALL)
    value = player.search(position, depth=9, history=history).value
    assert value != player.search(position, depth=9).value
    assert player.search(position, depth=9, history=[*history, position]).value == value
    with pytest.raises(ValueError, match="the players take turns"):
        player.search(position, depth=9, history=history[::2])


def test_player_searches_one_position_at_a_time():
    def judge(position: Position) -> float:
        player.search(position, depth=1)
        return 0.0

    player = Player("x", judge, search=SMALL)
    with pytest.raises(ValueError, match="the engine is searching already"):
        player.search(Position(), depth=2)
    with pytest.raises(ValueError, match="the engine is searching already"):
        player.search(Position(), depth=2)


# ---- the n best moves


def test_best_moves_are_sorted_and_distinct(player: Player):
    for position in positions(25, seed=5):
        result = player.search(position, depth=5, multipv=4)
        values = [line.value for line in result.lines]
        assert len(result.lines) == min(4, len(position.legal_moves)), position.fen
        assert all(first >= second for first, second in pairwise(values)), position.fen
        assert len({line.move for line in result.lines}) == len(result.lines)
        assert result.lines[0][:3] == (result.move, result.value, result.win_in)
        check_playable(position, result)


def test_best_moves_have_their_own_values():
    player = Player("material", search=NO_TABLE)
    for position in positions(8, seed=6):
        result = player.search(position, depth=3, multipv=100)
        values = [-minimax(position.after(line.move), 2) for line in result.lines]
        assert [line.value for line in result.lines] == values, position.fen
        assert {line.move for line in result.lines} <= set(position.legal_moves)


def test_best_moves_do_not_spoil_later_searches():
    settings = SearchSettings(table_mb=1, deepening=False, exact_depth_hits=True, draws=NO_DRAWS)
    position = Position.from_fen("B:W11,14,23,24,26,27,29,31,32:B3,4,5,6,8,12,16")
    after = Position.from_fen("W:W14,23,24,26,27,29,31,32:B3,4,5,6,12,15,16")
    player = Player("material", search=settings)
    player.search(after, depth=5, multipv=3)
    fresh = Player("material", search=settings)
    assert player.search(position, depth=6).value == fresh.search(position, depth=6).value


# ---- the game so far


def shuffled() -> list[Position]:
    """White, two kings up, has stepped out and back; Black can do so too."""
    game = [Position.from_fen("W:WK1,K2,K29:BK4")]
    for move in ("29-25", "4-8", "25-29"):
        game.append(game[-1].after(move))
    return game


def test_repeating_a_position_of_the_game_is_a_draw(player: Player):
    *history, now = shuffled()
    assert player.search(now, depth=1).value == -3.0
    player.clear()
    result = player.search(now, depth=1, history=history)
    assert (result.value, str(result.move)) == (0.0, "8-4")


def test_history_before_a_capture_does_not_matter(player: Player):
    *history, now = shuffled()
    before = Position.from_fen("W:WK1,K2,K29:BK4,12")
    assert player.search(now, depth=1, history=[before, *history]).value == 0.0


def test_draw_rules_can_be_switched_off():
    *history, now = shuffled()
    player = Player("material", search=NO_TABLE)
    assert player.search(now, depth=1, history=history).value == -3.0


def test_draw_by_quiet_plies():
    *history, now = shuffled()
    rules = DrawRules(repetitions=0, quiet_plies=4)
    player = Player("material", search=SearchSettings(table_mb=0, draws=rules))
    assert player.search(now, depth=1, history=history).value == 0.0
    assert player.search(now, depth=1, history=history[1:]).value == -3.0


def test_draws_of_one_game_are_not_those_of_the_next():
    fens = (
        "B:WK29:BK20,K24,K26",
        "W:WK29:BK20,K24,K31",
        "B:WK25:BK20,K24,K31",
        "W:WK25:BK20,K24,K26",
    )
    *history, now = map(Position.from_fen, fens)
    settings = SearchSettings(table_mb=1, deepening=False, exact_depth_hits=True)
    player = Player("material", search=settings)
    player.search(now, depth=6, history=history)
    other = player.search(history[-1], depth=7)
    fresh = Player("material", search=settings).search(history[-1], depth=7)
    assert (other.value, other.win_in) == (fresh.value, fresh.win_in)


# ---- trace, and the same again


def test_trace_tells_finished_nodes():
    player = Player("material", search=NO_TABLE)
    result = player.search(Position(), depth=4, trace=True)
    assert result.trace[-1] == (Position(), result.value, "exact", 4, 0)
    assert {bound for _, _, bound, _, _ in result.trace} <= {"exact", "lower", "upper"}
    for position, value, bound, depth, ply in result.trace:
        assert 1 <= depth <= 4 - ply
        true = minimax(position, depth)
        assert {"exact": value == true, "lower": value <= true, "upper": value >= true}[bound]


def test_same_search_has_the_same_nodes():
    for position in positions(5, seed=7):
        counts = set()
        player = Player("material", search=SMALL)
        for _ in range(3):
            fresh = Player("material", search=SMALL)
            counts |= {r.search(position, depth=7).nodes for r in (fresh, player)}
            player.clear()
        assert len(counts) == 1, position.fen


def test_every_depth_is_told(player: Player) -> None:
    told: list[SearchResult] = []
    result = player.search(Position(), depth=6, on_depth=told.append)
    assert [each.depth for each in told] == [1, 2, 3, 4, 5, 6]
    assert (told[-1].move, told[-1].pv, told[-1].nodes) == (result.move, result.pv, result.nodes)


def test_who_listens_may_end_a_search_by_an_error(player: Player) -> None:
    def fail(_: SearchResult) -> None:
        raise KeyError("enough")

    with pytest.raises(KeyError, match="enough"):
        player.search(Position(), depth=6, on_depth=fail)


def test_a_tie_seed_draws_among_equally_good_moves():
    engine = Player("even", lambda position: 0.0, search=SearchSettings(table_mb=0)).engine

    def chosen(seed):
        return str(engine.search(Position(), depth=2, tie_seed=seed).best[0].move)

    assert {chosen(seed) for seed in range(60)} == set(map(str, Position().legal_moves))
    assert [chosen(7) for _ in range(3)] == [chosen(7)] * 3
    assert {chosen(None) for _ in range(3)} == {str(Position().legal_moves[0])}


def test_a_tie_seed_never_draws_a_worse_move():
    # Of White's captures one wins two men, the others one.
    position = Position.from_fen("W:W22,27:B18,10,23")
    engine = Player("material", search=SearchSettings(table_mb=0)).engine
    best = engine.search(position, depth=4).best[0]
    answers = [engine.search(position, depth=4, tie_seed=seed).best[0] for seed in range(30)]
    assert {answer.value for answer in answers} == {best.value}


def test_other_settings_leave_the_rest_of_a_player_as_it_is():
    own = Player("own", search=SMALL, limits=SearchLimits(depth=3), about={"made_by": "hand"})
    other = own.with_settings(NO_TABLE)
    assert (other.settings, own.settings) == (NO_TABLE, SMALL)
    assert (other.name, other.evaluator) == (own.name, own.evaluator)
    assert (other.limits, other.about) == (own.limits, own.about)


def test_the_scale_of_values_is_that_of_the_evaluator_that_plays():
    network = Network.initial(feature_mapping("lynch"), 2, seed=1)
    phases = [(When(most_pieces=4), network)]
    player = Player("two", lambda position: 0.5, phases=phases, search=NO_TABLE)
    assert player.scale_for(Position()).unit == "men"
    assert player.scale_for(WON).unit == "-1 to 1"


def test_a_win_counts_a_hundred_men_or_all_that_a_network_can_say():
    network = Network.initial(feature_mapping("lynch"), 2, seed=1)
    phases = [(When(most_pieces=4), network)]
    player = Player("two", phases=phases, search=NO_TABLE)
    assert player.value_of_win(Position()) == 100
    assert player.value_of_win(WON) == 1
    assert player.search(WON, depth=2).value == 1


# ---- memory


def resident_mb() -> int:
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") >> 20


needs_proc = pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="needs /proc")


@needs_proc
@pytest.mark.parametrize("is_shared", [False, True])
def test_agents_share_one_table_which_is_made_when_they_search(is_shared: bool):
    one = Material()
    phases = [
        (When(least_pieces=n, most_pieces=n), one if is_shared else Material()) for n in range(16)
    ]
    before = resident_mb()
    player = Player("cast", one, phases=phases, search=SearchSettings(table_mb=64))
    assert resident_mb() - before < 16
    for position in positions(200, seed=8):
        player.search(position, depth=1)
    assert resident_mb() - before < 64 + 32
    choosers = [player.chooser(SearchLimits(seconds=10.0)) for _ in range(2)]
    assert resident_mb() - before < 3 * 64 + 48
    assert choosers


def test_an_evaluator_with_several_phases_is_one_agent():
    one, other = Material(), Material()
    phases = [(When(most_pieces=4), other), (When(most_pieces=8), one), (When(), other)]
    player = Player("two", one, phases=phases, search=SMALL)
    few, some = WON, Position.from_fen("B:W21-24:B1,2")
    assert player.engine_for(few) is player.engine_for(Position())
    assert player.engine_for(some) is player.engine
    assert player.engine is not player.engine_for(few)


def test_a_chooser_with_several_phases_is_told_once_of_a_game():
    begun = []

    class First:
        def begin_game(self, seed: int) -> None:
            begun.append(seed)

        def choose(self, position: Position, history: list[Position]) -> Move:
            return position.legal_moves[0]

    one = core.Chooser.python(First())
    selector = core.PhaseSelector([(core.Phase(most_pieces=12), 0), (core.Phase(), 0)])
    phased = core.Chooser.selecting(selector, [one])
    core.play_games(phased, core.Chooser.random(), openings=[(Position(), [])], seeds=[1])
    assert len(begun) == 1


def test_a_table_larger_than_the_machine_is_refused_at_once():
    with pytest.raises(ValueError, match="table_mb: a table of 99999999 MB does not fit into a"):
        Player("x", search=SearchSettings(table_mb=99_999_999))


def test_a_phase_of_another_game_is_refused() -> None:
    with pytest.raises(WrongGame, match="the game is duchess, not 'draughts'"):
        Player("mixed", Material(), phases=[(When(), OneLayer.initial())])


def test_a_player_that_draws_its_moves_plays_with_any_number() -> None:
    assert RandomPlayer(game="duchess").seats is None
    assert RandomPlayer(game="duchess").players == 4
    assert Player("six", OneLayer.initial(6)).seats == 6
    assert Player("material").seats is None
