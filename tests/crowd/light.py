"""A visitor who wants little, in a process of its own: how long the server lets them wait.

It takes light pages four times a second, and sends a light request again and again where it is to.
"""

from __future__ import annotations

import itertools
import multiprocessing
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from tests.crowd.client import Visitor
from tests.crowd.wishes import LIGHT, Mark

PAGES = ("the page", "a conversation", "/health")
REQUEST = "a light request"
_BETWEEN_PAGES = 0.25
_BETWEEN_REQUESTS = 0.3
#: Seconds after which a light request counts as not answered.
_PATIENCE = 120.0
#: Addresses that light requests come from: each may open so many conversations a minute.
_ADDRESSES = 20
_VISITOR = 998


@dataclass(frozen=True)
class Taken:
    """One page or request: when it began (`time.monotonic`), how many seconds it took, and what
    went wrong, if anything did."""

    what: str
    began: float
    seconds: float
    fault: str = ""


class Light:
    """What the light visitor has met so far, as it is `told`."""

    def __init__(self, told: Any) -> None:
        self._told, self._met = told, list[Taken]()

    @property
    def met(self) -> list[Taken]:
        while not self._told.empty():
            self._met.append(self._told.get())
        return self._met

    def since(self, began: float, until: float = float("inf")) -> list[Taken]:
        """What was begun in this time and has come to its end. One that still waits is looked at
        when it has."""
        return [item for item in self.met if began <= item.began < until]


def seconds_of(met: list[Taken], *what: str) -> list[float]:
    """The seconds of those pages or requests that went well."""
    return [item.seconds for item in met if item.what in what and not item.fault]


@contextmanager
def light_visitor(address: str, asks: bool = False) -> Iterator[Light]:
    """A light visitor at work. When the block is left everything it began has come to its end."""
    own = multiprocessing.get_context("spawn")
    told, ended = own.SimpleQueue(), own.Event()
    process = own.Process(target=_visit, args=(address, asks, told.put, ended))
    process.start()
    light = Light(told)
    try:
        yield light
    finally:
        ended.set()
        process.join(_PATIENCE + 10)
        if process.exitcode is None:
            process.kill()
            light.met.append(Taken(REQUEST, time.monotonic(), 0.0, "The visitor got stuck."))
        elif process.exitcode:
            light.met.append(Taken(PAGES[0], time.monotonic(), 0.0, "The visitor ended early."))


def _visit(address: str, asks: bool, tell: Callable[[Taken], None], ended: Any) -> None:
    asking = threading.Thread(target=_ask, args=(address, tell, ended))
    if asks:
        asking.start()
    _take_pages(address, tell, ended)
    if asks:
        asking.join()


def _take_pages(address: str, tell: Callable[[Taken], None], ended: Any) -> None:
    visitor = Visitor(address, "127.0.3.1")
    visitor.open()
    visitor.ask(LIGHT.words(Mark(_VISITOR, 999)))
    ways: dict[str, Callable[[], object]] = {
        PAGES[0]: visitor.page,
        PAGES[1]: visitor.conversation,
        PAGES[2]: lambda: visitor.status("GET", "/health"),
    }
    while not ended.is_set():
        for what, way in ways.items():
            tell(_measured(what, lambda way=way: _sentence_of(way())))
            ended.wait(_BETWEEN_PAGES)


def _ask(address: str, tell: Callable[[Taken], None], ended: Any) -> None:
    """Ask again and again, each time as somebody new, from the next of some addresses."""
    for number in itertools.count():
        if ended.is_set():
            return
        visitor = Visitor(address, f"127.0.3.{2 + number % _ADDRESSES}")
        words = LIGHT.words(Mark(_VISITOR, number % 999))
        try:
            visitor.open()
            tell(_measured(REQUEST, lambda visitor=visitor, words=words: _fault_of(visitor, words)))
        finally:
            visitor.close()
        ended.wait(_BETWEEN_REQUESTS)


def _sentence_of(found: object) -> str:
    return f"Status {found}." if isinstance(found, int) and found != 200 else ""


def _fault_of(visitor: Visitor, words: str) -> str:
    found = visitor.ask(words, patience=_PATIENCE)
    return "" if found.is_met else f"{found.state}: {found.said}"


def _measured(what: str, take: Callable[[], str]) -> Taken:
    began = time.monotonic()
    try:
        fault = take()
    except Exception as error:  # whatever it is, it is a fault of the server
        fault = f"{type(error).__name__}: {error}"
    return Taken(what, began, time.monotonic() - began, fault)
