"""Fetching one repository's weights from a model hub.

A file that broke off is gone on with, also by another process on another day; each file is checked
against the size and the checksum that the hub gives for it. Only files that hold data are fetched,
never code and never a pickle, which would run code when it is read.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any

from controlllm.weights import MANIFEST, Weights, models_folder, size_in_words
from controlllm.weights.pulling import Progress

Tell = Callable[[Progress], None]

#: Arrays (.npy) are read without pickles, as NumPy does unless it is told otherwise.
SAFE_KINDS = frozenset(
    ".safetensors .gguf .onnx .onnx_data .json .jsonl .txt .model .spm .tiktoken .jinja .yaml .yml "
    ".md .npy".split()
)
#: Without an ending, yet plain text.
SAFE_NAMES = frozenset({"LICENSE", "LICENCE", "NOTICE"})
_WEIGHTS_KINDS = (".bin", ".pt", ".pth", ".ckpt", ".pkl", ".h5", ".msgpack")

PARTS = ".parts"
_ROOM_TO_LEAVE = 200_000_000
_SECONDS_WITHOUT_AN_ANSWER = 30.0
_SECONDS_BETWEEN_TRIES = (1.0, 2.0, 5.0, 10.0)
_SECONDS_BETWEEN_WORDS = 0.25
_PIECE = 1 << 20


class DownloadFault(Exception):
    """Weights could not be fetched. The message says why and what to do, in plain words."""


class _BrokeOff(Exception):
    """The connection ended before the file did."""


@dataclass(frozen=True)
class RemoteFile:
    """A file as the hub describes it: by the SHA-256 of large files, by Git's number of others."""

    name: str
    size: int
    sha256: str
    git_number: str

    @property
    def part(self) -> str:
        """The name under which it lies while it is fetched: another content has another name."""
        return hashlib.sha256(f"{self.sha256 or self.git_number} {self.name}".encode()).hexdigest()


def fetch(weights: Weights, tell: Tell) -> None:
    """Fetch weights completely and write their manifest; nothing where they are here, unchanged.

    Raises DownloadFault. What was fetched before a fault is kept, but for a file whose checksum is
    wrong.
    """
    if weights.manifest().get("revision") == weights.revision:
        tell(Progress("checking", f"Checking {weights.repository}, which is here."))
        if not broken_files(weights, thoroughly=True):
            tell(Progress("finished", f"{weights.repository} is here already.", 1.0))
            return
    with _faults_in_words(weights), _alone(weights):
        tell(Progress("asking", f"Asking the model hub for {weights.repository}."))
        description = _describe(weights)
        files = chosen_files(weights, [item.rfilename for item in description.siblings or ()])
        wanted = [_remote_file(item) for item in description.siblings if item.rfilename in files]
        _fetch_files(weights, description.sha, wanted, tell)
        tell(Progress("checking", f"Writing down what {weights.repository} consists of.", 1.0))
        licence = (description.card_data or {}).get("license") or weights.licence
        _finish(weights, description.sha, str(licence), wanted)
    size = size_in_words(sum(file.size for file in wanted))
    tell(Progress("finished", f"{weights.repository} is here ({size}).", 1.0))


def broken_files(weights: Weights, *, thoroughly: bool) -> tuple[str, ...]:
    """The files of the manifest that are missing or are not what was fetched.

    Sizes tell; `thoroughly` reads the files as well and compares the checksums.
    """
    broken = []
    for name, known in weights.manifest().get("files", {}).items():
        place = weights.folder / name
        if (
            not place.is_file()
            or place.stat().st_size != known.get("size")
            or (thoroughly and _sha256_of(place) != known.get("sha256"))
        ):
            broken.append(name)
    return tuple(broken)


def chosen_files(weights: Weights, names: Sequence[str]) -> set[str]:
    """Which of a repository's files are fetched: those that are asked for, of a safe kind.

    Raises DownloadFault where that leaves nothing, or where a name would leave the folder.
    """
    from huggingface_hub.utils import filter_repo_objects

    asked = set(filter_repo_objects(names, allow_patterns=list(weights.files) or None))
    for name in asked:
        parts = PurePosixPath(name).parts
        if name.startswith("/") or ".." in parts or "\\" in name or ":" in name:
            raise DownloadFault(f"{weights.repository} has a file with a wrong name ({name!r}).")
    safe = {
        name
        for name in asked
        if PurePosixPath(name).suffix.lower() in SAFE_KINDS
        or PurePosixPath(name).name in SAFE_NAMES
    }
    holds_weights = any(PurePosixPath(name).suffix in (".safetensors", ".gguf") for name in safe)
    refused = sorted(name for name in asked - safe if name.lower().endswith(_WEIGHTS_KINDS))
    if refused and not holds_weights:
        raise DownloadFault(
            f"{weights.repository} has its weights only in a kind of file that could run code "
            f"({refused[0]}); those are not fetched."
        )
    if not safe:
        raise DownloadFault(f"{weights.repository} has none of the files that are needed.")
    return safe


