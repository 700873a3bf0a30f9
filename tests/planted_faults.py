"""Plants faults in the product, one at a time, and tells which test finds each.

`python -m tests.planted_faults [NAME …] [--json FILE] [--list]`, in the project's folder. The
faults are those of planted_faults.toml. Each file is put back, whatever happens.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import signal
import subprocess
import sys
import time
import tomllib
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SECONDS = 300.0  # tests that take longer have found nothing
_FAILED = re.compile(r"^(?:FAILED|ERROR) (tests/.+?)(?: - .*)?$", re.MULTILINE)


@dataclass(frozen=True)
class Fault:
    """A slip: `find` becomes `replace`; `what` is what a person would notice, `tests` say where."""

    name: str
    file: str
    find: str
    replace: str
    what: str
    tests: tuple[str, ...]

    def planted(self) -> str:
        """The text of the file with the fault."""
        text = (ROOT / self.file).read_text("utf-8")
        assert text.count(self.find) == 1, f"{self.find!r} does not stand once in {self.file}"
        return text.replace(self.find, self.replace)


@dataclass(frozen=True)
class Run:
    """What became of a fault: `by` is the first test that failed, or how pytest ended."""

    name: str
    found: bool
    by: str
    seconds: float


def faults() -> tuple[Fault, ...]:
    """All faults that are listed."""
    listed = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))["fault"]
    return tuple(Fault(**{**one, "tests": tuple(one["tests"])}) for one in listed)


def run_of(fault: Fault) -> Run:
    """Plant a fault, run its tests until one fails, and put the file back."""
    path, planted, began = ROOT / fault.file, fault.planted(), time.monotonic()
    if subprocess.check_output(["git", "status", "--porcelain", "--", fault.file], cwd=ROOT):
        sys.exit(f"{fault.file} was changed. Commit the change or take it back first.")
    before = path.read_bytes()
    try:
        path.write_text(planted, "utf-8")
        ended, said = _tested(fault.tests)
    finally:
        path.write_bytes(before)
    failed = _FAILED.search(said)
    by = failed[1] if failed else f"**nothing** (pytest ended with {ended})"
    return Run(fault.name, failed is not None, by, round(time.monotonic() - began, 1))


def _tested(tests: tuple[str, ...]) -> tuple[int, str]:
    """How pytest ended, and what it said; nothing where it was ended, out of time."""
    # Compiled files would outlive the fault. In a group of its own, whose workers end with it.
    process = subprocess.Popen(
        [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *tests],
        cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}, start_new_session=True,
    )  # fmt: skip
    said = ""
    try:
        with suppress(subprocess.TimeoutExpired):
            said, _ = process.communicate(timeout=SECONDS)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
    return process.wait(), said


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.planted_faults")
    parser.add_argument("names", nargs="*", metavar="NAME", help="the faults; all without any")
    parser.add_argument("--json", type=Path, metavar="FILE", help="where to write what was found")
    parser.add_argument("--list", action="store_true", help="only say what faults there are")
    given = parser.parse_args()
    known = {fault.name: fault for fault in faults()}
    chosen = [known[name] for name in given.names or known]
    if given.list:
        return print(*(f"{one.name} ({one.file}): {one.what}" for one in chosen), sep="\n")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("Stopped."))
    runs: list[Run] = []
    print("| fault | found by | seconds |\n| --- | --- | ---: |", flush=True)
    for fault in chosen:
        runs.append(run := run_of(fault))
        print(f"| {run.name}: {fault.what} | {run.by} | {run.seconds:.0f} |", flush=True)
        if given.json:
            given.json.write_text(json.dumps([asdict(one) for one in runs], indent=2) + "\n")
    found = sum(run.found for run in runs)
    print(f"\n{found} of {len(runs)} found in {sum(run.seconds for run in runs):.0f} seconds.")
    sys.exit(found < len(runs))


if __name__ == "__main__":
    main()
