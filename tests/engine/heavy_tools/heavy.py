"""Tools with models that take real memory: each touches every page of its own."""

import os
import time

import numpy as np

from controlllm.models import resident
from controlllm.resources import Text
from controlllm.toolbox import tool

#: How many there are, and the size of each model, in MiB.
MODELS, SIZE = 12, 200
#: What a call takes besides, in MiB.
WORK = 20


@resident
def model(number: int, size: int) -> np.ndarray:
    time.sleep(0.1)
    return np.full(size << 20, number, np.uint8)


def _work(number: int, size: int, text: str) -> str:
    weights = model(number, size)
    paper = np.ones(WORK << 20, np.uint8)
    time.sleep(0.1)
    return f"{text} {int(weights[-1]) + int(paper[-1]) - 1}"


def _define(number: int):
    def holds(text: Text) -> Text:
        """Use a model of its own."""
        return _work(number, SIZE, text)

    holds.__name__ = f"holds_{number}"
    return tool(domain="general", examples=["Hold it."], memory=f"{SIZE} MiB")(holds)


globals().update({f"holds_{number}": _define(number) for number in range(MODELS)})


@tool(domain="general", examples=["Surprise me."])
def surprises(text: Text) -> Text:
    """Take much more than anybody expects."""
    return _work(99, 2 * SIZE, text)


@tool(domain="general", examples=["Surprise me and stay."])
def surprises_and_stays(text: Text) -> Text:
    """Take much more than anybody expects, and keep it until the file that is named is there."""
    weights = model(98, 2 * SIZE)
    while not os.path.exists(text):
        time.sleep(0.02)
    return f"{weights[-1]}"


@tool(domain="general", examples=["Rest."], memory="1 MiB")
def rests(text: Text) -> Text:
    """Take a moment and no memory."""
    time.sleep(0.3)
    return text
