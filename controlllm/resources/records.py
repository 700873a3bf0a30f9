"""Records: what programs tell each other in JSON, told from other texts."""

from __future__ import annotations

import json
from typing import Any

#: A longer text is not looked at, in characters.
MOST_CHARACTERS = 200_000
#: Nested deeper than this, it is nothing that a person would look through.
_DEEPEST = 20


def records_in(text: str) -> dict[str, Any] | list[Any] | None:
    """What a text of JSON holds: an object or a list that is not empty; None of any other text."""
    text = text.strip()
    if not 2 < len(text) <= MOST_CHARACTERS or text[0] + text[-1] not in ("{}", "[]"):
        return None
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found if found and isinstance(found, dict | list) and _is_flat_enough(found) else None


def _is_flat_enough(value: Any, depth: int = 0) -> bool:
    if not isinstance(value, dict | list):
        return True
    inner = value.values() if isinstance(value, dict) else value
    return depth < _DEEPEST and all(_is_flat_enough(item, depth + 1) for item in inner)
