"""How long things take here: ``make bench`` prints it as a table.

Times are medians of several runs on whatever else this machine does; nothing in the tests depends
on them.
"""

from __future__ import annotations

import asyncio
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from controlllm.core.events import Event
from controlllm.core.plans import Request
from controlllm.layout import ASSETS
from controlllm.resources import Resource
from controlllm.runs.assistant import Assistant
from controlllm.runs.planners import embedded_planner
from controlllm.store import Store
from controlllm.store.handed_over import add_file
from controlllm.toolbox import PACKAGE_FOLDER, Toolbox

PHOTO = ASSETS / "examples" / "chelsea.jpg"

REQUEST = "What is in this picture? Highlight the cat, then cut it out."

#: One-sentence requests over all kinds of media, with the files they mean.
REQUESTS: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = (
    ("Highlight the dog", (("photo.jpg", "image"),)),
    ("How many people are in this picture?", (("photo.jpg", "image"),)),
    ("Remove the car from photo.jpg", (("photo.jpg", "image"),)),
    ("What colour is the umbrella?", (("photo.jpg", "image"),)),
    ("Transcribe this recording", (("talk.wav", "audio"),)),
    ("Make a web page about this video", (("clip.mp4", "video"),)),
    ("Put the clip and the sound together", (("clip.mp4", "video"), ("rain.wav", "audio"))),
    ("Read this aloud: the train leaves at nine", ()),
    ("What does the sign say?", (("sign.jpg", "image"),)),
    ("Cut out the woman on the left", (("photo.jpg", "image"),)),
)


def measured() -> list[tuple[str, float, str]]:
    """Rows of what, how much, and the unit."""
    rows: list[tuple[str, float, str]] = []
    rows.append(("load the toolbox", _timed(Toolbox.load), "s"))
    toolbox = Toolbox.load()
    rows.append(("start the planner, cold", _timed(lambda: _first_plan(toolbox)), "s"))
    planner = embedded_planner(toolbox)
    times, visited, assessed = [], [], []
    for text, files in REQUESTS * 3:
        resources = tuple(Resource(kind, name) for name, kind in files)
        request = Request(text, resources, tuple(name for name, _ in files))
        started = time.perf_counter()
        _, search = planner.plan(request)
        times.append(time.perf_counter() - started)
        visited.append(search.visited)
        assessed.append(search.assessed)
    # The first round encodes words that the others find encoded.
    first = times[: len(REQUESTS)]
    rows.append(("plan a one-sentence request, median", statistics.median(first), "s"))
    rows.append(("plan a one-sentence request, worst", max(first), "s"))
    rows.append(("search states visited, mean", statistics.mean(visited), ""))
    rows.append(("tools assessed, mean", statistics.mean(assessed), ""))
    rows.extend(asyncio.run(_answered(toolbox)))
    rows.extend(_page_started())
    return rows


def table(rows: list[tuple[str, float, str]]) -> str:
    """The rows as a Markdown table."""
    lines = ["| what | measured |", "| --- | --- |"]
    lines += [f"| {what} | {value:.3g} {unit} |" for what, value, unit in rows]
    return "\n".join(lines)


def _timed(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def _first_plan(toolbox: Toolbox) -> None:
    embedded_planner(toolbox).plan(Request("Describe it", (Resource("image", "a.jpg"),)))


async def _answered(toolbox: Toolbox) -> list[tuple[str, float, str]]:
    """The time from sending a request to each milestone, the second time over: models are warm,
    but a fresh store knows no results."""
    rows: list[tuple[str, float, str]] = []
    for state in ("models cold", "models warm"):
        with tempfile.TemporaryDirectory() as folder:
            assistant = Assistant(toolbox, Store(Path(folder)))
            assistant.tools.warm_up()
            session = assistant.open_session(None)
            resource, _ = add_file(assistant.store, session.id, PHOTO, PHOTO.name)
            started = time.perf_counter()
            moments: dict[str, float] = {}
            async for event in assistant.answer(session.id, REQUEST, [resource.value]):
                moments.setdefault(_milestone(event), time.perf_counter() - started)
            rows.extend(
                (f"“{REQUEST}”, {state}: {name}", moments[key], "s")
                for key, name in (
                    ("RequestReceived", "first event"),
                    ("PlanReady", "plan"),
                    ("AnswerFinished", "answer"),
                )
            )
    return rows


def _milestone(event: Event) -> str:
    return type(event).__name__


def _page_started() -> list[tuple[str, float, str]]:
    """The time from starting the page to its first answer, and its memory when idle."""
    import httpx

    port = 7993
    with tempfile.TemporaryDirectory() as folder:
        started = time.perf_counter()
        server = subprocess.Popen(
            [sys.executable, "-m", "controlllm", "serve", "--port", str(port), "--home", folder],
            cwd=PACKAGE_FOLDER,
            stdout=subprocess.DEVNULL,
        )
        try:
            while time.perf_counter() - started < 120:
                try:
                    if httpx.get(f"http://127.0.0.1:{port}/").status_code == 200:
                        break
                except httpx.TransportError:
                    time.sleep(0.05)
            ready = time.perf_counter() - started
            time.sleep(5)
            status = Path(f"/proc/{server.pid}/status")
            lines = status.read_text().splitlines() if status.exists() else []
            memory = next((int(line.split()[1]) for line in lines if line.startswith("VmRSS")), 0)
        finally:
            server.terminate()
            server.wait()
    rows = [("start the page, to the first answer", ready, "s")]
    if memory:
        rows.append(("memory of the page, idle, planner loaded", memory / 1024, "MiB"))
    return rows
