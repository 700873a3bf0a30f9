"""Why something cannot run: in words, and as what a page says it by in another language."""

from __future__ import annotations

from typing import Self


class Reason(str):
    """A reason in English words, as programs, terminals and models read it.

    `key` names the text that says the same in every language, and `values` fill its fields;
    `either` are reasons of which it is enough that one is done away with, where it is made of
    several. A reason that somebody's own tool gives is a plain text and has none of these.
    """

    key: str
    values: dict[str, str]
    either: tuple[str, ...]

    def __new__(cls, words: str, key: str = "", **values: str) -> Self:
        reason = super().__new__(cls, words)
        reason.key, reason.values, reason.either = key, values, ()
        return reason

    @classmethod
    def one_of(cls, reasons: tuple[str, ...]) -> Self:
        """Several reasons as one: each is told, and that any of them would do."""
        reason = cls("; or ".join(reasons))
        reason.either = reasons
        return reason
