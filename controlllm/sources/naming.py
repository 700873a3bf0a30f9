"""Names and words of foreign tools as the tool graph takes them: data, marked as others' words and
without what cannot be seen."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from functools import lru_cache
from typing import Any

#: The most characters of what a foreign tool, and one of its arguments, says of itself.
MOST_DESCRIBED, MOST_OF_ARGUMENT = 300, 160
MOST_NAMED = 60
_MOST_KEPT = 80
#: Arguments of a tool that are kept, and values that one of them can have.
MOST_ARGUMENTS, MOST_ALLOWED = 60, 200
_MOST_VALUES, _MOST_OF_VALUE = 12, 40
#: What implementations are handed besides a tool's arguments.
_TAKEN = frozenset({"context", "self"})


def plain(text: str, otherwise: str = "tool", most: int = MOST_NAMED) -> str:
    """A text as a name: ``"getPetById"`` is ``"get_pet_by_id"``."""
    known = _kept if len(text) <= _MOST_KEPT else _plain
    return known(text, otherwise, most)


def _plain(text: str, otherwise: str, most: int) -> str:
    words = re.sub(r"([a-z0-9])([A-Z])|([A-Z]+)(?=[A-Z][a-z])", _apart, text)
    name = re.sub(r"[^a-z0-9]+", "_", words.lower()).strip("_")
    if not name[:1].isalpha():
        name = f"{otherwise}_{name}".strip("_")
    return name[:most].rstrip("_")


#: The same names stand in a document many times over.
_kept = lru_cache(maxsize=20_000)(_plain)


def _apart(found: re.Match[str]) -> str:
    return f"{found[1]}_{found[2]}" if found[1] else f"{found[3]}_"


def unique(name: str, taken: Container[str]) -> str:
    """A name that is not taken yet: itself, or with a number behind it."""
    number, found = 1, name
    while found in taken or found in _TAKEN:
        number += 1
        found = f"{name}_{number}"
    return found


def first_words(summary: str, description: str, name: str) -> str:
    """What a tool is described as: its summary and the first sentence of its description.

    More would be no better to choose by, and is where instructions to a reader are hidden.
    """
    told = [shortened(summary).rstrip(".")]
    if plain(summary) == plain(name):
        told = []  # made of the name by a framework
    sentence = shortened(description, 20 * MOST_DESCRIBED)
    found = re.match(r".{10,}?[.!?](?=\s)", sentence)
    told.append(found[0] if found else sentence)
    words = ". ".join(filter(None, told))
    return shortened(words) or name.replace("_", " ").capitalize()


def shortened(text: str, most: int = MOST_DESCRIBED) -> str:
    """A description as one line of plain words: whole sentences as far as they fit."""
    text = re.sub(r"<[^<>]{0,500}>|[`*#|]+", " ", text[: 20 * most])
    text = re.sub(r"!?\[([^\]]{0,300})\]\([^)]{0,500}\)", r"\1", text)
    text = " ".join("".join(char if char.isprintable() else " " for char in text).split())
    text = re.sub(r" (?=[.,;:!?](?: |$))", "", text)
    if len(text) <= most:
        return text
    whole = re.match(rf".{{20,{most - 1}}}[.!?](?=\s)", text)
    return whole[0] if whole else text[: most - 1].rsplit(" ", 1)[0] + "…"


def quoted(text: object, most: int = 300) -> str:
    """What another program says, on one line and marked as its words."""
    said = shortened(str(text), most).replace("“", '"').replace("”", '"')
    return f"“{said}”" if said else "it did not say why."


def printable(text: str) -> str:
    """A text of many lines without characters that cannot be seen, but line ends and tabs."""
    if text.isprintable():
        return text
    return "".join(letter for letter in text if letter in "\n\t" or letter.isprintable())


def named(allowed: Sequence[Any]) -> str:
    """The first of some values, each cut short and without what cannot be seen, since a server has
    written them."""
    told = [_shown(value) for value in allowed[:_MOST_VALUES]]
    return ", ".join([*filter(None, told), *(["…"] if len(allowed) > _MOST_VALUES else [])])


def with_allowed(said: str, allowed: Sequence[Any]) -> str:
    """What is said of an argument, with the values that it can have."""
    words = named(allowed)
    return f"{said} One of: {words}.".strip() if words else said


def _shown(value: Any) -> str:
    # Spelt as it has to be given, so nothing is taken for a mark of text that is set.
    text = "".join(letter for letter in str(value)[:200] if letter.isprintable()).strip()
    return text if len(text) <= _MOST_OF_VALUE else f"{text[: _MOST_OF_VALUE - 1]}…"
