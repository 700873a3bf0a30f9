"""Random kills: ``python -m tests.engine.kills 200`` prints what they did to long plans.

A program that works without a page (`kills_server`) is killed again and again at random moments,
the whole of it or one of its workers, and started anew. Afterwards everything that was asked must
be answered rightly, nothing with a receipt may have run again, no file and no row may be broken,
and nothing may be left over.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from controlllm.core.plans import Reference, Step
from controlllm.core.session import Session
from tests.engine.kills_server import TOOLS, plan_for
from tests.engine.quick_worker import only

PROJECT = Path(__file__).resolve().parents[2]
#: What takes longer, in seconds, hangs; nothing else is decided by it.
PATIENCE = 120.0
SHARE_OF_SERVERS = 0.6
#: So many calls begin at most between two kills, and a kill comes so much later at most, in
#: seconds, which is about as long as a call takes. Calls are counted, since a busy machine makes
#: few of them in a second.
MOST_CALLS = 30
MOST_SECONDS_LATER = 0.04


@dataclass
class Killing:
    """What was done, and what came of it; `faults` are sentences."""

    home: Path
    servers: int = 0
    workers: int = 0
    by_themselves: int = 0
    by_click: int = 0
    requests: int = 0
    actions: int = 0
    runs: int = 0
    receipts: set[str] = field(default_factory=set)
    planned: set[str] = field(default_factory=set)
    faults: list[str] = field(default_factory=list)
    started: list[subprocess.Popen[str]] = field(default_factory=list)
    begun: Counter[str] = field(default_factory=Counter)
    #: How many tries of each call the program that runs now has lost with their workers.
    lost: Counter[str] = field(default_factory=Counter)
    lost_twice: set[str] = field(default_factory=set)
    lost_tries: int = 0
    explained: int = 0
    unknown: int = 0
    _read: int = 0

    @property
    def kills(self) -> int:
        return self.servers + self.workers

    @property
    def log(self) -> Path:
        return self.home / "log.txt"

    def start(self, **variables: str) -> subprocess.Popen[str]:
        """A program that works in the home."""
        self.started.append(
            server := subprocess.Popen(
                [sys.executable, "-m", "tests.engine.kills_server", str(self.home)],
                cwd=PROJECT,
                env={**os.environ, "QUICK_LOG": str(self.log), **variables},
                stdout=subprocess.PIPE,
                text=True,
            )
        )
        return server

    def wait_until_ready(self, server: subprocess.Popen[str]) -> bool:
        """Whether the program began to work, and what it went on with; False where it ended."""
        said = server.stdout.readline().split()
        if not said:
            return False
        self.by_themselves += int(said[1])
        self.by_click += int(said[2])
        return True

    def kill_one(self, server: subprocess.Popen[str], chance: random.Random) -> bool:
        """Kill the program, or one of its workers; whether it was the program."""
        is_for_server = chance.random() < SHARE_OF_SERVERS
        self.wait_for_calls(chance.randint(1, MOST_CALLS))
        time.sleep(chance.uniform(0.0, MOST_SECONDS_LATER))
        workers = children(server.pid)
        self.look()
        if workers and not is_for_server:
            with contextlib.suppress(ProcessLookupError):
                os.kill(chance.choice(workers), signal.SIGKILL)
                self.workers += 1
            # One that is killed twice in a row has failed, which most should not.
            self.wait_for_calls(3)
            return False
        self.end(server)
        self.servers += 1
        return True

    def wait_for_calls(self, number: int) -> None:
        """Wait until so many more calls have begun."""
        limit, before = time.monotonic() + PATIENCE, len(self.written())
        while True:
            lines = self.written()[before:].splitlines()
            if sum(line.startswith(("begun ", "sent ")) for line in lines) >= number:
                return
            if time.monotonic() > limit:
                raise TimeoutError(f"Not {number} more calls began.")
            time.sleep(0.01)

    def written(self) -> str:
        """What the log says; it is not there before the first program writes something down."""
        return self.log.read_text() if self.log.exists() else ""

    def end(self, server: subprocess.Popen[str]) -> None:
        """Kill the program and wait until its workers are gone with it; look at what is left."""
        workers = children(server.pid)
        server.kill()
        server.wait()
        # One that was just starting ends when it has loaded what it imports.
        limit = time.monotonic() + PATIENCE
        while any(map(is_running, workers)) and time.monotonic() < limit:
            time.sleep(0.01)
        self.faults += [f"Worker {one} outlived its server." for one in workers if is_running(one)]
        self.look()
        self.check_rows(at_rest=False)

    def look(self) -> None:
        """Read what the log says since; nothing in it may have had a receipt before."""
        with closing(self.connection()) as connection:
            rows = connection.execute("SELECT content FROM results").fetchall()
            turns = connection.execute("SELECT content FROM sessions").fetchall()
        written = self.written()
        news, self._read = written[self._read :].splitlines(), len(written)
        for line in news:
            kind, _, name = line.partition(" ")
            if kind == "program":
                self.lost.clear()
                continue
            if kind == "lost":
                self.lost_tries += 1
                self.lost[name] += 1
                if self.lost[name] > 1:
                    self.lost_twice.add(name)
                continue
            self.begun[name] += 1
            if name in (self.planned if kind == "planned" else self.receipts):
                self.faults.append(f"After it was finished and kept: {line}.")
            if kind == "sent" and self.begun[name] > 1:
                self.faults.append(f"A letter went out twice: {line}.")
            self.runs += kind != "planned"
        # What was kept while the log was read may have begun before; it counts from now on.
        for (content,) in rows:
            self.receipts.add(self.first_line(json.loads(content)))
        for (content,) in turns:
            for turn in json.loads(content)["turns"]:
                if turn["plan"]:
                    self.planned.add(turn["text"].split()[-1])

    def first_line(self, resource: dict) -> str:
        path = self.home / "files" / resource["digest"][:2] / f"{resource['digest']}.txt"
        return path.read_text().split("\n")[0]

    def check_rows(self, at_rest: bool) -> None:
        """Every row can be read and every file that one names is whole. `at_rest` says that no file
        may be there that none names, and that nothing may be half done."""
        with closing(self.connection()) as connection:
            (state,) = connection.execute("PRAGMA integrity_check").fetchone()
            if state != "ok":
                self.faults.append(f"The database is broken: {state}.")
            named = set()
            for digest, suffix in connection.execute("SELECT digest, suffix FROM files"):
                path = self.home / "files" / digest[:2] / (digest + suffix)
                named.add(path)
                if not path.exists() or digest_of(path) != digest:
                    self.faults.append(f"File {path.name} is not whole.")
            digests = {path.stem for path in named}
            for (content,) in connection.execute("SELECT content FROM results"):
                if json.loads(content)["digest"] not in digests:
                    self.faults.append("A receipt names a file that is not there.")
            for session in self.sessions(connection):
                for turn in session.turns:
                    for made in turn.results.values():
                        if made.digest not in digests:
                            self.faults.append("A conversation names a file that is not there.")
            if at_rest:
                if connection.execute("SELECT 1 FROM running").fetchall():
                    self.faults.append("Something is still said to run.")
                there = set((self.home / "files").glob("*/*"))
                left = [*(there - named), *(self.home / "work").iterdir()]
                left += (self.home / "programs").iterdir()
                self.faults += [f"{path.name} is left over." for path in left]

    def check_answers(self) -> None:
        """Everything that was asked is answered, and each action made what it should have."""
        made_of = sys.modules["added_tools_quick"].made_of
        with closing(self.connection()) as connection:
            for session in self.sessions(connection):
                for turn in session.turns:
                    self.requests += 1
                    if turn.state != "answered":
                        self.faults.append(f"“{turn.text}” is {turn.state}: {turn.answer}")
                    values: dict[str, str] = {}
                    failed: set[str] = set()
                    for step in plan_for(int(turn.text.split()[-1])).steps():
                        self.actions += 1
                        read = step.action.inputs["parts"]
                        parts = [values[item.value] for item in read if isinstance(item, Reference)]
                        wanted = made_of(step.action.inputs["text"].text, parts)
                        values[step.action.output.value] = wanted
                        digest = hashlib.sha256(wanted.encode()).hexdigest()
                        made = turn.results.get(step.key)
                        if made is None and self.may_have_failed(step, failed, turn.answer):
                            failed.add(step.action.output.value)
                            self.explained += 1
                        elif made is None or made.digest != digest:
                            self.faults.append(
                                f"“{turn.text}”: {step.key} is wrong or missing: {turn.answer}"
                            )

    def may_have_failed(self, step: Step, failed: set[str], answer: str) -> bool:
        """Whether a step's call was lost twice in a row, or needs one that was, and this is
        said."""
        needs_failed = any(value in failed for value in step.action.references())
        was_lost = step.action.inputs["text"].text in self.lost_twice
        if step.action.tool == "send" and not needs_failed:
            self.unknown += 1
            return "It is not known whether “send” did its work" in answer
        return (needs_failed or was_lost) and "crashed (SIGKILL)" in answer

    def sessions(self, connection: sqlite3.Connection) -> Iterator[Session]:
        for (content,) in connection.execute("SELECT content FROM sessions"):
            yield Session.from_json(json.loads(content))

    def close(self) -> None:
        """End whatever still runs."""
        for server in self.started:
            if server.poll() is None:
                server.kill()
            server.wait()
            server.stdout.close()

    def connection(self) -> sqlite3.Connection:
        return sqlite3.connect(self.home / "sessions.sqlite", timeout=PATIENCE)

    def finish(self) -> None:
        """Let everything come to its end undisturbed, and look at all of it."""
        (self.home / "enough").touch()
        server = self.start()
        self.wait_until_ready(server)
        try:
            server.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.faults.append("The last program did not come to an end.")
            return
        if server.returncode:
            self.faults.append(f"The last program ended with {server.returncode}.")
        self.look()
        if self.lost_tries > self.workers:
            killed = f"only {self.workers} workers were killed"
            self.faults.append(f"{self.lost_tries} tries were lost, though {killed}.")
        self.check_rows(at_rest=True)
        self.check_answers()


def kill(home: Path, kills: int, seed: int = 0) -> Killing:
    """Kill so often; what came of it."""
    only(TOOLS)  # for what the tools make
    chance = random.Random(seed)
    killing = Killing(home)
    try:
        _kill(killing, kills, chance)
        killing.finish()
    finally:
        killing.close()
    return killing


def _kill(killing: Killing, kills: int, chance: random.Random) -> None:
    while killing.kills < kills and len(killing.faults) < 20:
        server = killing.start()
        if killing.planned and chance.random() < 0.1:  # it does not come to begin
            time.sleep(chance.uniform(0.2, 1.5))
            killing.end(server)
            killing.servers += 1
        elif killing.wait_until_ready(server):
            while not killing.kill_one(server, chance):
                pass
        else:
            killing.faults.append("The program did not start.")


def children(process: int) -> list[int]:
    """The living children of a process, whichever of its threads started them."""
    found = []
    for path in Path(f"/proc/{process}/task").glob("*/children"):
        try:
            found += [int(number) for number in path.read_text().split()]
        except OSError:
            continue
    return [number for number in found if is_running(number)]


def is_running(number: int) -> bool:
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def digest_of(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def main() -> int:
    kills = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="kills-") as folder:
        found = kill(Path(folder), kills, seed=int(sys.argv[2]) if len(sys.argv) > 2 else 0)
    print(f"{found.servers} kills of the program, {found.workers} of a worker")
    print(f"{found.by_themselves} requests went on by themselves, {found.by_click} by a click")
    print(f"{found.requests} requests answered, {found.actions} actions")
    print(f"{found.unknown} letters of which nobody knows whether they went out, which was said")
    print(f"{found.explained - found.unknown} more left out, which was said: killed twice in a row")
    print(f"{found.lost_tries} tries lost with the workers that were killed")
    print(f"{found.runs} calls begun, {found.runs - found.actions} of them again after a kill")
    print(f"{len(found.faults)} faults, {time.monotonic() - began:.0f} s")
    for fault, times in Counter(found.faults).most_common(20):
        print(f"  {times} × {fault}")
    return 1 if found.faults else 0


if __name__ == "__main__":
    sys.exit(main())
