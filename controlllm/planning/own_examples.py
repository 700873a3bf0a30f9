"""A tool that was added answers to its own examples.

The reader was taught many requests for the tools that ship and none for one that somebody adds, of
which it knows what the tool says of itself and its first example. Where a wish says just what one
of its examples says, it is for that tool.
"""

from __future__ import annotations

import re
from dataclasses import replace

from controlllm.planning.wishes import Read, RequestText, Wish
from controlllm.toolbox import Toolbox

#: How likely such a tool is.
_LIKELY = 0.9
_POLITE = frozenset("a an the my please pls".split())


def reading_own_examples(read: Read, toolbox: Toolbox) -> Read:
    """A reader that gives a wish to the tool that was added whose example it says."""
    having: dict[str, set[str]] = {}
    for tool in toolbox:
        if not toolbox.is_shipped(tool.name):
            for example in tool.examples:
                having.setdefault(_plain(example), set()).add(tool.name)
    by_example = {words: min(names) for words, names in having.items() if len(names) == 1}
    if not by_example:
        return read

    def read_again(shown: RequestText) -> tuple[Wish, ...]:
        return tuple(_as_example(wish, shown.text, by_example) for wish in read(shown))

    return read_again


def _as_example(wish: Wish, text: str, by_example: dict[str, str]) -> Wish:
    name = by_example.get(_plain(" ".join(text[start:end] for start, end in wish.spans)))
    if name is None or name not in wish.ends or wish.ends[name] >= _LIKELY:
        return wish
    ends = {other: share * (1 - _LIKELY) for other, share in wish.ends.items()}
    ends[name] += _LIKELY
    return replace(wish, ends=ends, impossible=wish.impossible * (1 - _LIKELY))


def _plain(text: str) -> str:
    words = re.findall(r"\w+", text.lower())
    return " ".join(word for word in words if word not in _POLITE)
