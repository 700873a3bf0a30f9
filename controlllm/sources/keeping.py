"""Sources kept in the program's home folder: a file of JSON each, for its owner's eyes alone."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from pathlib import Path

from controlllm.sources.loading import folder_of, kept_sources
from controlllm.sources.source import NAME, Source


def keep(source: Source, home: Path) -> Source:
    """Keep a source, in place of one with its name; the source as it is kept.

    Raises ValueError where it cannot have its name.
    """
    path = _path(source.name, home)
    folder = path.parent
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    os.chmod(folder, 0o700)
    number, name = tempfile.mkstemp(dir=folder, prefix=".new-")  # made for its owner alone
    try:
        with os.fdopen(number, "w", encoding="utf-8") as file:
            json.dump(source.to_json(), file, indent=1)
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise
    return source_named(source.name, home)


def source_named(name: str, home: Path) -> Source:
    """The source kept under a name; raises KeyError where there is none."""
    for source in kept_sources(folder_of(home)):
        if source.name == name:
            return source
    raise KeyError(name)


def remove(name: str, home: Path) -> None:
    """Forget a source; raises KeyError where there is none of this name."""
    try:
        _path(name, home).unlink()
    except (FileNotFoundError, ValueError):
        raise KeyError(name) from None


def _path(name: str, home: Path) -> Path:
    if not NAME.fullmatch(name):
        raise ValueError(
            f"{name[:80]!r} cannot be the name of a source: it begins with a small letter and has "
            "only those, digits and _."
        )
    return folder_of(home) / f"{name}.json"
