"""What a request costs of a machine, by kind, and what so many people at once would need."""

from __future__ import annotations

import io
import math
import statistics
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import PIL.Image

from controlllm.ui.examples import FOLDER, examples
from tests.crowd import figures
from tests.crowd.client import Ended, Visitor
from tests.crowd.served import Served, Taken
from tests.crowd.wishes import WISHES, Mark

_SOURCE = "127.0.2.1"
_VISITOR = 900
#: A machine that is busier than this lets people wait long in its line.
_BUSY = 0.7
#: Minutes between two requests of somebody who works with it, from busy to leisurely.
_EVERY_MINUTES = (1.0, 3.0, 10.0)
_PEOPLE = 1000
#: Requests before those that are measured: they load models.
_WARM = 2


@dataclass(frozen=True)
class Cost:
    """What a kind of request takes once its models are loaded.

    Parameters
    ----------
    processor: seconds of processors for one request with its upload and what the page asks then.
    seconds: from asking to the answer, with nobody else there.
    memory: MiB of the largest worker after it.
    fault: what went wrong, if anything did.
    """

    name: str
    is_example: bool
    processor: Taken
    seconds: float
    memory: float
    fault: str = ""


def costs(server: Served, times: int) -> Iterator[Cost]:
    """Each of the crowd's requests and of the page's examples, so many times one after another."""
    for place, wish in enumerate(WISHES):
        yield _cost(server, wish.name, False, place, times)
    for example in examples():
        yield _cost(server, example.id, True, 0, times)


def _cost(server: Served, name: str, is_example: bool, place: int, times: int) -> Cost:
    visitor = Visitor(server.address, _SOURCE)
    taken: list[Taken] = []
    seconds: list[float] = []
    try:
        for number in range(_WARM + times):
            before = server.processor_seconds()
            ended = _once(visitor, name, is_example, place, number)
            time.sleep(0.3)  # what is kept in the background belongs to it
            if ended.state != "answered" or not ended.is_met:
                return Cost(name, is_example, Taken(0, 0), 0, 0, f"{ended.state}: {ended.said}")
            if number >= _WARM:
                taken.append(server.processor_seconds() - before)
                seconds.append(ended.seconds)
    except Exception as error:  # whatever it is, it is told
        return Cost(name, is_example, Taken(0, 0), 0, 0, f"{type(error).__name__}: {error}")
    finally:
        visitor.close()
    processor = Taken(
        statistics.mean(item.server for item in taken),
        statistics.mean(item.workers for item in taken),
    )
    largest = max(server.memory_of_workers(), default=0.0)
    return Cost(name, is_example, processor, statistics.median(seconds), largest)


def _once(visitor: Visitor, name: str, is_example: bool, place: int, number: int) -> Ended:
    """A request in a conversation of its own, and what the page asks for around it."""
    before = visitor.handle
    visitor.open(new=True)
    if before:
        visitor.delete(before)
    if is_example:
        text, given = _varied(visitor, name, number)
    else:
        wish, mark = WISHES[place], Mark(_VISITOR, number)
        given = [visitor.upload(*wish.file(mark))] if wish.file else []
        text = wish.words(mark)
    ended = visitor.ask(text, given)
    for file in visitor.files():
        visitor.content(file.address)
    visitor.conversation()
    return ended


def _varied(visitor: Visitor, name: str, number: int) -> tuple[str, list[str]]:
    """An example of the page with its media a little different each time: what is known already
    would cost nothing."""
    example = next(item for item in examples() if item.id == name)
    text = example.text.replace("”", f", said number {number}”")
    given = []
    for file in example.files:
        picture = PIL.Image.open(FOLDER / file).convert("RGB")
        picture.putpixel((0, 0), (number, number, number))
        buffer = io.BytesIO()
        picture.save(buffer, "PNG")
        given.append(visitor.upload(f"{Path(file).stem}.png", buffer.getvalue()))
        if example.points:
            points = [
                {"x": int(one.x * picture.width), "y": int(one.y * picture.height)}
                for one in example.points
            ]
            given.append(visitor.point(given[0], points))
    return text, given


def report(found: Sequence[Cost], server: Served, cores: int) -> Iterator[str]:
    """The costs, and what follows from them, as Markdown."""
    yield from figures.table(
        ["request, models loaded", "processor seconds: server + tools", "a minute for each core",
         "seconds until the answer", "largest worker"],
        [_row(item) for item in found],
    )  # fmt: skip
    right = [item for item in found if not item.fault]
    short = [item.processor.both for item in right if not item.is_example]
    long = [item.processor.both for item in right if item.is_example]
    if not short or not long:
        return
    held, workers = server.memory(), server.memory_of_workers()
    yield (
        f"The server holds {held.server:.0f} MiB, its {len(workers)} workers "
        f"{', '.join(f'{one:.0f}' for one in sorted(workers, reverse=True))} MiB."
    )
    yield ""
    yield (
        f"{_PEOPLE:,} people at once, on processors of this kind that are to be busy "
        f"{_BUSY:.0%} of the time at most, with requests such as the crowd's (all kinds equally "
        f"often, {statistics.mean(short):.2f} processor seconds each) or the page's examples "
        f"({statistics.mean(long):.2f}):"
    )
    yield ""
    largest = max(item.memory for item in right)
    rows = []
    for minutes in _EVERY_MINUTES:
        each_second = _PEOPLE / (60 * minutes)
        needed = [math.ceil(each_second * statistics.mean(kind) / _BUSY) for kind in (short, long)]
        rows.append(
            [f"every {minutes:g} minutes", f"{each_second:.1f}",
             *(f"{number} processors, {_gigabytes(number, largest)}" for number in needed)]
        )  # fmt: skip
    yield from figures.table(
        ["each of them asks", "requests a second", "such as the crowd's", "such as the examples"],
        rows,
    )
    server_seconds = statistics.mean(item.processor.server for item in right)
    yield (
        f"Memory: a worker for each processor, each as large as the largest here ({largest:.0f} "
        f"MiB). One server, which takes {server_seconds:.2f} processor seconds a request in one "
        f"process, passes on at most {_BUSY / server_seconds:.1f} requests a second: beyond "
        f"{_PEOPLE:,} people who ask every {_PEOPLE * server_seconds / _BUSY / 60:.1f} minutes it "
        f"takes more servers, which share a database and a bucket. Measured on {cores} cores; no "
        "request repeated one that was known."
    )
    yield ""


def _gigabytes(processors: int, largest: float) -> str:
    return f"{processors * largest / 1024:.0f} GiB"


def _row(item: Cost) -> list[object]:
    name = f"example “{item.name}”" if item.is_example else item.name
    if item.fault:
        return [name, f"not done: {item.fault}", "", "", ""]
    both = item.processor.both
    parts = f"{item.processor.server:.2f} + {item.processor.workers:.2f}"
    return [
        name,
        f"{parts} = {both:.2f}",
        f"{60 / both:.0f}" if both else "",
        f"{item.seconds:.2f}",
        f"{item.memory:.0f} MiB",
    ]
