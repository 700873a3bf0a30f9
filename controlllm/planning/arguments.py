"""What a text argument of a tool is for, told from its name and description alone."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence

from controlllm.core.plans import TypedValue
from controlllm.resources import TypeLattice
from controlllm.toolbox import A_NUMBER, Argument, Tool

#: The roles of words in a request, with the words that announce each in an argument's name or
#: description. An argument that announces none takes content: a text to work on.
ROLE_WORDS: tuple[tuple[str, frozenset[str]], ...] = (
    ("question", frozenset({"question"})),
    ("object", frozenset({"query", "condition", "object", "phrase", "target", "referring"})),
    ("language", frozenset({"language"})),
    ("labels", frozenset({"labels"})),
    ("prompt", frozenset({"prompt", "instruction", "style"})),
)

#: What it costs to answer an argument that wants a number with words that say none.
_NO_NUMBER = 0.6
_DIGIT = re.compile(r"\d")

#: Roles of words that any argument for a short text takes about as well as each other.
_FACTS = frozenset({"content", "query", "place", "time", "labels", "other", "number", "name"})

#: How badly words of one role serve an argument of another; absent where they do not serve at all.
_MISMATCH: dict[tuple[str, str], float] = {
    ("object", "prompt"): 0.4,
    ("object", "question"): 0.6,
    ("prompt", "object"): 0.3,
    ("prompt", "question"): 0.5,
    ("prompt", "content"): 0.2,
    ("content", "prompt"): 0.1,
    ("content", "question"): 1.0,
    ("content", "object"): 0.6,
    ("question", "object"): 0.2,
    ("object", "query"): 0.1,
    ("object", "name"): 0.1,
    ("prompt", "time"): 0.2,
    ("prompt", "query"): 0.2,
    ("prompt", "name"): 0.2,
    ("prompt", "other"): 0.2,
    ("prompt", "labels"): 0.4,
    ("question", "query"): 0.3,
    ("question", "name"): 0.3,
}
#: What it costs to serve one short fact for another.
_OTHER_FACT = 0.1
#: What it costs to serve a name for what is called by one of these words: a time or a free text.
_NO_NAME = 0.3
_NO_NAMES = frozenset(
    "time times date dates day days when year month week hour period since until "
    "message text note comment body content reason feedback words greeting".split()
)


def role_of(argument: Argument) -> str:
    """What an argument wants: a role of `ROLE_WORDS`, ``number``, or ``content``."""
    if argument.description.endswith(A_NUMBER):
        return "number"
    if argument.name == "text":
        # Plain text is what is worked on, whatever else its description speaks of.
        return "content"
    for text in (argument.name, argument.description):
        words = set(re.findall(r"[a-z]+", text.lower().replace("_", " ")))
        for role, announced in ROLE_WORDS:
            if words & announced:
                return role
    return "content"


def roles_of(arguments: Iterable[Argument]) -> frozenset[str]:
    """What the texts among some arguments are for."""
    return frozenset(role_of(item) for item in arguments if item.type == "text")


def may_say(argument: Argument, text: TypedValue) -> bool:
    """Whether what is given may say what an argument wants: words for a number have digits, what
    is in a file or a result is not known."""
    return role_of(argument) != "number" or not text.role or bool(_DIGIT.search(text.value))


def may_be_name(argument: Argument) -> bool:
    """Whether what an argument is called leaves open that it wants the name of something."""
    return not _NO_NAMES.intersection(re.findall(r"[a-z]+", argument.name.lower()))


def mismatch(wanted: str, role: str) -> float:
    """How badly words of one role serve an argument of another: 0 for the same, infinite where
    they do not serve at all."""
    if role in (wanted, ""):
        return 0.0
    if wanted in _FACTS and role in _FACTS:
        return 0.0 if role in ("content", "name") else _OTHER_FACT
    return _MISMATCH.get((wanted, role), math.inf)


def words_for(argument: Argument, texts: Sequence[TypedValue]) -> tuple[float, int] | None:
    """The cost of answering a text argument with words of the request, and with which of `texts`.

    The index is -1 where the request itself is the best answer: a question is passed on whole.
    None where no words of the request would do: the text has to be made by a tool.
    """
    role = role_of(argument)
    best: tuple[float, int] | None = None
    for index, text in enumerate(texts):
        cost = mismatch(role, text.role)
        if role == "number" and not _DIGIT.search(text.value):
            cost += _NO_NUMBER
        if text.role == "name" and not may_be_name(argument):
            cost += _NO_NAME
        if cost < math.inf and (best is None or cost < best[0]):
            best = (cost, index)
    if role == "question" and (best is None or best[0] > 0):
        asked = any(text.role == "question" for text in texts)
        return (0.0 if asked or not texts else 0.3), -1
    if best is None and role in ("object", "prompt", "language", "number"):
        return 0.5, -1
    return best


def picks_one(tool: Tool) -> bool:
    """Whether a tool gives one of several pictures, told by words for a thing."""
    several = [item for item in tool.required if item.many]
    return (
        len(several) == 1
        and several[0].type == tool.returns.each == "image"
        and "object" in roles_of(tool.required)
    )


def works_on(tool: Tool, type_name: str, lattice: TypeLattice) -> bool:
    """Whether a tool has to be given something of a type; words where it works on them or counts
    with them, not where they tell it what to do."""
    return any(
        lattice.is_a(type_name, item.type)
        and (item.type != "text" or role_of(item) in ("content", "number"))
        for item in tool.required
    )
