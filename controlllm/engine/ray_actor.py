"""What runs on a node of a Ray cluster: one implementation of one tool, its models kept loaded.

It has a store of its own on the node. Files that a call reads are handed to it by their digests,
and what it makes is handed back, so that nodes need no folder in common.
"""

from __future__ import annotations

import os
import queue
import shutil
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from controlllm.engine.attempt import AttemptHere, Failed, Made, Outcome
from controlllm.engine.protocol import CHANGED_MEANWHILE, is_known, outcome_told, read_call
from controlllm.engine.scheduler import details_of
from controlllm.resources.encoding import SUFFIXES
from controlllm.sources.loading import with_sources
from controlllm.sources.source import Source
from controlllm.store import Store
from controlllm.store.files import is_running
from controlllm.toolbox import Toolbox

_PREFIX = "controlllm-node-"


class ToolActor:
    """Makes calls of one implementation, one after the other.

    Parameters
    ----------
    folders: the folders of tools that `Toolbox.load` is given, the same on every node.
    sources: the sources of tools from elsewhere, in JSON; their secrets are those of the node's own
        environment.
    """

    def __init__(self, folders: Sequence[str], sources: Sequence[Mapping[str, Any]] = ()) -> None:
        _remove_left_overs()
        self._home = Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{os.getpid()}-"))
        self._store = Store(self._home)
        self._toolbox = with_sources(
            Toolbox.load(*map(Path, folders)), map(Source.from_json, sources)
        )
        self._attempt = AttemptHere(self._store, details_of)
        self._cancelled = threading.Event()

    def lacks(self, wanted: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
        """Those of some files, by digest and media type, that are not on this node yet."""
        return [item for item in wanted if not self._has(*item)]

    def take(self, content: bytes, media_type: str) -> None:
        """Keep a file that a call will read."""
        self._store.put_bytes(content, media_type)

    def make(self, told: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        """Make the call of a line (`controlllm.engine.protocol`); yields lines, the last one with
        the outcome and, as bytes, the file that was made."""
        self._cancelled.clear()
        lines: queue.SimpleQueue[dict[str, Any] | Outcome] = queue.SimpleQueue()

        def report(fraction: float, words: str) -> None:
            lines.put({"progress": fraction, "words": words})

        def work() -> None:
            if is_known(told, self._toolbox):
                call = read_call(told, self._toolbox)
                lines.put(self._attempt(call, self._cancelled, report))
            else:
                lines.put(Failed(CHANGED_MEANWHILE.format(told["call"].replace("_", " "))))

        threading.Thread(target=work, name="tool", daemon=True).start()
        while isinstance(line := lines.get(), dict):
            yield line
        last = outcome_told(line)
        if isinstance(line, Made):
            made = line.resource
            last["content"] = self._store.path(made.digest, made.media_type).read_bytes()
        yield last

    def cancel(self) -> None:
        """Tell the tool that is at work to stop."""
        self._cancelled.set()

    def close(self) -> None:
        """Remove what was kept on this node."""
        self._store.close()
        shutil.rmtree(self._home, ignore_errors=True)

    def _has(self, digest: str, media_type: str) -> bool:
        try:
            return media_type in SUFFIXES and self._store.path(digest, media_type).is_file()
        except KeyError:
            return False


def _remove_left_overs() -> None:
    """Remove what actors that were killed have left on this node."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        process = folder.name.removeprefix(_PREFIX).partition("-")[0]
        if process.isdigit() and not is_running(int(process)):
            shutil.rmtree(folder, ignore_errors=True)
