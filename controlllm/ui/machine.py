"""What is done to this machine for all who use it: weights are fetched, each in a process of its
own, and every tool is tried; begun from the page, watched from any."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from controlllm.admission.jobs import Job, Jobs
from controlllm.models.weights import Size
from controlllm.models.weights.pulling import Progress, Pull
from controlllm.resources.probing import BadInput
from controlllm.self_test import watching
from controlllm.self_test.watching import Trial
from controlllm.ui.texts import say

#: How many are fetched at once; further ones are refused until one has ended.
_MOST_AT_ONCE = 2
#: Where the outcome of the last pass over all tools is kept.
_LAST = "last.json"


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
        """Fetch a tool's weights, unless that is going on; raises BadInput where as many
        are fetched as may be at once."""
        going_on = [job.name for job in self._jobs.of(Fetching) if not job.pull.ended]
        if tool in going_on:
            return
        if len(going_on) >= _MOST_AT_ONCE:
            raise BadInput(say("toolbox.too_many_pulls"))
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


class Trying(Job):
    """A pass over all tools."""

    def __init__(self, pass_: watching.SelfTest) -> None:
        super().__init__()
        self.pass_ = pass_

    def stop(self) -> None:
        """End it; what it found so far is kept."""
        super().stop()
        self.pass_.stop()


class SelfTests:
    """Has every tool tried, one pass at a time; the last outcome is kept.

    Parameters
    ----------
    names: the tools.
    home: the server's folder. `folders` hold tools of one's own.
    """

    def __init__(
        self, jobs: Jobs, names: Sequence[str], home: Path, folders: Sequence[Path] = ()
    ) -> None:
        self._jobs = jobs
        self._names = tuple(names)
        self._home, self._folders = home, tuple(folders)
        self._folder = home / "self-test"

    def progress(self) -> watching.Progress | None:
        """How far the pass that goes on is, or what came of the last one; None where there was
        none."""
        for going_on in self._jobs.of(Trying):
            return going_on.pass_.progress
        try:
            kept = json.loads((self._folder / _LAST).read_text("utf-8"))
            trials = tuple(map(Trial.from_json, kept["trials"]))
            return watching.Progress(trials, "", kept["count"], kept["ended"])
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def begin(self) -> None:
        """Begin a pass, unless one goes on; called on the event loop."""
        if not self._jobs.of(Trying):
            job = Trying(watching.SelfTest(self._names, self._folder, self._folders, self._home))
            self._jobs.begin(job, asyncio.to_thread(self._run, job.pass_))

    def stop(self) -> None:
        """Stop the pass that goes on; what it found so far is kept."""
        for job in self._jobs.of(Trying):
            job.stop()

    def picture(self, tool: str) -> Path | None:
        """The small picture of what a tool made; None where there is none."""
        path = self._folder / f"{tool}.webp"
        return path if tool in self._names and path.is_file() else None

    def _run(self, pass_: watching.SelfTest) -> None:
        ended = pass_.run()
        trials = [trial.to_json() for trial in ended.trials]
        content = {"trials": trials, "count": ended.count, "ended": ended.ended}
        (self._folder / _LAST).write_text(json.dumps(content), "utf-8")
