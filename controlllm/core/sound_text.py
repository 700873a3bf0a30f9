"""Text from outside, made sound: what no encoding can hold is replaced."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def sound(value: Any) -> Any:
    """A text, or a value of JSON with texts in it, in which half of a character (a lone surrogate)
    is replaced by the sign for that."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, Mapping):
        return {sound(key): sound(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(sound(item) for item in value)
    return value
