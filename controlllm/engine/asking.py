"""What is asked while a plan runs: which thing is meant, and whether a tool may do what cannot be
taken back."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence

from controlllm.core.plans import Literal
from controlllm.core.questions import Question
from controlllm.engine.attempt import Call, Failed
from controlllm.engine.cache import content_of
from controlllm.engine.calls import Calls
from controlllm.engine.compile import Node
from controlllm.resources import Box, Resource
from controlllm.store import Store, StoreError
from controlllm.toolbox import Code, Implementation

#: The choices, in this order.
DO_IT, LEAVE_OUT = range(2)
CHOICES = ("Do it", "Leave it out")
#: Of a longer value so many characters are shown from its beginning, and so many from its end: what
#: matters may stand anywhere, and nobody reads pages before a click.
_BEGINNING, _ENDING = 200, 60
#: So much of a file is read for that, in bytes.
_READ = 1000
#: Types whose values are words to be read; others are told by their names.
_IN_WORDS = frozenset({"text", "title", "tags", "number", "category"})


def which_question(
    call: Call, subtask: int, boxes: Sequence[Box], thing: str, picture: str
) -> Question:
    """What to ask where a tool has to know which box of a picture is meant."""
    return Question(
        f"I see {len(boxes)} that “{thing}” could be. Which one do you mean?",
        subtask,
        _places_in_words(boxes, thing),
        picture=picture,
        boxes=tuple(boxes),
        call=call.base,
        chosen=call.chosen or (),
    )


def held_back(node: Node, call: Call, calls: Calls, store: Store) -> Question | Failed | None:
    """What keeps the call of a step that acts outside from being made: that nobody has said yes to
    it. Where nobody is asked the terms say whether it is made."""
    terms = calls.terms
    if terms.chosen is None:
        return None if terms.may_act else _nobody_asked(call)
    ways = calls.toolbox.implementations.get(call.tool.name, ())
    key = _consent_key(call, ways, calls.occasion_of(node))
    answers = terms.chosen.get(key)
    if not answers:
        return _consent_question(call, node.step.subtask, key, store)
    return None if answers[-1] == DO_IT else _left_out(call)


def _consent_key(call: Call, ways: Sequence[Implementation], occasion: str) -> str:
    """What a yes holds for: this tool as it is implemented here, these inputs, this occasion."""
    content = [
        "consent",
        call.tool.name,
        [way.identity(call.capabilities) for way in ways],
        sorted((name, content_of(given)) for name, given in call.inputs.items()),
        sorted((name, repr(value)) for name, value in call.parameters.items()),
        occasion,
    ]
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()


def _consent_question(call: Call, subtask: int, key: str, store: Store) -> Question:
    """Whether a call may be made: what it does, by which tool, with which values."""
    values = [
        f"{name.replace('_', ' ')}: {_in_words(given, store)}"
        for name, given in _told(call).items()
    ]
    told = f" It is given {'; '.join(values)}." if values else ""
    where = " outside this machine" if call.implementation.runtime == "cloud" else ""
    does = _line(call.tool.description)
    message = (
        f"May “{call.tool.in_words}” do this{where}? It says of itself: {does}"
        f"{told} This cannot always be taken back."
    )
    return Question(message, subtask, CHOICES, call=key)


def _left_out(call: Call) -> Failed:
    """What becomes of a call that the person would not have."""
    said = f"You left this out: {call.tool.in_words} was not called."
    return Failed(said, True, code=Code.GAVE_UP)


def _nobody_asked(call: Call) -> Failed:
    """What becomes of a call where nobody can say whether it may be made."""
    said = (
        f"“{call.tool.in_words}” acts outside this program, which cannot always be "
        "taken back, and there is nobody here to ask whether it may. Ask in the page, or allow "
        "it with --allow-acting or CONTROLLLM_ACT_OUTSIDE=allow."
    )
    return Failed(said, True, code=Code.GAVE_UP)


def _told(call: Call) -> Mapping[str, object]:
    """All that a call is told, inputs and settings."""
    return {**call.inputs, **call.parameters}


def _in_words(given: object, store: Store) -> str:
    if isinstance(given, Literal):
        return _line(given.text)
    if isinstance(given, Resource):
        return _of_resource(given, store)
    if isinstance(given, list | tuple):
        return ", ".join(_in_words(item, store) for item in given) or "nothing"
    return _line(given) if isinstance(given, str) else str(given)


def _of_resource(resource: Resource, store: Store) -> str:
    """A text in quotation marks; a picture, a sound and everything else by its name."""
    if resource.type not in _IN_WORDS and not resource.media_type.startswith(("text/", "applic")):
        return f"{resource.value} ({resource.type})"
    try:
        path = store.path(resource.digest, resource.media_type)
        with path.open("rb") as file:
            data = file.read(_READ)
            size = file.seek(0, 2)
            if size > _READ:
                file.seek(max(_READ, size - _READ))
                data += b" " + file.read()
    except (OSError, StoreError):
        return f"{resource.value} ({resource.type})"
    return _line(data.decode("utf-8", "ignore"), size)


def _line(text: str, length: int = 0) -> str:
    """A text on one line, in quotation marks, the middle of a long one left out; without what
    cannot be seen, or turns the order of letters, and could make it look like another."""
    seen = "".join(
        letter if letter.isprintable() else " " for letter in re.sub(r"\s+", " ", text)
    ).strip()
    if len(seen) <= _BEGINNING + _ENDING:
        return f"“{seen}”"
    length = max(length, len(text))
    return f"“{seen[:_BEGINNING]} …” to “… {seen[-_ENDING:]}” ({length:,} characters in all)"


def _places_in_words(boxes: Sequence[Box], thing: str) -> tuple[str, ...]:
    """What tells boxes apart in words: their labels, counted from the left."""
    lefts = sorted(range(len(boxes)), key=lambda place: boxes[place].left + boxes[place].right)
    ranks = {place: rank for rank, place in enumerate(lefts, 1)}
    return tuple(
        f"{box.label or thing}, number {ranks[place]} from the left"
        for place, box in enumerate(boxes)
    )
