"""A crowd: many visitors with short requests for some minutes, and whether each got their own.

Each visitor comes from an address of their own, with a cookie of their own, opens a conversation
for each request, hands over a file, follows the request to its end, looks at what was made, and
tries now and then what belongs to somebody else.
"""

from __future__ import annotations

import random
import threading
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from tests.crowd import figures
from tests.crowd.client import Refused, Visitor
from tests.crowd.light import PAGES, Light, seconds_of
from tests.crowd.served import Served, Taken
from tests.crowd.wishes import WISHES, WORDS, Mark, Result, Wish

#: Seconds that a visitor thinks between two requests.
THINKING = (2.0, 8.0)
#: Seconds within which the visitors come.
ARRIVING = 20.0
#: Conversations that a visitor keeps; older ones are deleted.
_KEPT = 20
_SHARE_OF_TRESPASSES = 0.2
_SECONDS_BETWEEN_SAMPLES = 30.0


@dataclass
class Found:
    """What the whole crowd met. Lists may be added to from many threads."""

    asked: list[Wish] = field(default_factory=list)
    answered: list[tuple[Wish, float, float]] = field(default_factory=list)
    faults: list[tuple[str, str]] = field(default_factory=list)
    #: What was seen of another visitor, which nobody may; tries that were refused rightly.
    crossed: list[str] = field(default_factory=list)
    trespasses: list[str] = field(default_factory=list)
    #: Handles and addresses of files, by visitor.
    owned: dict[int, list[tuple[str, str]]] = field(default_factory=dict)
    memory: list[tuple[float, Taken, int]] = field(default_factory=list)
    processor: Taken = Taken(0.0, 0.0)
    pages: dict[str, list[float]] = field(default_factory=dict)
    seconds: float = 0.0

    def look_at(self, light: Light, began: float, until: float) -> None:
        """Take in what a light visitor met meanwhile, who has come to an end."""
        met = light.since(began)
        within = [item for item in met if item.began < until]
        self.pages = {what: seconds_of(within, what) for what in PAGES}
        self.faults += [(item.what, item.fault) for item in met if item.fault]

    @property
    def is_right(self) -> bool:
        """Whether everything was answered rightly and nothing was seen of anybody else."""
        lost = len(self.asked) - len(self.answered) - len(self.faults)
        return not self.faults and not self.crossed and bool(self.answered) and lost == 0


def crowd(server: Served, visitors: int, seconds: float, seed: int = 0) -> Found:
    """Have so many visitors ask for so many seconds; what they began they wait for."""
    found = Found()
    began = time.monotonic()
    until = began + seconds
    threads = [
        threading.Thread(target=_visit, args=(server, found, number, visitors, until, seed))
        for number in range(visitors)
    ]
    before = server.processor_seconds()
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        workers = server.workers()
        found.memory.append((time.monotonic() - began, server.memory(), len(workers)))
        limit = time.monotonic() + min(_SECONDS_BETWEEN_SAMPLES, seconds / 6)
        while time.monotonic() < limit and any(thread.is_alive() for thread in threads):
            time.sleep(0.2)
    found.processor = server.processor_seconds() - before
    found.seconds = time.monotonic() - began
    return found


def _visit(
    server: Served, found: Found, number: int, visitors: int, until: float, seed: int
) -> None:
    draw = random.Random(f"{seed}/{number}")
    visitor = Visitor(server.address, f"127.0.1.{number % 250 + 1}")
    handles: list[str] = []
    time.sleep(draw.uniform(0.0, min(ARRIVING, (until - time.monotonic()) / 3)))
    try:
        visitor.page()
        for turn in range(1000):
            # Each asks at least once, also where the page took all of the time.
            if turn and time.monotonic() >= until:
                return
            wish = draw.choice(WISHES)
            try:
                _ask(visitor, found, wish, Mark(number, turn), handles)
            except Exception as error:  # whatever it is, it is told
                found.faults.append((wish.name, f"{type(error).__name__}: {error}"))
            if draw.random() < _SHARE_OF_TRESPASSES:
                _trespass(visitor, found, number, draw.randrange(visitors))
            time.sleep(max(0.0, min(draw.uniform(*THINKING), until - time.monotonic())))
    except Exception as error:
        found.faults.append(("the page", f"{type(error).__name__}: {error}"))
    finally:
        visitor.close()


def _ask(visitor: Visitor, found: Found, wish: Wish, mark: Mark, handles: list[str]) -> None:
    found.asked.append(wish)
    visitor.open(new=True)
    handles.append(visitor.handle)
    if len(handles) > _KEPT:
        visitor.delete(handles.pop(0))
    given = [visitor.upload(*wish.file(mark))] if wish.file else []
    ended = visitor.ask(wish.words(mark), given)
    told = visitor.conversation()
    _look_for_others(found, str(told), mark)
    made = []
    for file in visitor.files():
        found.owned.setdefault(mark.visitor, []).append((visitor.handle, file.address))
        if file.value not in given:
            made.append(Result(file.type, visitor.content(file.address)))
            if file.type == "text":
                _look_for_others(found, made[-1].content.decode(), mark)
        if file.type == "image":
            visitor.content(f"{file.address}&size=small")
    if ended.state != "answered" or not ended.is_met:
        found.faults.append((wish.name, f"{ended.state}: {ended.said}"))
    elif fault := wish.fault(mark, made):
        found.faults.append((wish.name, fault))
    else:
        found.answered.append((wish, ended.seconds, ended.waited))


