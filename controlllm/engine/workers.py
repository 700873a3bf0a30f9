"""Where tools run: in worker processes on this machine, or on a cluster."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Mapping
from typing import Protocol

from controlllm.engine.attempt import Attempted, Call, Outcome, Report
from controlllm.engine.capacity import Capacity
from controlllm.engine.limits import Limits
from controlllm.engine.processes import WorkerProcesses
from controlllm.engine.ray_cluster import RayCluster
from controlllm.store import Store
from controlllm.toolbox import Toolbox

#: Which kinds there are, by the word of the setting.
ENGINES = ("local", "ray")


class Workers(Protocol):
    """What makes attempts at calls outside the process that serves everybody."""

    capacity: Capacity

    def __call__(self, call: Call, cancelled: threading.Event, report: Report) -> Outcome:
        """Make an attempt at a call; see `controlllm.engine.attempt.Attempt`."""

    def is_ready(self) -> bool:
        """Whether a call could be made."""

    def counts(self) -> dict[str, int]:
        """How many workers there are, by what they do."""

    def memory(self) -> dict[int, int]:
        """Bytes of memory that each worker on this machine holds, by its process."""

    def close(self) -> None:
        """End all workers; calls at work fail."""


def workers_from_environment(
    toolbox: Toolbox,
    store: Store,
    limits: Limits,
    tell: Callable[[Attempted], None] = lambda attempted: None,
    environment: Mapping[str, str] = os.environ,
) -> Workers:
    """The workers that ``CONTROLLLM_ENGINE`` names, ``local`` where it is not set.

    Raises ValueError, in a sentence, where there is no such kind, its packages are not installed,
    or the cluster cannot be reached.
    """
    kind = environment.get("CONTROLLLM_ENGINE", "").strip() or "local"
    if kind not in ENGINES:
        raise ValueError(f"CONTROLLLM_ENGINE is {kind!r}; it can be {' or '.join(ENGINES)}.")
    if kind == "local":
        return WorkerProcesses(toolbox, store, limits, tell)
    address = environment.get("CONTROLLLM_RAY", "").strip()
    try:
        return RayCluster(toolbox, store, address, limits, tell)
    except ImportError:
        raise ValueError(
            "CONTROLLLM_ENGINE is 'ray', and Ray is not installed. Install it: "
            "pip install --group cluster"
        ) from None
    except ConnectionError:
        raise ValueError(
            f"No Ray cluster answers at {address}. Start its head, or correct CONTROLLLM_RAY."
        ) from None
