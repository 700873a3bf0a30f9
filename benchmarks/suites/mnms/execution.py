"""m&m's plans run on our own tools, by the engine.

Each of the 33 tools is one of ours or a few of them. Nodes run in the listed order; a reference
alone hands the earlier output on, one inside words is replaced by what that output says. Names of
files are looked up in one folder and nowhere else. A failure ends the run and says which node.
"""

from __future__ import annotations

import asyncio
import re
import tempfile
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.suites.answers import REFERENCE, Call
from benchmarks.suites.mnms.catalogue import catalogue
from benchmarks.suites.mnms.prompted import Ran
from controlllm.core.events import ActionFailed, ActionFinished
from controlllm.core.plans import Action, Literal, Plan, Reference, Solution, Subtask, TypedValue
from controlllm.engine import Engine, Terms
from controlllm.resources import BadInput, Resource, as_text, decode
from controlllm.settings import Settings
from controlllm.store import Store
from controlllm.toolbox import Toolbox

#: What an output is: words, a number, or a thing in the store.
Output = str | float | Resource
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_FILE = re.compile(r"[\w\-. ]+\.(?:jpg|jpeg|png|gif|webp|bmp|flac|wav|mp3|ogg|m4a)", re.IGNORECASE)


class Failed(Exception):
    """A node could not be run. `kind` is the sort of failure, for the model."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


@dataclass
class Outputs:
    """What a plan has made: each node's outputs by name, and how it ended."""

    made: dict[int, dict[str, Output]] = field(default_factory=dict)
    kind: str = ""
    message: str = ""


