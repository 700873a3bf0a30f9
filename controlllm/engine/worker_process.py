"""A worker process: reads calls from its standard input, makes them, tells what became of them.

``python -m controlllm.engine.worker_process STORE [FOLDER OF TOOLS ...]`` is started by
`controlllm.engine.processes`; lines are those of `controlllm.engine.protocol`.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import queue
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any

from controlllm.core.helper_process import end_with_the_parent, lines_in, own_lines
from controlllm.engine.attempt import AttemptHere, Failed
from controlllm.engine.protocol import (
    CHANGED_MEANWHILE,
    is_known,
    outcome_told,
    read_call,
)
from controlllm.models.residence import (
    begin_use,
    complete_users,
    follow,
    keep_longest,
    note_of,
    release_until,
)
from controlllm.observing import logs
from controlllm.sources.loading import load_toolbox, with_sources_now
from controlllm.store import Backends, Store

_SOON_NEEDED = ("cv2", "onnxruntime")


def main(arguments: list[str]) -> None:
    """Work until the standard input ends."""
    end_with_the_parent()
    # What tools and libraries print must not get between the lines.
    tell = own_lines()
    # Ctrl+C in a terminal reaches every process of the group; the server says what stops.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    logs.begin(logs.form_from_environment())
    store = Store(Path(arguments[0]), tidies=False, backends=Backends.from_environment())
    toolbox = load_toolbox([*map(Path, arguments[1:])], store.folder)
    attempt = AttemptHere(store, _details_of)
    calls: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
    cancelled = threading.Event()
    threading.Thread(target=_listen, args=(calls, cancelled), daemon=True).start()
    tell({"ready": os.getpid()})
    # Most tools need them, and to load them takes a moment that nobody waits for now.
    for package in _SOON_NEEDED:
        with contextlib.suppress(ImportError):
            importlib.import_module(package)
    while True:
        told = calls.get()
        if "hold" in told:
            keep_longest(told["for"])
            release_until(int(told["hold"]))
            tell({"held": True, "warm": complete_users()})
            continue
        if "prepare" in told:
            began = time.monotonic()
            begin_use(told["prepare"])
            follow(told["note"])
            taken = time.monotonic() - began
            tell({"prepared": taken, "warm": complete_users()})
            continue
        cancelled.clear()
        user = f"{told['call']}/{told['way']}"
        known = set(sys.modules) if told["wants_note"] else None
        begin_use(user)
        logs.current_run.set(str(told.get("run", "")))

        def report(fraction: float, words: str) -> None:
            tell({"progress": fraction, "words": words})

        if not is_known(told, toolbox):
            toolbox = with_sources_now(toolbox, store.folder)
        if is_known(told, toolbox):
            # From here on it may have done something; before, the call can be given to another.
            tell({"begun": True})
            outcome = attempt(read_call(told, toolbox), cancelled, report)
        else:
            outcome = Failed(CHANGED_MEANWHILE.format(told["call"].replace("_", " ")))
        note = None if known is None else note_of(user, known)
        if told["most"]:
            release_until(told["most"])
        tell(outcome_told(outcome, complete_users(), note))


def _listen(calls: queue.SimpleQueue[dict[str, Any]], cancelled: threading.Event) -> None:
    for text in lines_in():
        told = json.loads(text)
        if "cancel" in told:
            cancelled.set()
        else:
            calls.put(told)
    # The server is gone, or does without this worker.
    os._exit(0)


def _details_of(type_name: str, path: Path) -> Any:
    from controlllm.resources import probing  # only here: it loads the readers of media files

    return probing.details_of(type_name, path)


if __name__ == "__main__":
    main(sys.argv[1:])
