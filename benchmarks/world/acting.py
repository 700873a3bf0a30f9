"""The agents of `controlllm.agents` on the simulated world, by name."""

from __future__ import annotations

import functools
import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.suites.kept import networks, told_model
from benchmarks.world import running
from benchmarks.world.apis import apis, lattice, setting
from benchmarks.world.tasks import DEVELOPMENT, HELD_OUT, read_tasks
from controlllm.agents.choosing import AGENTS, Agent, Basis, agent_of
from controlllm.agents.environment import Environment
from controlllm.agents.options import Options
from controlllm.agents.roles import Outcome, Task
from controlllm.core.state import Budget
from controlllm.language.asking import Asker
from controlllm.language.endpoint import TIMEOUT_SECONDS, ChatEndpoint
from controlllm.models.encoder import encode
from controlllm.runs.planners import embedded_planner
from controlllm.settings import Settings
from controlllm.toolbox import Toolbox

#: Which tasks, by the word that names them.
TASKS = {"development": (DEVELOPMENT,), "held-out": (HELD_OUT,), "all": (DEVELOPMENT, HELD_OUT)}
#: Steps that an agent may take, as in the Sum2Act paper; ReAct and DFSDT have limits of their own.
_BUDGET = Budget(steps=30)
_NO_LIMIT = Budget(steps=0)


@dataclass(frozen=True)
class Conditions:
    """Under which agents work: all that decides a run beside agent, task, faults and seed.

    With `settings` that name a language model, that keeps the agents' roles, and nothing takes over
    for it; it has `timeout` seconds for each reply. `options` are ReAct's and DFSDT's own, their
    `calls` DFSDT's alone; `model_calls`, `tokens` and `seconds` are what each agent may use up on a
    task, 0 without such a limit. `all_tools` offers every tool there is.

    Raises ValueError for what cannot be or would change nothing.
    """

    settings: Settings = Settings()
    timeout: float = TIMEOUT_SECONDS
    options: Options = Options()
    model_calls: int = 0
    tokens: int = 0
    seconds: float = 0.0
    all_tools: bool = False

    def __post_init__(self) -> None:
        if min(self.model_calls, self.tokens, self.seconds) < 0 or self.timeout <= 0:
            raise ValueError("A budget has to be 0, which is none, or more; a time-out over 0.")
        if not self.settings.has_model and (self.options.tries > 1 or self.options.temperature):
            raise ValueError(
                "More tries and a temperature change nothing without a language model: rules and "
                "search choose the same each time."
            )

    @property
    def roles(self) -> str:
        """Who keeps the agents' roles, in words."""
        if not self.settings.has_model:
            return "roles kept by search and rules"
        return f"roles kept by {self.settings.model}"

    def told(self) -> dict[str, Any]:
        """What is kept with the runs; no key is in it."""
        return {
            **told_model(self.settings),
            "timeout": self.timeout if self.settings.has_model else None,
            **vars(self.options),
            "model_calls": self.model_calls,
            "tokens": self.tokens,
            "seconds": self.seconds,
            "all_tools": self.all_tools,
            "networks": networks(),
        }

    def budget(self, name: str) -> Budget:
        """What the agent of this name may use up on a task."""
        usual = _NO_LIMIT if name in ("react", "dfsdt") else _BUDGET
        return replace(
            usual, model_calls=self.model_calls, tokens=self.tokens, seconds=self.seconds
        )


#: Without a language model, with the agents' usual options and the task's own tools.
USUAL = Conditions()


def measured(
    agents: Sequence[str],
    rates: Sequence[float],
    path: Path,
    tasks: str = "all",
    limit: int = 0,
    seeds: Sequence[int] = (0,),
    conditions: Conditions = USUAL,
    parallel: int = 1,
) -> list[dict[str, Any]]:
    """A line of figures for each agent and share of faults, see `running.summary`.

    What a run brought is kept in the file at `path`; run again, it goes on, also with more agents,
    tasks, shares of faults and seeds.

    Raises KeyError where there are no such tasks, ValueError where there is no such agent, or the
    file was made under other conditions.
    """
    unknown = [name for name in agents if name not in AGENTS]
    if unknown:
        raise ValueError(f"There is no agent {unknown[0]!r}; choose of {', '.join(AGENTS)}.")
    if parallel < 1:
        raise ValueError("At least one task has to be worked on at a time.")
    chosen = [task for file in TASKS[tasks] for task in read_tasks(file)]
    records = running.run(
        {name: partial(act, name, conditions) for name in agents},
        chosen[:limit] if limit else chosen,
        path,
        rates,
        seeds,
        conditions.all_tools,
        workers=parallel,
        processes=parallel > 1,
        settings=conditions.told(),
    )
    return running.summary(records, "react" if "react" in agents else agents[0])


def act(name: str, conditions: Conditions, task: Task, environment: Environment) -> Outcome:
    """One agent's work on a task of the world, on the world's day."""
    settings = conditions.settings
    if not settings.has_model:
        agent = _embedded(name, conditions.options, conditions.budget(name))
    else:
        endpoint = ChatEndpoint(
            settings.base_url, settings.api_key, settings.model, conditions.timeout
        )
        asker = Asker(endpoint, fall_back=False)
        agent = _agent(name, asker, conditions.options, conditions.budget(name))
    return agent(task, environment, lambda view: None, threading.Event())


@functools.cache
def _embedded(name: str, options: Options, budget: Budget) -> Agent:
    return _agent(name, None, options, budget)


def _agent(name: str, asker: Asker | None, options: Options, budget: Budget) -> Agent:
    return agent_of(Basis(_planner(), _planner_over, encode, _today), asker, name, budget, options)


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


def _today() -> date:
    return date.fromisoformat(setting().today)
