"""Why something is as it is: in words, and as what a page says it by in another language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Self


class Reason(str):
    """A reason in English words, as programs, terminals and models read it.

    `key` names the text that says the same in every language, and `values` fill its fields;
    `either` are reasons of which it is enough that one is done away with, where it is made of
    several; `lacks` are tools with why each cannot run, where it says why a way cannot. A reason
    that somebody's own tool gives is a plain text and has none of these.
    """

    key: str
    values: dict[str, str]
    either: tuple[str, ...]
    lacks: tuple[tuple[str, str], ...]

    def __new__(cls, words: str, key: str = "", **values: str) -> Self:
        reason = super().__new__(cls, words)
        reason.key, reason.values, reason.either, reason.lacks = key, values, (), ()
        return reason

    @classmethod
    def one_of(cls, reasons: tuple[str, ...]) -> Self:
        """Several reasons as one: each is told, and that any of them would do."""
        reason = cls("; or ".join(reasons))
        reason.either = reasons
        return reason

    @classmethod
    def of_tools(cls, tools: Iterable[str], unavailable: Mapping[str, str]) -> Self:
        """Why tools cannot run together: each of them that cannot, with its own reason from
        `unavailable`; no words where all can."""
        lacks = tuple((name, unavailable[name]) for name in tools if name in unavailable)
        reason = cls("; ".join(f"{name.replace('_', ' ')} {why}" for name, why in lacks))
        reason.lacks = lacks
        return reason


def keys_of(reason: str) -> frozenset[str]:
    """What a reason is made of, by the names of its texts; empty for a plain text."""
    if not isinstance(reason, Reason):
        return frozenset()
    parts = (*reason.either, *(why for _, why in reason.lacks))
    own = [reason.key] if reason.key else []
    return frozenset(own).union(*map(keys_of, parts))


def reason_to_json(reason: str) -> str | dict[str, Any]:
    """A reason as plain data: its words alone where it has nothing else."""
    if not isinstance(reason, Reason) or not (reason.key or reason.either or reason.lacks):
        return str(reason)
    return {
        "words": str(reason),
        **({"key": reason.key, "values": dict(reason.values)} if reason.key else {}),
        **({"either": [reason_to_json(one) for one in reason.either]} if reason.either else {}),
        **(
            {"lacks": [[tool, reason_to_json(why)] for tool, why in reason.lacks]}
            if reason.lacks
            else {}
        ),
    }


def reason_beside(name: str, reason: str) -> dict[str, Any]:
    """A field with a reason's words, and beside it, as `name`_as, what it is said by in other
    languages where there is such."""
    data = reason_to_json(reason)
    return {name: str(reason), **({f"{name}_as": data} if isinstance(data, dict) else {})}


def reason_from_json(data: object) -> str:
    """The reason of such data; raises TypeError, ValueError or KeyError for anything else."""
    if not isinstance(data, Mapping):
        return str(data or "")
    values = {str(name): str(value) for name, value in dict(data.get("values", {})).items()}
    reason = Reason(str(data["words"]), str(data.get("key", "")))
    reason.values = values
    reason.either = tuple(reason_from_json(one) for one in data.get("either", ()))
    reason.lacks = tuple((str(tool), reason_from_json(why)) for tool, why in data.get("lacks", ()))
    return reason
