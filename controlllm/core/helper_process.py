"""Processes that help this program: what they are told and say, a line of JSON each, and their end.

What libraries print there goes to the standard error, not between the lines.
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import json
import os
import signal
import sys
import threading
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

_PARENT_DIED = 1  # PR_SET_PDEATHSIG
_PROJECT = Path(__file__).resolve().parents[2]
_LONGEST_LINE = 1 << 24

#: Says something, from any thread.
Tell = Callable[[Mapping[str, Any]], None]


async def said_by(module: str, *arguments: str) -> AsyncGenerator[dict[str, Any], None]:
    """What a module of this program says that runs in a process of its own; it is ended where
    nobody wants to know more.

    Raises ValueError where it says something that is no JSON, or too long.
    """
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", module, *arguments),
        stdout=asyncio.subprocess.PIPE,
        limit=_LONGEST_LINE,
        cwd=_PROJECT,
    )
    try:
        assert process.stdout is not None
        while line := await process.stdout.readline():
            yield json.loads(line)
    finally:
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()


def end_with_the_parent() -> None:
    """Let the system end this process with the one that started it, whatever it is at (Linux)."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_PARENT_DIED, signal.SIGKILL)


def own_lines() -> Tell:
    """Keep the standard output for what is told from now on. Where nobody reads it any more, this
    process ends."""
    out, telling = os.dup(1), threading.Lock()
    os.dup2(2, 1)

    def tell(said: Mapping[str, Any]) -> None:
        content = json.dumps(said).encode() + b"\n"
        with telling:
            try:
                while content:
                    content = content[os.write(out, content) :]
            except OSError:
                os._exit(0)

    return tell


def lines_in(descriptor: int = 0) -> Iterator[bytes]:
    """The lines that come in by a descriptor, usually the standard input, without their line
    breaks, until it ends.

    Python's own standard input has a lock; a thread that waits for a line there holds it, and a
    program that ends meanwhile dies of not getting it.
    """
    rest = b""
    while piece := os.read(descriptor, 1 << 16):
        *whole, rest = (rest + piece).split(b"\n")
        yield from whole
