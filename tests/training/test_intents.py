"""The intents that requests are composed of."""

from __future__ import annotations

import re

from controlllm.core.plans import OUTSIDE
from controlllm.planning.text_vectors import NEUTRAL
from controlllm.resources import PARENTS
from controlllm.toolbox import DOMAINS
from training.generator import WORD_ROLES
from training.intents import read_intents


def test_the_intents_are_well_formed():
    seen = set()
    for intent in read_intents():
        assert intent.domain in DOMAINS, intent.name
        assert intent.returns in {*PARENTS, OUTSIDE}, intent.name
        assert set(intent.takes) <= set(PARENTS), intent.name
        assert intent.text in {*WORD_ROLES, "labels", "none"}, intent.name
        assert len(intent.phrasings) >= 40, intent.name
        assert intent.refers in ("object", "result")
        for phrasing in intent.phrasings:
            assert set(re.findall(r"\{(\w+)\}", phrasing)) <= set(NEUTRAL), phrasing
            assert phrasing.lower() not in seen, phrasing
            seen.add(phrasing.lower())