class Execution:
    """Runs plans on a toolbox; closing it removes what they made.

    Parameters
    ----------
    media: the folder of the files that plans name; without it no file is found.
    """

    def __init__(
        self,
        media: Path | None = None,
        toolbox: Toolbox | None = None,
        settings: Settings | None = None,
    ) -> None:
        self._stack = ExitStack()
        home = self._stack.enter_context(tempfile.TemporaryDirectory(prefix="controlllm-bench-"))
        self.store = Store(Path(home))
        self._stack.callback(self.store.close)
        self._media = media
        self._toolbox = toolbox or Toolbox.load()
        self._settings = settings or Settings()
        # One plan at a time: the tools' models are large.
        self._lock = threading.Lock()
        self._count = 0

    def close(self) -> None:
        self._stack.close()

    def ran(self, calls: Sequence[Call]) -> Ran:
        """The same as `outputs`, told in words for a model."""
        found = self.outputs(calls)
        told = {
            number: {name: self.words(value) for name, value in outputs.items()}
            for number, outputs in found.made.items()
        }
        return Ran(told, found.kind, found.message)

    def outputs(self, calls: Sequence[Call]) -> Outputs:
        """Run a plan as far as it goes."""
        found = Outputs()
        with self._lock:
            for call in calls:
                try:
                    found.made[call.id] = self._node(call, found.made)
                except Failed as failure:
                    found.kind = failure.kind
                    found.message = f"node {call.id} ({call.tool}): {failure}".rstrip(".")
                    break
        return found

    def words(self, value: Output) -> str:
        """An output as words: a text itself, anything else as what it shows of itself."""
        if not isinstance(value, Resource):
            return f"{value:g}" if isinstance(value, float) else value
        if value.type in ("image", "audio", "video"):
            return f"{value.type} {value.value}"
        return as_text(value.type, self.value(value))

    def value(self, resource: Resource) -> Any:
        """What is in a resource, as tools get it."""
        return decode(resource.type, self.store.path(resource.digest, resource.media_type))

    def _node(self, call: Call, made: Mapping[int, Mapping[str, Output]]) -> dict[str, Output]:
        tool = catalogue().get(call.tool)
        if tool is None:
            raise Failed("KeyError", f"there is no tool {call.tool}")
        missing = [slot.name for slot in tool.args if slot.name not in call.arguments]
        if missing:
            raise Failed("TypeError", f"{', '.join(missing)} is missing")
        given = {
            slot.name: self._resolved(call.arguments[slot.name], slot.kind, made)
            for slot in tool.args
        }
        return _WAYS[call.tool](self, given)

    def _resolved(self, value: Any, kind: str, made: Mapping[int, Mapping[str, Output]]) -> Output:
        text = str(value)

        def output(number: str, key: str | None) -> Output:
            outputs = made.get(int(number), {})
            if key not in outputs:
                raise Failed("KeyError", f"node {number} has made no {key or 'such output'}")
            return outputs[str(key)]

        whole = REFERENCE.fullmatch(text)
        if whole is not None:
            return output(whole[1], whole[2])
        if kind in ("image", "audio"):
            return self._file(text, kind)
        if kind in ("object", "objects"):
            raise Failed("TypeError", f"{text!r} is no {kind} that an earlier node found")
        return REFERENCE.sub(lambda found: self.words(output(found[1], found[2])), text)

    def _file(self, name: str, kind: str) -> Resource:
        """A file of the folder; a name that leads elsewhere is none."""
        path = None if self._media is None else self._media / name
        if path is None or not _FILE.fullmatch(name) or path.name != name or not path.is_file():
            raise Failed("FileNotFoundError", f"there is no file {name}")
        from controlllm.resources.probing import ingest  # it loads the readers of media files

        with self.store.work_folder() as folder:
            try:
                taken = ingest(path, name, folder)
            except BadInput as problem:
                raise Failed("ValueError", str(problem)) from problem
            digest = self.store.put_file(taken.path, taken.media_type)
        if taken.type != kind:
            raise Failed("TypeError", f"{name} is {taken.type}, not {kind}")
        self._count += 1
        return Resource(taken.type, f"{self._count}-{name}", digest, taken.media_type)

    def tool(self, name: str, **inputs: Output) -> Resource:
        """What one of our tools makes of these inputs; raises Failed."""
        tool = self._toolbox[name]
        self._count += 1
        made = f"made-{self._count}"
        action = Action(
            name,
            {
                key: Reference(value.value) if isinstance(value, Resource) else Literal(str(value))
                for key, value in inputs.items()
            },
            TypedValue(tool.returns.type, made),
        )
        subtask = Subtask(0, name, (), (), TypedValue(tool.returns.type, made))
        plan = Plan((subtask,), {0: (Solution((action,), 5.0),)})
        known = {value.value: value for value in inputs.values() if isinstance(value, Resource)}
        return asyncio.run(self._run(plan, known, made))

    async def _run(self, plan: Plan, known: Mapping[str, Resource], made: str) -> Resource:
        engine = Engine(self._toolbox, self.store, 1, pause=0.0)
        message = "nothing came of it"
        events = engine.run(
            plan,
            known,
            name_output=lambda step, media_type: made,
            cancelled=threading.Event(),
            terms=Terms(self._settings.runtimes, capabilities=self._settings.capabilities),
        )
        found: Resource | None = None
        async for event in events:
            if isinstance(event, ActionFinished):
                found = event.resource
            elif isinstance(event, ActionFailed):
                message = event.message
        if found is None:
            raise Failed("RuntimeError", message)
        return found

    def text(self, name: str, **inputs: Output) -> str:
        """What one of our tools says."""
        return self.words(self.tool(name, **inputs))


_Given = Mapping[str, Any]
_Way = Callable[[Execution, _Given], dict[str, Output]]


def _says(tool: str, **names: str) -> _Way:
    """A tool of ours that says something, with m&m's argument for each of its own."""
    return lambda run, given: {
        "text": run.text(tool, **{own: given[theirs] for own, theirs in names.items()})
    }


def _draws(tool: str, **names: str) -> _Way:
    return lambda run, given: {
        "image": run.tool(tool, **{own: given[theirs] for own, theirs in names.items()})
    }


def _finds(tool: str) -> _Way:
    return lambda run, given: {
        "image": given["image"],
        "objects": run.tool(tool, image=given["image"]),
    }


def _boxes(run: Execution, found: Any) -> Resource:
    _is_found(found)
    return run.tool("mask_to_bbox", mask=found) if found.type == "mask" else found


def _masks(run: Execution, image: Any, found: Any) -> Resource:
    _is_found(found)
    return run.tool("bbox_to_mask", image=image, bbox=found) if found.type == "bbox" else found


def _is_found(found: Any) -> None:
    if not (isinstance(found, Resource) and found.type in ("bbox", "mask")):
        raise Failed("TypeError", "what it was given are no objects")


