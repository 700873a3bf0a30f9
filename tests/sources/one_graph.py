"""One graph of our tools, a web API of 200 operations and an MCP server's tools: requests
that need two of the three kinds, planned and run.

``python -m tests.sources.one_graph [--plan] [NUMBER ...]`` asks them, or those of some numbers, and
prints what came of each; with ``--plan`` they are only planned. ``--held-out`` asks fifteen others,
which nobody who builds has read, and prints totals only; ``--market`` plans fifty to a web API that
nobody who builds has read either (its document is ``market.json``), beside our tools, the same.
No language model is used.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import re
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import PIL.Image

from controlllm.core.events import PlanReady
from controlllm.core.plans import Action, Plan, Request, generated
from controlllm.engine import Engine
from controlllm.engine.asking import CHOICES, DO_IT, LEAVE_OUT
from controlllm.engine.limits import Limits
from controlllm.engine.processes import WorkerProcesses
from controlllm.resources import Resource
from controlllm.runs.assistant import Assistant, embedded_planner
from controlllm.runs.run_options import RunOptions
from controlllm.settings import Settings
from controlllm.sources.keeping import found_at, keep
from controlllm.sources.loading import load_toolbox
from controlllm.sources.source import Adding
from controlllm.store import Store
from controlllm.store.handed_over import add_file
from controlllm.toolbox import Toolbox
from tests.sources.application import Served
from tests.sources.town import town_served

HERE = Path(__file__).parent
EXAMPLES = HERE.parents[1] / "assets" / "examples"
DEVELOPED = HERE / "one_graph.json"
HELD_OUT = HERE / "one_graph_held_out.json"
MARKET, TO_MARKET = HERE / "market.json", HERE / "market_requests.json"
#: How often a request's questions are answered before it is left at that.
MOST_ANSWERS = 4
#: How far apart a colour may be from the one that is meant, of 255.
NEARLY = 40


@dataclass(frozen=True)
class Wanted:
    """A request and what is right.

    `tools` are what has to be called, each a set of alternatives; `links` are pairs of places in
    them, the second of which has to read what the first makes, directly or not; `does` says that it
    asks for something to be done outside; `result` is what has to be true of what is shown.
    """

    number: int
    kinds: tuple[str, ...]
    text: str
    files: tuple[str, ...]
    tools: tuple[frozenset[str], ...]
    links: tuple[tuple[int, int], ...]
    does: bool
    result: Mapping[str, Any]


@dataclass(frozen=True)
class Came:
    """What came of a request: the tools of its plan before and after it ran, and what was wrong."""

    wanted: Wanted
    planned: bool
    ran: bool
    by_agent: bool
    seconds: float
    first: tuple[str, ...] = ()
    last: tuple[str, ...] = ()
    wrong: str = ""


def requests(path: Path = DEVELOPED) -> list[Wanted]:
    """A file's requests, each link from one tool to the next where the file does not say."""
    found = []
    for item in json.loads(path.read_text("utf-8")):
        tools = tuple(map(frozenset, item["tools"]))
        following = [(place, place + 1) for place in range(len(tools) - 1)]
        links = tuple((first, second) for first, second in item.get("links", following))
        found.append(
            Wanted(
                item["id"],
                tuple(item["kinds"]),
                item["text"],
                tuple(item.get("files", ())),
                tools,
                links,
                item.get("does", False),
                item.get("result", {}),
            )
        )
    return found


@contextlib.contextmanager
def one_graph(home: Path) -> Iterator[Assistant]:
    """An assistant with all three kinds of tools, which calls them in worker processes."""
    served = Served()
    try:
        with town_served() as town:
            keep(found_at(f"{served.url}/openapi.json", "facts", Adding(is_local=True)), home)
            keep(found_at(f"mcp+{town}", "town", Adding(is_local=True)), home)
            toolbox = load_toolbox([], home)
            store = Store(home)
            workers = WorkerProcesses(toolbox, store, Limits(loads_ahead=False))
            try:
                yield Assistant(
                    toolbox, store, Settings(), engine=Engine(toolbox, store, attempt=workers)
                )
            finally:
                workers.close()
                store.close()
    finally:
        served.close()


@contextlib.contextmanager
def market_graph(home: Path) -> Iterator[Assistant]:
    """An assistant with our tools and those of the market, for planning only: nobody serves it."""
    keep(found_at(str(MARKET), "market"), home)
    toolbox = load_toolbox([], home)
    store = Store(home)
    try:
        yield Assistant(toolbox, store, Settings(), embedded_planner(toolbox))
    finally:
        store.close()


