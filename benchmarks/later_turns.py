"""Plans for requests in the middle of conversations: ``python -m benchmarks later-turns``.

A file is one of those in ``training/data/requests`` that is kept from training; its README has the
format. Each request is planned as the program plans a turn: going back and doing again are heard
first, then "it" is what was spoken of last. The turns before are as they were written: the file of
each result, made of what is written where the turn stands in the file too, and else of what the
planner says.
"""

from __future__ import annotations

import json
import statistics
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from benchmarks.written import Written, file_of, is_right, told_usage, used, written_of
from controlllm.core.events import Event
from controlllm.core.plans import Action, Plan, Reference, Solution, Subtask, TypedValue, generated
from controlllm.core.session import Session, Turn
from controlllm.planning.planner import Planner
from controlllm.planning.restoring import restoring
from controlllm.resources import Resource
from controlllm.runs.doing_again import plan_again, plan_corrected
from controlllm.runs.following_up import request_of
from controlllm.runs.planners import embedded_planner, planners_of
from controlllm.settings import Settings
from controlllm.toolbox import Toolbox

#: 304 requests, 143 of them later turns, by the twelve authors of the newest data.
KEPT_ASIDE = Path(__file__).resolve().parent.parent / "training/data/requests/own-155.json"


@dataclass(frozen=True)
class PlannedTurn:
    """A request with its plan: whether all of it `is_right`, and of its parts whether as many
    wishes were heard as are meant, their tools, and the files that they work on."""

    words: str
    files: int
    turns_before: int
    is_right: bool
    has_count: bool
    has_tools: bool
    has_files: bool
    tools: tuple[str, ...]
    read: tuple[str, ...]


def planned_turns(
    rows: Sequence[Mapping[str, Any]],
    planner: Planner,
    made_for_request: Callable[[], Planner] | None = None,
) -> Iterator[PlannedTurn]:
    """Every request of a file with what is planned for it, by a planner made for each request where
    there is one; `planner` says what the turns before made where that is not written."""
    known = {_key(row["earlier"], row["request"]): row for row in rows if row.get("earlier")}
    for row in rows:
        session = _session(row, known, planner)
        plan = _plan(session, made_for_request() if made_for_request is not None else planner)
        yield _judged(written_of(row), row, plan)


def _key(earlier: Sequence[Mapping[str, Any]], request: str) -> tuple[str, ...]:
    return (*(turn["request"] for turn in earlier), request)


def _judged(wanted: Written, row: Mapping[str, Any], plan: Plan) -> PlannedTurn:
    ways = [plan.solution(task.id) for task in plan.subtasks]
    ends = [way.tools[-1] for way in ways if way is not None]
    read = {item.value for task in plan.subtasks for item in task.args if _is_file(item)}
    meant = [wish for wish in wanted.wishes if wish.ends]
    # A wish for several files is as many subtasks.
    heard = len({task.description for task in plan.subtasks})
    return PlannedTurn(
        row["request"],
        len(row["files"]),
        len(row.get("earlier", ())),
        is_right(plan, wanted),
        heard == len(wanted.wishes) or len(plan.subtasks) == len(wanted.wishes),
        all(set(ends) & wish.ends for wish in meant)
        and all(any(end in wish.ends for wish in meant) for end in ends),
        read == {value for wish in meant for value in wish.files},
        tuple(ends),
        tuple(sorted(read)),
    )


def _is_file(item: TypedValue) -> bool:
    return not item.role and not item.value.startswith("<GEN>-")


def _session(
    row: Mapping[str, Any], known: Mapping[tuple[str, ...], Mapping[str, Any]], planner: Planner
) -> Session:
    """The conversation up to a request, which is its last turn."""
    resources = {item.value: item for item in written_of(row).request.resources}
    files = list(resources)
    made_in = {
        file_of(name, row): number
        for number, turn in enumerate(row.get("earlier", ()))
        for name in turn.get("names", ())
    }
    came_with = {value: _came_with(value, files, resources, made_in) for value in files}
    session = Session("benchmark")
    for number, turn in enumerate([*row.get("earlier", ()), {"request": row["request"]}]):
        added = tuple(v for v in files if v not in made_in and came_with[v] == number)
        for value in added:
            session = session.with_resource(replace(resources[value], turn=number))
        session = session.with_turn(Turn(number, turn["request"], added))
        if number == len(row.get("earlier", ())):
            return session
        entry = known.get(_key(row["earlier"][:number], turn["request"]))
        results = [resources[file_of(name, row)] for name in turn.get("names", ())]
        plan = _plan_of(entry, results, session, planner)
        by_key = dict(zip(plan.ends(), results, strict=True)) if results else {}
        for item in results:
            session = session.with_resource(replace(item, turn=number))
        done = replace(session.turns[-1], plan=plan, results=by_key, state="answered")
        session = replace(session, turns=(*session.turns[:-1], done))
    raise AssertionError("the loop ends with the request itself")


