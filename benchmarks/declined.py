"""Requests that no tool can do and doable ones beside them: ``python -m benchmarks declined``.

Two authors wrote 80 of each, and two others 80 more of each. One is declined where its plan makes
nothing, so that the person is told what cannot be done. The threshold above which a wish is taken
for impossible was chosen on the first set; of the second nobody has seen which are judged wrongly.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from controlllm.core.plans import Request
from controlllm.resources import Resource, guess_type
from controlllm.runs.planners import embedded_planner
from controlllm.toolbox import Toolbox

_DATA = Path(__file__).resolve().parent / "data"
#: To develop with, and to measure with.
SEEN, UNSEEN = _DATA / "declined_requests.json", _DATA / "second_declined_requests.json"


@dataclass(frozen=True)
class Judged:
    """A request, whether a tool can do it, and the tools of its plan, none where it is declined."""

    words: str
    is_doable: bool
    tools: tuple[str, ...]


def judged(path: Path) -> list[Judged]:
    """Every request of a file with what is planned for it."""
    planner = embedded_planner(Toolbox.load())
    found = []
    for entry in json.loads(path.read_text("utf-8")):
        files = tuple(
            Resource(guess_type(name), name, origin="uploaded") for name in entry["files"]
        )
        names = tuple(item.value for item in files)
        plan, _ = planner.plan(Request(entry["words"], files, names))
        ways = [plan.solution(subtask.id) for subtask in plan.subtasks]
        tools = [tool for way in ways if way is not None for tool in way.tools]
        found.append(Judged(entry["words"], entry["doable"], tuple(tools)))
    return found


def measure(is_told: bool) -> None:
    """Print how many are declined, with `is_told` which of the first set are judged wrongly."""
    for path in (SEEN, UNSEEN):
        found = judged(path)
        print(path.name)
        for title, is_doable in (("no tool can do", False), ("a tool can do", True)):
            own = [item for item in found if item.is_doable == is_doable]
            declined = sum(not item.tools for item in own)
            print(f"  {title}: {declined} of {len(own)} declined ({declined / len(own):.3f})")
        for item in found if is_told and path == SEEN else ():
            if bool(item.tools) != item.is_doable:
                print(f"  {item.words[:140]!r}: {' > '.join(item.tools) or 'declined'}")
