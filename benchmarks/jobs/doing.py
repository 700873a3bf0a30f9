"""Jobs done one after the other by the assistant as it is on this machine, and judged."""

from __future__ import annotations

import asyncio
import json
import shutil
import tempfile
import threading
import time
from collections.abc import Iterable, Sequence
from contextlib import aclosing
from dataclasses import asdict, dataclass
from importlib import import_module
from pathlib import Path

from benchmarks.jobs.job import Job, Results
from controlllm.core.events import AnswerFinished, PlanReady, RequestFailed
from controlllm.resources import BadInput
from controlllm.runs.assistant import Assistant
from controlllm.runs.run_options import RunOptions
from controlllm.settings import Settings
from controlllm.store import Store
from controlllm.store.handed_over import add_file
from controlllm.toolbox import Toolbox

#: Sets whose misses were looked at, and the one that nobody looks at.
SETS = ("photos", "sound", "video", "papers", "tables")
APART = "apart"
#: Thirty jobs each by five more authors. Every third of them is looked at by nobody.
SECOND_SETS = ("family", "shop", "creator", "office", "mixed")
SECOND_APART = "second-apart"
#: Of these only the number of right ones is ever shown.
_UNSEEN = (APART, SECOND_APART)
#: A job that takes longer, in seconds, is stopped and counts as wrong.
_LONGEST = 180.0


@dataclass(frozen=True)
class Judged:
    """What came of a job: `wrong` says what was not right, empty where all was."""

    set: str
    name: str
    words: tuple[str, ...]
    wrong: str
    seconds: float
    tools: tuple[str, ...] = ()
    answer: str = ""
    files: tuple[str, ...] = ()


def jobs_of(name: str) -> list[Job]:
    """The jobs of a set."""
    if name == SECOND_APART:
        return [job for second in SECOND_SETS for job in _written(second)[2::3]]
    found = _written(name)
    return [job for at, job in enumerate(found) if name not in SECOND_SETS or at % 3 != 2]


def _written(module: str) -> list[Job]:
    found: list[Job] = import_module(f"benchmarks.jobs.sets.{module}").JOBS
    return found


def judged(
    sets: Sequence[str],
    only: str = "",
    kept: Path | None = None,
    settings: Settings | None = None,
) -> Iterable[Judged]:
    """Do the jobs of some sets, or only those in whose name a word stands, and judge each as soon
    as it is done; what came of them is put into `kept` to be looked at. `settings` may name a
    language model that plans."""
    with tempfile.TemporaryDirectory() as home:
        store = Store(Path(home) / "home")
        assistant = Assistant(Toolbox.load(), store, settings or Settings())
        for name in sets:
            for job in jobs_of(name):
                if only not in job.name:
                    continue
                folder = (kept or Path(home)) / name / job.name
                shutil.rmtree(folder, ignore_errors=True)
                folder.mkdir(parents=True)
                yield _judged(assistant, name, job, folder)
        store.close()


def _judged(assistant: Assistant, name: str, job: Job, folder: Path) -> Judged:
    words = (job.words,) if isinstance(job.words, str) else tuple(job.words)
    began = time.monotonic()
    given = folder / "given"
    given.mkdir()
    files = job.make(given)
    results, tools, wrong = Results(()), tuple[str, ...](), ""
    try:
        results, tools, wrong = asyncio.run(_done(assistant, words, files, folder / "came"))
    except BadInput as error:
        wrong = f"not taken: {error}"
    if not wrong:
        try:
            job.right(results, files)
        except AssertionError as error:
            wrong = str(error) or "wrong"
        except Exception as error:
            # A check that cannot read what came.
            wrong = f"{type(error).__name__}: {error}"
    names = tuple(path.name for path in results.files)
    seconds = round(time.monotonic() - began, 1)
    return Judged(name, job.name, words, wrong, seconds, tools, results.answer, names)


async def _done(
    assistant: Assistant, words: Sequence[str], files: Sequence[Path], folder: Path
) -> tuple[Results, tuple[str, ...], str]:
    """What came of the last turn, the tools that it used, and why there was no end."""
    session = assistant.open_session(None).id
    attached = [add_file(assistant.store, session, path, path.name)[0].value for path in files]
    results, tools, wrong = Results(()), tuple[str, ...](), ""
    for number, text in enumerate(words):
        cancelled = threading.Event()
        timer = threading.Timer(_LONGEST, cancelled.set)
        timer.start()
        begun = assistant.answer(
            session, text, attached if number == 0 else (), RunOptions(cancelled=cancelled)
        )
        results, wrong = Results(()), "it was stopped"
        async with aclosing(begun) as events:
            async for event in events:
                if isinstance(event, PlanReady):
                    ways = [event.plan.solution(part.id) for part in event.plan.subtasks]
                    tools = tuple(tool for way in ways if way is not None for tool in way.tools)
                if isinstance(event, AnswerFinished):
                    place = folder / str(number)
                    place.mkdir(parents=True)
                    copies = []
                    for item in event.resources:
                        path, _ = assistant.file(session, item.value)
                        copies.append(Path(shutil.copyfile(path, place / item.value)))
                    (place / "answer.md").write_text(event.text, "utf-8")
                    results, wrong = Results(tuple(copies), event.text), ""
                if isinstance(event, RequestFailed):
                    # What was said is judged: a plain no may be right, and a sum needs no file.
                    results, wrong = Results((), event.message), ""
        timer.cancel()
    return results, tools, wrong


def table(found: Sequence[Judged]) -> str:
    """How many jobs of each set are right, as Markdown."""
    lines = ["| set | jobs | right | share |", "| --- | --- | --- | --- |"]
    names = dict.fromkeys(item.set for item in found)
    for name in (*names, "all") if len(names) > 1 else names:
        own = [item for item in found if name in (item.set, "all")]
        right = sum(not item.wrong for item in own)
        lines.append(f"| {name} | {len(own)} | {right} | {right / len(own):.2f} |")
    return "\n".join(lines)


def measure(
    sets: Sequence[str],
    only: str = "",
    kept: Path | None = None,
    settings: Settings | None = None,
) -> None:
    """Do and judge the jobs of sets, and print what came; of those that nobody looks at only how
    many are right."""
    found = []
    for item in judged(sets, only, kept, settings):
        found.append(item)
        if item.set not in _UNSEEN:
            sign = "✗" if item.wrong else "✓"
            print(f"{sign} {item.set}/{item.name} {item.seconds:.1f} s", flush=True)
            if item.wrong:
                used = " > ".join(item.tools)
                print(f"    {' / '.join(item.words)[:150]}", flush=True)
                print(f"    {used}: {item.wrong[:200]}", flush=True)
    if kept is not None:
        shown = [asdict(item) for item in found if item.set not in _UNSEEN]
        (kept / "judged.json").write_text(json.dumps(shown, indent=1, ensure_ascii=False), "utf-8")
    print(table(found))
