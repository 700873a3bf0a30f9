"""Fetching files over the network: gone on with where they broke off, and checked.

What has come of a file lies in a part of it, so that another process goes on with it on another
day.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from controlllm.models.weights import size_in_words
from controlllm.models.weights.pulling import Progress

Tell = Callable[[Progress], None]
#: Begins the answer to a request for a file, given headers; raises what the network raises.
Open = Callable[["RemoteFile", Mapping[str, str]], AbstractContextManager[Any]]

SECONDS_WITHOUT_AN_ANSWER = 30.0
_SECONDS_BETWEEN_TRIES = (1.0, 2.0, 5.0, 10.0)
_SECONDS_BETWEEN_WORDS = 0.25


class DownloadFault(Exception):
    """Weights could not be fetched. The message says why and what to do, in plain words."""


class Unreachable(DownloadFault):
    """The source gave no answer; another source may."""


class BrokeOff(Exception):
    """The connection ended before the file did."""


@dataclass(frozen=True)
class RemoteFile:
    """A file as its source describes it.

    Parameters
    ----------
    name: where it is to lie, from the folder of the weights.
    size: bytes.
    sha256: of its content; empty where the source has another check.
    git_number: the SHA-1 by which Git knows small files of a model hub.
    """

    name: str
    size: int
    sha256: str = ""
    git_number: str = ""

    @property
    def part(self) -> str:
        """The name under which it lies while it is fetched: another content has another name."""
        return hashlib.sha256(f"{self.sha256 or self.git_number} {self.name}".encode()).hexdigest()

    def is_intact(self, path: Path) -> bool:
        """Whether what lies there is this file; by its size alone where nothing else is known."""
        if size_of(path) != self.size:
            return False
        if self.sha256:
            return sha256_of(path) == self.sha256
        if self.git_number:
            found = hashlib.sha1(b"blob %d\0" % self.size, usedforsecurity=False)
            found.update(path.read_bytes())
            return found.hexdigest() == self.git_number
        return True


class Meter:
    """Says how much of all is fetched, not more often than people read."""

    def __init__(self, total: int, tell: Tell) -> None:
        self.total = max(total, 1)
        self._tell = tell
        self._began = self._told = time.monotonic()
        self._first: int | None = None
        self._name = ""

    def tell(self, name: str, before: int, have: int) -> None:
        """Tell of a file of which `have` bytes are here, after `before` bytes of others."""
        done = before + have
        now = time.monotonic()
        if self._first is None:
            self._first = done
        elif name == self._name and now - self._told < _SECONDS_BETWEEN_WORDS:
            return
        self._told, self._name = now, name
        words = f"Fetching {name} ({size_in_words(done)} of {size_in_words(self.total)}"
        gained, took = done - self._first, now - self._began
        if gained > 0 and took > 2:
            words += f", about {_time_in_words((self.total - done) * took / gained)} left"
        self._tell(Progress("downloading", f"{words})", done / self.total, done, self.total))


def receive(file: RemoteFile, part: Path, begin: Open, had: Callable[[int], None]) -> None:
    """Fetch what is missing of a file into its part.

    `had` is told how many bytes are here. Raises DownloadFault where more comes than was promised,
    BrokeOff or the network's own faults where trying again several times did not help.
    """
    if size_of(part) > file.size:
        part.unlink()
    tries = 0
    while (have := size_of(part)) < file.size or not part.exists():
        had(have)
        try:
            _receive_once(file, part, begin, had)
        except Exception as error:
            if not may_pass(error):
                raise
            tries = 0 if size_of(part) > have else tries + 1
            if tries > len(_SECONDS_BETWEEN_TRIES):
                raise
            time.sleep(_SECONDS_BETWEEN_TRIES[max(tries - 1, 0)])
    had(file.size)


def _receive_once(file: RemoteFile, part: Path, begin: Open, had: Callable[[int], None]) -> None:
    have = size_of(part)
    headers = {"Accept-Encoding": "identity"}
    if have:
        headers["Range"] = f"bytes={have}-"
    with begin(file, headers) as response:
        if response.status_code != 206:
            have = 0
        # Unbuffered: what has come is on the disk whenever the person stops it.
        with part.open("ab" if have else "wb", buffering=0) as out:
            for piece in response.iter_bytes():
                have += len(piece)
                if have > file.size:
                    break
                out.write(piece)
                had(have)
    if have > file.size:
        part.unlink()
        raise DownloadFault(f"{file.name} is larger than was promised, so it was thrown away.")
    if have < file.size:
        raise BrokeOff


def may_pass(error: Exception) -> bool:
    """Whether a fault of the network may be over in a few seconds."""
    import httpx2

    # A registry's refusal has a class of its own, the model hub's another: both keep the answer.
    answer = getattr(error, "response", None)
    if isinstance(error, httpx2.HTTPError) and answer is not None:
        return answer.status_code in (408, 429) or answer.status_code >= 500
    return isinstance(error, httpx2.TransportError | BrokeOff)


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file's content."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def size_of(path: Path) -> int:
    """How many bytes of a file are here; 0 where there is none."""
    return path.stat().st_size if path.is_file() else 0


def _time_in_words(seconds: float) -> str:
    if seconds < 90:
        return f"{max(round(seconds), 1)} s"
    return f"{round(seconds / 60)} min" if seconds < 5400 else f"{round(seconds / 3600)} h"
