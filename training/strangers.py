"""Tools of other toolboxes, among which those that a request needs have to be found.

A person's own toolbox is one; with web APIs and servers added to it there are hundreds of tools of
fields that have nothing to do with each other. So the reader learns each request beside tools of
other toolboxes too: some are read anew with it, and of those that were read lately the vectors are
remembered, which costs next to nothing. What nearly says the same as a tool that is needed, or as
one that is missing on purpose, is not among them: it might do as well.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence

import numpy as np
import torch
from torch import Tensor

from controlllm.models.encoder import encode
from training.toolboxes import Boxes

#: From this cosine of their descriptions on a tool may do what another does, and from this one of
#: what is said and its description on it may be what is meant.
_ALIKE, _MEANT = 0.5, 0.3
#: So many tools are remembered, and so many of them stand beside a request's own.
_REMEMBERED, _BESIDE = 2000, 300

#: A tool: its toolbox and its name there.
Key = tuple[str, str]


class Strangers:
    """All tools of all toolboxes, and which may stand beside some without doing what they do."""

    def __init__(self, boxes: Boxes) -> None:
        self._keys = [(box, name) for box, tools in boxes.items() for name in tools]
        self._told = {
            (box, name): told for box, tools in boxes.items() for name, told in tools.items()
        }
        self._places = {key: place for place, key in enumerate(self._keys)}
        self._boxes = np.array([box for box, _ in self._keys])
        self._meanings = encode([self._told[key] for key in self._keys])

    def apart(self, box: str, needed: Iterable[str], said: Sequence[str] = ()) -> np.ndarray:
        """Which of all tools are of other toolboxes than `box` and do nothing that its `needed`
        ones do, nor what is `said` where no tool does it; shape (tools,), bool."""
        vectors = [self._meanings[self._places[box, name]] for name in needed]
        allowed = self._boxes != box
        for others, least in ((vectors, _ALIKE), (encode(said), _MEANT)):
            if len(others):
                allowed &= (self._meanings @ np.stack(others).T).max(axis=1) < least
        return allowed

    def twins(self, box: str, shown: Iterable[str], left_out: Iterable[str]) -> np.ndarray:
        """Which of all tools are the others of toolbox `box`, but for those that are `shown` and
        some `left_out`; shape (tools,), bool."""
        allowed = self._boxes == box
        allowed[[self._places[box, name] for name in {*shown, *left_out}]] = False
        return allowed

    def drawn(self, apart: np.ndarray, count: int, draw: random.Random) -> dict[Key, str]:
        """So many tools among those that `apart` allows, with what is told of each."""
        allowed = np.flatnonzero(apart).tolist()
        chosen = draw.sample(allowed, min(count, len(allowed)))
        return {self._keys[place]: self._told[self._keys[place]] for place in chosen}

    def place(self, key: Key) -> int:
        """Where a tool stands among all."""
        return self._places[key]

    def key(self, place: int) -> Key:
        """Which tool stands at a place."""
        return self._keys[place]


class Remembered:
    """The vectors of the tools that were read last, without what they were computed from."""

    def __init__(self) -> None:
        self._vectors: dict[int, Tensor] = {}

    def beside(self, apart: np.ndarray, draw: random.Random) -> Tensor:
        """Vectors of some remembered tools among those that `apart` allows, (n, 384)."""
        allowed = [place for place in self._vectors if apart[place]]
        chosen = draw.sample(allowed, min(_BESIDE, len(allowed)))
        if not chosen:
            return torch.zeros(0, 384)
        return torch.stack([self._vectors[place] for place in chosen])

    def nearest(self, place: int, others: Sequence[int], count: int) -> list[int]:
        """Those remembered `others` that are most alike to a tool; none where it is not
        remembered."""
        known = [other for other in others if other in self._vectors]
        if place not in self._vectors or not known:
            return []
        alike = torch.stack([self._vectors[other] for other in known]) @ self._vectors[place]
        return [known[found] for found in alike.topk(min(count, len(known))).indices.tolist()]

    def add(self, places: Sequence[int], vectors: Tensor) -> None:
        """Remember what was read; what has been known longest is forgotten for it."""
        for place, vector in zip(places, vectors.detach(), strict=True):
            self._vectors.pop(place, None)
            self._vectors[place] = vector
        while len(self._vectors) > _REMEMBERED:
            del self._vectors[next(iter(self._vectors))]
