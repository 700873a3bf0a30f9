"""Files in a bucket that several programs share, with a folder of this machine before it.

Whatever is used lies in the folder as well, up to a bound; what was not used for the longest time
leaves it. A file is in the bucket before anybody hears of it.
"""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from controlllm.store.bucket import Bucket
from controlllm.store.errors import told
from controlllm.store.files import FileFolder

#: A file that was used this recently stays in the folder, since somebody may be about to open it,
#: in seconds.
IN_USE = 600.0

#: How often it is looked at most whether the folder holds too much, in seconds.
_BETWEEN_LOOKS = 10.0

#: Beyond how many unknown sizes all are asked for at once.
_ASKED_SINGLY = 8


@dataclass
class BucketFiles(FileFolder):
    """A folder with ``cache/`` for what is in the bucket and was used here.

    Parameters
    ----------
    bucket: holds the files, each named as in the folder.
    most_bytes: how much ``cache/`` may hold, but for what is in use.
    """

    bucket: Bucket = field(kw_only=True)
    most_bytes: float = field(kw_only=True, default=10e9)
    in_use: float = field(kw_only=True, default=IN_USE)
    place_of_files: str = "cache"
    _sizes: dict[str, int] = field(default_factory=dict)
    _looked: float = 0.0

    @property
    def is_cache(self) -> bool:
        return True

    def is_intact(self, path: Path) -> bool:
        """Whether the file is kept and holds what its name says; fetched where it is not here."""
        return super().is_intact(path) or self._fetched(path)

    def is_kept(self, path: Path) -> bool:
        """Whether the file is here, whole, and in the bucket."""
        return super().is_intact(path) and self._is_in_bucket(path)

    def is_there(self, path: Path) -> bool:
        return path.exists() and self._is_in_bucket(path)

    def found(self, path: Path) -> bool:
        """Whether the file lies here; fetched where it does not."""
        try:
            seen = path.stat()
        except OSError:
            return self._fetched(path)
        # When it was used last; when it was changed last has to stay, see `is_intact`.
        with suppress(OSError):
            os.utime(path, ns=(time.time_ns(), seen.st_mtime_ns))
        return True

    def send(self, temporary: Path, name: str) -> None:
        """Have a written file in the bucket, before anybody waits for its note."""
        if self.bucket.size(name) is None:
            self.bucket.put(name, temporary)

    def move_in(self, temporary: Path, place: Path, is_urgent: bool = True) -> None:
        # It is safe in the bucket; what lies here may be lost.
        super().move_in(temporary, place, is_urgent=False)
        if not self._is_in_bucket(place):
            # Somebody who deleted a session took it away since it was sent.
            self.bucket.put(place.name, place)
        self._make_room()

    def sync(self, places: Iterable[Path]) -> None:
        for place in set(places):
            if not self._is_in_bucket(place):
                raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), place.name)

    def remove(self, places: Iterable[Path]) -> None:
        gone = list(places)
        super().remove(gone)
        self.bucket.remove(place.name for place in gone)

    def sizes(self, names: Iterable[tuple[str, str]]) -> int:
        wanted = [digest + suffix for digest, suffix in names]
        unknown = [name for name in wanted if name not in self._sizes]
        if len(unknown) > _ASKED_SINGLY:
            self._sizes = {name: size for name, size, _ in self.bucket.all()}
        else:
            for name in unknown:
                self._sizes[name] = self.bucket.size(name) or 0
        return sum(self._sizes.get(name, 0) for name in wanted)

    def strays(self, before: float) -> Iterator[Path]:
        for name, _, changed in self.bucket.all():
            if changed < before:
                with suppress(KeyError):
                    yield self.place(name[:64], name[64:])

    def check(self) -> None:
        super().check()
        self.bucket.size("0" * 64)

    def _is_in_bucket(self, place: Path) -> bool:
        return self.bucket.size(place.name) is not None

    def _fetched(self, place: Path) -> bool:
        """Fetch a file; False where the bucket has none, or a damaged one, which is removed."""
        temporary = self._new_in_work()
        try:
            digest = self.bucket.fetch(place.name, temporary)
            if digest is None:
                return False
            if digest != place.name[:64]:
                self.bucket.remove([place.name])
                return False
            super().move_in(temporary, place, is_urgent=False)
        except OSError as error:
            raise told(error) from error
        finally:
            temporary.unlink(missing_ok=True)
        self._make_room()
        return True

    def _make_room(self) -> None:
        """Remove what was not used for the longest time, where the folder holds too much."""
        if time.monotonic() - self._looked < _BETWEEN_LOOKS:
            return
        found = []
        for path, _, _ in self.kept():
            with suppress(OSError):
                seen = path.stat()
                found.append((max(seen.st_atime, seen.st_mtime), seen.st_size, path))
        held, now = sum(size for _, size, _ in found), time.time()
        for used, size, path in sorted(found):
            if held <= self.most_bytes or used > now - self.in_use:
                break
            with suppress(OSError):
                path.unlink()
                held -= size
        self._looked = time.monotonic()
