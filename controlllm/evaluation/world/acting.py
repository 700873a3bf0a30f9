"""The agents of `controlllm.agents` on the simulated world, by name."""

from __future__ import annotations

import functools
import threading
from collections.abc import Sequence
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

from controlllm.agents.choosing import AGENTS, agent_of
from controlllm.agents.environment import Environment
from controlllm.agents.roles import Outcome, Task
from controlllm.evaluation.world import running
from controlllm.evaluation.world.apis import apis, lattice, setting
from controlllm.evaluation.world.tasks import DEVELOPMENT, HELD_OUT, read_tasks
from controlllm.language.asking import Asker
from controlllm.language.endpoint import TIMEOUT_SECONDS, ChatEndpoint
from controlllm.models.encoder import encode
from controlllm.planners import embedded_planner
from controlllm.settings import Settings
from controlllm.state import Budget
from controlllm.toolbox import Toolbox

#: Which tasks, by the word that names them.
TASKS = {"development": (DEVELOPMENT,), "held-out": (HELD_OUT,), "all": (DEVELOPMENT, HELD_OUT)}
#: Steps that an agent may take, as in the Sum2Act paper; DFSDT has its own 200 calls.
_BUDGET = Budget(steps=30)
_NO_LIMIT = Budget(steps=0)


def measured(
    agents: Sequence[str],
    rates: Sequence[float],
    path: Path,
    tasks: str = "all",
    limit: int = 0,
    seeds: Sequence[int] = (0,),
    settings: Settings | None = None,
    parallel: int = 1,
    timeout: float = TIMEOUT_SECONDS,
) -> list[dict[str, Any]]:
    """A line of figures for each agent and share of faults, see `running.summary`.

    What a run brought is kept in the file at `path`; run again, it goes on. With settings that name
    a language model, that keeps the agents' roles, and nothing takes over for it.

    Raises KeyError where there are no such tasks, ValueError where there is no such agent.
    """
    unknown = [name for name in agents if name not in AGENTS]
    if unknown:
        raise ValueError(f"There is no agent {unknown[0]!r}; choose of {', '.join(AGENTS)}.")
    chosen = [task for file in TASKS[tasks] for task in read_tasks(file)]
    if settings is not None and not settings.has_model:
        settings = None
    records = running.run(
        {name: partial(act, name, settings, timeout) for name in agents},
        chosen[:limit] if limit else chosen,
        path,
        rates,
        seeds,
        workers=parallel,
        processes=parallel > 1,
    )
    return running.summary(records, "react" if "react" in agents else agents[0])


def act(
    name: str, settings: Settings | None, timeout: float, task: Task, environment: Environment
) -> Outcome:
    """One agent's work on a task of the world, on the world's day; a language model has `timeout`
    seconds for each reply."""
    agent = _embedded(name)
    if settings is not None:
        endpoint = ChatEndpoint(settings.base_url, settings.api_key, settings.model, timeout)
        asker = Asker(endpoint, fall_back=False)
        agent = agent_of(_planner(), asker, encode, _planner_over, name, _budget(name), _today)
    return agent(task, environment, lambda view: None, threading.Event())


@functools.cache
def _embedded(name: str) -> Any:
    return agent_of(_planner(), None, encode, _planner_over, name, _budget(name), _today)


def _planner_over(toolbox: Toolbox) -> Any:
    """The planner over a task's tools, the same for all agents."""
    return _planner_of(tuple(tool.name for tool in toolbox))


@functools.lru_cache(maxsize=8)
def _planner_of(names: tuple[str, ...]) -> Any:
    tools = tuple(apis()[name].tool for name in names)
    return embedded_planner(Toolbox(tools, {}, lattice()))


@functools.cache
def _planner() -> Any:
    return embedded_planner(Toolbox())


def _budget(name: str) -> Budget:
    return _NO_LIMIT if name == "dfsdt" else _BUDGET


def _today() -> date:
    return date.fromisoformat(setting().today)
