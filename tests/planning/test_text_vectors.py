"""The texts that requests are compared with, and the vectors that ship with them."""

from __future__ import annotations

import numpy as np

from controlllm.models.encoder import encode
from controlllm.planning.text_vectors import TextVectors, filled, neutral
from training.convert.build_vectors import texts


def test_slots_are_filled_always_in_the_same_way():
    assert "{" not in filled("Crop the {object} in {image}")
    assert filled("Crop the {object}") == filled("Crop the {object}")
    assert neutral("Crop the {object} in {image}") == "Crop the object in the image"


def test_the_shipped_vectors_are_those_of_the_phrasings():
    """Where this fails: run ``python -m training.convert.build_vectors``."""
    vectors = TextVectors(encode)
    vectors(texts())
    assert vectors.encoded == 0
    sample = texts()[::500]
    assert np.abs(vectors(sample) - encode(sample)).max() < 0.01
