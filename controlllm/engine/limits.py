"""What calls may take: each, and all that are made on one machine together."""

from __future__ import annotations

import math
import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from controlllm.settings.environment import number

#: Where Linux tells what a container may take; "max" where that is not limited.
_CONTAINER_LIMITS = (
    "/sys/fs/cgroup/memory.max",
    "/sys/fs/cgroup/memory/memory.limit_in_bytes",
)


#: Embedded models keep two processors busy.
ENOUGH_PROCESSORS = 4


def processors() -> int:
    """How many processors the program may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@dataclass(frozen=True)
class Limits:
    """What calls may take.

    Parameters
    ----------
    seconds: of one call in all.
    silent_seconds: without a word about how far it is.
    memory: bytes that its worker may hold.
    all_memory: bytes that all workers together may hold, at work and at rest.
    seconds_to_stop: until a worker that was told to stop is ended.
    file_bytes: of the largest file that it may write.
    endpoint_calls: calls in flight to one endpoint on the network.
    free_bytes: of the disk that must stay free; a call that works longer than a moment ends there.
    loads_ahead: whether workers that rest load what later steps of a plan need; without processors
        to spare it keeps the steps at work from theirs.
    """

    seconds: float = 3600.0
    silent_seconds: float = 300.0
    memory: int = 0
    all_memory: int = 0
    seconds_to_stop: float = 0.7
    file_bytes: int = 4_000_000_000
    endpoint_calls: int = 4
    free_bytes: int = 100_000_000
    loads_ahead: bool = processors() >= ENOUGH_PROCESSORS

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Limits:
        """The limits that environment variables set; docs/settings.md lists them.

        Raises ValueError, with the variable's name, where one holds something else than it can.
        """

        def found(name: str, usual: float, unit: float = 1.0) -> float:
            return number(environment, f"CONTROLLLM_{name}", usual, unit)

        return cls(
            found("CALL_SECONDS", cls.seconds),
            found("SILENT_SECONDS", cls.silent_seconds),
            int(found("CALL_GIGABYTES", cls.memory, 1e9)),
            int(found("MEMORY_GIGABYTES", cls.all_memory, 1e9)),
            endpoint_calls=math.ceil(found("ENDPOINT_CALLS", cls.endpoint_calls)),
            file_bytes=int(found("FILE_GIGABYTES", cls.file_bytes, 1e9)),
            loads_ahead=_chosen(environment, "CONTROLLLM_LOAD_AHEAD", cls.loads_ahead),
        )

    def __post_init__(self) -> None:
        if not self.memory:
            object.__setattr__(self, "memory", int(0.7 * machine_memory()))
        if not self.all_memory:
            object.__setattr__(self, "all_memory", int(0.6 * machine_memory()))

    def passed_time(self, seconds: float, silent: float) -> str:
        """Which limit a call has passed that took so long, and was silent for so long, in words;
        empty where none."""
        if seconds > self.seconds:
            return f"took longer than {_time_in_words(self.seconds)} and was ended."
        if silent > self.silent_seconds:
            waited = _time_in_words(self.silent_seconds)
            return f"gave no sign of life for {waited} and was ended."
        return ""

    def passed_room(self, memory: int, seconds: float, folder: Path) -> str:
        """The same of a call that holds so much memory, or leaves too little room on the disk that
        a folder lies on."""
        if memory > self.memory:
            return (
                f"needed more than the {self.memory / 1e9:.1f} GB of memory that one tool may "
                "take here and was ended. Try a smaller file."
            )
        if seconds > 1 and shutil.disk_usage(folder).free < self.free_bytes:
            return "was ended, since the disk is nearly full. Make some room and try again."
        return ""


def machine_memory() -> int:
    """Bytes of memory that this machine has, or the container in which the program runs."""
    found = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    for place in _CONTAINER_LIMITS:
        try:
            found = min(found, int(Path(place).read_text()))
        except (OSError, ValueError):
            continue
    return found


def _chosen(environment: Mapping[str, str], name: str, usual: bool) -> bool:
    said = environment.get(name, "").strip().lower()
    if said not in ("", "yes", "no"):
        raise ValueError(f"{name} is {said!r}; it can be yes or no.")
    return said == "yes" if said else usual


def _time_in_words(seconds: float) -> str:
    if seconds < 90:
        return f"{round(seconds)} seconds" if seconds >= 2 else f"{seconds:.1f} seconds"
    return f"{round(seconds / 60)} minutes"
