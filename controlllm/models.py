"""Model files: where they lie, whether they are the right ones, and keeping them loaded.

Weights are shipped in ``assets/models`` or come inside pip packages; each is known by its SHA-256.
A loaded model stays resident until `release_models` lets it go.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import threading
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

ASSETS = Path(__file__).resolve().parent.parent / "assets" / "models"

_Parameters = ParamSpec("_Parameters")
_Model = TypeVar("_Model")
_resident: dict[tuple[Any, ...], Any] = {}
_locks: dict[tuple[Any, ...], threading.Lock] = {}
_registry_lock = threading.Lock()


class ModelFileError(RuntimeError):
    """A model file is missing or is not the one that was tested; the message says what to do."""


def shipped_model(name: str, sha256: str) -> Path:
    """The path of a model in ``assets/models``; raises ModelFileError where it is not intact."""
    return _checked(ASSETS / name, sha256, "Get a fresh copy of the project.")


def packaged_model(package: str, name: str, sha256: str) -> Path:
    """The path of a file inside an installed package, without importing the package.

    Raises ModelFileError where the package or the file is missing or another version.
    """
    found = importlib.util.find_spec(package)
    if found is None:
        raise ModelFileError(f"The package {package} is not installed; run `make setup`.")
    folders = list(found.submodule_search_locations or [])
    folder = Path(folders[0]) if folders else Path(str(found.origin)).parent
    return _checked(folder / name, sha256, f"Install {package} again with `make setup`.")


def _checked(path: Path, sha256: str, what_next: str) -> Path:
    if not path.is_file():
        raise ModelFileError(f"The model file {path.name} is missing. {what_next}")
    if _digest(path, path.stat().st_size, path.stat().st_mtime_ns) != sha256:
        raise ModelFileError(f"The model file {path.name} is not the tested one. {what_next}")
    return path


_digests: dict[tuple[Path, int, int], str] = {}


def _digest(path: Path, size: int, modified: int) -> str:
    key = (path, size, modified)
    if key not in _digests:
        with path.open("rb") as file:
            _digests[key] = hashlib.file_digest(file, "sha256").hexdigest()
    return _digests[key]


def resident(load: Callable[_Parameters, _Model]) -> Callable[_Parameters, _Model]:
    """Keep what a loader returns, one for each set of arguments; safe to call from many threads."""

    @wraps(load)
    def get(*args: _Parameters.args, **kwargs: _Parameters.kwargs) -> _Model:
        key = (load.__module__, load.__qualname__, args, tuple(sorted(kwargs.items())))
        with _registry_lock:
            lock = _locks.setdefault(key, threading.Lock())
        with lock:
            if key not in _resident:
                _resident[key] = load(*args, **kwargs)
            return _resident[key]

    return get


def release_models() -> None:
    """Let go of every loaded model; each loads again when it is next needed."""
    with _registry_lock:
        _resident.clear()


def onnx_session(path: Path) -> Any:
    """An onnxruntime session on the CPU with as many threads as `OMP_NUM_THREADS` allows."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = int(os.environ.get("OMP_NUM_THREADS", "0")) or min(
        os.cpu_count() or 1, 4
    )
    options.inter_op_num_threads = 1
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return onnxruntime.InferenceSession(
        str(path), sess_options=options, providers=["CPUExecutionProvider"]
    )
