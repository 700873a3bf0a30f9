"""Where downloaded models run, how they are loaded, and how one that writes is watched."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from controlllm.models import resident
from controlllm.toolbox import Context


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


def pretrained(
    kind: str, *readers: str, precise: bool = False
) -> Callable[[Path, Placement], tuple[Any, ...]]:
    """A loader of a model and before it what makes its inputs, as transformers calls their classes.

    A `precise` model keeps single precision everywhere, where half is too coarse for its answers.
    """

    def load(folder: Path, where: Placement) -> tuple[Any, ...]:
        import transformers

        options = {} if precise else {"dtype": where.dtype}
        model = getattr(transformers, kind).from_pretrained(
            folder, local_files_only=True, use_safetensors=True, **options
        )
        model = (model.float() if precise else model).to(where.device).eval()
        made = (getattr(transformers, name) for name in readers)
        return (*(one.from_pretrained(folder, local_files_only=True) for one in made), model)

    return load


def watched(context: Context, most: int, words: str) -> Any:
    """The `stopping_criteria` of a `generate` call that report each token and end the call with
    Cancelled where the person stopped the run; `most` is how many tokens there can be."""
    import torch
    from transformers import StoppingCriteriaList

    written = 0

    def heard(tokens: torch.Tensor, scores: Any, **_: Any) -> torch.Tensor:
        nonlocal written
        written += 1
        context.progress(min(written / max(most, 1), 1.0), f"{words}, {written} tokens")
        return torch.zeros(tokens.shape[0], dtype=torch.bool, device=tokens.device)

    return StoppingCriteriaList([heard])
