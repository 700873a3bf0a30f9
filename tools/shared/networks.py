"""The networks that see and change pictures; what is known of each is in ``networks.toml``."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from controlllm.models import Model, ModelFile, onnx_session, resident

_KNOWN: dict[str, dict[str, str]] = tomllib.loads(
    Path(__file__).with_suffix(".toml").read_text("utf-8")
)


def shipped(name: str) -> ModelFile:
    """The file of a network, to be a constant of the module that runs it."""
    known = dict(_KNOWN[name])
    file, sha256, package = known.pop("file"), known.pop("sha256"), known.pop("package", "")
    return ModelFile(file, sha256, Model(**known), package)


@resident
def session(file: ModelFile) -> Any:
    """The network of a file, loaded once."""
    return onnx_session(file.path())
