"""The real server as a person starts it, and what it takes: processor time and memory (Linux)."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.engine.kills import children, is_running

PROJECT = Path(__file__).resolve().parents[2]
_SECONDS_TO_START = 120.0
_SECONDS_TO_END = 20.0
_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Taken:
    """Of the server's process and of its workers together: MiB or processor seconds."""

    server: float
    workers: float

    def __sub__(self, other: Taken) -> Taken:
        return Taken(self.server - other.server, self.workers - other.workers)

    @property
    def both(self) -> float:
        return self.server + self.workers


@dataclass
class Served:
    """A running server. `log` is what it wrote, `started` how many seconds it took to start."""

    address: str
    process: subprocess.Popen[bytes]
    home: Path
    log: Path
    started: float = 0.0

    def workers(self) -> list[int]:
        """The processes below the server."""
        found, look = [], [self.process.pid]
        while look:
            new = children(look.pop())
            found += new
            look += new
        return found

    def memory(self) -> Taken:
        """MiB that are held; pages that several processes share count in parts."""
        return Taken(_held(self.process.pid), sum(map(_held, self.workers())))

    def memory_of_workers(self) -> list[float]:
        """MiB of each worker."""
        return [_held(worker) for worker in self.workers()]

    def processor_seconds(self) -> Taken:
        """Since the start, with those of workers that have ended."""
        own, ended = _worked(self.process.pid)
        return Taken(own, ended + sum(sum(_worked(worker)) for worker in self.workers()))

    def complaints(self) -> Counter[str]:
        """Warnings and errors in the log, and whatever else is in it that is no line of it."""
        found: Counter[str] = Counter()
        for line in self.log.read_text("utf-8", "replace").splitlines():
            try:
                told = json.loads(line)
                if told["level"] not in ("info", "debug"):
                    names = (told["level"], told["message"], told.get("error"), told.get("place"))
                    found[" · ".join(str(name) for name in names if name)] += 1
            except (ValueError, TypeError, KeyError):
                if not line.startswith("ControlLLM is at "):
                    found[line[:200]] += 1
        return found


@contextmanager
def served(folder: Path, tools: Sequence[Path] = (), **variables: str) -> Iterator[Served]:
    """A server of its own home on a free port of loopback; it and its workers are ended.

    `tools` are folders of more tools, `variables` of the environment.
    """
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, str(PROJECT / "app.py"), "--port", str(port)]
    command += ["--home", str(folder / "home")]
    if tools:
        command += ["--tools", *map(str, tools)]
    environment = {**os.environ, "CONTROLLLM_LOG": "json", **variables}
    log = folder / "log.txt"
    began = time.monotonic()
    with log.open("ab") as output:
        process = subprocess.Popen(
            command, stdout=output, stderr=subprocess.STDOUT, env=environment, cwd=folder
        )
    server = Served(f"http://127.0.0.1:{port}", process, folder / "home", log)
    try:
        _wait_until_ready(server)
        server.started = time.monotonic() - began
        yield server
    finally:
        workers = server.workers()
        process.terminate()
        try:
            process.wait(_SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            print(f"The server did not end within {_SECONDS_TO_END:.0f} s and was killed.")
        limit = time.monotonic() + _SECONDS_TO_END
        while any(map(is_running, workers)) and time.monotonic() < limit:
            time.sleep(0.05)
        for worker in filter(is_running, workers):
            os.kill(worker, signal.SIGKILL)
            print(f"Worker {worker} outlived its server and was killed.")


def _wait_until_ready(server: Served) -> None:
    limit = time.monotonic() + _SECONDS_TO_START
    while time.monotonic() < limit and server.process.poll() is None:
        try:
            urllib.request.urlopen(f"{server.address}/ready", timeout=5).close()
            return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    raise RuntimeError(f"The server did not start:\n{server.log.read_text()}")


def _held(process: int) -> float:
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0.0
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024


def _worked(process: int) -> tuple[float, float]:
    """Processor seconds of a process, and of its children that have ended."""
    try:
        words = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0, 0.0
    own, own_system, ended, ended_system = map(int, words[11:15])
    return (own + own_system) / _TICKS, (ended + ended_system) / _TICKS
