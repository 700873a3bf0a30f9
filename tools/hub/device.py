"""Where downloaded models run, and how they are loaded."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from controlllm.models import resident


@dataclass(frozen=True)
class Placement:
    """The device that a model runs on, and the torch type of its numbers."""

    device: str
    dtype: Any


@functools.cache
def placement() -> Placement:
    """The GPU in half precision where there is one, else the CPU in single precision."""
    import torch

    if torch.cuda.is_available():
        half = torch.bfloat16 if torch.cuda.is_bf16_supported() else torch.float16
        return Placement("cuda", half)
    if torch.backends.mps.is_available():
        return Placement("mps", torch.float16)
    return Placement("cpu", torch.float32)


@functools.cache
def quiet() -> None:
    """Keep the libraries' own progress bars and advice out of the server's log."""
    import transformers

    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()


@resident
def loaded(load: Callable[[Path, Placement], Any], folder: Path) -> Any:
    """What a loader makes of a folder of weights, kept for the next call.

    `load` is a function of a module: it is part of what the loaded model is known by. It has to ask
    for local files only.
    """
    quiet()
    return load(folder, placement())
