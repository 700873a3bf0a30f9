"""Weights that are being fetched for the people of this server, each in a process of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path

from controlllm.models.weights import Size
from controlllm.models.weights.pulling import Progress, Pull
from controlllm.ui.texts import say

#: How many are fetched at once; further ones are refused until one has ended.
_MOST_AT_ONCE = 2


class TooManyPulls(Exception):
    """As many weights are being fetched as may be at once. The message says so."""


class Pulls:
    """What is being fetched, by the name of the tool that it was asked for.

    Parameters
    ----------
    folders: those that hold tools of one's own.
    """

    def __init__(self, folders: Sequence[Path] = ()) -> None:
        self._folders = folders
        self._pulls: dict[str, Pull] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def progress(self) -> Mapping[str, Progress]:
        """How far each is, those that have ended included until they are begun again."""
        return {tool: pull.latest for tool, pull in self._pulls.items()}

    async def begin(self, tool: str, size: Size) -> None:
        """Fetch a tool's weights, unless that is going on; raises TooManyPulls."""
        going_on = [name for name, pull in self._pulls.items() if not pull.ended]
        if tool in going_on:
            return
        if len(going_on) >= _MOST_AT_ONCE:
            raise TooManyPulls(say("toolbox.too_many_pulls"))
        pull = self._pulls[tool] = Pull([tool], size, self._folders)
        task = asyncio.create_task(_run(pull))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def stop(self, tool: str) -> None:
        """Stop fetching; what has come is kept, so that it can go on from there."""
        if tool in self._pulls and not self._pulls[tool].ended:
            await self._pulls[tool].stop()

    async def stop_all(self) -> None:
        """Stop every one, when the server ends."""
        await asyncio.gather(*map(self.stop, list(self._pulls)))


async def _run(pull: Pull) -> None:
    async for _ in pull.progress():
        pass
