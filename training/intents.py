"""Intents: what people want, each with many phrasings and the chain of our tools that serves it.

Requests are composed of them (`training.generator`) and learnt beside those that were written.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from controlllm.readers.wishes import tool_text

_DATA = Path(__file__).resolve().parent / "data"
INTENTS_FILE = _DATA / "intents.json"
#: The chains of our own tools that serve the intents.
TOOLS_FILE = _DATA / "intent_tools.json"
#: What stands in a description between what is wanted and the steps that lead to it.
_ON_THE_WAY = " On the way: "


@dataclass(frozen=True)
class Intent:
    """What a person may want.

    `takes` are the types of the resources that it works on; `text` is the role of the words that go
    with it (``object``, ``question``, ``prompt``, ``content`` or ``none``); `refers` says whether a
    later "it" means the ``object`` spoken of or the ``result``; `keeps` that the result shows all
    that was there, so that what is asked next is asked of it. `follow_ups` are phrasings that refer
    back to a clause before. `knows` names the things that it is for, in the singular, where it is
    not for just any. `gathers` says that several files go into one result, and are not worked on
    one by one.
    """

    name: str
    description: str
    domain: str
    takes: tuple[str, ...]
    returns: str
    text: str
    refers: str
    phrasings: tuple[str, ...]
    follow_ups: tuple[str, ...] = ()
    keeps: bool = False
    knows: frozenset[str] = frozenset()
    gathers: bool = False


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
        aim = self.intent.description.partition(_ON_THE_WAY)[0]
        return tool_text(self.intent.name, aim, takes, self.intent.returns)


def read_intents(path: Path = INTENTS_FILE) -> tuple[Intent, ...]:
    """The intents of a phrasing file, in its order."""
    return tuple(
        Intent(
            entry["intent"],
            entry["description"],
            entry["domain"],
            tuple(entry["takes"]),
            entry["returns"],
            entry["text"],
            entry["refers"],
            tuple(entry["phrasings"]),
            tuple(entry.get("follow_ups", ())),
            bool(entry.get("keeps", False)),
            knows=frozenset(entry.get("knows", ())),
            gathers=len(set(entry["takes"])) < len(entry["takes"]),
        )
        for entry in json.loads(path.read_text())
    )


def served_intents() -> dict[str, ServedIntent]:
    """The shipped intents by name, each with what serves it."""
    tools = json.loads(TOOLS_FILE.read_text("utf-8"))
    return {
        intent.name: ServedIntent(
            intent, None if tools[intent.name] is None else tuple(tools[intent.name])
        )
        for intent in read_intents()
    }
