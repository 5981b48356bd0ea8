"""Couriers: no function is lost on the way, and nobody waits for it."""

from __future__ import annotations

import threading

from crossboard.farm.everywhere import Courier


def one() -> None: ...


def other() -> None: ...


def test_a_courier_delivers_what_comes_while_it_is_on_its_way():
    delivered = []
    has_arrived, may_leave = threading.Event(), threading.Event()

    def deliver(function: object) -> None:
        delivered.append(function)
        has_arrived.set()
        assert may_leave.wait(10)

    courier = Courier(deliver)
    courier.take(one)
    assert has_arrived.wait(10)
    for function in (one, other, one, other):  # each once more, however often it is said
        courier.take(function)
    assert delivered == [one]
    may_leave.set()
    courier.return_home()
    assert delivered == [one, one, other]


def test_a_courier_goes_on_after_a_place_that_is_gone():
    delivered = []

    def deliver(function: object) -> None:
        if function is one:
            raise OSError("nobody is there")
        delivered.append(function)

    courier = Courier(deliver)
    courier.take(one)
    courier.take(other)
    courier.return_home()
    assert delivered == [other]
    courier.take(other)
    courier.return_home()
    assert delivered == [other, other]
