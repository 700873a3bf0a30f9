"""What came of each part of a request: its result, or why there is none."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from controlllm.core.plans import Plan, Solution, Subtask, is_generated
from controlllm.planning.settings import unused_passages, unused_values
from controlllm.resources import REMARKS, Resource

_ARTICLE = re.compile(r"^(?:the|an?)\s+", re.IGNORECASE)


@dataclass(frozen=True)
class RunResult:
    """What came of one subtask: its result with the value, or why there is none; `said` is what an
    agent that worked on it answered; `key` is the place in the plan of the step that made it;
    `whole` is the recording that a changed part was put back into; `unused` are words for measures
    that no step took; `is_on_the_way` says that it went on into another result, which is what is
    handed over; `members` are what several files were handed over as; `remarks` are sentences of
    its tools that a person has to know."""

    subtask: Subtask
    tools: tuple[str, ...] = ()
    resource: Resource | None = None
    value: Any = None
    problem: str = ""
    size: tuple[int, int] | None = None
    words: tuple[str, ...] = field(default=())
    said: str = ""
    key: str = ""
    whole: Resource | None = None
    unused: tuple[str, ...] = ()
    is_on_the_way: bool = False
    members: tuple[Resource, ...] = ()
    remarks: tuple[str, ...] = ()

    @property
    def about(self) -> str:
        """The object that the subtask was about, without an article; empty where it names none."""
        found = [argument.value for argument in self.subtask.args if argument.role == "object"]
        return _ARTICLE.sub("", found[0]) if found else ""

    @property
    def file(self) -> str:
        """The name of the file that it worked on, empty where there is none of the session's."""
        found = [
            argument.value
            for argument in self.subtask.args
            if not (argument.role or argument.type == "text" or is_generated(argument.value))
        ]
        return found[0] if found else ""


def _whole(
    solution: Solution | None, made: Resource, known: Callable[[str], Resource | None]
) -> Resource | None:
    """The recording that the last step put a part back into, told from the times it was given."""
    last = solution.actions[-1] if solution and solution.actions else None
    if last is None or not {"start", "end"} <= last.inputs.keys():
        return None
    found = next((known(value) for value in last.references()), None)
    return found if found is not None and found.type == made.type else None


def _remarks(plan: Plan, subtask: Subtask, results: Mapping[str, Resource]) -> tuple[str, ...]:
    """What the tools of a subtask said of their results, the last one's first: it is what was
    done, the others say what it may lack."""
    keys = [step.key for step in plan.steps() if step.subtask == subtask.id]
    made = [results[key] for key in reversed(keys) if key in results]
    said = (str(sentence) for item in made for sentence in item.details.get(REMARKS, ()))
    return tuple(dict.fromkeys(said))


def _left_undone(plan: Plan, subtask: Subtask, results: Mapping[str, Resource]) -> str:
    """Why a subtask that nothing went wrong in has no result: what it needs is missing."""
    keys = plan.last_keys()
    for item in plan.subtasks:
        if item.id in subtask.deps and keys.get(item.id) not in results:
            return f"This was not done: it needs what “{item.description}” was to find or make."
    return "It was not done."


def run_results_of(
    plan: Plan,
    results: Mapping[str, Resource],
    problems: Mapping[int, str],
    read: Callable[[Resource], Any],
    known: Callable[[str], Resource | None],
    said: Mapping[int, str] = MappingProxyType({}),
) -> tuple[RunResult, ...]:
    """What came of every subtask of a plan.

    `results` are by step key; `problems` say, by subtask, why there is no result; `read` gives the
    value of a resource and `known` the session's resource of a name; `said` is what agents that
    worked on subtasks answered.
    """
    found = []
    last_keys = plan.last_keys()
    for subtask in plan.subtasks:
        solution = plan.solution(subtask.id)
        tools = solution.tools if solution else ()
        key = last_keys.get(subtask.id, "")
        resource = results.get(key)
        if resource is None:
            problem = problems.get(subtask.id, "") or _left_undone(plan, subtask, results)
            found.append(RunResult(subtask, tools, problem=problem, said=said.get(subtask.id, "")))
            continue
        source = next(
            (
                known(argument.value)
                for argument in subtask.args
                if known(argument.value) is not None
            ),
            None,
        )
        details = source.details if source else {}
        size = (
            (int(details["width"]), int(details["height"]))
            if "width" in details and "height" in details
            else None
        )
        found.append(
            RunResult(
                subtask,
                tools,
                resource,
                read(resource),
                size=size,
                said=said.get(subtask.id, ""),
                key=key,
                whole=_whole(solution, resource, known),
                unused=_unused(solution, subtask),
                remarks=_remarks(plan, subtask, results),
            )
        )
    return tuple(found)


def _unused(solution: Solution | None, subtask: Subtask) -> tuple[str, ...]:
    """The measures that were said for a part and that its way does not use; whoever proposed the
    way has seen to what was said, such as "every page" where all are meant anyhow."""
    if solution is None or solution.actions == subtask.way:
        return ()
    unused = unused_values(solution.actions, subtask.description)
    if subtask.returns.type not in ("audio", "video"):
        return unused
    return (*unused, *unused_passages(solution.actions, subtask.description))
