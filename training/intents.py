"""Intents: what people want, each with many phrasings and the chain of our tools that serves it.

Requests are composed of them (`training.generator`) and learnt beside those that were written.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from controlllm.planning.assessment import aim_and_steps
from controlllm.planning.phrasebook import Intent, read_intents
from controlllm.readers.wishes import tool_text

#: The chains of our own tools that serve the intents.
TOOLS_FILE = Path(__file__).resolve().parent / "data" / "intent_tools.json"


@dataclass(frozen=True)
class ServedIntent:
    """An intent with the chain of our own tools that serves it: None where that depends on the
    words, empty where none does."""

    intent: Intent
    tools: tuple[str, ...] | None

    @property
    def is_a_wish(self) -> bool:
        """Whether it wants something: thanks and greetings do not."""
        return self.intent.name != "small_talk"

    @property
    def told(self) -> str:
        """What the reader is told of it where intents stand as tools themselves."""
        takes = [*self.intent.takes, *(["text"] if self.intent.text != "none" else [])]
        aim = aim_and_steps(self.intent.description)[0]
        return tool_text(self.intent.name, aim, takes, self.intent.returns)


def served_intents() -> dict[str, ServedIntent]:
    """The shipped intents by name, each with what serves it."""
    tools = json.loads(TOOLS_FILE.read_text("utf-8"))
    return {
        intent.name: ServedIntent(
            intent, None if tools[intent.name] is None else tuple(tools[intent.name])
        )
        for intent in read_intents()
    }
