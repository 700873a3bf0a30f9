"""Wishes for one answer: what is asked in several sentences of one reckoner is one question."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from controlllm.planning.wishes import Wish
from controlllm.toolbox import Toolbox

#: A longer request, in characters, is no question with its figures.
_LONGEST_QUESTION = 600


def one_question(wishes: Sequence[Wish], text: str, toolbox: Toolbox) -> tuple[Wish, ...]:
    """Wishes of which those that follow each other for one tool that is told but a question are
    one, with the figures around it: "I ran 10 km in 52:30. What is my pace, and how long would 15
    km take?" says only together what is to be reckoned. Whoever works such a question out takes it
    apart itself."""
    places: list[int] = []
    found: list[Wish] = []
    for wish in wishes:
        before = found[-1] if found else None
        own = tuple(places[place] for place in wish.wishes)
        if before is not None and _asks_the_same(before, wish, toolbox):
            start = min(a for one in (before, wish) for a, _ in one.spans)
            end = max(b for one in (before, wish) for _, b in one.spans)
            words = {**wish.words, **before.words, "question": (start, end)}
            found[-1] = replace(before, spans=((start, end),), words=words)
        else:
            found.append(replace(wish, wishes=own))
        places.append(len(found) - 1)
    if len(found) == 1 and len(text) <= _LONGEST_QUESTION and _is_a_question(found[0], toolbox):
        # A figure may also stand between two parts of the question.
        rest = list(text)
        for start, end in found[0].spans:
            rest[start:end] = " " * (end - start)
        if re.search(r"\d", "".join(rest)):
            whole = (0, len(text))
            words = {**found[0].words, "question": whole}
            found[0] = replace(found[0], spans=(whole,), words=words)
    return tuple(found)


def _asks_the_same(before: Wish, wish: Wish, toolbox: Toolbox) -> bool:
    is_one = _is_a_question(before, toolbox) and _is_a_question(wish, toolbox)
    return is_one and before.likeliest == wish.likeliest


def _is_a_question(wish: Wish, toolbox: Toolbox) -> bool:
    name = wish.likeliest
    if wish.files or name not in toolbox:
        return False
    return [argument.name for argument in toolbox[name].required] == ["question"]
