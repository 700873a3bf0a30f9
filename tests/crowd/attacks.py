"""Attacks on a server, and how long a light visitor waits meanwhile."""

from __future__ import annotations

import secrets
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from tests.crowd import figures
from tests.crowd.client import Refused, Visitor
from tests.crowd.crowd import told
from tests.crowd.light import PAGES, REQUEST, Taken, light_visitor, seconds_of
from tests.crowd.rough import WARMING
from tests.crowd.served import Served
from tests.crowd.wishes import WISHES, Mark

_SOURCE = "127.0.2.1"
_LONG_TEXT = ("Describe the picture, then cut out the dog and make it blue. " * 4000)[:200_000]
#: Seconds between two bytes of a slow connection.
_DRIP = 2.0


@dataclass
class Met:
    """What came of an attack: how often what happened to the attacker, and to the light visitor."""

    name: str
    light: list[Taken] = field(default_factory=list)
    outcomes: Counter[str] = field(default_factory=Counter)
    #: Seconds from stop to the end, of requests that were stopped.
    stopped: list[float] = field(default_factory=list)

    @property
    def faults(self) -> list[str]:
        """What went wrong for the light visitor."""
        return [f"{item.what}: {item.fault}" for item in self.light if item.fault]


def met(server: Served, seconds: float) -> list[Met]:
    """Each attack for so many seconds; first and last nothing."""
    attacks: list[tuple[str, Callable[[Served, Met, threading.Event], None]]] = [
        ("nothing, before", lambda server, met, ended: None),
        ("400 slow connections", _connect_slowly),
        (
            "80 requests of one visitor",
            lambda server, met, ended: _ask_at_once(
                server, met, 80, WISHES[2].text, WISHES[2].file, ended.wait
            ),
        ),
        (
            "eight texts of 200,000 characters, stopped",
            lambda server, met, ended: _ask_at_once(
                server, met, 8, _LONG_TEXT, None, lambda: time.sleep(1.5)
            ),
        ),
        ("nothing, after all", lambda server, met, ended: None),
    ]
    found = []
    for name, attack in attacks:
        one, ended = Met(name), threading.Event()
        with light_visitor(server.address, asks=True) as light:
            time.sleep(WARMING)
            began = time.monotonic()
            attacker = threading.Thread(target=_attack, args=(attack, server, one, ended))
            attacker.start()
            time.sleep(seconds)
            until = time.monotonic()
            ended.set()
            attacker.join()
        one.light = light.since(began, until)
        found.append(one)
    return found


def report(found: list[Met]) -> Iterator[str]:
    """The attacks as Markdown."""
    base = [item for one in found if one.name.startswith("nothing") for item in one.light]
    rows = []
    for one in found:
        cells = [
            figures.compared(seconds_of(one.light, *what), seconds_of(base, *what))
            for what in (PAGES, (REQUEST,))
        ]
        outcomes = "; ".join(f"{number} × {name}" for name, number in one.outcomes.most_common(6))
        if one.stopped:
            outcomes += f"; stopped within {max(one.stopped):.2f} s"
        rows.append([one.name, *cells, outcomes])
    yield from figures.table(
        ["meanwhile", "light pages, p50 / p95", "light requests, p50 / p95", "the attacker"], rows
    )
    yield "Behind each is how many times the p95 with nothing it is."
    yield ""
    yield from told(
        Counter(f"{one.name}: {fault}" for one in found for fault in one.faults), "fault"
    )


def _attack(
    attack: Callable[[Served, Met, threading.Event], None],
    server: Served,
    met: Met,
    ended: threading.Event,
) -> None:
    try:
        attack(server, met, ended)
    except Exception as error:  # whatever it is, it is told
        met.outcomes[f"{type(error).__name__}: {error}"] += 1


def _connect_slowly(server: Served, met: Met, ended: threading.Event) -> None:
    host, _, port = server.address.removeprefix("http://").partition(":")
    head = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: " + b"x" * 10_000
    opened: list[socket.socket] = []
    try:
        for _ in range(400):
            opened.append(socket.create_connection((host, int(port)), timeout=10))
        for place in range(len(head)):
            for one in list(opened):
                try:
                    one.send(head[place : place + 1])
                except OSError:
                    met.outcomes["closed by the server"] += 1
                    opened.remove(one)
                    one.close()
            if ended.wait(_DRIP):
                break
        met.outcomes["still open"] += len(opened)
    finally:
        for one in opened:
            one.close()


def _ask_at_once(
    server: Served, met: Met, number: int, text: str, file: Any, wait: Callable[[], object]
) -> None:
    """Ask so many times at once, each in a thread; wait; stop what still runs."""
    visitor = Visitor(server.address, _SOURCE)
    visitor.open()
    given = [visitor.upload(*file(Mark(900, 0)))] if file else []

    def ask(run: str) -> None:
        with _counted(met):
            found = visitor.ask(text, given, run=run)
            met.outcomes[found.state if found.is_met else f"{found.state}: {found.said[:200]}"] += 1

    runs = [f"attack-{secrets.token_hex(6)}" for _ in range(number)]
    threads = {run: threading.Thread(target=ask, args=(run,)) for run in runs}
    for thread in threads.values():
        thread.start()
    wait()
    for run, thread in threads.items():
        if thread.is_alive():
            began = time.monotonic()
            with _counted(met):
                visitor.stop(run)
                thread.join(60)
                if thread.is_alive():
                    met.outcomes["not stopped within a minute"] += 1
                else:
                    met.stopped.append(time.monotonic() - began)
    visitor.close()


@contextmanager
def _counted(met: Met) -> Iterator[None]:
    try:
        yield
    except Refused as error:
        met.outcomes[str(error)] += 1
    except Exception as error:  # whatever it is, it is told
        met.outcomes[f"{type(error).__name__}: {error}"] += 1
