"""Weights that are downloaded: which there are, where they lie, and whether they are here.

They come from a model hub, or out of packages that were made to carry them, with ``python -m
controlllm models pull`` or from the page, into one folder of this machine (``CONTROLLLM_MODELS``,
or ``~/.cache/controlllm/models``). A folder of weights is complete once it holds a manifest, which
is written last.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

Size = Literal["small", "usual", "large"]
SIZES: tuple[Size, ...] = ("small", "usual", "large")

FOLDER_SETTING = "CONTROLLLM_MODELS"
MANIFEST = "controlllm-manifest.json"


@dataclass(frozen=True)
class Package:
    """A package of a registry whose archive holds weights, in a version that was looked into.

    Parameters
    ----------
    name, version: as the registry knows them.
    size: bytes of the archive.
    registry: of Python's packages, or npm.
    """

    name: str
    version: str
    size: int
    registry: Literal["python", "npm"] = "python"

    def __str__(self) -> str:
        return f"{self.name}=={self.version}"


@dataclass(frozen=True)
class Part:
    """A file inside a package's archive: a whole file of weights, or a piece of one."""

    package: Package
    path: str


@dataclass(frozen=True)
class PackagedFile:
    """A file of weights that packages carry.

    Parameters
    ----------
    name: where it is to lie, from the folder of the weights.
    size, sha256: of the whole file that was tested.
    parts: what it is joined of, in this order.
    """

    name: str
    size: int
    sha256: str
    parts: tuple[Part, ...]


@dataclass(frozen=True)
class Weights:
    """One repository of a model hub, or what packages carry of a project.

    Parameters
    ----------
    repository: owner and name, such as ``Qwen/Qwen3-0.6B``.
    licence: its name, as the hub gives it.
    size: how many bytes are fetched, about.
    files: patterns of the files that are fetched; all where it is empty.
    revision: a commit, branch or tag.
    packaged: the same files inside packages, which are taken where the hub is not reached.
    on_hub: whether a model hub has the repository.
    """

    repository: str
    licence: str
    size: int
    files: tuple[str, ...] = ()
    revision: str = "main"
    packaged: tuple[PackagedFile, ...] = ()
    on_hub: bool = True

    def __post_init__(self) -> None:
        if not re.fullmatch(r"[\w.-]+/[\w.-]+", self.repository) or ".." in self.repository:
            raise ValueError(f"{self.repository!r} is no repository's name (owner/name).")

    @property
    def folder(self) -> Path:
        """Where they lie on this machine, or would."""
        return models_folder() / self.repository.replace("/", "--")

    @property
    def is_here(self) -> bool:
        """Whether they were fetched completely."""
        return (self.folder / MANIFEST).is_file()

    def remove(self) -> None:
        """Take them off this machine, whole or in part; nothing happens where there are none."""
        # The manifest first: what is left of a removal that breaks off counts as not here.
        (self.folder / MANIFEST).unlink(missing_ok=True)
        shutil.rmtree(self.folder, ignore_errors=True)

    def manifest(self) -> Mapping[str, Any]:
        """What was fetched: ``repository``, ``commit`` and ``files``, each with ``size`` and
        ``sha256``; empty where nothing was."""
        try:
            found = json.loads((self.folder / MANIFEST).read_text("utf-8"))
        except (OSError, ValueError):
            return {}
        return found if isinstance(found, dict) else {}


def models_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """The folder of all downloaded weights; it need not exist."""
    named = environment.get(FOLDER_SETTING, "")
    return Path(named).expanduser() if named else Path.home() / ".cache" / "controlllm" / "models"


def size_in_words(size: int) -> str:
    """Bytes as people write them: ``240 MB``, ``5.1 GB``."""
    if size < 1_000_000_000:
        return f"{max(round(size / 1e6), 1)} MB"
    return f"{size / 1e9:.1f} GB".replace(".0 ", " ")
