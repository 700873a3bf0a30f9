"""Running a recipe on files: the one way that the page, the command line and scripts share."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
import threading
from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from controlllm.core.events import (
    ActionFailed,
    AnswerFinished,
    Event,
    RequestCancelled,
    RequestFailed,
)
from controlllm.core.plans import Literal, Plan, Reference, Value
from controlllm.core.session import Session, Turn
from controlllm.recipes.making import marks_on
from controlllm.recipes.recipe import Input, Recipe
from controlllm.resources import BadInput, Box, ClickedPoint, Resource, encode
from controlllm.runs.assistant import Assistant
from controlllm.runs.run_options import RunOptions
from controlllm.settings import Settings
from controlllm.store import Store
from controlllm.store.handed_over import add_file
from controlllm.toolbox import Toolbox

#: Where things are, by the name of the input, on the picture that is worked on.
Marks = Mapping[str, Sequence[ClickedPoint | Box]]


@dataclass(frozen=True)
class Ran:
    """What a recipe came to: the results that its parts end with, or why there are none."""

    results: tuple[Resource, ...] = ()
    problem: str = ""


def bind(
    recipe: Recipe,
    assistant: Assistant,
    session_id: str,
    files: Mapping[str, str],
    words: Mapping[str, str] | None = None,
    marks: Marks | None = None,
) -> Plan:
    """The plan of a recipe for files of a session.

    Parameters
    ----------
    files: the names of the session's files, by those of the recipe's inputs.
    words: what the recipe's words are, by the names of the inputs; else they are what they were.
    marks: what was pointed at, in pixels; else it is where it was, relative to the picture.

    Raises BadInput, with a sentence, where something is missing or of a wrong kind.
    """
    session, is_a = assistant.store.load(session_id), assistant.toolbox.lattice.is_a
    values: dict[str, Value] = {}
    for item in recipe.files:
        if item.name not in files:
            raise BadInput(f"This recipe needs a {item.label} as well. Choose one.")
        found = session.resource(files[item.name])
        if not is_a(found.type, item.type):
            raise BadInput(
                f"This recipe works on a {item.label}, and {found.value} is {found.type}."
            )
        values[item.name] = Reference(found.value)
    for item in recipe.of_kind("place"):
        picture = session.resource(files[item.of])
        size = (picture.details.get("width", 0), picture.details.get("height", 0))
        placed = tuple((marks or {}).get(item.name) or marks_on(item, *size))
        if not placed:
            raise BadInput(f"Click on what is meant in {picture.value}.")
        values[item.name] = Reference(
            _kept_place(assistant.store, session_id, item, picture, placed)
        )
    for name, text in (words or {}).items():
        values[name] = Literal(text)
    return recipe.bound(values)


def _kept_place(
    store: Store,
    session_id: str,
    item: Input,
    picture: Resource,
    placed: Sequence[ClickedPoint | Box],
) -> str:
    """Keep where something is on a picture of a session; the name of that."""
    content, media_type = encode(item.type, tuple(placed))
    digest = store.put_bytes(content, media_type)
    name = f"{item.label} in {picture.value.rsplit('.', 1)[0]}.json"
    details = {"image": picture.value, "points": len(placed)}
    origin = f"clicked on {picture.value}"
    made = Resource(item.type, name, digest, media_type, origin, 0, details)
    return store.add(session_id, made).value


async def run_turn(
    assistant: Assistant,
    session_id: str,
    turn: int,
    settings: Settings,
    cancelled: threading.Event | None = None,
) -> AsyncGenerator[Event, None]:
    """Run a turn whose plan is a recipe's: nothing else is tried in place of what fails.

    The same events as `Assistant.answer`.
    """
    settings = replace(settings, answer_with_model=False, act_when_stuck=False)
    async for event in assistant.resume(session_id, turn, RunOptions(settings, cancelled)):
        yield event


def came_to(session: Session, turn: int, events: Sequence[Event]) -> Ran:
    """What a turn that was run came to, by its last events."""
    kept = session.turns[turn]
    last = next((event for event in reversed(events) if _is_end(event)), None)
    if isinstance(last, RequestFailed | RequestCancelled):
        return Ran(problem=last.message)
    failures = [event.message for event in events if isinstance(event, ActionFailed)]
    missing = [key for key in kept.plan.ends() if key not in kept.results] if kept.plan else [""]
    if missing or last is None:
        return Ran(problem=failures[-1] if failures else kept.answer or "It was not finished.")
    assert kept.plan is not None
    made = [kept.results[key] for key in kept.plan.ends()]
    return Ran(kept.in_members(made))


def _is_end(event: Event) -> bool:
    return isinstance(event, AnswerFinished | RequestFailed | RequestCancelled)


def run_recipe(
    recipe: Recipe,
    files: Sequence[Path | str],
    toolbox: Toolbox | None = None,
    out: Path | str | None = None,
    words: Mapping[str, str] | None = None,
    settings: Settings | None = None,
) -> tuple[Resource, ...]:
    """Run a recipe once, and give its results.

    Parameters
    ----------
    files: one for each of `recipe.files`, in that order.
    toolbox: the tools; those of ControlLLM itself where it is None.
    out: a folder for the results, made where it is not there; they are called by their `value`.
    words: by their labels, what the recipe's words are this time.
    settings: how tools may work; those of the environment where it is None.

    Raises BadInput, with a sentence, where a file cannot be used or the recipe could not be done.
    """
    toolbox = toolbox or Toolbox.load()
    with tempfile.TemporaryDirectory(prefix="controlllm-") as folder:
        store = Store(Path(folder))
        try:
            assistant = Assistant(toolbox, store, settings or Settings.from_environment())
            return _run_once(recipe, files, assistant, out, words or {})
        finally:
            store.close()


def _run_once(
    recipe: Recipe,
    files: Sequence[Path | str],
    assistant: Assistant,
    out: Path | str | None,
    words: Mapping[str, str],
) -> tuple[Resource, ...]:
    if len(files) != len(recipe.files):
        labels = ", ".join(item.label for item in recipe.files) or "nothing"
        raise BadInput(f"This recipe takes {len(recipe.files)} files ({labels}), not {len(files)}.")
    session = assistant.open_session(None)
    given = {}
    for item, path in zip(recipe.files, map(Path, files), strict=True):
        if not path.is_file():
            raise BadInput(f"There is no file {path}.")
        given[item.name] = add_file(assistant.store, session.id, path, path.name)[0].value
    by_label = {item.label: item.name for item in recipe.of_kind("words")}
    unknown = [label for label in words if label not in by_label]
    if unknown:
        raise BadInput(f"This recipe has no words called {unknown[0]!r}.")
    said = {by_label[label]: text for label, text in words.items()}
    plan = bind(recipe, assistant, session.id, given, said)
    turn = Turn(0, recipe.request, (), plan, state="cancelled")
    assistant.store.update(session.id, lambda current: current.with_turn(turn))

    async def run() -> list[Event]:
        return [event async for event in run_turn(assistant, session.id, 0, assistant.settings)]

    events = asyncio.run(run())
    ran = came_to(assistant.store.load(session.id), 0, events)
    if ran.problem:
        raise BadInput(ran.problem)
    if out is not None:
        place = Path(out)
        place.mkdir(parents=True, exist_ok=True)
        for resource in ran.results:
            shutil.copyfile(assistant.file(session.id, resource.value)[0], place / resource.value)
    return ran.results
