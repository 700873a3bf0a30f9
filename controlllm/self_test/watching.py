"""Has every tool tried in a process beside this one, and knows how far that is and what came of
each."""

from __future__ import annotations

import json
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from controlllm.core.reasons import reason_beside, reason_from_json

_PROJECT = Path(__file__).resolve().parents[2]
#: A tool that takes longer, in seconds, is ended.
LONGEST = 300.0
_NOT_BEGUN = "The process that tries tools could not begin."


@dataclass(frozen=True)
class Progress:
    """How far it is: what came of each tool so far, in order, the name of the one that is tried
    now, and how many there are. `ended` is "" while it goes on, else "done" or "stopped"."""

    trials: tuple[Trial, ...] = ()
    now: str = ""
    count: int = 0
    ended: str = ""


@dataclass
class SelfTest:
    """One pass over tools.

    Parameters
    ----------
    names: the tools, in the order in which they are tried.
    pictures: the folder for small pictures of what they make.
    folders, home: those that hold tools of one's own, and where sources of tools are kept.
    longest: seconds that one tool may take.
    command: what tries them.
    """

    names: Sequence[str]
    pictures: Path
    folders: Sequence[Path] = ()
    home: Path = Path()
    longest: float = LONGEST
    command: Sequence[str] = (sys.executable, "-m", "controlllm.self_test.trying")
    progress: Progress = Progress()
    _stopped: threading.Event = field(default_factory=threading.Event)

    def stop(self) -> None:
        """End it; what was tried stays known."""
        self._stopped.set()

    def run(self, tell: Callable[[Trial], None] = lambda trial: None) -> Progress:
        """Try all of them, unless it is stopped; `tell` gets each as it is done."""
        self.pictures.mkdir(parents=True, exist_ok=True)
        self.progress = Progress(count=len(self.names))
        left = list(self.names)
        while left and not self._stopped.is_set():
            for trial in self._pass_over(left):
                left = left[left.index(trial.tool) + 1 :]
                self.progress = replace(
                    self.progress, trials=(*self.progress.trials, trial), now=""
                )
                tell(trial)
        ended = "stopped" if self._stopped.is_set() else "done"
        self.progress = replace(self.progress, now="", ended=ended)
        return self.progress

    def _pass_over(self, names: Sequence[str]) -> Iterator[Trial]:
        """What one process tries, until it has ended or had to be."""
        asked = {
            "names": list(names),
            "pictures": str(self.pictures),
            "folders": [str(folder) for folder in self.folders],
            "home": str(self.home),
        }
        process = subprocess.Popen(
            list(self.command),
            cwd=_PROJECT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        lines: queue.Queue[str] = queue.Queue()
        reader = threading.Thread(target=_read, args=(process, lines), daemon=True)
        reader.start()
        begun, waited = "", 0.0
        try:
            with suppress(BrokenPipeError, OSError):
                assert process.stdin is not None
                process.stdin.write(json.dumps(asked))
                process.stdin.close()
            while not self._stopped.is_set():
                try:
                    line = lines.get(timeout=0.2)
                except queue.Empty:
                    waited += 0.2
                    if waited < self.longest:
                        continue
                    words = f"It took longer than {self.longest:.0f} s."
                    yield Trial(begun or names[0], "failed", words)
                    return
                if not line:
                    break
                waited = 0.0
                said: dict[str, Any] = json.loads(line)
                if "begins" in said:
                    begun = said["begins"]
                    self.progress = replace(self.progress, now=begun)
                else:
                    yield Trial.from_json(said)
                    if said["tool"] == names[-1]:
                        return
            if begun and not self._stopped.is_set():
                yield Trial(begun, "failed", "The process that called it ended in its midst.")
            elif not self._stopped.is_set():
                # Another process would not begin either.
                yield from (Trial(name, "failed", _NOT_BEGUN) for name in names)
        finally:
            process.kill()
            process.wait()
            reader.join()


def _read(process: subprocess.Popen[str], lines: queue.Queue[str]) -> None:
    """Pass on the lines of a process; an empty one where there will be no more."""
    assert process.stdout is not None
    with process.stdout:
        for line in process.stdout:
            lines.put(line)
    lines.put("")


#: "missing": it cannot run here; "skipped": it acts outside, so nothing tries it unasked.
State = Literal["works", "missing", "failed", "skipped"]


@dataclass(frozen=True)
class Trial:
    """One tool tried.

    Parameters
    ----------
    words: what it made, where that is read; else why it did not work or cannot run.
    runtime: on which its implementation runs.
    seconds: of the call with all loading. memory: MiB beyond what the process held before.
    picture: the name of a small picture (WebP) of what it made; empty where there is none.
    """

    tool: str
    state: State
    words: str = ""
    runtime: str = ""
    seconds: float = 0.0
    memory: int = 0
    picture: str = ""

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), **reason_beside("words", self.words)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Trial:
        words = reason_from_json(data.get("words_as", data.get("words")))
        return cls(
            **{name: value for name, value in data.items() if name != "words_as"} | {"words": words}
        )
