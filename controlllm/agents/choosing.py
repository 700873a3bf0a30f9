"""The agents there are, by name: their roles kept by a language model where one is set, else by
search over the tools and rules."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from controlllm.agents.dfsdt import MOST_CALLS, WIDTH, dfsdt
from controlllm.agents.embedded.keeper import EmbeddedKeeper
from controlllm.agents.embedded.relevance import Encode
from controlllm.agents.embedded.router import EmbeddedChooser, EmbeddedRouter
from controlllm.agents.environment import Environment
from controlllm.agents.hybrid import PATIENCE, PlannedRouter, hybrid, sure_parts
from controlllm.agents.prompted import PromptedChooser, PromptedKeeper, PromptedRouter
from controlllm.agents.react import MOST_NODES, react
from controlllm.agents.roles import Chooser, Outcome, Router, StateKeeper, Task, Tell
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
class Options:
    """How ReAct and DFSDT go about it; Sum2Act and the hybrid have nothing to choose.

    Parameters
    ----------
    tries: how many chains ReAct makes (``CoT@n``). More than one is of use only where a language
        model decides, at a temperature over 0: rules and search come to the same each time.
    temperature: how much chance there is in what a language model chooses, for ReAct and DFSDT.
    width: how many ways on DFSDT tries from each place.
    depth: how many nodes a chain of ReAct or a branch of DFSDT has at most.
    calls: how often DFSDT chooses, or, where that is more, calls a model.

    Raises ValueError for what no agent can go by.
    """

    tries: int = 1
    temperature: float = 0.0
    width: int = WIDTH
    depth: int = MOST_NODES
    calls: int = MOST_CALLS

    def __post_init__(self) -> None:
        for name in ("tries", "width", "depth", "calls"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} is {getattr(self, name)}; it has to be 1 or more.")
        if not 0 <= self.temperature <= 2:
            raise ValueError(f"temperature is {self.temperature}; it has to be from 0 to 2.")


USUAL = Options()


def agent_of(
    planner: Planner,
    asker: Asker | None,
    encode: Encode,
    planner_of: Callable[[Toolbox], Planner],
    name: str = "sum2act",
    budget: Budget | None = None,
    today: Callable[[], date] = date.today,
    options: Options = USUAL,
) -> Agent:
    """The agent of this name.

    Parameters
    ----------
    planner: the planner over the tools of the person; `planner_of` makes one over other tools.
    asker: the request's use of a language model; None where none is set.
    encode: vectors of texts, see `controlllm.models.encoder`.
    budget: what it may use up, in steps, calls of a model, tokens and seconds; None for what suits
        a person who waits.
    today: the day that "tomorrow" comes after.
    options: how ReAct and DFSDT go about it.

    Raises ValueError where there is no such agent.
    """
    if name not in AGENTS:
        raise ValueError(f"There is no agent {name!r}; choose one of {', '.join(AGENTS)}.")

    allowed = budget or usual_budget(name, options)

    def over(toolbox: Toolbox) -> Planner:
        known = planner.graph.toolbox
        if any(tool.name not in known for tool in toolbox):
            return planner_of(toolbox)
        others = (tool.name for tool in known if tool.name not in toolbox)
        reasons = {name: planner.solver.unavailable.get(name, _NOT_OFFERED) for name in others}
        return planner.with_parts(unavailable=reasons)

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
                chooser = PromptedChooser(asker, chooser, lattice, options.temperature, today)
            if name == "react":
                return react(
                    task, environment, chooser, allowed, tell, cancelled,
                    options.tries, options.depth,
                )  # fmt: skip
            return dfsdt(
                task, environment, chooser, allowed, tell, cancelled,
                options.width, options.depth, options.calls,
            )  # fmt: skip
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
