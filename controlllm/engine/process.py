"""A process that works for another one: what is said to it and by it, what it holds, its end."""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from controlllm.models.residence import peak_of, reset_peak, resident_size
from controlllm.resources.well_formed import json_from_outside

_PROJECT = Path(__file__).resolve().parents[2]
#: How often it is measured exactly what a call's worker holds while memory is short.
_SECONDS_BETWEEN_MEASURES = 0.05
#: A line tells of one result; this only keeps a broken worker from filling the memory.
_LONGEST_LINE = 20_000_000
#: One that said its last word has ended within this time, however busy the machine is.
_SECONDS_TO_END = 10.0


class Ended(Exception):
    """A worker's process is gone."""


@dataclass(eq=False)
class Process:
    """A worker process as the server sees it."""

    running: subprocess.Popen[bytes]
    #: The implementations whose models are loaded there, as ``tool/place in the toolbox``.
    warm: set[str] = field(default_factory=set)
    #: Whether it made no call yet.
    is_fresh: bool = True
    #: Whether it is to be ended, since its call did not come to an end of its own.
    is_spent: bool = False
    _rest: bytes = b""

    @classmethod
    def of(cls, module: str, arguments: Sequence[str], file_bytes: int) -> Process:
        """A process that runs a module of this program with arguments, and writes no file of more
        bytes than that."""
        running = subprocess.Popen(
            [sys.executable, "-m", module, *arguments],
            cwd=_PROJECT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
            bufsize=0,
        )
        _limit_files(running.pid, file_bytes)
        return cls(running)

    def tell(self, content: bytes) -> None:
        assert self.running.stdin is not None
        try:
            self.running.stdin.write(content)
            self.running.stdin.flush()
        except OSError as error:
            raise Ended from error

    def lines(self, seconds: float) -> Iterator[dict[str, Any]]:
        """What the worker said within some seconds at most; raises Ended where it is gone."""
        assert self.running.stdout is not None
        with selectors.DefaultSelector() as selector:
            selector.register(self.running.stdout, selectors.EVENT_READ)
            if not selector.select(seconds):
                return
        piece = os.read(self.running.stdout.fileno(), 1 << 16)
        if not piece or len(self._rest) > _LONGEST_LINE:
            raise Ended
        *whole, self._rest = (self._rest + piece).split(b"\n")
        for text in whole:
            with contextlib.suppress(ValueError):
                told = json_from_outside(text)
                if isinstance(told, dict):
                    yield told

    def end(self) -> None:
        """End it at once, with what it may have started."""
        for stream in (self.running.stdin, self.running.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.running.pid, signal.SIGKILL)
        self.running.wait()


class Growth:
    """What a process adds to what it held at the beginning, in bytes."""

    def __init__(self, process: int) -> None:
        self.process = process
        self._has_peak = reset_peak(process)
        self._before = self._seen = resident_size(process)
        self._told = 0.0

    def look(self) -> int:
        """What it has at hand now."""
        now = resident_size(self.process)
        self._seen = max(self._seen, now)
        return now

    def now(self) -> int:
        """What it adds now."""
        return self.look() - self._before

    def most(self) -> int:
        """What it added at most."""
        self.look()
        peak = peak_of(self.process) if self._has_peak else 0
        return max(self._seen, peak) - self._before

    def is_to_be_told(self) -> bool:
        """Whether it is time to measure exactly, which costs something."""
        now = time.monotonic()
        if now - self._told < _SECONDS_BETWEEN_MEASURES:
            return False
        self._told = now
        return True


def _limit_files(process: int, most: int) -> None:
    """Let a process write no file of more bytes than that, where the system can see to it."""
    import resource  # there is none on Windows

    if hasattr(resource, "prlimit"):
        with contextlib.suppress(OSError, ValueError):
            resource.prlimit(process, resource.RLIMIT_FSIZE, (most, most))


def death_in_words(name: str, process: Process) -> str:
    """How a worker ended by itself."""
    try:
        code = process.running.wait(timeout=_SECONDS_TO_END)
    except subprocess.TimeoutExpired:
        return f"“{name}” no longer answered."
    if code < 0:
        with contextlib.suppress(ValueError):
            return f"“{name}” crashed ({signal.Signals(-code).name})."
    return f"“{name}” ended in the middle of its work."
