"""Words of others, which are data: bounded, on one line, and without what cannot be seen."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container

#: Categories of characters that cannot be seen: control, format (turning the direction of writing
#: around, of no width, tags), surrogates, private, none.
_UNSEEN = ("Cc", "Cf", "Cs", "Co", "Cn")
_MOST_IN_A_NAME = 48


def plain(text: object, most: int) -> str:
    """A text on one line without characters that cannot be seen, cut to so many."""
    whole = str(text)[: 4 * most + 1000]
    seen = "".join(
        " " if letter.isspace() else letter
        for letter in whole
        if letter.isspace() or unicodedata.category(letter) not in _UNSEEN
    )
    joined = " ".join(seen.split())
    return joined if len(joined) <= most else f"{joined[: most - 1]}…"


def printable(text: str) -> str:
    """A text of many lines without characters that cannot be seen but line ends and tabs."""
    return "".join(
        letter
        for letter in text
        if letter in "\n\t" or letter >= " " and unicodedata.category(letter) not in _UNSEEN
    )


def quoted(text: object, most: int = 300) -> str:
    """What another program says, marked as such."""
    said = plain(text, most).replace("“", '"').replace("”", '"')
    return f"“{said}”" if said else "it did not say why."


def name_of(text: object, taken: Container[str], otherwise: str) -> str:
    """A plain name for what somebody calls so: small letters, digits and single underscores, that
    is not `taken` yet; `otherwise` where nothing is left of it."""
    parted = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", str(text)[:200])
    found = re.sub(r"[^a-z0-9]+", "_", parted.lower()).strip("_")[:_MOST_IN_A_NAME].strip("_")
    if not found or not found[0].isalpha():
        found = f"{otherwise}_{found}".strip("_")
    number, name = 1, found
    while name in taken:
        number += 1
        name = f"{found}_{number}"
    return name