def _came_with(
    value: str,
    files: Sequence[str],
    resources: Mapping[str, Resource],
    made_in: Mapping[str, int],
) -> int:
    """The number of the turn that a file came with: the one after that which made a file of its
    kind that is numbered before it."""
    before = files[: files.index(value)]
    kind = resources[value].type
    made = [made_in[item] for item in before if item in made_in and resources[item].type == kind]
    return max(made, default=-1) + 1


def _plan_of(
    entry: Mapping[str, Any] | None,
    results: Sequence[Resource],
    session: Session,
    planner: Planner,
) -> Plan:
    """A plan that ends in these results: by the tools and files that are written, or those of the
    planner."""
    made = [TypedValue(item.type, generated(place)) for place, item in enumerate(results)]
    wishes = _written_wishes(entry, session) if entry is not None else _planned(session, planner)
    # The last wishes make the last results; what more results there are is made by the last too.
    wishes = [*wishes, *wishes[-1:] * len(results)][-max(len(wishes), len(results)) :]
    first = len(wishes) - len(results)
    subtasks, solutions = [], {}
    for number, returns in enumerate(made):
        tool, files, after = wishes[first + number] if wishes else ("", (), ())
        deps = tuple(place - first for place in after if first <= place < first + number)
        on = (*files, *(made[place] for place in deps))
        subtasks.append(Subtask(number, session.turns[-1].text, (), on, returns, deps))
        inputs = {f"input {place}": Reference(item.value) for place, item in enumerate(on)}
        action = Action(tool, inputs, replace(returns, value=generated(number, 0)))
        solutions[number] = (Solution((action,), 4.0),)
    return Plan(tuple(subtasks), solutions)


_Wish = tuple[str, tuple[TypedValue, ...], tuple[int, ...]]


def _written_wishes(entry: Mapping[str, Any], session: Session) -> list[_Wish]:
    """Of the wishes that an entry has, the last tool, the files, and the wishes before."""
    types = {item.value: item.type for item in session.resources}
    found: list[_Wish] = []
    places: dict[int, int] = {}
    for number, wish in enumerate(entry["wishes"]):
        if not wish["tools"]:
            continue
        named = [file_of(on, entry) for on in wish["on"] if not on.startswith("wish ")]
        after = [int(on[5:]) - 1 for on in wish["on"] if on.startswith("wish ")]
        files = tuple(TypedValue(types[value], value) for value in named if value in types)
        places[number] = len(found)
        found.append((wish["tools"][-1], files, tuple(places[n] for n in after if n in places)))
    return found


def _planned(session: Session, planner: Planner) -> list[_Wish]:
    """The same of what the planner says."""
    plan = _plan(session, planner)
    found: list[_Wish] = []
    places: dict[int, int] = {}
    for task in plan.subtasks:
        way = plan.solution(task.id)
        if way is not None:
            places[task.id] = len(found)
            after = tuple(places[number] for number in task.deps if number in places)
            found.append((way.tools[-1], tuple(filter(_is_file, task.args)), after))
    return found


def _plan(session: Session, planner: Planner) -> Plan:
    """What the program plans for the last turn of a conversation."""
    turn, toolbox = session.turns[-1], planner.graph.toolbox
    going_back = None if turn.attached else restoring(turn.text, session.turns[:-1])
    rest = going_back.rest if going_back is not None else ""
    if going_back is not None:
        turn = replace(turn, restored=going_back.restored, taken_back=going_back.taken_back)
        session = replace(session, turns=(*session.turns[:-1], turn))
        if not rest:
            return Plan((), {})
    try:
        again = plan_again(session, turn)
        corrected = plan_corrected(session, turn, toolbox)
    except KeyError:  # a tool that only the file knows
        again = corrected = None
    if again is not None:
        return again
    if corrected is not None and not rest:
        return corrected[0]
    return planner.plan(request_of(session, turn, rest))[0]


def measure(path: Path, is_told: bool, settings: Settings | None = None) -> None:
    """Print how many are planned as meant, with `is_told` those that are not. Where `settings` name
    a language model, it plans."""
    rows = json.loads(path.read_text("utf-8"))
    planner = embedded_planner(Toolbox.load())
    told: list[Event] = []
    prompted = planners_of(planner, settings or Settings(), told.append)
    found = list(planned_turns(rows, planner, prompted))
    groups: dict[str, list[PlannedTurn]] = {
        "first turns": [item for item in found if not item.turns_before],
        "later turns": [item for item in found if item.turns_before],
        "later turns, four files and more": [
            item for item in found if item.turns_before and item.files > 3
        ],
        "all": found,
    }
    print("| | requests | right | wishes | tools | files |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for title, items in groups.items():
        if items:
            rights = (
                statistics.mean(getattr(item, part) for item in items)
                for part in ("is_right", "has_count", "has_tools", "has_files")
            )
            print(f"| {title} | {len(items)} | {' | '.join(f'{right:.3f}' for right in rights)} |")
    if told:
        print(told_usage(used(told), len(found)))
    for item in found if is_told else ():
        if not item.is_right:
            print(f"{item.words[:160]!r}: {', '.join(item.tools)} on {', '.join(item.read)}")
    if is_told:
        missed = Counter(
            (item.has_count, item.has_tools, item.has_files) for item in found if not item.is_right
        )
        print(missed)
