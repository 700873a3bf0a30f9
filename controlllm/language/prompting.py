"""Prompts: text files with slots, and data handed over so that it stays data."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from controlllm.language.endpoint import Message

PROMPTS = Path(__file__).parent / "prompts"

_SLOT = re.compile(r"\{\{(\w+)\}\}")


def read_prompt(name: str, folder: Path = PROMPTS, **values: str) -> str:
    """The prompt file of this name with its ``{{slots}}`` filled, each value as it stands.

    Raises KeyError where a slot has no value.
    """
    text = (folder / f"{name}.txt").read_text("utf-8")
    # In one pass: a slot's name inside a value is only words.
    return _SLOT.sub(lambda found: values[found[1]], text)


def shortened(text: str, limit: int = 600) -> str:
    """A text for a model that need not know all of it; what is left out is marked."""
    return text if len(text) <= limit else f"{text[:limit]} …"


def messages_of(instructions: str, data: Any) -> list[Message]:
    """Instructions for the model, and apart from them what they are about, as JSON.

    Everything that a person, a file or a tool has said is inside JSON strings, so that none of it
    can pass for instructions by its form.
    """
    return [
        {"role": "system", "content": instructions},
        {"role": "user", "content": json.dumps(data, ensure_ascii=False)},
    ]
