"""Encode what every tool says of itself, and its examples, once: ``assets/planner/vectors.npz``.

Run it after changing a tool's description or examples, or the encoder; a test says when it is due.
Texts that are missing from the file are encoded when the program starts.
"""

from __future__ import annotations

from controlllm.models.encoder import encode
from controlllm.planning.assessment import described
from controlllm.planning.pointed import spoken_of
from controlllm.planning.text_vectors import VECTORS_FILE, TextVectors, filled, neutral
from controlllm.toolbox import Toolbox


def texts() -> list[str]:
    """Every text that planning with our own toolbox compares requests with."""
    toolbox = spoken_of(Toolbox.load())
    examples = [example for tool in toolbox for example in tool.examples]
    fillings = [fill(text) for text in examples for fill in (filled, neutral)]
    return fillings + [described(tool) for tool in toolbox]


if __name__ == "__main__":
    found = texts()
    TextVectors.write(VECTORS_FILE, found, encode)
    print(f"{len(set(found))} texts in {VECTORS_FILE}")
