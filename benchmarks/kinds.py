"""Plans for requests of which only the kind is known: ``python -m benchmarks kinds``.

The ControlLLM authors published instructions with their kinds (``image_detection``, several joined
by commas, or ``parallel_image_QA`` for several files). A plan is right where its best solutions
contain a right tool for every kind and use every file that the request names. The files are not
part of this project: their paths are given on the command line.
"""

from __future__ import annotations

import json
import re
import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from controlllm.core.plans import Action, Plan, Reference, Request
from controlllm.planning.planner import Planner
from controlllm.resources import Resource
from controlllm.toolbox import Toolbox

_FILE = re.compile(r"[\w\-]+\.(?:png|jpe?g|gif|webm|mp4|avi|mov|wav|mp3)\b", re.IGNORECASE)
_VIDEO = frozenset({"mp4", "avi", "mov", "webm"})
_MAPS = frozenset("mask edge line hed scribble pose depth normal segmentation canny".split())
_DETECTORS = frozenset({"object_detection", "visual_grounding"})
_SEGMENTERS = frozenset({"image_instance_segmentation", "segment_anything"})
_COUNTERS = frozenset({"count_objects", "count_masks", "count_categories"})
_CHATS = frozenset({"openai_chat_model", "text_to_text_generation"})


@dataclass(frozen=True)
class Instruction:
    """A request with the kinds of its parts; `group` is the line of the table it counts for."""

    text: str
    kinds: tuple[str, ...]
    group: str

    @property
    def is_single(self) -> bool:
        """Whether it asks for one thing to be done to one file."""
        return self.group != "compound" and not self.group.startswith("several")

    def asked(self) -> Request:
        """The request with the files that it names, each of the type that its name implies."""
        files = tuple(
            Resource(_type_of(name), name)
            for name in dict.fromkeys(found.group() for found in _FILE.finditer(self.text))
        )
        return Request(self.text, files, tuple(file.value for file in files))


@dataclass(frozen=True)
class Outcome:
    """An instruction with whether its plan has the right tools and all files, and the time."""

    instruction: Instruction
    plan: Plan
    tools: bool
    files: bool
    seconds: float

    @property
    def right(self) -> bool:
        return self.tools and self.files


def read_instructions(path: Path) -> tuple[Instruction, ...]:
    """The instructions of a file; raises ValueError where it is not such a file."""
    try:
        entries = json.loads(path.read_text())
        return tuple(_instruction(entry["type"], entry["instruction"]) for entry in entries)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ValueError(f"{path} is no file of instructions with their kinds: {error}") from error


def _instruction(kind: str, text: str) -> Instruction:
    if kind.startswith("parallel_"):
        name = kind.removeprefix("parallel_")
        return Instruction(text, (name,), f"several files: {name}")
    kinds = tuple(kind.split(","))
    return Instruction(text, kinds, "compound" if len(kinds) > 1 else kind)


def outcomes(planner: Planner, instructions: Sequence[Instruction]) -> Iterator[Outcome]:
    """Plan every instruction and judge the plan."""
    for instruction in instructions:
        request = instruction.asked()
        started = time.perf_counter()
        plan, _ = planner.plan(request)
        seconds = time.perf_counter() - started
        yield judged(instruction, plan, planner.graph.toolbox, seconds)


def judged(instruction: Instruction, plan: Plan, toolbox: Toolbox, seconds: float) -> Outcome:
    """Whether a plan has a right tool for every kind and uses every file."""
    best = [plan.solution(subtask.id) for subtask in plan.subtasks]
    actions = [action for solution in best if solution for action in solution.actions]
    used = {value for action in actions for value in action.references()}
    return Outcome(
        instruction,
        plan,
        all(_is_right(kind, actions, toolbox) for kind in instruction.kinds),
        all(resource.value in used for resource in instruction.asked().resources),
        seconds,
    )


def table(found: Sequence[Outcome]) -> str:
    """Right plans by kind, then of all single and of all other instructions, as a table."""
    total = Counter(item.instruction.group for item in found)
    right = Counter(item.instruction.group for item in found if item.right)
    single = list(dict.fromkeys(i.instruction.group for i in found if i.instruction.is_single))
    several = [name for name in total if name.startswith("several")]
    lines = ["| kind | right | of | share |", "| --- | --- | --- | --- |"]

    def line(title: str, names: Sequence[str]) -> None:
        count, of = sum(right[name] for name in names), sum(total[name] for name in names)
        if of:
            lines.append(f"| {title} | {count} | {of} | {count / of:.3f} |")

    for name in sorted(total):
        line(name, [name])
    line("**single, all**", single)
    line("**several files, all**", several)
    line("**compound, all**", ["compound"])
    line("**several files and compound**", [*several, "compound"])
    seconds = sorted(item.seconds for item in found)
    lines.append("")
    lines.append(
        f"Planning took {statistics.median(seconds) * 1000:.0f} ms in the median, "
        f"{seconds[int(0.95 * len(seconds))] * 1000:.0f} ms at the 95th percentile."
    )
    return "\n".join(lines)


def _type_of(name: str) -> str:
    stem, _, ending = name.lower().rpartition(".")
    if ending in _VIDEO:
        return "video"
    if ending in ("wav", "mp3"):
        return "audio"
    last = stem.rsplit("_", 1)[-1]
    return last if last in _MAPS else "image"


def _is_right(kind: str, actions: Sequence[Action], toolbox: Toolbox) -> bool:
    """Whether some tool that serves this kind is among the actions."""
    names = {action.tool for action in actions}
    if kind == "image_editing":
        return any(_edits_object(action, actions, toolbox) for action in actions)
    return _RIGHT[kind](names) if kind in _RIGHT else kind in names


_RIGHT: Mapping[str, Callable[[set[str]], bool]] = {
    "image_detection": lambda names: bool(names & _DETECTORS),
    "image_segmentation": lambda names: bool(names & _SEGMENTERS),
    "count_object": lambda names: (
        "image_question_answering" in names
        or bool(names & (_DETECTORS | _SEGMENTERS) and names & _COUNTERS)
    ),
    "image_generation": lambda names: any(
        name.endswith("text_to_image") or name == "image_to_image" for name in names
    ),
    "image_processing": lambda names: any(
        name.removeprefix("image_to_") in _MAPS for name in names if name.startswith("image_to_")
    ),
    "image_QA": lambda names: "image_question_answering" in names,
    "QA": lambda names: bool(names & _CHATS),
}


def _edits_object(action: Action, actions: Sequence[Action], toolbox: Toolbox) -> bool:
    """Whether an action edits a picture at a place: a mask or box that was made or handed over."""
    tool = toolbox[action.tool]
    if tool.domain != "image-editing":
        return False
    return any(
        argument.type in ("mask", "bbox")
        and isinstance(action.inputs.get(argument.name), Reference)
        for argument in tool.args
    )
