"""How well the memory budget is kept: ``python -m tests.engine.residence``, in `make bench-engine`.

Tools with models of 200 MiB whose sum is three times the budget, and the tools that ship on real
pictures, sound and text, are called by several at once; meanwhile what all workers hold together is
measured again and again.
"""

from __future__ import annotations

import statistics
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from controlllm.core.plans import Literal
from controlllm.engine import Limits, WorkerProcesses
from controlllm.engine.attempt import Call, Made, Outcome
from controlllm.engine.pool import Pool
from controlllm.models.residence import memory_of
from controlllm.resources import Resource, encode
from controlllm.self_test.samples import PASSAGE, PICTURES, Samples
from controlllm.store import Store
from controlllm.toolbox import Toolbox
from tests.engine.heavy_tools import heavy

HEAVY = Path(__file__).parent / "heavy_tools"
#: A budget of which the heavy tools' models take three times, in bytes.
BUDGET = 800 << 20
#: Tools that ship, which need some 2.8 GB together, and the budget that they are tried with.
REAL = (
    *("object_detection", "image_captioning", "image_to_scribble", "optical_character_recognition"),
    *("text_to_speech", "speech_to_text", "image_to_pose", "visual_grounding", "remove_background"),
)
REAL_BUDGET = 900 << 20
#: Calls at the same time.
AT_ONCE = 4


@dataclass
class Watched:
    """What workers held together, in bytes, as often as it could be measured."""

    processes: WorkerProcesses
    held: list[int] = field(default_factory=list)

    def __enter__(self) -> Watched:
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()
        self._look()

    def _watch(self) -> None:
        while not self._ended.wait(0.02):
            self._look()

    def _look(self) -> None:
        self.held.append(sum(map(memory_of, self.processes.memory())))


@contextmanager
def workers(
    budget: int, home: Path, *folders: Path, loads_ahead: bool = False, **more: str
) -> Iterator[tuple[Toolbox, Store, WorkerProcesses]]:
    """A toolbox and a store with workers that may hold so many bytes, and what else
    `WorkerProcesses` takes."""
    store, toolbox = Store(home), Toolbox.load(*folders)
    limits = Limits(all_memory=budget, loads_ahead=loads_ahead)
    made = WorkerProcesses(toolbox, store, limits, **more)
    try:
        while not made.is_ready():
            time.sleep(0.05)
        yield toolbox, store, made
    finally:
        made.close()
        store.close()


def call_of(toolbox: Toolbox, name: str, inputs, parameters=None) -> Call:
    """A call of a tool's first implementation, whose result is not kept."""
    way = toolbox.available(name, preference=("embedded",))[0]
    return Call(toolbox[name], way, inputs, parameters or {}, "", False)


def outcomes(
    processes: WorkerProcesses, calls: Sequence[Call], at_once: int = AT_ONCE
) -> list[Outcome]:
    """What becomes of calls that are begun as an engine begins them."""
    pool, found, ended = Pool(at_once, processes.capacity), {}, threading.Semaphore(0)

    def make(place: int, call: Call) -> None:
        try:
            outcome = processes(call, threading.Event(), lambda fraction, words: None)
            if not isinstance(outcome, Made) and outcome.may_pass:
                outcome = processes(call, threading.Event(), lambda fraction, words: None)
            found[place] = outcome
        finally:
            ended.release()

    for place, call in enumerate(calls):
        pool.submit(lambda place=place, call=call: make(place, call), call=call)
    for _ in calls:
        ended.acquire()
    return [found[place] for place in range(len(calls))]


def heavy_calls(
    toolbox: Toolbox, store: Store, rounds: int = 2, models: int = heavy.MODELS
) -> list[Call]:
    """Calls of so many heavy tools, one after the other, so many times."""
    names = sorted(tool.name for tool in toolbox if tool.name.startswith("holds_"))[:models]
    return [call_of(toolbox, name, {"text": Literal("a")}) for _ in range(rounds) for name in names]


def real_calls(toolbox: Toolbox, store: Store, rounds: int = 2) -> list[Call]:
    """Calls of tools that ship on a real picture, a text, and a spoken text."""
    given: dict[str, Literal | Resource] = {"query": Literal("the woman"), "text": Literal(PASSAGE)}
    picture = PICTURES / "astronaut.jpg"
    digest = store.put_bytes(picture.read_bytes(), "image/jpeg")
    given["image"] = Resource("image", picture.name, digest, "image/jpeg")
    digest = store.put_bytes(*encode("audio", spoken(toolbox)))
    given["audio"] = Resource("audio", "spoken.wav", digest, "audio/wav")

    def call(name: str) -> Call:
        tool = toolbox[name]
        wanted = {item.name: given[item.name] for item in tool.args if not item.optional}
        return call_of(toolbox, name, wanted, {item.name: item.default for item in tool.parameters})

    return [call(name) for _ in range(rounds) for name in REAL]


def spoken(toolbox: Toolbox) -> Any:
    """A text read aloud."""
    with tempfile.TemporaryDirectory() as folder:
        return Samples(toolbox, Path(folder)).of(toolbox["speech_to_text"])["audio"]


def measured(
    name: str,
    budget: int,
    calls_of: Callable[[Toolbox, Store], list[Call]],
    at_once: int,
    *folders: Path,
) -> str:
    """A row of a table: how calls, so many at once, went within a budget."""
    with (
        tempfile.TemporaryDirectory() as home,
        workers(budget, Path(home), *folders) as (toolbox, store, processes),
    ):
        calls = calls_of(toolbox, store)
        with Watched(processes) as watched:
            began = time.perf_counter()
            found = outcomes(processes, calls, at_once)
            seconds = time.perf_counter() - began
        lost = sum(not isinstance(outcome, Made) for outcome in found)
        most = max(watched.held)
    return (
        f"| {name} | {budget >> 20} MiB | {most >> 20} MiB | {most / budget:.0%} | "
        f"{statistics.mean(watched.held) / budget:.0%} | {len(calls)} | {lost} | {seconds:.0f} s |"
    )


def main() -> None:
    """Print a table, a row at a time."""
    print("| tools | budget | most held | of the budget | on average | calls | failed | took |")
    print("| --- |" + " --- |" * 7)
    name = f"{heavy.MODELS} models of {heavy.SIZE} MiB"
    print(measured(name, BUDGET, heavy_calls, AT_ONCE, HEAVY), flush=True)
    print(measured(f"{len(REAL)} tools that ship", REAL_BUDGET, real_calls, 2), flush=True)


if __name__ == "__main__":
    main()
