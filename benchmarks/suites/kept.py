"""A file that keeps what a run has made, line by line, and goes on only under the same settings."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Any, TextIO
from urllib.parse import urlsplit

from controlllm.layout import ASSETS
from controlllm.settings import Settings


class Kept:
    """Lines of JSON in a file, whose first one says with which settings they were made.

    Where `path` is None nothing is kept. Lines can be added from several threads. To be closed.

    Parameters
    ----------
    settings: all that decides what the lines say (JSON, without secrets).
    what: what the lines are, for the sentences that refuse a file.

    Raises ValueError where the file was made with other settings or is something else.
    """

    def __init__(
        self, path: Path | None, settings: Mapping[str, Any], what: str = "answers"
    ) -> None:
        self.lines: list[Any] = []
        self._lock = threading.Lock()
        self._file: TextIO | None = None
        if path is None:
            return
        told = json.loads(json.dumps(dict(settings)))
        whole = _whole_lines(path)
        if whole:
            self.lines = _read(path, whole, told, what)
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = path.open("a", encoding="utf-8")
        if not whole:
            self.add({"settings": told})

    def add(self, line: Mapping[str, Any]) -> None:
        """Keep a line; it is in the file when this returns."""
        with self._lock:
            if self._file is not None:
                self._file.write(json.dumps(line, ensure_ascii=False) + "\n")
                self._file.flush()

    def __enter__(self) -> Kept:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._file is not None:
            self._file.close()


def _whole_lines(path: Path) -> list[str]:
    """The lines of a file. A last one that was cut off is taken away, so that writing goes on
    after a whole one."""
    if not path.exists():
        return []
    whole = path.read_bytes()
    end = whole.rfind(b"\n") + 1
    if end < len(whole):
        with path.open("r+b") as file:
            file.truncate(end)
    # Not `splitlines`: other things that it takes for ends of lines stand inside texts.
    return whole[:end].decode("utf-8", errors="replace").split("\n")[:-1]


def _read(path: Path, lines: list[str], settings: Mapping[str, Any], what: str) -> list[Any]:
    try:
        first = json.loads(lines[0])["settings"]
        found = [json.loads(line) for line in lines[1:]]
    except (KeyError, TypeError, ValueError):
        raise ValueError(
            f"{path} holds no {what} of a benchmark, or does not say with which settings they were "
            "made. Choose another folder, or remove it."
        ) from None
    if first != settings:
        raise ValueError(
            f"{path} was made with other settings ({_difference(first, settings)}). Choose another "
            "folder, or remove it."
        )
    return found


def _difference(there: Any, here: Mapping[str, Any]) -> str:
    if not isinstance(there, Mapping):
        return f"{there!r:.200}"
    names = [name for name in {**there, **here} if there.get(name) != here.get(name)]
    return "; ".join(
        f"{name}: {there.get(name)!r} there, {here.get(name)!r} here"[:300] for name in names
    )


def mark_of(value: object) -> str:
    """A few letters that are another for another value; of plain data and dataclasses of them."""
    return hashlib.sha256(repr(value).encode()).hexdigest()[:16]


def told_model(settings: Settings) -> dict[str, str]:
    """The language model and its address, to be kept with what it said; no key is in them, and
    both are empty where no model is set."""
    if not settings.has_model:
        return {"model": "", "endpoint": ""}
    given = settings.base_url
    address = urlsplit(given if "//" in given else f"//{given}")
    # A name and a password may stand before the host, and a key after the path.
    host = address.netloc.rpartition("@")[2]
    return {"model": settings.model, "endpoint": f"{host}{address.path}".rstrip("/") or "usual"}


@cache
def networks() -> str:
    """Changes when a file does that ships with the program for its planner or its tools: what was
    made with other networks cannot be gone on with."""
    found = hashlib.sha256()
    for folder in (ASSETS / "models", ASSETS / "planner"):
        for path in sorted(folder.iterdir()):
            if path.is_file():
                with path.open("rb") as file:
                    digest = hashlib.file_digest(file, "sha256").hexdigest()
                found.update(f"{path.name} {digest}\n".encode())
    return found.hexdigest()[:16]
