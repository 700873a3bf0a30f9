"""Encode every phrasing of the phrasebook and every tool once: ``assets/planner/vectors.npz``.

Run it after changing phrasings, a tool's description or examples, or the encoder; a test says when
it is due. Texts that are missing from the file are encoded when the program starts.
"""

from __future__ import annotations

from controlllm.models.encoder import encode
from controlllm.planning.assessment import aim_and_steps, bare_example, described
from controlllm.planning.phrasebook import (
    COMPARED,
    VECTORS_FILE,
    TextVectors,
    filled,
    neutral,
    read_intents,
)
from controlllm.planning.pointed import spoken_of
from controlllm.toolbox import Toolbox


def texts() -> list[str]:
    """Every text that planning with our own toolbox compares requests with."""
    toolbox = spoken_of(Toolbox.load())
    phrasings = [phrasing for intent in read_intents() for phrasing in intent.phrasings[:COMPARED]]
    examples = [example for tool in toolbox for example in tool.examples]
    phrasings.extend(examples)
    fillings = [fill(text) for text in phrasings for fill in (filled, neutral)]
    bare = [bare_example(filled(text)) for text in examples]
    wanted = [aim_and_steps(intent.description)[0] for intent in read_intents()]
    return fillings + bare + wanted + [described(tool) for tool in toolbox]


if __name__ == "__main__":
    found = texts()
    TextVectors.write(VECTORS_FILE, found, encode)
    print(f"{len(set(found))} texts in {VECTORS_FILE}")
