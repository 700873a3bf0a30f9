"""Weights that are downloaded: which there are, where they lie, fetching them."""

from controlllm.models.weights.repository import (
    FOLDER_SETTING,
    MANIFEST,
    SIZES,
    Package,
    PackagedFile,
    Part,
    Size,
    Weights,
    models_folder,
    size_in_words,
)

__all__ = [
    "FOLDER_SETTING",
    "MANIFEST",
    "Package",
    "PackagedFile",
    "Part",
    "SIZES",
    "Size",
    "Weights",
    "models_folder",
    "size_in_words",
]
