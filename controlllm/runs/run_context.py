"""What one request is done with, from its words to its answer."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass, field

from controlllm.agents.choosing import Agent
from controlllm.core.plans import Request
from controlllm.engine import Engine
from controlllm.language.asking import Asker
from controlllm.planning.planner import Planner
from controlllm.runs.event_channel import EventChannel
from controlllm.runs.turn_recorder import TurnRecorder
from controlllm.settings import Settings
from controlllm.store import Store
from controlllm.toolbox import Toolbox


@dataclass(frozen=True)
class Agents:
    """How an agent is had: made for a planner, a request's use of a language model and the agent's
    name, at work in `threads` of its own, since it may take minutes."""

    make: Callable[[Planner, Asker | None, str], Agent]
    threads: Executor


@dataclass(frozen=True)
class RunContext:
    """What one request is done with.

    Parameters
    ----------
    toolbox: the tools that it began with.
    kept: its turn, kept in the store as it goes.
    telling: what is told of it while threads work.
    find_planner: the planner for a request, once it is loaded, that knows what cannot run here.
    threads: where it is planned, a pass at a time; between two passes it is looked whether the
        person has stopped the request.
    agents: how to have an agent that works step by step; None where there is none.
    asker: its use of a language model; None where none is set.
    asks: whether there is a person who can be asked what is meant.
    cancelled: set once it is stopped.
    problems: why parts of it cannot be done, by subtask.
    """

    store: Store
    engine: Engine
    toolbox: Toolbox
    settings: Settings
    kept: TurnRecorder
    telling: EventChannel
    find_planner: Callable[[Request], Planner]
    threads: Executor
    agents: Agents | None
    asker: Asker | None
    asks: bool
    cancelled: threading.Event
    problems: dict[int, str] = field(default_factory=dict)