def _endpoint() -> str | None:
    return os.environ.get("HF_ENDPOINT", "").rstrip("/") or None


def _describe(weights: Weights) -> Any:
    from huggingface_hub import HfApi

    found = HfApi(endpoint=_endpoint()).model_info(
        weights.repository,
        revision=weights.revision,
        files_metadata=True,
        timeout=_SECONDS_WITHOUT_AN_ANSWER,
    )
    if not found.sha:
        raise DownloadFault(f"The model hub does not say which state {weights.repository} is in.")
    return found


def _remote_file(item: Any) -> RemoteFile:
    sha256 = item.lfs.sha256 if item.lfs is not None else ""
    size = item.lfs.size if item.lfs is not None else item.size
    if size is None:
        raise DownloadFault(f"The model hub does not say how large {item.rfilename} is.")
    return RemoteFile(item.rfilename, int(size), sha256 or "", item.blob_id or "")


def _fetch_files(weights: Weights, commit: str, files: Sequence[RemoteFile], tell: Tell) -> None:
    folder = weights.folder
    parts = folder / PARTS
    parts.mkdir(parents=True, exist_ok=True)
    # From here on it is incomplete.
    (folder / MANIFEST).unlink(missing_ok=True)
    missing = []
    for file in files:
        place = folder / file.name
        if place.is_file() and place.stat().st_size == file.size:
            tell(Progress("checking", f"Checking {file.name}, which is here."))
            if _is_intact(place, file):
                continue
        missing.append(file)
    total = sum(file.size for file in files)
    done = total - sum(file.size for file in missing)
    _check_room(weights, sum(file.size - _size_of(parts / file.part) for file in missing))
    meter = _Meter(total, tell)
    for file in missing:
        part = parts / file.part
        _fetch_file(weights, commit, file, part, partial(meter.tell, file.name, done))
        done += file.size
        tell(Progress("checking", f"Checking {file.name}.", done / max(total, 1), done, total))
        if not _is_intact(part, file):
            part.unlink()
            raise DownloadFault(
                f"{file.name} of {weights.repository} is not what the model hub promised (its "
                "checksum is wrong), so it was thrown away. Try again; where it happens again, do "
                "not use it."
            )
        place = folder / file.name
        place.parent.mkdir(parents=True, exist_ok=True)
        os.replace(part, place)


class _Meter:
    """Says how much of all is fetched, not more often than people read."""

    def __init__(self, total: int, tell: Tell) -> None:
        self.total = max(total, 1)
        self._tell = tell
        self._began = self._told = time.monotonic()
        self._first: int | None = None
        self._name = ""

    def tell(self, name: str, before: int, have: int) -> None:
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


def _time_in_words(seconds: float) -> str:
    if seconds < 90:
        return f"{max(round(seconds), 1)} s"
    return f"{round(seconds / 60)} min" if seconds < 5400 else f"{round(seconds / 3600)} h"


def _fetch_file(
    weights: Weights, commit: str, file: RemoteFile, part: Path, had: Callable[[int], None]
) -> None:
    """Fetch what is missing of a file. The library's own download begins every file anew."""
    if _size_of(part) > file.size:
        part.unlink()
    tries = 0
    while (have := _size_of(part)) < file.size or not part.exists():
        had(have)
        try:
            _receive(weights, commit, file, part, had)
        except Exception as error:
            if not _may_pass(error):
                raise
            tries = 0 if _size_of(part) > have else tries + 1
            if tries > len(_SECONDS_BETWEEN_TRIES):
                raise
            time.sleep(_SECONDS_BETWEEN_TRIES[max(tries - 1, 0)])
    had(file.size)


def _receive(
    weights: Weights, commit: str, file: RemoteFile, part: Path, had: Callable[[int], None]
) -> None:
    from huggingface_hub import hf_hub_url
    from huggingface_hub.utils import build_hf_headers, get_session, hf_raise_for_status

    url = hf_hub_url(weights.repository, file.name, revision=commit, endpoint=_endpoint())
    have = _size_of(part)
    headers = {**build_hf_headers(), "Accept-Encoding": "identity"}
    if have:
        headers["Range"] = f"bytes={have}-"
    # A redirect to another host goes without the token: the session drops it there.
    with get_session().stream(
        "GET", url, headers=headers, timeout=_SECONDS_WITHOUT_AN_ANSWER
    ) as response:
        if response.status_code >= 400:
            response.read()
        hf_raise_for_status(response)
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
        raise DownloadFault(
            f"{file.name} of {weights.repository} is larger than the model hub promised, so it was "
            "thrown away."
        )
    if have < file.size:
        raise _BrokeOff


def _may_pass(error: Exception) -> bool:
    """Whether a fault of the network may be over in a few seconds."""
    import httpx2
    from huggingface_hub.errors import HfHubHTTPError

    if isinstance(error, HfHubHTTPError):
        return error.response.status_code in (408, 429) or error.response.status_code >= 500
    return isinstance(error, httpx2.TransportError | _BrokeOff)


