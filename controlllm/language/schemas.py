"""Strict JSON schemas of what a language model is to reply."""

from __future__ import annotations

from typing import Any


def strict_object(**properties: Any) -> dict[str, Any]:
    """The schema of an object with all of these properties and no others."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