def _look_for_others(found: Found, told: str, mark: Mark) -> None:
    for number in {int(number) for number in WORDS.findall(told)} - {mark.number}:
        found.crossed.append(f"Visitor {mark.visitor} saw the mark {number} with {mark.number}.")


def _trespass(visitor: Visitor, found: Found, number: int, other: int) -> None:
    """Try whatever belongs to another visitor: there must be no such thing."""
    theirs = found.owned.get(other)
    if other == number or not theirs:
        return
    handle, address = theirs[-1]
    own = address.replace(handle, visitor.handle)
    name = address.rpartition("/")[2].partition("?")[0]
    ways = [
        ("GET", f"/conversations/{handle}/shared", {}),
        ("GET", f"/conversations/{handle}/everything.zip", {}),
        ("GET", address, {}),
    ]
    if WORDS.search(name):  # no file of one's own has that name
        ways.append(("GET", own, {}))
    own_handle, visitor.handle = visitor.handle, handle
    try:
        visitor.ask("What is in this conversation?")
        found.crossed.append(f"Visitor {number} asked in a conversation of {other}.")
    except Refused:
        found.trespasses.append("ask")
    finally:
        visitor.handle = own_handle
    for method, path, rest in ways:
        status = visitor.status(method, path, **rest)
        found.trespasses.append(path)
        if status != 404:
            found.crossed.append(f"{method} {path} of visitor {other} by {number}: {status}.")


def report(found: Found, server: Served, visitors: int) -> Iterator[str]:
    """What the crowd met, as Markdown."""
    yield (
        f"{visitors} visitors for {found.seconds:.0f} s, who think {THINKING[0]:.0f} to "
        f"{THINKING[1]:.0f} s between requests: {len(found.asked)} asked, "
        f"{len(found.answered)} answered rightly, {len(found.faults)} faults; "
        f"{len(found.trespasses)} tries at what is another's, {len(found.crossed)} times "
        "something of another's was seen."
    )
    yield ""
    yield from figures.table(
        ["request", "asked", "answered rightly", "faults", "in the line, p50 / p95",
         "until the answer, p50 / p95"],
        [_row(found, name) for name in ("", *(wish.name for wish in WISHES))],
    )  # fmt: skip
    every = [one for pages in found.pages.values() for one in pages]
    rows = [[what, len(pages), figures.shown(pages, "ms")] for what, pages in found.pages.items()]
    rows.append(["all (goal: p95 ≤ 200 ms)", len(every), figures.shown(every, "ms")])
    yield from figures.table(["light page", "taken", "p50 / p95"], rows)
    yield from figures.table(
        ["after", "the server", "workers", "both"],
        [
            [f"{when:.0f} s", f"{held.server:.0f} MiB", f"{held.workers:.0f} MiB in {number}",
             f"{held.both:.0f} MiB"]
            for when, held, number in found.memory
        ],
    )  # fmt: skip
    late = [item for item in found.memory if item[0] >= found.seconds / 3]
    server_slope = figures.slope([(when / 60, held.server) for when, held, _ in late])
    workers_slope = figures.slope([(when / 60, held.workers) for when, held, _ in late])
    yield (
        f"In the last two thirds the server grew by {server_slope:+.1f} MiB a minute, the workers "
        f"by {workers_slope:+.1f} MiB."
    )
    count = max(len(found.answered), 1)
    yield (
        f"Processor seconds: {found.processor.both:.0f} in {found.seconds:.0f} s, of them the "
        f"server {found.processor.server:.0f}; {found.processor.both / count:.2f} for each request "
        f"with all that belongs to it ({found.processor.server / count:.2f} in the server)."
    )
    yield ""
    yield from told(Counter(f"{what}: {fault}" for what, fault in found.faults), "fault")
    yield from told(Counter(found.crossed), "thing of another visitor")
    yield from told(server.complaints(), "line of warning in the server's log")


def _row(found: Found, name: str) -> list[object]:
    answered = [item for item in found.answered if name in ("", item[0].name)]
    return [
        name or "all",
        sum(name in ("", wish.name) for wish in found.asked),
        len(answered),
        sum(name in ("", what) for what, _ in found.faults),
        figures.shown([waited for _, _, waited in answered]),
        figures.shown([seconds for _, seconds, _ in answered]),
    ]


def told(found: Counter[str], what: str) -> Iterator[str]:
    """Sentences that were counted, the most frequent first; how many in all."""
    yield f"{found.total()} × {what}{':' if found else '.'}"
    yield from (f"- {times} × {sentence}" for sentence, times in found.most_common(40))
    yield ""
