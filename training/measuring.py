"""How often the written networks read requests as their authors meant them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from controlllm.readers.wish_networks import Networks
from controlllm.readers.wishes import WishReader
from training.examples import Example
from training.toolboxes import Boxes


@dataclass(frozen=True)
class Accuracy:
    """Shares of requests whose number of wishes, whose tools that make the results, in order, and
    whose tools and inputs come out right; and of the wishes' roles whose words do."""

    requests: int
    count: float
    tools: float
    inputs: float
    words: float


def accuracy(folder: Path, boxes: Boxes, examples: Sequence[Example]) -> Accuracy:
    """How well the networks in a folder read examples."""
    networks = Networks.of(folder)
    readers: dict[str, WishReader] = {}
    counted = tools = inputs = words = roles = 0
    for example in examples:
        if example.box not in readers:
            readers[example.box] = WishReader(boxes[example.box], networks)
        found = readers[example.box](example.shown)
        wanted = [wish.tools[-1] if wish.tools else "" for wish in example.wishes]
        got = [
            ""
            if wish.impossible >= max(wish.ends.values())
            else max(wish.ends, key=wish.ends.__getitem__)
            for wish in found
        ]
        counted += len(found) == len(example.wishes)
        if wanted == got:
            tools += 1
            pairs = list(zip(example.wishes, found, strict=True))
            inputs += all(
                sorted(want.files or ()) == sorted(have.files)
                and sorted(want.wishes or ()) == sorted(have.wishes)
                for want, have in pairs
            )
            for want, have in pairs:
                for role, spans in want.words.items():
                    if spans:
                        roles += 1
                        span = have.words.get(role)
                        words += span is not None and any(
                            abs(span[0] - start) <= 4 and abs(span[1] - end) <= 4
                            for start, end in spans
                        )
    total = max(1, len(examples))
    return Accuracy(
        len(examples), *(round(part / total, 3) for part in (counted, tools, inputs)),
        round(words / max(1, roles), 3),
    )  # fmt: skip
