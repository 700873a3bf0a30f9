"""A visitor who wants little, in a process of its own: how long the server lets them wait.

``python -m tests.crowd.light ADDRESS [asks]`` takes light pages four times a second, with `asks`
also sends a light request again and again, and prints a line of JSON for each until its input ends.
"""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

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
_printing = threading.Lock()


@dataclass(frozen=True)
class Taken:
    """One page or request: when it began (`time.monotonic`), how many seconds it took, and what
    went wrong, if anything did."""

    what: str
    began: float
    seconds: float
    fault: str = ""


class Light:
    """What the light visitor has met so far."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.met: list[Taken] = []
        self._process = process
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            try:
                self.met.append(Taken(**json.loads(line)))
            except (ValueError, TypeError):
                self.met.append(Taken(REQUEST, time.monotonic(), 0.0, f"It said {line!r}."))

    def since(self, began: float, until: float = float("inf")) -> list[Taken]:
        """What was begun in this time and has come to its end. One that still waits is looked at
        when it has."""
        return [item for item in list(self.met) if began <= item.began < until]

    def end(self) -> None:
        """Wait for what is on its way, and end."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            self._process.wait(_PATIENCE + 10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
            self.met.append(Taken(REQUEST, time.monotonic(), 0.0, "The visitor got stuck."))
        self._reader.join()
        if self._process.stdout is not None:
            self._process.stdout.close()
        if self._process.returncode:
            self.met.append(Taken(PAGES[0], time.monotonic(), 0.0, "The visitor ended early."))


def seconds_of(met: list[Taken], *what: str) -> list[float]:
    """The seconds of those pages or requests that went well."""
    return [item.seconds for item in met if item.what in what and not item.fault]


@contextmanager
def light_visitor(address: str, asks: bool = False) -> Iterator[Light]:
    """A light visitor at work. When the block is left everything it began has come to its end."""
    command = [sys.executable, "-m", "tests.crowd.light", address, *(["asks"] if asks else [])]
    process = subprocess.Popen(
        command,
        cwd=Path(__file__).resolve().parents[2],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    light = Light(process)
    try:
        yield light
    finally:
        light.end()


def main() -> None:
    address, asks = sys.argv[1], "asks" in sys.argv[2:]
    ended = threading.Event()
    threads = [threading.Thread(target=_take_pages, args=(address, ended))]
    if asks:
        threads.append(threading.Thread(target=_ask, args=(address, ended)))
    for thread in threads:
        thread.start()
    sys.stdin.read()
    ended.set()
    for thread in threads:
        thread.join()


def _take_pages(address: str, ended: threading.Event) -> None:
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
            _measure(what, lambda way=way: _sentence_of(way()))
            ended.wait(_BETWEEN_PAGES)


def _sentence_of(found: object) -> str:
    return f"Status {found}." if isinstance(found, int) and found != 200 else ""


def _ask(address: str, ended: threading.Event) -> None:
    """Ask again and again, each time as somebody new, from the next of some addresses."""
    for number in itertools.count():
        if ended.is_set():
            return
        visitor = Visitor(address, f"127.0.3.{2 + number % _ADDRESSES}")
        words = LIGHT.words(Mark(_VISITOR, number % 999))
        try:
            visitor.open()
            _measure(REQUEST, lambda visitor=visitor, words=words: _fault_of(visitor, words))
        finally:
            visitor.close()
        ended.wait(_BETWEEN_REQUESTS)


def _fault_of(visitor: Visitor, words: str) -> str:
    found = visitor.ask(words, patience=_PATIENCE)
    return "" if found.is_met else f"{found.state}: {found.said}"


def _measure(what: str, take: Callable[[], str]) -> None:
    began = time.monotonic()
    try:
        fault = take()
    except Exception as error:  # whatever it is, it is a fault of the server
        fault = f"{type(error).__name__}: {error}"
    seconds = time.monotonic() - began
    told = {"what": what, "began": began, "seconds": seconds, "fault": fault}
    with _printing:
        print(json.dumps(told), flush=True)


if __name__ == "__main__":
    main()
