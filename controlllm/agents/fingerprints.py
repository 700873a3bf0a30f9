"""When two calls are the same call."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any


def fingerprint(tool: str, arguments: Mapping[str, Any]) -> str:
    """The same for calls of one tool with the same arguments, whatever the order in which they are
    named, the white space in them, whether a number is written as a text, a single value as a list,
    and whether what is left out is named."""
    given = {
        name: value for name, value in _plain(arguments).items() if value not in ("", None, [])
    }
    return json.dumps([tool, given], sort_keys=True, default=str)


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {" ".join(str(name).split()): _plain(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        items = [_plain(item) for item in value]
        return items[0] if len(items) == 1 else items
    if isinstance(value, str):
        return " ".join(value.split())
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return value if value is None else str(value)
