"""Tiny models with random weights of the same families as those that are downloaded.

They are for tests of loading and plumbing; what they make or say means nothing.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
import torch

from controlllm.models.weights import MANIFEST, Weights
from tests.tools.tiny_models import diffusion, language, packaged, sound, vision

#: What builds a tiny model in a folder, by the repository whose weights it stands for.
BUILDERS: Mapping[str, Callable[[Path], None]] = {
    **diffusion.BUILDERS,
    **language.BUILDERS,
    **packaged.BUILDERS,
    **sound.BUILDERS,
    **vision.BUILDERS,
}
#: The libraries warn of one another's habits.
QUIETLY = [
    pytest.mark.filterwarnings(f"ignore::{kind}")
    for kind in ("DeprecationWarning", "FutureWarning", "UserWarning")
]


def build(weights: Weights, folder: Path | None = None) -> Path:
    """Build what stands for weights, where the program looks for them or in a folder."""
    folder = folder or weights.folder
    torch.manual_seed(4)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        BUILDERS[weights.repository](folder)
    (folder / MANIFEST).write_text("{}")
    return folder
