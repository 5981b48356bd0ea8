"""Matches: games depend on players, opening and seed alone, and results mean what they say."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest

from crossboard._core import Forfeit
from crossboard._core import draughts as core
from crossboard._core.draughts import Chooser
from crossboard.arena.games import Batch, record_of
from crossboard.arena.halt import Halt
from crossboard.arena.match import MatchResult, Terms, play_match
from crossboard.arena.openings import Opening, Openings, openings
from crossboard.arena.sprt import Sprt
from crossboard.draughts import DrawRules, Move, Position, parse_pdn
from crossboard.players import Player, RandomPlayer, SearchLimits, SearchSettings, load_player

DEPTH_2 = SearchLimits(depth=2)


def terms(pairs: int = 10, **changes: object) -> Terms:
    plain = Terms(pairs=pairs, openings=openings("ballots", 1), limits=DEPTH_2)
    return replace(plain, **changes)  # type: ignore[arg-type]


def play(one: Player, other: Player, agreed: Terms, workers: int = 1) -> MatchResult:
    with ThreadPoolExecutor(workers) as pool:
        return play_match(one, other, agreed, pool, workers=workers)


def records(result: MatchResult) -> list[str]:
    return [record_of(game, "a", "b", {}).pdn for game in result.games]


def figures(result: MatchResult) -> dict[str, object]:
    return {name: value for name, value in result.as_json().items() if name != "seconds"}


# ---- what games depend on


@pytest.mark.parametrize("limits", [DEPTH_2, SearchLimits(depth=5), SearchLimits(nodes=500)])
def test_a_player_against_itself_scores_half_pair_by_pair(limits: SearchLimits):
    player = load_player("draft5")
    result = play(player, load_player("draft5"), terms(12, limits=limits))
    assert {sum(pair.points) for pair in result.pairs} == {1.0}
    assert all(pair.games[0] == pair.games[1] for pair in result.pairs)
    assert result.score.score == 0.5


@pytest.mark.parametrize("names", [("draft5", "material"), ("random", "draft5")])
def test_workers_do_not_matter(names: tuple[str, str]):
    one, other = map(load_player, names)
    alone, together = (play(one, other, terms(30, seed=5), workers) for workers in (1, 2))
    assert records(alone) == records(together)
    assert figures(alone) == figures(together)


@pytest.mark.parametrize("first", [1, 17, 30])
def test_a_match_that_goes_on_plays_the_same_pairs(first: int):
    one, other = map(load_player, ("random", "draft5"))
    whole = play(one, other, terms(30, seed=5))
    rest = play(one, other, terms(30, seed=5, first=first), workers=2)
    assert records(rest) == records(whole)[2 * first :]


def test_a_sequential_test_is_not_gone_on_with():
    with pytest.raises(ValueError, match="needs all pairs"):
        terms(30, first=1, sprt=Sprt(0, 10))


def at_depth(name: str, depth: int) -> Player:
    return Player(name, load_player(name).evaluator, limits=SearchLimits(depth=depth))


def test_players_keep_their_own_limits_where_the_terms_have_none():
    deep, shallow = at_depth("draft5", 4), at_depth("material", 2)
    own = play(deep, shallow, terms(4, limits=None))
    assert records(own) != records(play(deep, shallow, terms(4)))
    assert records(own) != records(play(deep, shallow, terms(4, limits=SearchLimits(depth=4))))
    both = play(at_depth("draft5", 2), shallow, terms(4, limits=None))
    assert records(both) == records(play(deep, shallow, terms(4)))


def test_the_seed_decides_random_games():
    one, other = RandomPlayer("a"), RandomPlayer("b")
    first, same, another = (play(one, other, terms(5, seed=seed)) for seed in (1, 1, 2))
    assert records(first) == records(same)
    assert records(first) != records(another)


def test_nothing_is_carried_over_between_games():
    ballots = openings("ballots", 1).listed
    line = [ballots[0], *ballots[20:26], ballots[0]]
    player = Player("p", load_player("draft5").evaluator, search=SearchSettings(table_mb=4))
    limits = SearchLimits(depth=6)  # deep enough for a table
    batch = Batch(player, load_player("material"), line, [7] * len(line), limits, DrawRules())
    pairs = batch.play()
    assert pairs[0].games == pairs[-1].games
    assert pairs[0].games != pairs[1].games


@pytest.mark.parametrize("names", [("draft5", "material"), ("random", "draft5")])
def test_a_batch_is_one_call_of_the_core(names: tuple[str, str], monkeypatch: pytest.MonkeyPatch):
    one, other = map(load_player, names)
    chosen = openings("ballots", 1).take(0, 6)
    batch = Batch(one, other, chosen, range(6), DEPTH_2, DrawRules())
    # As if the games were asked for one by one.
    choosers = one.chooser(DEPTH_2), other.chooser(DEPTH_2)
    expected = [
        tuple(
            core.play_games(
                first, second, openings=[(opening.start, list(opening.moves))], seeds=[seed]
            )[0]
            for first, second in (choosers, choosers[::-1])
        )
        for seed, opening in enumerate(chosen)
    ]
    calls = []

    def counted(*given: Any, **named: Any) -> Any:
        calls.append(given)
        return play_pairs(*given, **named)

    play_pairs = core.play_pairs
    monkeypatch.setattr(core, "play_pairs", counted)
    assert [pair.games for pair in batch.play()] == expected
    assert len(calls) == 1


def test_a_halt_leaves_the_pairs_of_a_batch_that_are_whole():
    class Halting(Quitter):
        begun = 0

        def begin_game(self, seed: int) -> None:
            self.begun += 1
            if self.begun == 6:  # the second game of the third pair
                halt.set()

    halt, halting = Halt(), Halting("quitter")
    batch = Batch(
        halting, load_player("material"), openings().take(0, 5), range(5), DEPTH_2, DrawRules()
    )
    pairs = batch.play(halt)
    assert len(pairs) == 2
    assert [pair.opening for pair in pairs] == list(batch.openings[:2])


def test_sizes_of_batches_do_not_matter(monkeypatch: pytest.MonkeyPatch):
    one, other = load_player("random"), load_player("material")
    usual = play(one, other, terms(20))
    monkeypatch.setattr("crossboard.arena.schedule.BATCH_SECONDS", 0.0)
    assert records(play(one, other, terms(20))) == records(usual)


# ---- what comes out


@pytest.mark.parametrize("workers", [1, 2, 4])
def test_a_sequential_test_stops_at_the_same_pair(workers: int):
    agreed = terms(400, sprt=Sprt(0, 50))
    result = play(load_player("material"), load_player("random"), agreed, workers)
    seen = Sprt(0, 50)
    for pair in result.pairs[:-1]:
        seen = seen.after(sum(pair.points))
        assert seen.decision == "go on"
    assert seen.after(sum(result.pairs[-1].points)).decision == "elo1"
    assert 2 < len(result.pairs) < 400
    assert result.as_json()["sprt"]["decision"] == "elo1"


def kings(fen: str) -> Openings:
    return Openings([Opening("kings", Position.from_fen(fen))])


def test_loops_are_counted_with_their_material():
    player = load_player("material")
    level = play(player, player, terms(1, openings=kings("B:WK32:BK1"))).as_json()
    assert (level["draws"], level["loops"], level["loops_unequal"]) == (2, 2, 0)
    uneven = play(player, player, terms(1, openings=kings("B:WK32:BK1,K2"))).as_json()
    assert uneven["loops_unequal"] == uneven["loops"] <= uneven["draws"]
    assert uneven["loops"] == uneven["endings"].get("repetition", 0)


class Shuttle(Player):
    """Takes its moves back as long as it can."""

    def chooser(self, limits: SearchLimits | None = None) -> Chooser:
        return Chooser.python(self)

    def begin_game(self, seed: int) -> None:
        self.last: Move | None = None

    def choose(self, position: Position, history: list[Position]) -> Move:  # type: ignore[override]
        back = [m for m in position.legal_moves if self.last and str(m) == _back(self.last)]
        self.last = (back or list(position.legal_moves))[0]
        return self.last


def _back(move: Move) -> str:
    return "-".join(reversed(str(move).split("-")))


def test_the_loop_rule_ends_games_that_repetition_does_not():
    rules = DrawRules(repetitions=0, quiet_plies=0, loop_moves=5)
    one, other = Shuttle("one"), Shuttle("other")
    told = play(one, other, terms(1, openings=kings("B:WK29:BK1,K4"), rules=rules)).as_json()
    assert told["endings"] == {"loop": 2}
    assert (told["loops"], told["loops_unequal"]) == (2, 2)
    assert told["average_plies"] == 21


class Quitter(Player):
    """Gives up, or plays what is illegal."""

    def chooser(self, limits: SearchLimits | None = None) -> Chooser:
        return Chooser.python(self)

    def begin_game(self, seed: int) -> None:
        pass

    def choose(self, position: Position, history: list[Position]) -> Move:  # type: ignore[override]
        if self.name == "quitter":
            raise Forfeit("the engine has died")
        return Move("6-1") if self.name == "cheat" else 1 / 0


@pytest.mark.parametrize(
    ("name", "reason"), [("quitter", "the engine has died"), ("cheat", "played 6-1, which is il")]
)
def test_a_forfeit_loses_the_game_and_the_match_goes_on(name: str, reason: str):
    result = play(Quitter(name), load_player("material"), terms(3))
    told = result.as_json()
    assert (told["losses"], told["games"]) == (6, 6)
    assert all(game.reason.startswith(reason) for game in result.games)
    assert reason in records(result)[0]


def test_of_two_who_forfeit_each_is_named():
    told = play(Quitter("quitter"), Quitter("cheat"), terms(3)).as_json()
    assert (told["wins"], told["losses"]) == (3, 3)
    assert told["reasons"].pop("quitter: the engine has died") == 3
    assert sum(told["reasons"].values()) == 3
    assert all(reason.startswith("cheat: played 6-1") for reason in told["reasons"])


def test_other_errors_of_python_choosers_are_not_hidden():
    with pytest.raises(ZeroDivisionError):
        play(Quitter("bug"), load_player("material"), terms(3))


def test_distinct_games_unmask_openings_that_come_again():
    player = load_player("material")
    told = play(player, player, terms(4)).as_json()
    assert told["games"] == 8
    assert told["distinct_games"] == 4  # with itself the second game of a pair is the first


def test_colours_and_seats_add_up():
    told = play(load_player("material"), load_player("random"), terms(20)).as_json()
    for name in ("wins", "draws", "losses"):
        assert told["as_black"][name] + told["as_white"][name] == told[name]
        assert told["moving_first"][name] + told["moving_second"][name] == told[name]
    assert sum(told["pentanomial"]) == 20
    assert sum(told["endings"].values()) == told["games"] == 40
    assert told["score"] > 0.8


def test_points_belong_to_the_first_player_in_both_seats():
    strong, weak = load_player("material"), load_player("random")
    ahead, behind = play(strong, weak, terms(10)), play(weak, strong, terms(10))
    assert ahead.score.score > 0.8
    assert behind.score.score < 0.2


def test_a_set_halt_ends_a_match_with_what_was_played():
    stop, seen = Halt(), []

    def see(result: MatchResult) -> None:
        seen.append(len(result.pairs))
        if len(seen) == 3:
            stop.set()

    player = load_player("material")
    agreed = terms(5000, limits=SearchLimits(depth=4))
    with ThreadPoolExecutor(2) as pool:
        result = play_match(player, player, agreed, pool, workers=2, stop=stop, on_pair=see)
    assert 3 <= len(result.pairs) < 5000
    assert all(len(pair.games) == 2 for pair in result.pairs)
    whole = play(player, player, replace(agreed, pairs=len(result.pairs)))
    assert records(result) == records(whole)


class Vanishing(Executor):
    """Does some pieces of work; whoever had the others is gone and never answers."""

    def __init__(self, answered: int) -> None:
        self._left = answered

    def submit(self, function: Callable[..., Any], /, *given: Any, **named: Any) -> Future[Any]:
        future: Future[Any] = Future()
        if self._left > 0:
            self._left -= 1
            future.set_result(function(*given, **named))
        return future


def test_a_halt_ends_a_match_whose_workers_have_gone(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("crossboard.arena.schedule.LAST_SECONDS", 0.2)
    player, stop = load_player("material"), Halt()
    result = MatchResult(player.name, player.name)

    def play_on() -> None:
        play_match(player, player, terms(100), Vanishing(2), stop=stop, into=result)

    match = threading.Thread(target=play_on, daemon=True)
    match.start()
    match.join(1.0)
    assert match.is_alive()
    stop.set()
    match.join(60.0)
    assert not match.is_alive()
    assert 0 < len(result.pairs) < 100
    assert records(result) == records(play(player, player, terms(len(result.pairs))))


# ---- records


def test_records_are_read_back():
    result = play(load_player("random"), load_player("draft5"), terms(10))
    for game in result.games:
        (record,) = parse_pdn(record_of(game, "one", "other", {"Event": "x"}).pdn)
        assert not record.errors
        assert list(record.moves) == game.moves
        assert {record.tags["Black"], record.tags["White"]} == {"one", "other"}
        black = {None: "1/2-1/2", 0: "1-0", 1: "0-1"}[game.winner]
        assert record.tags["Result"] == record.result == black
        assert record.tags["Black"] == "one"


def test_records_from_positions_name_the_colours():
    agreed = terms(1, openings=kings("W:W18:B14"))
    result = play(load_player("material"), load_player("material"), agreed)
    (record,) = parse_pdn(record_of(next(result.games), "one", "other", {}).pdn)
    assert record.start.fen == Position.from_fen("W:W18:B14").fen
    assert record.tags["White"] == "one"
    assert record.result == "0-1"  # White, who moved first here, wins


def test_other_programs_read_our_records():
    pydraughts = pytest.importorskip("draughts")
    from draughts.PDN import PDNReader

    result = play(load_player("random"), load_player("material"), terms(5))
    games = PDNReader(pdn_text="\n".join(records(result))).games
    assert len(games) == 10
    for ours, theirs in zip(result.games, games, strict=True):
        assert len(theirs.moves) == len(ours.moves)
        board = pydraughts.Board("english")
        for move in theirs.moves:
            board.push(pydraughts.Move(board, pdn_move=move))
        assert board.fen.split(":")[0].strip('"')[-1] == ours.last.turn
