"""Runs a program that serves tools over its standard streams, and ends it with all that it started.

``python -I run_program.py PARENT NAMES MOST -- PROGRAM ARGUMENT ...``, started in a process group
of its own by the process PARENT. The program gets no environment but `BARE` and the variables
called NAMES (joined by commas). Everything of the group is ended where the parent ends in whatever
way, where the program ends, and where it writes a line of more than MOST bytes. Nothing here
imports the project, so that it starts at once.
"""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import threading

#: What any program needs to find other programs, its own files, and to write text.
BARE = ("PATH", "HOME", "LANG", "TMPDIR")
_PARENT_DIED = 1  # PR_SET_PDEATHSIG
#: The seconds that what a program has written last may take to be passed on.
_SECONDS_TO_PASS_ON = 1.0


def main(arguments: list[str]) -> None:
    """Run the program and end with it."""
    parent, names, most, _, *command = arguments
    signal.signal(signal.SIGTERM, lambda number, frame: _end_all())
    _end_with(int(parent))
    wanted = (*BARE, *filter(None, names.split(",")))
    environment = {name: os.environ[name] for name in wanted if name in os.environ}
    try:
        # What it tells of itself may hold anything, and our own errors are read by people.
        program = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment
        )
    except OSError:
        _end_all()
        return
    passing = threading.Thread(target=_pass_on, args=(program, int(most)), daemon=True)
    passing.start()
    program.wait()
    passing.join(_SECONDS_TO_PASS_ON)
    _end_all()


def _pass_on(program: subprocess.Popen[bytes], most: int) -> None:
    assert program.stdout is not None
    since_line_end = 0
    try:
        while piece := os.read(program.stdout.fileno(), 1 << 16):
            place = piece.rfind(b"\n")
            since_line_end = since_line_end + len(piece) if place < 0 else len(piece) - place - 1
            if since_line_end > most:
                _end_all()
            while piece:
                piece = piece[os.write(1, piece) :]
    except OSError:  # nobody reads any more
        _end_all()


def _end_with(parent: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PARENT_DIED, signal.SIGTERM)
    if os.getppid() != parent:
        _end_all()


def _end_all() -> None:
    os.killpg(0, signal.SIGKILL)


if __name__ == "__main__":
    main(sys.argv[1:])
