"""The server's one self-test: begun from the page, watched from any, its last outcome kept."""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from pathlib import Path

from controlllm.self_test.trial import Trial
from controlllm.self_test.watching import Progress, SelfTest

_LAST = "last.json"


class SelfTests:
    """Has every tool tried, one pass at a time.

    Parameters
    ----------
    names: the tools.
    home: the server's folder. `folders` hold tools of one's own.
    """

    def __init__(self, names: Sequence[str], home: Path, folders: Sequence[Path] = ()) -> None:
        self._names = tuple(names)
        self._home, self._folders = home, tuple(folders)
        self._folder = home / "self-test"
        self._running: SelfTest | None = None
        self._lock = threading.Lock()

    def progress(self) -> Progress | None:
        """How far the pass that goes on is, or what came of the last one; None where there was
        none."""
        if self._running is not None:
            return self._running.progress
        try:
            kept = json.loads((self._folder / _LAST).read_text("utf-8"))
            trials = tuple(map(Trial.from_json, kept["trials"]))
            return Progress(trials, "", kept["count"], kept["ended"])
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def begin(self) -> None:
        """Begin a pass, unless one goes on."""
        with self._lock:
            if self._running is None:
                self._running = SelfTest(self._names, self._folder, self._folders, self._home)
                threading.Thread(target=self._run, args=(self._running,), daemon=True).start()

    def stop(self) -> None:
        """Stop the pass that goes on; what it found so far is kept."""
        with self._lock:
            if self._running is not None:
                self._running.stop()

    def picture(self, tool: str) -> Path | None:
        """The small picture of what a tool made; None where there is none."""
        path = self._folder / f"{tool}.webp"
        return path if tool in self._names and path.is_file() else None

    def _run(self, pass_: SelfTest) -> None:
        try:
            ended = pass_.run()
            trials = [trial.to_json() for trial in ended.trials]
            content = {"trials": trials, "count": ended.count, "ended": ended.ended}
            (self._folder / _LAST).write_text(json.dumps(content), "utf-8")
        finally:
            with self._lock:
                self._running = None
