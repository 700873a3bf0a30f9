"""Model files: where they lie, whether they are the right ones, and opening them.

Weights are shipped in ``assets/models`` or come inside pip packages; each is known by its SHA-256.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from controlllm.layout import ASSETS

MODEL_FOLDER = ASSETS / "models"

#: "changed": it is another file than the one that was tested.
State = Literal["ok", "missing", "changed"]


class ModelFileError(RuntimeError):
    """A model file is missing or is not the one that was tested; the message says what to do."""


@dataclass(frozen=True)
class Model:
    """What is known of a model that ships.

    Parameters
    ----------
    name: what people call it.
    used_for: in a few words.
    licence: its name; "(package)" after it where only the package that carries the model says so.
    source: where it was taken from.
    version: of the source.
    page: its page in ``docs/models``; empty where it has none.
    """

    name: str
    used_for: str
    licence: str
    source: str
    version: str = ""
    page: str = ""


@dataclass(frozen=True)
class ModelFile:
    """A file of a model: in ``assets/models``, or inside an installed package.

    It is to be a constant of the module that uses it; `controlllm.models.model_list` finds it.

    Parameters
    ----------
    name: the file's, from the folder of assets or of the package.
    sha256: of the file that was tested.
    model: what it belongs to.
    package: the import name of the package that it lies in; empty for ``assets/models``.
    """

    name: str
    sha256: str
    model: Model
    package: str = ""

    def place(self) -> Path | None:
        """Where it has to lie, whether it does or not; None where its package is not installed.

        The package is not imported.
        """
        if not self.package:
            return MODEL_FOLDER / self.name
        found = importlib.util.find_spec(self.package)
        if found is None:
            return None
        folders = list(found.submodule_search_locations or [])
        return (Path(folders[0]) if folders else Path(str(found.origin)).parent) / self.name

    def state(self) -> State:
        """Whether the file is here and the one that was tested."""
        place = self.place()
        if place is None or not place.is_file():
            return "missing"
        known = place.stat()
        intact = _digest(place, known.st_size, known.st_mtime_ns) == self.sha256
        return "ok" if intact else "changed"

    def path(self) -> Path:
        """Where it lies; raises ModelFileError where it is not the file that was tested."""
        place = self.place()
        if place is None:
            raise ModelFileError(f"The package {self.package} is not installed; run `make setup`.")
        state = self.state()
        if state != "ok":
            fault = "is missing" if state == "missing" else "is not the tested one"
            what_next = (
                f"Install {self.package} again with `make setup`."
                if self.package
                else "Get a fresh copy of the project."
            )
            raise ModelFileError(f"The model file {place.name} {fault}. {what_next}")
        return place


_digests: dict[tuple[Path, int, int], str] = {}


def _digest(path: Path, size: int, modified: int) -> str:
    key = (path, size, modified)
    if key not in _digests:
        with path.open("rb") as file:
            _digests[key] = hashlib.file_digest(file, "sha256").hexdigest()
    return _digests[key]


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
