"""Move the vectors of our own tools to where the wishes of people lie that ask for them.

The reader matches a wish with what each tool says of itself (`controlllm.readers.wishes`), and so
can be told of any tool. Of those that ship more is known: thousands of written requests. This
reads them with the networks as they are, and moves each tool's vector, and that for no tool, until
the wishes are told apart best (logistic regression, held near where the vectors were). It needs
neither torch nor an accelerator and takes minutes: `python -m training.match_tools` writes
``assets/planner/tool-moves.npz``. Run it after new requests or new networks.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache

import numpy as np

from controlllm.readers.tool_moves import MOVES_FILE, NO_TOOL
from controlllm.readers.wish_networks import Networks, shipped_networks
from controlllm.readers.wishes import WishReader, text_of
from controlllm.toolbox import Toolbox
from training.examples import Example, read_examples
from training.toolboxes import OWN

#: Authors whose requests nothing here has learnt from; to measure with.
HELD = frozenset({"own-125", "own-142", "own-155"})
#: From this author on the networks have learnt from none. How wishes lie that they know says little
#: of how those lie that people will have: all known ones together count as much as all others.
_FIRST_UNKNOWN = 139
#: How strongly a vector is held where it was. A tenth of it moves the vectors twice as far and
#: reads older requests .01 worse, ten times as much keeps a third of what is gained.
_HOLD = 0.01
#: How far of its way the vector for no tool goes. The networks' "none" and its threshold were set
#: against each other: all the way, .087 of what tools can do is declined; not at all, half of what
#: none can do is tried.
_NOTHING = 0.4
_STEPS, _RATE, _MOMENTUM, _SPREAD = 200, 1e-3, 0.9, 0.99


@dataclass(frozen=True)
class Wishes:
    """Wishes as the networks hear them: `vectors`, float32, shape (wishes, 384), that their tools
    would have; the places of the tools that were meant, shape (wishes,); and what each counts."""

    vectors: np.ndarray
    tools: np.ndarray
    weights: np.ndarray


def heard(examples: Sequence[Example]) -> list[list[np.ndarray]]:
    """For each request the vectors that the tools of its wishes would have."""
    return [[wish.ends for wish in _reader().heard(example.shown)] for example in examples]


@cache
def _reader() -> WishReader:
    return WishReader(_told())


@cache
def _told() -> dict[str, str]:
    return {tool.name: text_of(tool) for tool in Toolbox.load()}


def gathered(examples: Sequence[Example], processes: int) -> Wishes:
    """The wishes of requests in which as many were heard as were meant."""
    parts = [examples[start : start + 200] for start in range(0, len(examples), 200)]
    with ProcessPoolExecutor(processes) as pool:
        vectors = [found for part in pool.map(heard, parts) for found in part]
    places = {name: place for place, name in enumerate([*_told(), NO_TOOL])}
    rows = [
        (vector, places[name], _is_unknown(example.author))
        for example, found in zip(examples, vectors, strict=True)
        if len(found) == len(example.wishes)
        for wish, vector in zip(example.wishes, found, strict=True)
        if (name := wish.tools[-1] if wish.tools else NO_TOOL) in places
    ]
    is_unknown = np.array([row[2] for row in rows])
    weights = np.where(
        is_unknown, 0.5 / max(1, is_unknown.sum()), 0.5 / max(1, (~is_unknown).sum())
    )
    return Wishes(
        np.stack([row[0] for row in rows]),
        np.array([row[1] for row in rows]),
        weights.astype(np.float32),
    )


def _is_unknown(author: str) -> bool:
    return int(author.removeprefix("own-")) >= _FIRST_UNKNOWN


def moved(start: np.ndarray, wishes: Wishes, scale: float) -> np.ndarray:
    """Where the tools' vectors, float32, shape (tools, 384), go."""
    vectors = start.copy()
    mean, spread = np.zeros_like(start), np.zeros_like(start)
    rows = np.arange(len(wishes.tools))
    for step in range(1, _STEPS + 1):
        logits = wishes.vectors @ vectors.T * scale
        shares = np.exp(logits - logits.max(1, keepdims=True))
        shares /= shares.sum(1, keepdims=True)
        shares[rows, wishes.tools] -= 1
        slope = scale * (shares * wishes.weights[:, None]).T @ wishes.vectors
        slope += _HOLD * (vectors - start)
        mean = _MOMENTUM * mean + (1 - _MOMENTUM) * slope
        spread = _SPREAD * spread + (1 - _SPREAD) * slope**2
        fast = np.sqrt(spread / (1 - _SPREAD**step)) + 1e-12
        vectors -= _RATE * mean / (1 - _MOMENTUM**step) / fast
    return vectors


def right(vectors: np.ndarray, wishes: Wishes) -> float:
    """The share of wishes whose tool's vector is the nearest."""
    return float(((wishes.vectors @ vectors.T).argmax(1) == wishes.tools).mean())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--processes", type=int, default=2)
    given = parser.parse_args()
    own = [example for example in read_examples()[1] if example.box == OWN]
    networks: Networks = shipped_networks()
    start = _reader().vectors()
    known = [example for example in own if example.author not in HELD]
    vectors = moved(start, gathered(known, given.processes), networks.scale)
    for author in sorted(HELD):
        wishes = gathered([item for item in own if item.author == author], given.processes)
        print(f"{author}: {right(start, wishes):.3f} {right(vectors, wishes):.3f}")
    names, moves = np.array([*_told(), NO_TOOL]), vectors - start
    moves[-1] *= _NOTHING
    np.savez_compressed(MOVES_FILE, names=names, moves=moves.astype(np.float16))
    print(f"{len(names)} vectors in {MOVES_FILE}, {MOVES_FILE.stat().st_size / 1e3:.0f} kB")


if __name__ == "__main__":
    main()
