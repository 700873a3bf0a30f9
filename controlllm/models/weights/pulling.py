"""Fetching weights beside something else: a process of its own does it and tells how far it is.

The page's server runs ``python -m controlllm models pull`` so, and reads its lines.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
from collections.abc import AsyncIterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from controlllm.models.weights import FOLDER_SETTING, Size, models_folder

#: The last three end it.
Step = Literal["packages", "asking", "downloading", "checking", "finished", "failed", "stopped"]
ENDS: tuple[Step, ...] = ("finished", "failed", "stopped")

STOPPED = "Stopped. What was fetched is kept, and the same pull goes on from there."

_PROJECT = Path(__file__).resolve().parents[3]
_SECONDS_TO_STOP = 10.0
#: A line of progress is short; this only keeps a wrong program from filling the memory.
_LONGEST_LINE = 1_000_000


@dataclass(frozen=True)
class Progress:
    """How far a pull is.

    Parameters
    ----------
    step: what it is doing, or how it ended.
    words: the same as a sentence for a person.
    fraction: of the bytes of this step, 0..1.
    done, total: bytes; both 0 where it is not about bytes.
    """

    step: Step
    words: str
    fraction: float = 0.0
    done: int = 0
    total: int = 0

    def to_json(self) -> dict[str, Any]:
        """As a line of ``--json`` holds it."""
        return asdict(self)


class Pull:
    """One run of ``models pull`` as a process of its own, to be used from an event loop.

    >>> pull = Pull(["image_generation"])  # doctest: +SKIP
    >>> async for progress in pull.progress(): ...  # doctest: +SKIP

    `latest` is the last thing it told; `latest.step` is one of `ENDS` once it has ended.
    """

    def __init__(
        self, names: Sequence[str], size: Size = "usual", tools: Sequence[Path] = ()
    ) -> None:
        self.names = tuple(names)
        self.latest = Progress("asking", "Starting.")
        self._arguments = [*self.names, "--size", size, "--json"]
        for folder in tools:
            self._arguments += ["--tools", str(Path(folder).absolute())]
        self._process: asyncio.subprocess.Process | None = None
        self._asked_to_stop = False

    @property
    def ended(self) -> bool:
        """Whether it has come to an end, good or bad."""
        return self.latest.step in ENDS

    async def progress(self) -> AsyncIterator[Progress]:
        """Start it and tell how far it is until it ends; the last one says how it ended."""
        if self._process is not None or self.ended:
            raise RuntimeError("A Pull runs once; make another one.")
        if self._asked_to_stop:
            self.latest = Progress("stopped", STOPPED)
            yield self.latest
            return
        # What the server is kept from does not bind a pull that a person asked for.
        environment = {**os.environ, FOLDER_SETTING: str(models_folder().absolute())}
        environment.pop("HF_HUB_OFFLINE", None)
        process = self._process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "controlllm", "models", "pull", *self._arguments),
            cwd=_PROJECT,
            env=environment,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            limit=_LONGEST_LINE,
        )
        assert process.stdout is not None and process.stderr is not None
        complaints = asyncio.create_task(process.stderr.read())
        if self._asked_to_stop:
            process.terminate()
        async for line in process.stdout:
            told = _read(line)
            if told is not None:
                self.latest = told
                yield told
        complaint = (await complaints).decode("utf-8", "replace").strip().splitlines()[-1:]
        await process.wait()
        if not self.ended:
            self.latest = (
                Progress("stopped", STOPPED)
                if self._asked_to_stop
                else Progress("failed", f"The download broke off. {' '.join(complaint)}".strip())
            )
            yield self.latest

    async def stop(self) -> None:
        """End it; what was fetched is kept. `progress` tells when it has ended."""
        self._asked_to_stop = True
        process = self._process
        if process is None or process.returncode is not None:
            return
        with contextlib.suppress(ProcessLookupError):
            # Not as Ctrl+C does: a server that was started in the background ignores that, and so
            # would its children.
            process.terminate()
        try:
            await asyncio.wait_for(process.wait(), _SECONDS_TO_STOP)
        except TimeoutError:
            with contextlib.suppress(ProcessLookupError):
                process.kill()


def _read(line: bytes) -> Progress | None:
    """The progress in a line; None where there is none, since a library may print a word too."""
    try:
        told = Progress(**json.loads(line))
    except (ValueError, TypeError):
        return None
    return told if told.step in get_args(Step) else None