def market_requests(toolbox: Toolbox) -> list[Wanted]:
    """The requests to the market, which name its operations as its document does; raises KeyError
    with the name that no tool has."""
    names = {_spelled(tool.name.removeprefix("market_")): tool.name for tool in toolbox}
    return [
        replace(
            item,
            tools=tuple(frozenset(names[_spelled(name)] for name in tools) for tools in item.tools),
        )
        for item in requests(TO_MARKET)
    ]


def _spelled(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


def ask(assistant: Assistant, wanted: Wanted) -> Came:
    """Ask a request as a person would, and judge what came of it.

    Whether something may be done outside is answered with "Do it" where the request asks for it;
    of other questions the first choice is taken, the likeliest.
    """
    session = assistant.open_session(None).id
    attached = [
        add_file(assistant.store, session, EXAMPLES / name, name)[0] for name in wanted.files
    ]
    began = time.monotonic()
    plans, shown = asyncio.run(_asked(assistant, session, wanted, attached))
    seconds = time.monotonic() - began
    turns = assistant.store.load(session).turns
    if not turns:
        return Came(wanted, False, False, False, seconds, wrong="refused")
    turn = turns[0]
    first, last = plans[0] if plans else None, turn.plan
    done = {step.key for step in last.steps()} <= set(turn.results) if last else False
    wrong = _plan_wrong(assistant.toolbox, wanted, last)
    if not wrong and not done:
        wrong = "not all of the plan was done"
    wrong = wrong or _result_wrong(assistant, session, wanted.result, shown, turn.answer)
    return Came(
        wanted,
        not _plan_wrong(assistant.toolbox, wanted, first),
        not wrong,
        any(view.way >= 0 for view in turn.agents.values()),
        seconds,
        _tools(first),
        _tools(last),
        wrong,
    )


async def _asked(
    assistant: Assistant, session: str, wanted: Wanted, attached: Sequence[Resource]
) -> tuple[list[Plan], tuple[Resource, ...]]:
    """The plans that were made for a request and what was shown at its end."""
    plans: list[Plan] = []
    shown: tuple[Resource, ...] = ()
    names = [item.value for item in attached]
    events = assistant.answer(session, wanted.text, names, RunOptions(asks=True))
    for _ in range(MOST_ANSWERS):
        async for event in events:
            if isinstance(event, PlanReady):
                plans.append(event.plan)
            shown = getattr(event, "resources", shown)
        turns = assistant.store.load(session).turns
        questions = turns[0].questions if turns else ()
        if not questions:
            break
        consent = LEAVE_OUT if not wanted.does else DO_IT
        choice = consent if questions[0].choices == CHOICES else 0
        events = assistant.choose(session, 0, 0, choice)
    return plans, shown


def planned(assistant: Assistant, wanted: Wanted) -> Came:
    """Only plan a request."""
    session = assistant.open_session(None).id
    attached = [
        add_file(assistant.store, session, EXAMPLES / name, name)[0] for name in wanted.files
    ]
    began = time.monotonic()
    request = Request(wanted.text, tuple(attached), tuple(item.value for item in attached))
    plan, _ = assistant.tools.planner_for(Request("")).plan(request)
    wrong = _plan_wrong(assistant.toolbox, wanted, plan)
    seconds = time.monotonic() - began
    return Came(wanted, not wrong, False, False, seconds, _tools(plan), (), wrong)


def _tools(plan: Plan | None) -> tuple[str, ...]:
    return tuple(step.action.tool for step in plan.steps()) if plan else ()


def _plan_wrong(toolbox: Toolbox, wanted: Wanted, plan: Plan | None) -> str:
    """What is wrong with a plan; empty where it does what is wanted."""
    if plan is None:
        return "no plan"
    actions = [step.action for step in plan.steps()]
    for needed in wanted.tools:
        if not any(action.tool in needed for action in actions):
            return f"lacks {' or '.join(sorted(needed))}"
    known = frozenset().union(*wanted.tools)
    for action in actions:
        if toolbox[action.tool].acts_outside and action.tool not in known:
            return f"would do {action.tool}"
    read = _read_from(plan)
    for first, second in wanted.links:
        if not any(
            action.tool in wanted.tools[second] and made.tool in wanted.tools[first]
            for action, sources in read
            for made in sources
        ):
            return f"{' or '.join(sorted(wanted.tools[second]))} does not read what it should"
    return ""


def _read_from(plan: Plan) -> list[tuple[Action, list[Action]]]:
    """Every action of a plan with all those before it that it reads from, directly or not."""
    made: dict[str, list[Action]] = {}
    found = []
    for step in plan.steps():
        sources = [source for value in step.action.references() for source in made.get(value, ())]
        found.append((step.action, sources))
        made[step.action.output.value] = made[generated(step.subtask)] = [*sources, step.action]
    return found


def _result_wrong(
    assistant: Assistant,
    session: str,
    right: Mapping[str, Any],
    shown: Sequence[Resource],
    answer: str,
) -> str:
    """What is wrong with what is shown; empty where something shown is all that it should be."""
    texts = [answer]
    for item in shown:
        if assistant.toolbox.lattice.is_a(item.type, "text"):
            texts.append(assistant.file(session, item.value)[0].read_text("utf-8"))
    missing = [words for words in right.get("contains", ()) if words not in "\n".join(texts)]
    if missing:
        return f"{missing[0]!r} is not in the answer"
    if "number" in right:
        low, high = right["number"]
        said = [float(number) for text in texts for number in re.findall(r"\d+(?:\.\d+)?", text)]
        return "" if any(low <= number <= high for number in said) else "no such number"
    if "type" not in right or any(
        assistant.toolbox.lattice.is_a(item.type, right["type"])
        and _is_right(assistant.file(session, item.value)[0], item.details, right)
        for item in shown
    ):
        return ""
    return f"shows no such {right['type']}: {[(item.type, item.details) for item in shown]}"


def _is_right(path: Path, details: Mapping[str, Any], right: Mapping[str, Any]) -> bool:
    """Whether a picture or sound has the properties that it should."""
    if "seconds" in right and not (
        right["seconds"][0] <= details.get("seconds", -1.0) <= right["seconds"][1]
    ):
        return False
    if right["type"] != "image":
        return True
    with PIL.Image.open(path) as opened:
        picture = opened.convert("RGB")
    if "size" in right and list(picture.size) != right["size"]:
        return False
    if picture.width < right.get("least_width", 0):
        return False
    centre = picture.getpixel((picture.width // 2, picture.height // 2))
    assert isinstance(centre, tuple)
    meant = right.get("pixel", centre)
    return all(abs(one - other) <= NEARLY for one, other in zip(centre, meant, strict=True))


def _line(came: Came) -> str:
    """What came of a request, in two lines."""
    wanted = came.wanted
    return (
        f"{wanted.number:2} {'+'.join(wanted.kinds):8}"
        f" {'planned' if came.planned else '-':7} {'ran' if came.ran else '-':3}"
        f" {'agent' if came.by_agent else '-':5} {came.seconds:5.1f} s  {wanted.text}\n"
        f"   {' > '.join(came.first) or 'nothing'}"
        + (f" | {' > '.join(came.last)}" if came.last not in ((), came.first) else "")
        + (f"  [{came.wrong}]" if came.wrong else "")
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plan", action="store_true", help="only plan")
    parser.add_argument("--held-out", action="store_true", help="ask the others, and tell totals")
    parser.add_argument("numbers", nargs="*", type=int)
    parser.add_argument("--market", action="store_true", help="plan those to the market, the same")
    options = parser.parse_args()
    tells = not (options.held_out or options.market)
    graph = market_graph if options.market else one_graph
    came = []
    with tempfile.TemporaryDirectory() as folder, graph(Path(folder) / "home") as assistant:
        kinds = Counter(tool.name.partition("_")[0] for tool in assistant.toolbox)
        api = kinds["market" if options.market else "facts"]
        print(
            f"{len(assistant.toolbox)} tools, {api} of the web API and "
            f"{kinds['town']} of the MCP server"
        )
        asked = (
            market_requests(assistant.toolbox)
            if options.market
            else requests(HELD_OUT if options.held_out else DEVELOPED)
        )
        chosen = [item for item in asked if item.number in (options.numbers or [item.number])]
        for wanted in chosen:
            one = (planned if options.plan or options.market else ask)(assistant, wanted)
            came.append(one)
            if tells:
                print(_line(one), flush=True)
    print(
        f"of {len(came)}: planned rightly {sum(one.planned for one in came)}, run to the right "
        f"result {sum(one.ran for one in came)} ({sum(one.ran and one.by_agent for one in came)} "
        f"with an agent's help), {sum(one.seconds for one in came):.0f} s"
    )


if __name__ == "__main__":
    main()
