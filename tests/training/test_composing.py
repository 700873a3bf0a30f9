"""Composed requests as examples over our own tools and over the intents as tools."""

from __future__ import annotations

import itertools

from controlllm.toolbox import Toolbox
from training.composing import INTENTS, composed, intent_tools
from training.examples import OWN
from training.intents import served_intents


def test_they_name_tools_that_there_are():
    own, intents = {tool.name for tool in Toolbox.load()}, set(intent_tools())
    boxes = set()
    for example in itertools.islice(composed(3), 600):
        boxes.add(example.box)
        known = own if example.box == OWN else intents
        for wish in example.wishes:
            assert set(wish.tools) <= known
            assert all(0 <= file < len(example.shown.slots) for file in wish.files or ())
    assert boxes == {OWN, INTENTS}


def test_the_tools_of_intents_are_there():
    names = {tool.name for tool in Toolbox.load()}
    for name, served in served_intents().items():
        assert set(served.tools or ()) <= names, name


def test_the_same_seed_gives_the_same_ones():
    first, second = (list(itertools.islice(composed(5), 20)) for _ in range(2))
    assert first == second
