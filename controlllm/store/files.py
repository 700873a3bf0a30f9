"""Files named by the SHA-256 of what they hold, so that the same content is kept once."""

from __future__ import annotations

import hashlib
import os
import platform
import re
import secrets
import shutil
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, TypeVar

from controlllm.resources.encoding import SUFFIXES
from controlllm.store.errors import DiskFull, StoreError, told

T = TypeVar("T")
_DIGEST = re.compile(r"[0-9a-f]{64}")
_CHUNK = 1 << 20
_SYNCED_AT_ONCE = 8
_RESERVED = 2 << 20

#: What is still in the work folder after this long was left behind by a program that died, on
#: whatever machine it ran.
ABANDONED_AFTER = 24 * 3600.0

_MACHINE = re.sub(r"[^\w]", "", platform.node()) or "machine"


@dataclass
class FileFolder:
    """A folder with ``files/`` for what is kept and ``work/`` for what is being made."""

    folder: Path
    place_of_files: str = "files"
    _seen: dict[tuple[Path, int, int], bool] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.files = self.folder / self.place_of_files
        self.work = self.folder / "work"
        try:
            for made in (self.folder, self.files, self.work):
                made.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise told(error) from error

    def place(self, digest: str, suffix: str) -> Path:
        """Where the file of this digest lies, whether it is there or not.

        Raises KeyError where `digest` is not a SHA-256 in hexadecimal.
        """
        if not _DIGEST.fullmatch(digest):
            raise KeyError(digest)
        return Path(f"{self.files}/{digest[:2]}/{digest}{suffix}")

    def is_intact(self, path: Path) -> bool:
        """Whether the file is there and still holds what its name says; read once a process."""
        try:
            found = path.stat()
            key = (path, found.st_size, found.st_mtime_ns)
            if key not in self._seen:
                self._seen[key] = digest_of(path) == path.name[:64]
            return self._seen[key]
        except OSError:
            return False

    def is_kept(self, path: Path) -> bool:
        """Whether the file needs not be written again."""
        return self.is_intact(path)

    def is_there(self, path: Path) -> bool:
        """Whether a file that was kept is still there."""
        return path.exists()

    def found(self, path: Path) -> bool:
        """Whether the file lies in its place, for somebody to open."""
        return path.is_file()

    @contextmanager
    def written(self, source: bytes | Path, is_urgent: bool = True) -> Iterator[tuple[Path, str]]:
        """A temporary copy of the source, where it is urgent safe on the disk, and its digest.

        It is removed at the end where it was not moved to its place.
        """
        temporary = self._new_in_work()
        try:
            descriptor = os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
            with os.fdopen(descriptor, "wb") as target:
                digest = _copy(source, target)
                target.flush()
                if is_urgent:
                    os.fsync(target.fileno())
            yield temporary, digest
        finally:
            temporary.unlink(missing_ok=True)

    def send(self, temporary: Path, name: str) -> None:
        """Do what takes long before a written file, to be called `name`, can be moved in."""

    def move_in(self, temporary: Path, place: Path, is_urgent: bool = True) -> None:
        """Put a written file in its place, in one step; where it is urgent, that outlives a power
        cut."""
        if not place.parent.is_dir():
            place.parent.mkdir(mode=0o700, exist_ok=True)
            _sync(self.files)
        os.replace(temporary, place)
        if is_urgent:
            _sync(place.parent)

    def sync(self, places: Iterable[Path]) -> None:
        """See to it that files in their places outlive a power cut.

        Raises OSError where one is gone or cannot be written.
        """
        files = set(places)
        for wave in (files, {place.parent for place in files}):
            if len(wave) > 1:
                # Side by side, since a file system ends many such waits with one write.
                with ThreadPoolExecutor(min(len(wave), _SYNCED_AT_ONCE)) as threads:
                    list(threads.map(_sync, wave))
            else:
                list(map(_sync, wave))

    def kept(self) -> Iterator[tuple[Path, str, str]]:
        """Every file in its place, with its digest and its suffix."""
        for path in self.files.glob("*/*"):
            if _DIGEST.fullmatch(path.name[:64]):
                yield path, path.name[:64], path.name[64:]

    def remove(self, places: Iterable[Path]) -> None:
        """Remove files; those that are not there are no matter."""
        for place in places:
            place.unlink(missing_ok=True)

    @property
    def is_cache(self) -> bool:
        """Whether what lies in the folder is kept elsewhere too."""
        return False

    def strays(self, before: float) -> Iterable[Path]:
        """The places of what is kept outside of the folder and was last changed before a time, in
        seconds since 1970: nothing here."""
        return ()

    def sizes(self, names: Iterable[tuple[str, str]]) -> int:
        """How many bytes files, each by its digest and suffix, have in all, as far as there."""
        return sum(_size(self.place(*name)) for name in names)

    def check(self) -> None:
        """Raise StoreError where no file could be written now."""
        probe = self._new_in_work()
        try:
            probe.write_bytes(b"can be written")
        except OSError as error:
            raise told(error) from error
        finally:
            with suppress(OSError):
                probe.unlink(missing_ok=True)

    @contextmanager
    def work_folder(self, is_made: bool = True) -> Iterator[Path]:
        """A new empty folder, or one that whoever needs it makes, which is removed afterwards with
        everything in it."""
        folder = self._new_in_work()
        try:
            if is_made:
                folder.mkdir(mode=0o700)
        except OSError as error:
            raise told(error) from error
        try:
            yield folder
        finally:
            if folder.exists():
                shutil.rmtree(folder, ignore_errors=True)

    def remove_abandoned(self) -> None:
        """Remove what programs that died have left in the work folder."""
        oldest = time.time() - ABANDONED_AFTER
        for path in self.work.iterdir():
            try:
                machine, process = path.name.split("-")[:2]
                died = machine == _MACHINE and not is_running(int(process))
            except ValueError:
                died = False
            try:
                if died or path.stat().st_mtime < oldest:
                    _remove(path)
            except OSError:
                continue  # another process was faster

    def remove_left_by(self, process: int) -> None:
        """Remove what a process of this machine, which has ended, left in the work folder."""
        for path in self.work.glob(f"{_MACHINE}-{process}-*"):
            with suppress(OSError):
                _remove(path)

    def _new_in_work(self) -> Path:
        """A new name in the work folder that tells whose it is."""
        return self.work / f"{_MACHINE}-{os.getpid()}-{secrets.token_hex(8)}"


