"""ControlLLM in a Python program: ask, plan, run (``from controlllm import ask, plan, run``).

Each function is plain and waits until it is done. Nothing is kept after the program's end but the
files in the folder that was named.
"""

from __future__ import annotations

import asyncio
import atexit
import shutil
import tempfile
import threading
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from controlllm.core.events import (
    AnswerFinished,
    Event,
    PlanReady,
    RequestCancelled,
    RequestFailed,
    SolutionSwitched,
)
from controlllm.core.plans import Plan, Request
from controlllm.resources import BadInput, Resource, guess_type
from controlllm.resources.well_formed import well_formed
from controlllm.runs.assistant import Assistant
from controlllm.runs.planners import planners_of
from controlllm.runs.sent_plans import read_plan
from controlllm.runs.turn_recorder import keep_planned
from controlllm.settings import Settings
from controlllm.sources.loading import load_toolbox
from controlllm.store import Store
from controlllm.store.handed_over import add_file
from controlllm.store.home import home_folder
from controlllm.toolbox import Toolbox

Tell = Callable[[Event], None]
Start = Callable[[Assistant, str, Sequence[str]], AsyncGenerator[Event, None]]


class NotAnswered(RuntimeError):
    """A request came to no answer. The message says why and what to do next."""


@dataclass(frozen=True)
class Result:
    """A file that was made: its name, its resource type (``image``, ``mask``, ``text``, ...) and
    where it lies."""

    name: str
    type: str
    path: Path


@dataclass(frozen=True)
class Answer:
    """What came of a request: the answer's words (Markdown), the files that were asked for, and the
    plan with the ways that were found, best first."""

    text: str
    results: tuple[Result, ...]
    plan: Plan | None


def ask(
    request: str,
    *files: str | Path,
    out: str | Path | None = None,
    toolbox: Toolbox | None = None,
    settings: Settings | None = None,
    tell: Tell | None = None,
) -> Answer:
    """Have a request done.

    Parameters
    ----------
    request: what is wanted, in plain words.
    files: what to work on.
    out: a folder for the results; without it they lie where they are gone when the program ends.
    toolbox: the tools; without it our own, and those that were added to this machine.
    settings: without them those of the environment (docs/settings.md).
    tell: gets every event of `controlllm.core.events` as it happens; called in another thread where
        an event loop runs in this one.

    Raises NotAnswered where nothing came of it, BadInput where a file cannot be used.
    """

    def start(assistant: Assistant, session: str, names: Sequence[str]) -> AsyncGenerator[Event]:
        return assistant.answer(session, well_formed(request), names)

    return _done(start, files, out, toolbox, settings, tell)


def plan(
    request: str,
    *files: str | Path,
    toolbox: Toolbox | None = None,
    settings: Settings | None = None,
) -> Plan:
    """How a request would be done; nothing runs, and the files need not exist: their names tell
    their kinds."""
    assistant = _assistant(toolbox, settings)
    chosen = assistant.settings
    names = [Path(file).name for file in files]
    resources = tuple(Resource(guess_type(name), name) for name in names)
    asked = Request(well_formed(request), resources, tuple(names))
    here = assistant.tools.planner_here(chosen, asked)
    found, _ = planners_of(here, chosen, lambda event: None)().plan(asked)
    return found


def run(
    plan: Plan,
    *files: str | Path,
    out: str | Path | None = None,
    toolbox: Toolbox | None = None,
    settings: Settings | None = None,
    tell: Tell | None = None,
) -> Answer:
    """Run a plan on files of the names that it was made for.

    Raises controlllm.runs.sent_plans.BadPlan, with the place in the plan, where it cannot be run;
    else as `ask`, whose parameters these are.
    """

    def start(assistant: Assistant, session: str, names: Sequence[str]) -> AsyncGenerator[Event]:
        known = {item.value: item for item in assistant.store.load(session).resources}
        checked = read_plan(plan.to_json(), assistant.toolbox, known)
        words = "; ".join(item.description for item in checked.subtasks)
        mark = assistant.settings.mark
        number = keep_planned(assistant.store, session, checked, words, mark)
        return assistant.resume(session, number)

    return _done(start, files, out, toolbox, settings, tell)


def _done(
    start: Start,
    files: Sequence[str | Path],
    out: str | Path | None,
    toolbox: Toolbox | None,
    settings: Settings | None,
    tell: Tell | None,
) -> Answer:
    assistant = _assistant(toolbox, settings)
    session = assistant.open_session(None).id
    try:
        names = []
        for file in map(Path, files):
            if not file.is_file():
                raise BadInput(f"There is no file {file}.")
            names.append(add_file(assistant.store, session, file, file.name)[0].value)
        begin = partial(start, assistant, session, names)
        ended, found = _waited(_heard(begin, tell or (lambda event: None)))
        if not isinstance(ended, AnswerFinished):
            raise NotAnswered(ended.message)
        folder = Path(out) if out is not None else Path(tempfile.mkdtemp(dir=_home()))
        folder.mkdir(parents=True, exist_ok=True)
        results = tuple(_copied(assistant, session, item, folder) for item in ended.resources)
        return Answer(ended.text, results, found)
    finally:
        assistant.store.delete(session)


async def _heard(
    begin: Callable[[], AsyncGenerator[Event, None]], tell: Tell
) -> tuple[AnswerFinished | RequestFailed | RequestCancelled, Plan | None]:
    """The event that ended the stream, and the plan that it came to."""
    found: Plan | None = None
    async with aclosing(begin()) as events:
        async for event in events:
            tell(event)
            if isinstance(event, PlanReady | SolutionSwitched):
                found = event.plan
            if isinstance(event, AnswerFinished | RequestFailed | RequestCancelled):
                return event, found
    raise RuntimeError("The stream of events had no end.")


def _waited(work: Any) -> Any:
    """What a coroutine comes to, also where an event loop runs already, as in a notebook."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    told: list[Any] = []

    def in_a_thread() -> None:
        try:
            told.append(asyncio.run(work))
        except BaseException as error:
            told.append(error)

    thread = threading.Thread(target=in_a_thread)
    thread.start()
    thread.join()
    if isinstance(told[0], BaseException):
        raise told[0]
    return told[0]


def _copied(assistant: Assistant, session: str, resource: Resource, folder: Path) -> Result:
    path, _ = assistant.file(session, resource.value)
    copy = folder / resource.value
    shutil.copyfile(path, copy)
    return Result(resource.value, resource.type, copy)


#: The assistants that were made last: to make one loads what plans. Toolboxes are told apart as
#: objects, which these keep.
_made: list[tuple[Toolbox | None, Settings, Assistant]] = []
_MOST = 4
_homes: list[Path] = []
_making = threading.Lock()


def _assistant(toolbox: Toolbox | None, settings: Settings | None) -> Assistant:
    chosen = settings or Settings.from_environment()
    with _making:
        for known, of, assistant in _made:
            if known is toolbox and of == chosen:
                return assistant
        tools = toolbox if toolbox is not None else load_toolbox([], home_folder())
        store = Store(Path(tempfile.mkdtemp(dir=_home())))
        assistant = Assistant(tools, store, chosen)
        _made[:] = [(toolbox, chosen, assistant), *_made][:_MOST]
        return assistant


def _home() -> Path:
    """A folder that is gone when the program has ended."""
    if not _homes:
        _homes.append(Path(tempfile.mkdtemp(prefix="controlllm-")))
        atexit.register(shutil.rmtree, _homes[0], ignore_errors=True)
    return _homes[0]
