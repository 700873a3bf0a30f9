"""A little room on the disk that is kept for the moment when there is no more: to delete something
from a database takes room too."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from controlllm.store.errors import DiskFull

T = TypeVar("T")

_BYTES = 2 << 20


@dataclass(frozen=True)
class Reserve:
    """A file that takes the room which is given back in need."""

    path: Path

    def fill(self) -> None:
        """Take the room, where there is plenty and it is not taken yet."""
        with suppress(OSError):
            if self.path.exists() and self.path.stat().st_size == _BYTES:
                return
            found = os.statvfs(self.path.parent)
            if found.f_bavail * found.f_frsize < 4 * _BYTES:
                return
            descriptor = os.open(self.path, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600)
            with os.fdopen(descriptor, "wb") as file:
                # Not a file of holes, nor one that can be packed: those would keep nothing.
                file.write(os.urandom(_BYTES))

    def used_where_full(self, work: Callable[[], T]) -> T:
        """Do some work; where the disk is full, once more with the room given back."""
        try:
            return work()
        except DiskFull:
            if not self.path.exists():
                raise
            with suppress(OSError):
                self.path.unlink()
            return work()
