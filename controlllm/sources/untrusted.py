"""Words of other programs, which are data: marked as theirs, without what cannot be seen."""

from __future__ import annotations

from controlllm.sources.naming import shortened


def quoted(text: object, most: int = 300) -> str:
    """What another program says, on one line and marked as its words."""
    said = shortened(str(text), most).replace("“", '"').replace("”", '"')
    return f"“{said}”" if said else "it did not say why."


def printable(text: str) -> str:
    """A text of many lines without characters that cannot be seen, but line ends and tabs."""
    if text.isprintable():
        return text
    return "".join(letter for letter in text if letter in "\n\t" or letter.isprintable())
