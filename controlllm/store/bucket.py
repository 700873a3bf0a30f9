"""A bucket of S3-compatible object storage: objects by name, put and fetched whole."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from controlllm.store.errors import StoreError

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
