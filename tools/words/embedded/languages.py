"""Languages: their names and codes, and which of them a text is written in."""

from __future__ import annotations

import re
from functools import lru_cache

from .word_lists import lines_of, parted_by_commas

_READ_AT_MOST = 4_000


def code_of(words: str) -> str | None:
    """The code of the language that some words name ("into French, please"), None where they name
    none that is known."""
    plain = " ".join(words.casefold().split())
    if re.fullmatch(r"[a-z]{2,3}(?:[-_][a-z]{2,4})?", plain):
        code = re.split(r"[-_]", plain)[0]
        code = {"nb": "no", "nn": "no", "iw": "he", "fil": "tl"}.get(code, code)
        if code in _names():
            return code
    found = [
        (bool(re.search(r"\bfrom\s$", plain[: match.start()])), match.start(), -len(name), code)
        for code, names in _names().items()
        for name in names
        for match in re.finditer(rf"(?<!\w){re.escape(name.casefold())}(?!\w)", plain)
    ]
    return min(found)[3] if found else None


def name_of(code: str) -> str:
    """The English name of a language."""
    return _names()[code][0]


def language_of(text: str) -> str | None:
    """The code of the language that a text is probably written in, None where it has no letters."""
    text = text[:_READ_AT_MOST]
    if not any(letter.isalpha() for letter in text):
        return None
    import py3langid

    code = str(py3langid.classify(text)[0])
    return code if code in _names() else None


@lru_cache(maxsize=1)
def _names() -> dict[str, list[str]]:
    """The names of each language by its code, the English one first."""
    entries = (line.split(" ", 1) for line in lines_of("languages"))
    return {code: parted_by_commas(names) for code, names in entries}
