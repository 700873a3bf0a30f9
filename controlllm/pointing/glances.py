"""What marks on a picture mean, told at a glance while somebody points.

A process of its own does it (`controlllm.pointing.glance_process`), so that nobody waits for a
tool that runs, and no tool for somebody who points. It is started when first needed.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import io
import itertools
import json
import sys
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import numpy as np
import PIL.Image

from controlllm.resources.intake import BadInput
from controlllm.resources.marks import Marks

_PATIENCE = 100.0  # seconds
_LONGEST_LINE = 1 << 23
_FAILED = "This picture could not be looked at just now. Try again, or point at less of it."


class Glances:
    """Looks at pictures for everybody who points; to be used from one event loop."""

    def __init__(self) -> None:
        self._process: asyncio.subprocess.Process | None = None
        self._starting = asyncio.Lock()
        self._reading: asyncio.Task[None] | None = None
        self._numbers = itertools.count(1)
        self._answers: dict[int, asyncio.Queue[dict[str, Any]]] = {}

    async def look(
        self,
        owner: str,
        path: Path,
        marks: Marks,
        whole: bool = False,
        turn: int | None = None,
    ) -> AsyncGenerator[dict[str, Any], None]:
        """What marks mean: perhaps a first guess, then what holds, which says ``final``.

        Each has ``mask`` (PNG in base64: the picture in a moderate size) and ``name``. Marks that
        say nothing have the picture looked at for what comes. Ends without an answer where the
        `owner` asks something newer: what has a higher `turn`, by default what comes later. With
        `whole` only what holds is told. Raises BadInput, with a sentence, where the picture cannot
        be looked at.
        """
        number = next(self._numbers)
        answers = self._answers[number] = asyncio.Queue()
        try:
            process = await self._started()
            asked = {
                "id": number,
                "owner": owner,
                "turn": number if turn is None else turn,
                "path": str(path),
                "whole": whole,
                "marks": marks.to_json(),
            }
            assert process.stdin is not None
            process.stdin.write(json.dumps(asked).encode() + b"\n")
            await process.stdin.drain()
            while True:
                answer = await asyncio.wait_for(answers.get(), _PATIENCE)
                if "failed" in answer:
                    raise BadInput(_FAILED)
                if "mask" in answer:
                    yield answer
                if answer.get("final") or answer.keys() & {"dropped", "prepared"}:
                    return
        except (TimeoutError, OSError):
            await self.end()
            raise BadInput(_FAILED) from None
        finally:
            del self._answers[number]

    async def region(self, path: Path, marks: Marks) -> tuple[np.ndarray, str]:
        """The pixels that marks mean, bool, in a moderate size, and the name of the thing."""
        owner = f"region {next(self._numbers)}"
        async with contextlib.aclosing(self.look(owner, path, marks, whole=True)) as answers:
            async for answer in answers:
                return unpacked(answer["mask"]), str(answer["name"])
        raise BadInput(_FAILED)

    async def end(self) -> None:
        """End the process, if there is one."""
        process, self._process = self._process, None
        if process is not None and process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()
        if self._reading is not None:
            await asyncio.wait([self._reading], timeout=1.0)

    async def _started(self) -> asyncio.subprocess.Process:
        async with self._starting:
            if self._process is None or self._process.returncode is not None:
                self._process = await asyncio.create_subprocess_exec(
                    sys.executable,
                    "-m",
                    "controlllm.pointing.glance_process",
                    stdin=asyncio.subprocess.PIPE,
                    stdout=asyncio.subprocess.PIPE,
                    limit=_LONGEST_LINE,
                    cwd=Path(__file__).resolve().parents[2],
                )
                self._reading = asyncio.create_task(self._read(self._process))
            return self._process

    async def _read(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdout is not None
        with contextlib.suppress(ValueError):  # a line that is too long
            while line := await process.stdout.readline():
                answer = json.loads(line)
                if answer["id"] in self._answers:
                    self._answers[answer["id"]].put_nowait(answer)
        if process is self._process:
            self._process = None
        for number, answers in self._answers.items():
            answers.put_nowait({"id": number, "failed": "It ended."})


def unpacked(mask: str) -> np.ndarray:
    """The pixels of a mask as it is told: bool, height x width."""
    with PIL.Image.open(io.BytesIO(base64.b64decode(mask))) as picture:
        return np.asarray(picture.convert("L")) > 127
