"""Commands that run tools, in a process that another one watches.

Tools work in threads of the command itself. One that ends its process, or crashes in native code,
would end the command with it, without a word: so the command is forked, and whoever is left says
what has happened.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from controlllm.core.helper_process import end_with_the_parent

#: The commands that run tools.
SUPERVISED = ("ask", "recipe")
#: Of the folder in which a command works; the number of its process follows.
WORK = "controlllm-"
_WATCHED = {signal.SIGCHLD, signal.SIGINT, signal.SIGTERM, signal.SIGHUP}
#: A signal from a program, not from a key on the terminal, which all processes there get.
_FROM_A_PROGRAM = 0


def can_supervise() -> bool:
    """Whether this system has what it needs."""
    return hasattr(os, "fork") and hasattr(signal, "sigwaitinfo")


def supervised(words: Sequence[str], work: Callable[[], int]) -> int:
    """Do a command's work in a process of its own; its exit status, or 1, after a sentence, where
    it was ended in the middle. Nothing else may run in this process yet."""
    read_end, write_end = os.pipe()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _WATCHED)
    parent, child = os.getpid(), os.fork()
    if not child:
        os.close(read_end)
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        end_with_the_parent()
        if os.getppid() != parent:  # it was gone before
            os._exit(1)
        try:
            return work()
        finally:
            # Also where it raises: then Python says so, and this process ends by itself.
            os.write(write_end, b".")
    os.close(write_end)
    status, was_stopped = _waited_for(child)
    with os.fdopen(read_end, "rb") as told:
        has_ended = bool(told.read())
    signal.pthread_sigmask(signal.SIG_SETMASK, before)
    if has_ended or was_stopped:
        # As a shell tells it of a signal.
        return status if status >= 0 else 128 - status
    for left in Path(tempfile.gettempdir()).glob(f"{WORK}{child}-*"):
        shutil.rmtree(left, ignore_errors=True)
    _tell(words, status)
    return 1


def _waited_for(child: int) -> tuple[int, bool]:
    """How a child ended, as `subprocess` tells it, and whether somebody stopped the command."""
    was_stopped = False
    while True:
        came = signal.sigwaitinfo(_WATCHED)
        if came.si_signo == signal.SIGCHLD:
            ended, status = os.waitpid(child, os.WNOHANG)
            if ended:
                return os.waitstatus_to_exitcode(status), was_stopped
            continue
        was_stopped = True
        if came.si_code <= _FROM_A_PROGRAM:
            os.kill(child, came.si_signo)


def _tell(words: Sequence[str], status: int) -> None:
    how = f"exit code {status}" if status >= 0 else f"signal {signal.Signals(-status).name}"
    said = (
        f"A tool ended the whole command in the middle of its work ({how}), so there is no answer. "
        "Ask in a way that does without this tool, or try another file."
    )
    if sys.stdout.isatty():
        print("\x1b[?25h")  # the display had hidden it
    print(f"controlllm: {said}", file=sys.stderr)
    if "--json" in words:
        print(json.dumps({"event": "RequestFailed", "message": said}), flush=True)
