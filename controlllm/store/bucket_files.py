"""Files in a bucket of S3-compatible object storage that several programs share, with a folder of
this machine before it.

Whatever is used lies in the folder as well, up to a bound; what was not used for the longest time
leaves it. A file is in the bucket before anybody hears of it.
"""

from __future__ import annotations

import errno
import hashlib
import os
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from controlllm.store.errors import StoreError, told
from controlllm.store.files import FileFolder

#: Which variables hold the bucket's address and its server's; the keys are in the usual ones of S3.
VARIABLE = "CONTROLLLM_FILES"
ENDPOINT = "CONTROLLLM_FILES_ENDPOINT"

_CHUNK = 4 << 20
_MISSING = (
    f"{VARIABLE} names a bucket of object storage, and what talks to one is not installed here. "
    "Run pip install --group shared, or do without the variable."
)
_GONE = (
    f"The object storage with the files cannot be reached. See to it that it runs at the address "
    f"in {ENDPOINT}, and try again."
)
_REFUSED = (
    "The object storage refused the keys for the files, or they allow too little. Correct "
    "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or what they allow."
)
_NO_BUCKET = f"The bucket that {VARIABLE} names is not there. Make it, or correct the name."

#: What a server says, with which a sentence belongs.
_SAID = {
    _NO_BUCKET: ("NoSuchBucket",),
    _REFUSED: ("InvalidAccessKeyId", "SignatureDoesNotMatch", "AccessDenied"),
    "The object storage with the files is full. Make room there.": (
        *("InsufficientStorage", "QuotaExceeded", "XMinioStorageFull", "507 Insufficient Storage"),
    ),
}


class Bucket:
    """The objects below one prefix of a bucket.

    Raises StoreError, with a sentence, where the storage does not do its work.

    Parameters
    ----------
    address: like ``s3://bucket/prefix``.
    environment: the endpoint, where it is not that of Amazon, and the keys.
    """

    def __init__(self, address: str, environment: Mapping[str, str] = os.environ) -> None:
        try:
            from obstore.store import S3Store
        except ImportError as error:
            raise StoreError(_MISSING) from error
        parts = urlsplit(address)
        if parts.scheme != "s3" or not parts.netloc:
            raise StoreError(
                f"{VARIABLE} is {address!r}; it has to be a bucket's address, like "
                "s3://bucket/prefix."
            )
        endpoint = environment.get(ENDPOINT, "").strip()
        settings: Any = {
            "region": environment.get("AWS_REGION") or "us-east-1",
            "virtual_hosted_style_request": not endpoint,
        }
        if endpoint:
            settings["endpoint"] = endpoint
        for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"):
            if environment.get(name):
                settings[name.lower()] = environment[name]
        with _told():
            self._store = S3Store(
                parts.netloc,
                prefix=parts.path.strip("/") or None,
                config=settings,
                client_options={
                    "allow_http": endpoint.startswith("http://"),
                    "connect_timeout": "5s",
                    "timeout": "300s",
                },
                retry_config={"max_retries": 4, "retry_timeout": timedelta(seconds=20)},
            )

    def put(self, name: str, path: Path) -> None:
        """Keep a file; the server checks that it got what was sent."""
        import obstore

        with _told(absent=_NO_BUCKET):
            obstore.put(self._store, name, path)

    def fetch(self, name: str, path: Path) -> str | None:
        """Write an object into a new file; its SHA-256, or None where there is no such object."""
        import obstore

        hashed = hashlib.sha256()
        with _told():
            try:
                found = obstore.get(self._store, name)
            except FileNotFoundError:
                return None
            descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
            with os.fdopen(descriptor, "wb") as target:
                for chunk in found.stream(min_chunk_size=_CHUNK):
                    hashed.update(chunk)
                    target.write(chunk)
        return hashed.hexdigest()

    def size(self, name: str) -> int | None:
        """How many bytes an object has, or None where there is none of this name."""
        import obstore

        with _told():
            try:
                return int(obstore.head(self._store, name)["size"])
            except FileNotFoundError:
                return None

    def remove(self, names: Iterable[str]) -> None:
        """Remove objects; those that are not there are no matter."""
        import obstore

        wanted = list(names)
        with _told():
            if wanted:
                obstore.delete(self._store, wanted)

    def all(self) -> Iterator[tuple[str, int, float]]:
        """Name, bytes and time of change, in seconds since 1970, of every object."""
        import obstore

        with _told(absent=_NO_BUCKET):
            for some in obstore.list(self._store):
                for found in some:
                    yield found["path"], int(found["size"]), found["last_modified"].timestamp()


@contextmanager
def _told(absent: str = _GONE) -> Iterator[None]:
    """Errors of the storage as StoreError; those of the own disk stay what they are."""
    from obstore import exceptions

    try:
        yield
    except FileNotFoundError as error:
        raise StoreError(absent) from error
    except (exceptions.PermissionDeniedError, exceptions.UnauthenticatedError) as error:
        raise StoreError(_REFUSED) from error
    except exceptions.BaseError as error:
        words = str(error)
        for said, codes in _SAID.items():
            if any(code in words for code in codes):
                raise StoreError(said) from error
        raise StoreError(_GONE) from error


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
