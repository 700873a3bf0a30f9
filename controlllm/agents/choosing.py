"""The agents there are, by name: their roles kept by a language model where one is set, else by
search over the tools and rules."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from controlllm.agents.dfsdt import dfsdt
from controlllm.agents.embedded.keeper import EmbeddedKeeper
from controlllm.agents.embedded.relevance import Encode
from controlllm.agents.embedded.router import EmbeddedChooser, EmbeddedRouter
from controlllm.agents.environment import Environment
from controlllm.agents.hybrid import PATIENCE, PlannedRouter, hybrid, sure_parts
from controlllm.agents.likely import LikelyTools
from controlllm.agents.options import USUAL, Options
from controlllm.agents.prompted import PromptedChooser, PromptedKeeper, PromptedRouter
from controlllm.agents.react import react
from controlllm.agents.roles import Chooser, Outcome, Router, StateKeeper, Task, Tell
from controlllm.agents.running import Oversight
from controlllm.agents.sum2act import sum2act
from controlllm.core.plans import Plan, Request
from controlllm.core.state import Budget
from controlllm.language.asking import Asker
from controlllm.planning.planner import Planner
from controlllm.resources import TypeLattice
from controlllm.toolbox import Toolbox

AGENTS = ("sum2act", "react", "dfsdt", "hybrid")
#: What Sum2Act may use up for a person who waits: as many steps as in the paper; and all agents.
_MOST_STEPS, _MOST_SECONDS = 30, 900.0
#: Why a tool that could run here cannot be had by an agent.
_NOT_OFFERED = "it is not offered here"

#: Works on a task in an environment until it has an answer, gives up, or may not go on.
Agent = Callable[[Task, Environment, Tell, threading.Event], Outcome]


@dataclass(frozen=True)
class Basis:
    """What the roles of an agent rest on.

    Parameters
    ----------
    planner: the planner over the tools of the person; `planner_of` makes one over other tools.
    encode: vectors of texts, see `controlllm.models.encoder`.
    today: the day that "tomorrow" comes after.
    """

    planner: Planner
    planner_of: Callable[[Toolbox], Planner]
    encode: Encode
    today: Callable[[], date] = date.today


def agent_of(
    basis: Basis,
    asker: Asker | None,
    name: str = "sum2act",
    budget: Budget | None = None,
    options: Options = USUAL,
) -> Agent:
    """The agent of this name.

    Parameters
    ----------
    asker: the request's use of a language model; None where none is set.
    budget: what it may use up, in steps, calls of a model, tokens and seconds; None for what suits
        a person who waits.
    options: how ReAct and DFSDT go about it.

    Raises ValueError where there is no such agent.
    """
    if name not in AGENTS:
        raise ValueError(f"There is no agent {name!r}; choose one of {', '.join(AGENTS)}.")

    planner, encode, today = basis.planner, basis.encode, basis.today
    allowed = budget or usual_budget(name, options)

    def over(toolbox: Toolbox) -> Planner:
        known = planner.graph.toolbox
        if any(tool.name not in known for tool in toolbox):
            return basis.planner_of(toolbox)
        others = (tool.name for tool in known if tool.name not in toolbox)
        reasons = {name: planner.solver.unavailable.get(name, _NOT_OFFERED) for name in others}
        return planner.with_parts(unavailable=reasons)

    patience = PATIENCE if name == "hybrid" else 1
    router = EmbeddedRouter(over, encode, today, patience)
    keeper = EmbeddedKeeper(encode, today)
    lattice = planner.graph.lattice
    likely = LikelyTools(router.planner)

    def work(
        task: Task, environment: Environment, tell: Tell, cancelled: threading.Event
    ) -> Outcome:
        oversight = Oversight(allowed, tell, cancelled)
        if name in ("react", "dfsdt"):
            chooser: Chooser = EmbeddedChooser(router, keeper)
            if asker is not None:
                chooser = PromptedChooser(
                    asker, chooser, lattice, options.temperature, today, likely
                )
            works = react if name == "react" else dfsdt
            return works(task, environment, chooser, options, oversight)
        deciding: Router = router
        keeping: StateKeeper = keeper
        if asker is not None:
            deciding = PromptedRouter(asker, router, lattice, today, patience, likely)
            keeping = PromptedKeeper(asker, environment, keeper, today)
        if name == "sum2act":
            return sum2act(task, environment, deciding, keeping, oversight)
        first = deciding
        if deciding is not router:
            # Without a model the router that a plan has to agree with is the one that decides.
            plan = sure_parts(_plan(task, environment, over))
            first = PlannedRouter(plan, router, deciding)
        return hybrid(task, environment, first, deciding, keeping, oversight)

    return work


def usual_budget(name: str, options: Options = USUAL) -> Budget:
    """What an agent may use up for a person who waits: Sum2Act as many steps as in the paper, DFSDT
    as many as it has calls, ReAct what its chains have room for; all a quarter of an hour."""
    # A turn without a thought is two nodes, and one that begins within the depth is made.
    turns = (options.depth + 1) // 2
    steps = {"react": options.tries * turns, "dfsdt": options.calls}
    return Budget(steps=steps.get(name, _MOST_STEPS), seconds=_MOST_SECONDS)


def _plan(task: Task, environment: Environment, over: Callable[[Toolbox], Planner]) -> Plan:
    """The plan of a task over the tools that its environment offers."""
    types = sorted({item.type for tool in environment.tools for item in (*tool.args, tool.returns)})
    tools = tuple(sorted(environment.tools, key=lambda tool: tool.name))
    resources = tuple(environment.resources.values())
    request = Request(task.instruction, resources, task.attached)
    return over(Toolbox(tools, {}, TypeLattice().extended(types))).plan(request)[0]
