"""The agents there are, by name: their roles kept by a language model where one is set, else by
search over the tools and rules."""

from __future__ import annotations

import threading
from collections.abc import Callable

from controlllm.agents.dfsdt import dfsdt
from controlllm.agents.embedded.chooser import EmbeddedChooser
from controlllm.agents.embedded.keeper import EmbeddedKeeper
from controlllm.agents.embedded.relevance import Encode
from controlllm.agents.embedded.router import EmbeddedRouter
from controlllm.agents.environment import Environment
from controlllm.agents.prompted import PromptedChooser, PromptedKeeper, PromptedRouter
from controlllm.agents.react import react
from controlllm.agents.roles import Outcome, Task, Tell
from controlllm.agents.sum2act import sum2act
from controlllm.language.asking import Asker
from controlllm.planning.planner import Planner
from controlllm.state import Budget
from controlllm.toolbox import Toolbox

AGENTS = ("sum2act", "react", "dfsdt")
#: What an agent may use up for a person who waits: steps as in the paper, and a quarter of an hour.
USUAL_BUDGET = Budget(steps=30, seconds=900.0)

#: Works on a task in an environment until it has an answer, gives up, or may not go on.
Agent = Callable[[Task, Environment, Tell, threading.Event], Outcome]


def agent_of(
    planner: Planner,
    asker: Asker | None,
    encode: Encode,
    planner_of: Callable[[Toolbox], Planner],
    name: str = "sum2act",
    budget: Budget = USUAL_BUDGET,
) -> Agent:
    """The agent of this name for one request.

    Parameters
    ----------
    planner: the planner over the tools of the person; `planner_of` makes one over other tools.
    asker: the request's use of a language model; None where none is set.
    encode: vectors of texts, see `controlllm.models.encoder`.

    Raises ValueError where there is no such agent.
    """
    if name not in AGENTS:
        raise ValueError(f"There is no agent {name!r}; choose one of {', '.join(AGENTS)}.")

    def over(toolbox: Toolbox) -> Planner:
        known = planner.graph.toolbox
        if any(tool.name not in known for tool in toolbox):
            return planner_of(toolbox)
        others = (tool.name for tool in known if tool.name not in toolbox)
        return planner.with_parts(unavailable=dict.fromkeys(others, "It is not offered here."))

    router, keeper = EmbeddedRouter(over, encode), EmbeddedKeeper(encode)
    lattice = planner.graph.lattice

    def work(
        task: Task, environment: Environment, tell: Tell, cancelled: threading.Event
    ) -> Outcome:
        if name == "sum2act":
            if asker is None:
                return sum2act(task, environment, router, keeper, budget, tell, cancelled)
            return sum2act(
                task,
                environment,
                PromptedRouter(asker, router, lattice),
                PromptedKeeper(asker, environment, keeper),
                budget,
                tell,
                cancelled,
            )
        chooser = EmbeddedChooser(router, keeper)
        chosen = chooser if asker is None else PromptedChooser(asker, chooser, lattice)
        loop = react if name == "react" else dfsdt
        return loop(task, environment, chosen, budget, tell, cancelled)

    return work
