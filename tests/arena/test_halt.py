"""Halts: games end at the next move, wherever they are played, and no others do."""

from __future__ import annotations

import pickle
import threading
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from multiprocessing import get_context

from crossboard.arena.games import Batch
from crossboard.arena.halt import Halt, set_halt
from crossboard.arena.match import Terms, play_match
from crossboard.arena.openings import openings
from crossboard.arena.sprt import Sprt
from crossboard.arena.tournament import play_tournament
from crossboard.draughts import DrawRules
from crossboard.players import Player, SearchLimits, load_player

# Far more than anybody waits for.
ENDLESS = SearchLimits(nodes=10**12)


def long_batch() -> Batch:
    one = load_player("material")
    return Batch(one, one, openings().take(0, 2), [1, 2], ENDLESS, DrawRules())


def test_a_halt_arrives_under_its_name():
    halt = Halt()
    assert pickle.loads(pickle.dumps(halt)) is halt
    copy = pickle.dumps(halt)
    name = halt.name
    del halt
    arrived = pickle.loads(copy)
    assert (arrived.name, arrived.is_set) == (name, False)
    set_halt(name)
    assert arrived.is_set


def test_games_that_arrive_after_the_word_to_end_do_not_begin():
    # As in a process that is told while the batch is still on its way there.
    outer = Halt()
    copies = [pickle.dumps(outer), pickle.dumps(outer.inner())]
    name = outer.name
    del outer
    set_halt(name)
    assert all(pickle.loads(copy).is_set for copy in copies)
    assert long_batch().play(Halt(f"{name}.another")) == []
    assert not Halt(f"{name}er").is_set


def test_an_outer_halt_sets_inner_ones_and_no_others():
    outer, other = Halt(), Halt()
    inner, second = outer.inner(), outer.inner()
    inner.set()
    assert (inner.is_set, second.is_set, outer.is_set) == (True, False, False)
    outer.set()
    assert (second.is_set, outer.is_set, other.is_set) == (True, True, False)
    assert outer.inner().is_set


def test_setting_is_told_everywhere():
    told = []
    outer = Halt(everywhere=told.append)
    inner = outer.inner()
    inner.set()
    assert len(told) == 1
    told[0]()  # in another process it would end the games there
    assert not outer.is_set


def test_a_batch_ends_in_the_middle_of_a_search():
    halt = Halt()
    with ThreadPoolExecutor(1) as pool:
        played = pool.submit(long_batch().play, halt)
        time.sleep(0.1)
        halt.set()
        assert played.result(timeout=300) == []


def test_players_are_stopped_while_their_games_are_played():
    stopped = []

    class Engine(Player):
        def stop(self) -> None:
            stopped.append(self.name)

    halt, one, other = Halt(), Engine("one"), Engine("other")
    with halt.watching(one, other) as flag:
        halt.set()
        assert flag.is_set
    halt.set()
    assert stopped == ["one", "other"]


def test_games_of_other_processes_end_when_they_are_told():
    # Two workers: one plays, the other stands for the way around a farm.
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        said: list[str] = []
        stop = Halt(everywhere=lambda function: said.append(function.args[0]))  # type: ignore[attr-defined]
        terms = Terms(pairs=1, openings=openings(), limits=SearchLimits(depth=1))
        player = load_player("material")
        timer = threading.Timer(0.2, stop.set)
        timer.start()
        result = play_match(player, player, replace(terms, pairs=5000), pool, stop=stop)
        timer.join()
    assert 0 < len(result.pairs) < 5000
    assert said[0] == stop.name


def test_a_decided_match_does_not_end_the_tournament():
    players = [load_player(name) for name in ("material", "random", "draft5")]
    terms = Terms(
        pairs=200, openings=openings(), limits=SearchLimits(depth=2), sprt=Sprt(-400, 400)
    )
    stop = Halt()
    with ThreadPoolExecutor(2) as pool:
        result = play_tournament(players, terms, pool, workers=2, stop=stop)
    assert len(result.matches) == 3
    assert all(0 < len(match.pairs) < 200 for match in result.matches)
    assert not stop.is_set
