"""Rough tools: what they do to everybody else, to whoever asked for them, and to the stop button.

A server has one rough tool beside the usual ones. One visitor asks for it; a light visitor
meanwhile does what they did without it. Then the stop button is pressed, if it still runs.
"""

from __future__ import annotations

import re
import secrets
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from controlllm.layout import ASSETS
from tests.crowd import figures
from tests.crowd.client import Ended, Visitor
from tests.crowd.crowd import told
from tests.crowd.light import PAGES, REQUEST, Taken, light_visitor, seconds_of
from tests.crowd.served import PROJECT, Served, served
from tests.engine.bench import ROUGH

FOLDERS = (ROUGH, Path(__file__).parent / "rough_tools")
FILM = ASSETS / "examples" / "launch.mp4"
#: Seconds in which the light visitor warms up before anything is measured.
WARMING = 6.0
#: Seconds after which a pressed stop button has failed, and a tool has not begun.
_PATIENCE = 120.0
_SOURCE = "127.0.2.1"


@dataclass(frozen=True)
class Rough:
    """A rough request: the `tool` that it leads to, in how many requests at once; `film` says that
    a film is handed over."""

    tool: str
    text: str
    at_once: int = 1
    film: bool = False


ALL = (
    Rough("raises", "Raise what nobody expects."),
    Rough("exits", "Exit the process."),
    Rough("crashes", "Read from nowhere."),
    Rough("hangs", "Hang for ever."),
    Rough("hangs", "Hang for ever.", at_once=2),
    Rough("spins", "Spin for ever."),
    Rough("holds_the_lock", "Hold the interpreter's lock."),
    Rough("takes_memory", "Take more and more memory."),
    Rough("swallows", "Swallow 100 gigabytes at once."),
    Rough("returns_garbage", "Return garbage instead of a picture."),
    Rough("shreds", "Shred this video.", film=True),
    Rough("scribbles", "Scribble over this video's file.", film=True),
    Rough("writes_much", "Write a file of 10 gigabytes."),
)


@dataclass
class Met:
    """What came of a rough tool.

    Parameters
    ----------
    without, light: what the light visitor met before, and meanwhile.
    ended: the requests that came to an end by themselves.
    stopped: seconds from the stop button until the page says so, of each request that was stopped.
    gone: seconds after that until no call is at work any more.
    now: sentences of how far it was; `before_stop` what was said of one that was stopped; `log` the
        server's warnings.
    faults: what must not be, in sentences.
    """

    rough: Rough
    without: list[Taken] = field(default_factory=list)
    light: list[Taken] = field(default_factory=list)
    ended: list[Ended] = field(default_factory=list)
    stopped: list[float] = field(default_factory=list)
    gone: float | None = None
    faults: list[str] = field(default_factory=list)
    now: set[str] = field(default_factory=set)
    before_stop: set[str] = field(default_factory=set)
    log: Counter[str] = field(default_factory=Counter)

    @property
    def sentences(self) -> list[str]:
        ended = [" ".join((*item.troubles, item.said)) for item in self.ended]
        return list(dict.fromkeys([*ended, *sorted(self.before_stop)]))


def meet(folder: Path, rough: Rough, seconds: float) -> Met:
    """Start a server in an empty folder, let it be for so long, have the rough tool asked for again
    and again for so long, then press stop."""
    met = Met(rough)
    with served(folder, [alone(rough.tool, folder / "tools")]) as server:
        asking = [_Asking(server, rough, number, met) for number in range(rough.at_once)]
        with light_visitor(server.address, asks=True) as light:
            time.sleep(WARMING)
            began = time.monotonic()
            time.sleep(seconds)
            begun = time.monotonic()
            for one in asking:
                one.begin()
            _wait_until_at_work(rough, met)
            time.sleep(seconds)
            until = time.monotonic()
            # The light visitor may wait for what is to be stopped.
            _stop(asking, met)
        met.without, met.light = light.since(began, begun), light.since(begun, until)
        if met.stopped:
            met.gone = _seconds_until_idle(server)
        met.faults += [f"{item.what}: {item.fault}" for item in light.met if item.fault]
        if not _has_run(server, met):
            met.faults.append(f"{rough.tool} did not run: {sorted(met.now)}")
        if rough.film:
            met.faults += _look_at_film(asking[0])
        for one in asking:
            one.visitor.close()
        met.log = server.complaints()
    return met


def _wait_until_at_work(rough: Rough, met: Met) -> None:
    """Wait until somebody who asked was told that the tool is at work, or has come to an end."""
    limit = time.monotonic() + _PATIENCE
    while not met.ended and not any(_label(rough.tool) in now for now in list(met.now)):
        if met.faults or time.monotonic() > limit:
            return  # which is told as a fault afterwards
        time.sleep(0.05)


def alone(tool: str, folder: Path) -> Path:
    """A folder of tools with one of the rough ones: others would be further ways to do the same."""
    folder.mkdir()
    for origin in FOLDERS:
        for path in origin.glob("*.py"):
            if f"def {tool}(" in path.read_text():
                module = ".".join(path.relative_to(PROJECT).with_suffix("").parts)
                (folder / "alone.py").write_text(f"from {module} import {tool}  # noqa: F401\n")
                return folder
    raise ValueError(f"There is no rough tool {tool}.")