def _is_intact(path: Path, file: RemoteFile) -> bool:
    if path.stat().st_size != file.size:
        return False
    if file.sha256:
        return _sha256_of(path) == file.sha256
    if file.git_number:
        # Small files lie in Git itself, which numbers them so.
        found = hashlib.sha1(b"blob %d\0" % file.size, usedforsecurity=False)
        found.update(path.read_bytes())
        return found.hexdigest() == file.git_number
    return True


def _sha256_of(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _size_of(path: Path) -> int:
    return path.stat().st_size if path.is_file() else 0


def _check_room(weights: Weights, needed: int) -> None:
    free = shutil.disk_usage(weights.folder).free
    if needed and free < needed + _ROOM_TO_LEAVE:
        raise DownloadFault(
            f"{weights.repository} needs {size_in_words(needed)} more on the disk and "
            f"{size_in_words(free)} are free in {models_folder()}. Make room, or set "
            "CONTROLLLM_MODELS to a folder on another disk."
        )


def _finish(weights: Weights, commit: str, licence: str, files: Sequence[RemoteFile]) -> None:
    folder = weights.folder
    shutil.rmtree(folder / PARTS)
    kept = {folder / file.name for file in files}
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path not in kept:
            path.unlink()
    manifest = {
        "repository": weights.repository,
        "revision": weights.revision,
        "commit": commit,
        "licence": licence,
        "files": {
            file.name: {
                "size": file.size,
                "sha256": file.sha256 or _sha256_of(folder / file.name),
            }
            for file in files
        },
    }
    unfinished = folder / f"{MANIFEST}.new"
    with unfinished.open("w", encoding="utf-8") as out:
        json.dump(manifest, out, indent=1)
        out.flush()
        os.fsync(out.fileno())
    os.replace(unfinished, folder / MANIFEST)


@contextmanager
def _alone(weights: Weights) -> Iterator[None]:
    """Keep a second download of the same weights out."""
    import filelock

    locks = models_folder() / ".locks"
    locks.mkdir(parents=True, exist_ok=True)
    lock = filelock.FileLock(locks / f"{weights.folder.name}.lock")
    try:
        lock.acquire(timeout=0)
    except filelock.Timeout:
        raise DownloadFault(
            f"{weights.repository} is being fetched already, by another program or window."
        ) from None
    try:
        yield
    finally:
        lock.release()


@contextmanager
def _faults_in_words(weights: Weights) -> Iterator[None]:
    import httpx2
    from huggingface_hub.errors import HfHubHTTPError, OfflineModeIsEnabled

    name = weights.repository
    host = _endpoint() or "https://huggingface.co"
    try:
        yield
    except HfHubHTTPError as error:
        raise DownloadFault(_refusal_in_words(weights, error, host)) from error
    except (httpx2.TransportError, _BrokeOff) as error:
        raise DownloadFault(
            f"The model hub {host} could not be reached, or the connection broke off. Look at the "
            f"network and pull {name} again; it goes on where it stopped."
        ) from error
    except OfflineModeIsEnabled as error:
        raise DownloadFault(
            "The libraries here were started without the network (HF_HUB_OFFLINE). Pull with "
            f"`python -m controlllm models pull {name}`."
        ) from error
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise DownloadFault(
                f"The disk is full. Make room in {models_folder()} and pull {name} again; it goes "
                "on where it stopped."
            ) from error
        raise DownloadFault(f"{name} could not be kept: {error}.") from error


def _refusal_in_words(weights: Weights, error: Any, host: str) -> str:
    from huggingface_hub.errors import (
        DisabledRepoError,
        GatedRepoError,
        RepositoryNotFoundError,
        RevisionNotFoundError,
    )

    name, status = weights.repository, error.response.status_code
    said = error.response.headers.get("X-Error-Message", "")
    if isinstance(error, GatedRepoError):
        return (
            f"{name} is given only to people who accepted its conditions. Accept them at "
            f"{host}/{name}, then set HF_TOKEN to a token of your account and pull again."
        )
    if isinstance(error, DisabledRepoError):
        return f"The model hub does not give {name} to anyone any more."
    if isinstance(error, RevisionNotFoundError):
        return f"{name} has no revision {weights.revision!r}."
    if "Invalid credentials" in said:
        return "The model hub does not know the token in HF_TOKEN. Set a valid one, or none."
    if isinstance(error, RepositoryNotFoundError) or status in (401, 404):
        return (
            f"The model hub has no repository {name}, or not for everyone; where it needs an "
            "account, set HF_TOKEN to a token of yours."
        )
    if status == 403:
        return (
            f"The model hub does not give {name} to this account: {said or 'it does not say why'}."
        )
    if status == 429:
        return "The model hub is asked too often from here. Wait some minutes and pull again."
    return f"The model hub answered {name} with the fault {status}. {said or 'Try again later.'}"
