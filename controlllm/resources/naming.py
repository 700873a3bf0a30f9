"""Names of files that are safe to show, to store and to say in a request."""

from __future__ import annotations

import re
import unicodedata

from controlllm.resources.types import is_known_suffix

_LONGEST_STEM = 80
_MOST_STEM_BYTES = 160
_RESERVED = re.compile(r"(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)", re.IGNORECASE)


def safe_name(name: str, suffixes: tuple[str, ...]) -> str:
    """A plain name without path, control and wildcard characters, with one of the `suffixes`.

    A suffix of the name that is among `suffixes` stays; another one that promises a kind of file
    is replaced by the first of them; anything else after a dot is part of the name.
    """
    visible = "".join(_shown(character) for character in unicodedata.normalize("NFC", name))
    last = re.split(r"[/\\]", visible)[-1]
    plain = re.sub(r'[<>:"|?*`]', "_", last)
    plain = " ".join(plain.split()).rstrip(" .")
    stem, dot, ending = plain.rpartition(".")
    suffix = suffixes[0]
    if dot and f".{ending.lower()}" in suffixes:
        suffix = f".{ending.lower()}"
    elif not (dot and is_known_suffix(ending)):
        stem = plain
    stem = stem.strip(" .")
    if _RESERVED.match(stem):
        stem = f"file-{stem}"
    return (_shortened(stem) or "file") + suffix


def shown_name(name: str) -> str:
    """A name as sentences about the file say it, before anything is known of its content."""
    plain = " ".join("".join(_shown(character) for character in name).split())
    last = re.split(r"[/\\]", plain)[-1].strip()
    return (last if len(last) <= _LONGEST_STEM else last[: _LONGEST_STEM - 1] + "…") or "The file"


def _shown(character: str) -> str:
    # Control, invisible formatting (which can turn text around), lone surrogates, private use.
    category = unicodedata.category(character)
    if category in ("Zl", "Zp") or character in "\t\n\r":
        return " "
    return "" if category in ("Cc", "Cf", "Cs", "Co", "Cn") else character


def _shortened(stem: str) -> str:
    stem = stem[:_LONGEST_STEM]
    while len(stem.encode()) > _MOST_STEM_BYTES:
        stem = stem[:-1]
    return stem.strip(" .")