def report(met: Sequence[Met]) -> Iterator[str]:
    """The rough tools and what was met without and with each, as Markdown."""
    rows: list[list[object]] = []
    for item in met:
        name = item.rough.tool + (f", {item.rough.at_once} at once" * (item.rough.at_once > 1))
        stopped = " and ".join(f"{one:.2f} s" for one in item.stopped) or "ended by itself"
        if item.gone is not None:
            stopped += f", {item.gone:.2f} s later nothing is at work"
        says = " / ".join(item.sentences) or "(it never ends)"
        cells = [_cell(item, *PAGES), _cell(item, REQUEST)]
        rows.append([name, len(item.ended), *cells, stopped, says])
    yield from figures.table(
        ["meanwhile", "ended", "light pages: without → with it",
         "light requests: without → with it", "stop button", "what is said"],
        rows,
    )  # fmt: skip
    yield (
        "Times are p50 / p95; in brackets how many there were; then how many times the p95 without "
        "it is (goal: 2 at most). Where the tool failed, what is said may be another tool's."
    )
    yield ""
    yield from told(
        Counter(f"{item.rough.tool}: {fault}" for item in met for fault in item.faults), "fault"
    )
    lines = sum((item.log for item in met), Counter[str]())
    yield from told(lines, "line of warning in the server's log")


def _cell(met: Met, *what: str) -> str:
    before, now = (seconds_of(found, *what) for found in (met.without, met.light))
    return f"{figures.shown(before, 'ms')} → {figures.compared(now, before)}"


class _Asking:
    """Somebody who asks for a rough tool, again and again, in a thread."""

    def __init__(self, server: Served, rough: Rough, number: int, met: Met) -> None:
        self.visitor = Visitor(server.address, _SOURCE)
        self.visitor.open()
        self.film = self.visitor.upload("film.mp4", FILM.read_bytes()) if rough.film else ""
        self.content = self.film_now() if rough.film else b""
        self._rough, self._met, self._number = rough, met, number
        self._is_to_end = threading.Event()
        self.run = ""
        self._thread = threading.Thread(target=self._ask)

    def begin(self) -> None:
        self._thread.start()

    def film_now(self) -> bytes:
        """What is in the film that was handed over."""
        files = self.visitor.files()
        return self.visitor.content(next(one.address for one in files if one.value == self.film))

    def _ask(self) -> None:
        while not self._is_to_end.is_set():
            self.run = f"rough-{secrets.token_hex(6)}"
            given = [self.film] if self.film else []
            try:
                ended = self.visitor.ask(
                    self._rough.text, given, run=self.run, watch=self._met.now.add
                )
            except Exception as error:  # whatever it is, it is told
                self._met.faults.append(f"{type(error).__name__}: {error}")
                return
            if ended.state == "cancelled":
                self._met.before_stop.update(ended.troubles)
                return
            self._met.ended.append(ended)
            self._is_to_end.wait(0.5)

    def stop(self) -> float | None:
        """Press stop; the seconds until the page says so, None where nothing ran any more."""
        self._is_to_end.set()
        if not self._thread.is_alive():
            return None
        before = len(self._met.ended)
        began = time.monotonic()
        self.visitor.stop(self.run)
        self._thread.join(_PATIENCE)
        if self._thread.is_alive():
            self._met.faults.append(f"Not stopped after {_PATIENCE:.0f} s.")
            return None
        return None if len(self._met.ended) > before else time.monotonic() - began


def _stop(asking: Sequence[_Asking], met: Met) -> None:
    for one in asking:
        try:
            seconds = one.stop()
        except Exception as error:
            met.faults.append(f"Stop: {type(error).__name__}: {error}")
            continue
        if seconds is not None:
            met.stopped.append(seconds)
            if seconds > 1.0:
                met.faults.append(f"The stop button took {seconds:.2f} s.")


def _seconds_until_idle(server: Served) -> float:
    """Seconds until the server makes no call of a tool and no worker is at work."""
    names = ("calls_running", "calls_waiting", 'workers{state="working"}')
    watcher = Visitor(server.address)
    began = time.monotonic()
    try:
        while time.monotonic() < began + _PATIENCE:
            told = watcher.content("/metrics").decode()
            if not any(_figure(told, f"controlllm_{name}") for name in names):
                break
            time.sleep(0.02)
        return time.monotonic() - began
    finally:
        watcher.close()


def _has_run(server: Served, met: Met) -> bool:
    """Whether the rough tool was seen at work, or is counted among those that ended."""
    watcher = Visitor(server.address)
    try:
        counted = f'tool="{met.rough.tool}"' in watcher.content("/metrics").decode()
    finally:
        watcher.close()
    return counted or any(_label(met.rough.tool) in now for now in met.now)


def _figure(told: str, name: str) -> float:
    found = re.search(rf"^{re.escape(name)} (\S+)$", told, re.MULTILINE)
    return float(found.group(1)) if found else 0.0


def _label(tool: str) -> str:
    from controlllm.ui.drawings.wording import tool_label

    return str(tool_label(tool))


def _look_at_film(asking: _Asking) -> list[str]:
    """Whether the film that a rough tool was given is still what was handed over, for its owner."""
    try:
        content = asking.film_now()
    except Exception as error:
        return [f"The person's own film: {type(error).__name__}: {error}"]
    return [] if content == asking.content else ["The person's own film was changed."]
