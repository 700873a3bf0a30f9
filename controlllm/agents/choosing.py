"""The agents there are, by name: their roles kept by a language model where one is set, else by
search over the tools and rules."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import date

from controlllm.agents.dfsdt import MOST_CALLS, dfsdt
from controlllm.agents.embedded.chooser import EmbeddedChooser
from controlllm.agents.embedded.keeper import EmbeddedKeeper
from controlllm.agents.embedded.relevance import Encode
from controlllm.agents.embedded.router import EmbeddedRouter
from controlllm.agents.environment import Environment
from controlllm.agents.hybrid import PATIENCE, PlannedRouter, hybrid, sure_parts
from controlllm.agents.prompted import PromptedChooser, PromptedKeeper, PromptedRouter
from controlllm.agents.react import MOST_NODES, react
from controlllm.agents.roles import Chooser, Outcome, Router, StateKeeper, Task, Tell
from controlllm.agents.sum2act import sum2act
from controlllm.language.asking import Asker
from controlllm.planning.planner import Planner
from controlllm.plans import Plan, Request
from controlllm.resources import TypeLattice
from controlllm.state import Budget
from controlllm.toolbox import Toolbox

AGENTS = ("sum2act", "react", "dfsdt", "hybrid")
#: What agents may use up for a person who waits: Sum2Act as many steps as in the paper, DFSDT as
#: many as ToolBench's calls, ReAct what its chain has room for; a quarter of an hour in any case.
_MOST_STEPS = {"sum2act": 30, "hybrid": 30, "react": MOST_NODES // 2, "dfsdt": MOST_CALLS}
_MOST_SECONDS = 900.0

#: Works on a task in an environment until it has an answer, gives up, or may not go on.
Agent = Callable[[Task, Environment, Tell, threading.Event], Outcome]


def agent_of(
    planner: Planner,
    asker: Asker | None,
    encode: Encode,
    planner_of: Callable[[Toolbox], Planner],
    name: str = "sum2act",
    budget: Budget | None = None,
    today: Callable[[], date] = date.today,
) -> Agent:
    """The agent of this name.

    Parameters
    ----------
    planner: the planner over the tools of the person; `planner_of` makes one over other tools.
    asker: the request's use of a language model; None where none is set.
    encode: vectors of texts, see `controlllm.models.encoder`.
    budget: what it may use up; None for what suits a person who waits.
    today: the day that "tomorrow" comes after.

    Raises ValueError where there is no such agent.
    """
    if name not in AGENTS:
        raise ValueError(f"There is no agent {name!r}; choose one of {', '.join(AGENTS)}.")

    allowed = budget or Budget(steps=_MOST_STEPS[name], seconds=_MOST_SECONDS)

    def over(toolbox: Toolbox) -> Planner:
        known = planner.graph.toolbox
        if any(tool.name not in known for tool in toolbox):
            return planner_of(toolbox)
        others = (tool.name for tool in known if tool.name not in toolbox)
        return planner.with_parts(unavailable=dict.fromkeys(others, "It is not offered here."))

    patience = PATIENCE if name == "hybrid" else 1
    router = EmbeddedRouter(over, encode, today, patience)
    keeper = EmbeddedKeeper(encode, today)
    lattice = planner.graph.lattice

    def work(
        task: Task, environment: Environment, tell: Tell, cancelled: threading.Event
    ) -> Outcome:
        if name in ("react", "dfsdt"):
            chooser: Chooser = EmbeddedChooser(router, keeper)
            if asker is not None:
                chooser = PromptedChooser(asker, chooser, lattice, today=today)
            loop = react if name == "react" else dfsdt
            return loop(task, environment, chooser, allowed, tell, cancelled)
        deciding: Router = router
        keeping: StateKeeper = keeper
        if asker is not None:
            deciding = PromptedRouter(asker, router, lattice, today, patience)
            keeping = PromptedKeeper(asker, environment, keeper, today)
        if name == "sum2act":
            return sum2act(task, environment, deciding, keeping, allowed, tell, cancelled)
        first = deciding
        if deciding is not router:
            # Without a model the router that a plan has to agree with is the one that decides.
            plan = sure_parts(_plan(task, environment, over))
            first = PlannedRouter(plan, router, deciding)
        return hybrid(task, environment, first, deciding, keeping, allowed, tell, cancelled)

    return work


def _plan(task: Task, environment: Environment, over: Callable[[Toolbox], Planner]) -> Plan:
    """The plan of a task over the tools that its environment offers."""
    types = sorted({item.type for tool in environment.tools for item in (*tool.args, tool.returns)})
    tools = tuple(sorted(environment.tools, key=lambda tool: tool.name))
    resources = tuple(environment.resources.values())
    request = Request(task.instruction, resources, task.attached)
    return over(Toolbox(tools, {}, TypeLattice().extended(types))).plan(request)[0]
