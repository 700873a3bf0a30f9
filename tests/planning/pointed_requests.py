"""Requests that speak of regions, planned and judged: the share that is right.

``python -m tests.planning.pointed_requests [--wrong]`` prints it for both sets; the second one's
failures are never shown.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from controlllm.core.plans import Request
from controlllm.planning.planner import Planner
from controlllm.resources import Resource
from controlllm.runs.planners import embedded_planner
from controlllm.toolbox import Toolbox

DATA = Path(__file__).parent / "data"
_AFTER = frozenset({"put_back"})


def requests_of(name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((DATA / f"pointed_{name}.json").read_text("utf-8"))[
        "requests"
    ]
    return found


def planned(planner: Planner, asked: dict[str, Any]) -> list[tuple[str, str, str]]:
    """For each subtask the regions that it is about, how it is meant, and the tool that does it."""
    pictures = sorted(set(asked["regions"].values()))
    resources = [Resource("image", name) for name in pictures]
    resources += [
        Resource("mask", f"[{number}]", details={"image": of, "number": int(number)})
        for number, of in asked["regions"].items()
    ]
    request = Request(asked["text"], tuple(resources), tuple(item.value for item in resources))
    found = []
    for solved in planner.solve(planner.decompose(request), request):
        scope = solved.subtask.scope
        values = [item.value for item in solved.subtask.args if item.type == "mask"]
        tools = [action.tool for action in solved.solutions[0].actions] if solved.solutions else []
        does = [name for name in tools if name not in _AFTER]
        numbers = " ".join(sorted(value.strip("[]") for value in values))
        found.append((numbers, scope.how if scope else "", does[-1] if does else ""))
    return found


def is_right(planner: Planner, asked: dict[str, Any]) -> bool:
    made, wanted = planned(planner, asked), asked["wishes"]
    return len(made) == len(wanted) and all(
        on == wish["on"] and how == wish["how"] and tool in wish["tools"]
        for (on, how, tool), wish in zip(made, wanted, strict=True)
    )


def main() -> None:
    planner = embedded_planner(Toolbox.load())
    for name in ("development", "second"):
        asked = requests_of(name)
        right = [is_right(planner, one) for one in asked]
        print(f"{name}: {sum(right)} of {len(asked)}")
        if name == "development" and "--wrong" in sys.argv:
            for one, is_so in zip(asked, right, strict=True):
                if not is_so:
                    print("  ", one["text"], planned(planner, one))


if __name__ == "__main__":
    main()