def _at_boxes(tool: str, name: str) -> _Way:
    return lambda run, given: {
        "image": run.tool(tool, image=given["image"], bbox=_boxes(run, given[name]))
    }


def _at_masks(tool: str) -> _Way:
    return lambda run, given: {
        "image": run.tool(
            tool, image=given["image"], mask=_masks(run, given["image"], given["object"])
        )
    }


def _emoji(run: Execution, given: _Given) -> dict[str, Output]:
    boxes = _boxes(run, given["object"])
    return {"image": run.tool("emoji", image=given["image"], bbox=boxes, prompt=given["emoji"])}


def _select(run: Execution, given: _Given) -> dict[str, Output]:
    found = given["objects"]
    _is_found(found)
    inputs = {found.type: found, "condition": given["object_name"]}
    chosen = run.tool(f"select_{found.type}", **inputs)
    return {"object": chosen}


def _count(run: Execution, given: _Given) -> dict[str, Output]:
    found = given["objects"]
    _is_found(found)
    return {"number": float(len(run.value(found)))}


def _number(words: str) -> float:
    found = _NUMBER.search(words)
    if found is None:
        raise Failed("ValueError", f"there is no number in {words[:80]!r}")
    return float(found[0])


def _love(run: Execution, given: _Given) -> dict[str, Output]:
    names = f"{given['first_name']} and {given['second_name']}"
    return {"number": _number(run.text("love_calculator", names=names).rpartition(":")[2])}


def _location(run: Execution, given: _Given) -> dict[str, Output]:
    said = run.text("get_location", place=given["city"])
    found = re.search(r"([\d.]+)° ([NS]), ([\d.]+)° ([EW])", said)
    if found is None:
        raise Failed("ValueError", f"no place is known by {given['city']}")
    lat = float(found[1]) * (1 if found[2] == "N" else -1)
    lon = float(found[3]) * (1 if found[4] == "E" else -1)
    return {"lon": lon, "lat": lat}


def _weather(run: Execution, given: _Given) -> dict[str, Output]:
    place = f"{_number(str(given['lat']))}, {_number(str(given['lon']))}"
    return {"objects": run.text("get_weather", place=place)}


def _film(run: Execution, given: _Given) -> dict[str, Output]:
    title = f"{given['movie_title']} ({given['movie_year']})"
    return {"text": run.text("search_movie", title=title)}


#: Each of m&m's tools with what runs it.
_WAYS: Mapping[str, _Way] = {
    "text generation": _says("text_generation", prompt="text"),
    "text summarization": _says("summarization", text="text"),
    "text classification": _says("sentiment_analysis", text="text"),
    "question answering": _says("question_answering", text="text", question="question"),
    "image generation": _draws("text_to_image", prompt="text"),
    "image captioning": _says("image_captioning", image="image"),
    "optical character recognition": _says("optical_character_recognition", image="image"),
    "image classification": _says("image_classification", image="image"),
    "image editing": _draws("text_image_editing", image="image", prompt="prompt"),
    "object detection": _finds("object_detection"),
    "image segmentation": _finds("instance_segmentation"),
    "automatic speech recognition": _says("speech_to_text", audio="audio"),
    "visual question answering": _says(
        "image_question_answering", image="image", question="question"
    ),
    "image crop": _at_boxes("image_cropping", "object"),
    "image crop left": _draws("image_crop_left", image="image"),
    "image crop right": _draws("image_crop_right", image="image"),
    "image crop top": _draws("image_crop_top", image="image"),
    "image crop bottom": _draws("image_crop_bottom", image="image"),
    "background blur": _at_masks("background_blur"),
    "color pop": _at_masks("color_pop"),
    "count": _count,
    "tag": _at_boxes("tag", "objects"),
    "select object": _select,
    "emoji": _emoji,
    "get date fact": _says("get_date_fact", date="date"),
    "get year fact": _says("get_year_fact", year="year"),
    "get math fact": _says("get_math_fact", number="number"),
    "get trivia fact": _says("get_trivia_fact", number="number"),
    "love calculator": _love,
    "get location": _location,
    "search movie": _film,
    "get weather": _weather,
    "wikipedia simple search": _says("wikipedia_simple_search", text="text"),
}
