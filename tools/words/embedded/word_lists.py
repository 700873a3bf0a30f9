"""The lists of words that the tools for texts read, in ``assets/language``."""

from __future__ import annotations

from controlllm.layout import ASSETS

LANGUAGE_FOLDER = ASSETS / "language"


def lines_of(name: str) -> list[str]:
    """The lines of a list in ``assets/language`` without remarks."""
    lines = (LANGUAGE_FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def parted_by_commas(words: str) -> list[str]:
    """What commas part, with single spaces."""
    return [" ".join(part.split()) for part in words.split(",") if part.strip()]


def one_of(words: str) -> str:
    """A pattern for any of the patterns that commas part."""
    return f"(?:{'|'.join(parted_by_commas(words))})"
