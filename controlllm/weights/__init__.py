"""Weights that are downloaded from a model hub: which there are, where they lie, fetching them."""

from controlllm.weights.repository import (
    FOLDER_SETTING,
    MANIFEST,
    SIZES,
    Size,
    Weights,
    models_folder,
    size_in_words,
)

__all__ = [
    "FOLDER_SETTING",
    "MANIFEST",
    "SIZES",
    "Size",
    "Weights",
    "models_folder",
    "size_in_words",
]
