"""When two calls are the same call."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any


def fingerprint(tool: str, arguments: Mapping[str, Any]) -> str:
    """The same for calls of one tool with the same arguments, whatever the order in which they are
    named, the white space in them, and whether a number is written as a text."""
    return json.dumps([tool, _plain(arguments)], sort_keys=True, default=str)


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {" ".join(str(name).split()): _plain(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, str):
        return " ".join(value.split())
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return value if value is None else str(value)
