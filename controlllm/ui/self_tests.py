"""The server's one self-test: begun from the page, watched from any, its last outcome kept."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path

from controlllm.admission.jobs import Job, Jobs
from controlllm.self_test.watching import Progress, SelfTest, Trial

_LAST = "last.json"


class Trying(Job):
    """A pass over all tools."""

    def __init__(self, pass_: SelfTest) -> None:
        super().__init__()
        self.pass_ = pass_

    def stop(self) -> None:
        """End it; what it found so far is kept."""
        super().stop()
        self.pass_.stop()


class SelfTests:
    """Has every tool tried, one pass at a time.

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

    def progress(self) -> Progress | None:
        """How far the pass that goes on is, or what came of the last one; None where there was
        none."""
        for going_on in self._jobs.of(Trying):
            return going_on.pass_.progress
        try:
            kept = json.loads((self._folder / _LAST).read_text("utf-8"))
            trials = tuple(map(Trial.from_json, kept["trials"]))
            return Progress(trials, "", kept["count"], kept["ended"])
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def begin(self) -> None:
        """Begin a pass, unless one goes on; called on the event loop."""
        if not self._jobs.of(Trying):
            job = Trying(SelfTest(self._names, self._folder, self._folders, self._home))
            self._jobs.begin(job, asyncio.to_thread(self._run, job.pass_))

    def stop(self) -> None:
        """Stop the pass that goes on; what it found so far is kept."""
        for job in self._jobs.of(Trying):
            job.stop()

    def picture(self, tool: str) -> Path | None:
        """The small picture of what a tool made; None where there is none."""
        path = self._folder / f"{tool}.webp"
        return path if tool in self._names and path.is_file() else None

    def _run(self, pass_: SelfTest) -> None:
        ended = pass_.run()
        trials = [trial.to_json() for trial in ended.trials]
        content = {"trials": trials, "count": ended.count, "ended": ended.ended}
        (self._folder / _LAST).write_text(json.dumps(content), "utf-8")
