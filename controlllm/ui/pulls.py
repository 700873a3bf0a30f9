"""Weights that are being fetched for the people of this server, each in a process of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path

from controlllm.admission.jobs import Job, Jobs
from controlllm.models.weights import Size
from controlllm.models.weights.pulling import Progress, Pull
from controlllm.ui.texts import say

#: How many are fetched at once; further ones are refused until one has ended.
_MOST_AT_ONCE = 2


class TooManyPulls(Exception):
    """As many weights are being fetched as may be at once. The message says so."""


class Fetching(Job):
    """The weights of the tool that it is named after, being fetched."""

    is_kept = True

    def __init__(self, tool: str, pull: Pull) -> None:
        super().__init__(name=tool)
        self.pull = pull

    async def work(self) -> None:
        """Fetch them, until they are there or that is stopped."""
        async for _ in self.pull.progress():
            self.tell()


class Pulls:
    """What is being fetched, by the name of the tool that it was asked for.

    Parameters
    ----------
    folders: those that hold tools of one's own.
    """

    def __init__(self, jobs: Jobs, folders: Sequence[Path] = ()) -> None:
        self._jobs = jobs
        self._folders = folders

    def progress(self) -> Mapping[str, Progress]:
        """How far each is, those that have ended included until they are begun again."""
        return {job.name: job.pull.latest for job in self._jobs.all_known(Fetching)}

    def begin(self, tool: str, size: Size) -> None:
        """Fetch a tool's weights, unless that is going on; raises TooManyPulls."""
        going_on = [job.name for job in self._jobs.of(Fetching) if not job.pull.ended]
        if tool in going_on:
            return
        if len(going_on) >= _MOST_AT_ONCE:
            raise TooManyPulls(say("toolbox.too_many_pulls"))
        job = Fetching(tool, Pull([tool], size, self._folders))
        self._jobs.begin(job, job.work())

    async def stop(self, tool: str) -> None:
        """Stop fetching; what has come is kept, so that it can go on from there."""
        job = self._jobs.find(Fetching, "", tool)
        if job is not None:
            await job.pull.stop()

    async def stop_all(self) -> None:
        """Stop every one, when the server ends."""
        await asyncio.gather(*(job.pull.stop() for job in self._jobs.of(Fetching)))
