"""The phrasebook: its data, its fillings, and the vectors that are shipped with it."""

from __future__ import annotations

import re

import numpy as np

from controlllm.models.encoder import encode
from controlllm.planning.phrasebook import (
    NEUTRAL,
    OUTSIDE,
    Phrasebook,
    TextVectors,
    filled,
    intent_of,
    neutral,
    read_intents,
)
from controlllm.planning.reading import ROLES
from controlllm.resources import PARENTS
from controlllm.toolbox import DOMAINS, Argument, Tool
from training.convert.build_vectors import texts


def test_the_intents_are_well_formed():
    seen = set()
    for intent in read_intents():
        assert intent.domain in DOMAINS, intent.name
        assert intent.returns in {*PARENTS, OUTSIDE}, intent.name
        assert set(intent.takes) <= set(PARENTS), intent.name
        assert intent.text in {*ROLES, "labels", "none"}, intent.name
        assert len(intent.phrasings) >= 40, intent.name
        assert intent.refers in ("object", "result")
        for phrasing in intent.phrasings:
            assert set(re.findall(r"\{(\w+)\}", phrasing)) <= set(NEUTRAL), phrasing
            assert phrasing.lower() not in seen, phrasing
            seen.add(phrasing.lower())


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


def test_the_nearest_phrasing_decides():
    book = Phrasebook(read_intents()[:12], TextVectors(encode))
    wording, bare = encode(["Spot the zebra", "Spot the object"])
    assert book.matches(wording, bare)[0].intent.returns == "bbox"


def test_a_tool_is_an_intent_of_its_own():
    tool = Tool(
        "mirror",
        "Mirror an image.",
        "image-editing",
        (Argument("image", "image"), Argument("query", "text")),
        Argument("result", "image"),
        ("Flip it",),
    )
    intent = intent_of(tool)
    assert (intent.takes, intent.returns, intent.text) == (("image",), "image", "object")
    assert not intent.own