@dataclass(frozen=True)
class Reserve:
    """A file that takes a little room on the disk, given back when there is no more: to delete
    something from a database takes room too."""

    path: Path

    def fill(self) -> None:
        """Take the room, where there is plenty and it is not taken yet."""
        with suppress(OSError):
            if self.path.exists() and self.path.stat().st_size == _RESERVED:
                return
            found = os.statvfs(self.path.parent)
            if found.f_bavail * found.f_frsize < 4 * _RESERVED:
                return
            descriptor = os.open(self.path, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600)
            with os.fdopen(descriptor, "wb") as file:
                # Not a file of holes, nor one that can be packed: those would keep nothing.
                file.write(os.urandom(_RESERVED))

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


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _sync(path: Path) -> None:
    """See to it that what is in a file or a folder outlives a power cut."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _remove(path: Path) -> None:
    shutil.rmtree(path, ignore_errors=True) if path.is_dir() else path.unlink()


def is_running(process: int) -> bool:
    """Whether the process of this number is at work on this machine."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True  # somebody else's
    try:
        # One that has ended but that nobody has waited for still has its number, as an orphan has
        # in a container whose first process does not collect them. Its name may contain anything.
        status = Path(f"/proc/{process}/stat").read_text()
        return status.rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return True


def suffix_of(media_type: str) -> str:
    """The suffix of stored files of a media type; raises StoreError where it is not one we keep."""
    try:
        return SUFFIXES[media_type]
    except KeyError:
        raise StoreError(f"Files of the kind {media_type!r} cannot be kept.") from None


def digest_of(source: bytes | Path) -> str:
    """The SHA-256 of some bytes or of a file, in hexadecimal."""
    if isinstance(source, bytes):
        return hashlib.sha256(source).hexdigest()
    with source.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _copy(source: bytes | Path, target: IO[bytes]) -> str:
    if isinstance(source, bytes):
        target.write(source)
        return digest_of(source)
    hashed = hashlib.sha256()
    with source.open("rb") as file:
        while chunk := file.read(_CHUNK):
            hashed.update(chunk)
            target.write(chunk)
    return hashed.hexdigest()
