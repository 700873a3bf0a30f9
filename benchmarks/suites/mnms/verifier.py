"""m&m's verifier as its authors' code has it (`their_check`), and a strict one (`strict_check`).

Theirs reads the number of a node as one digit (10 is 1), sees an edge only where an argument begins
with the reference, never looks at the type of what is written out, and calls whatever surprises it
``unknown``. Its messages come here in the order in which they are found; its own order is by
chance. The strict one has none of these limits, and also sees a node that is there twice, one that
reads a later one, and an empty argument.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.suites.answers import REFERENCE, Call
from benchmarks.suites.mnms.catalogue import BenchTool, Edges, Slot, catalogue, fits

_TOOLS, _UNKNOWN = "tools", "unknown"
_THEIR_REFERENCE = re.compile(r"<node-\d+>\.[a-zA-Z]+")
_ENDINGS = {
    "image": ("jpg", "jpeg", "png", "gif", "webp", "bmp"),
    "audio": ("flac", "wav", "mp3", "ogg", "m4a"),
}


@dataclass(frozen=True)
class Verdict:
    """What is wrong with a plan: a message for each fault, and the codes; neither where it is
    sound."""

    messages: tuple[str, ...] = ()
    codes: tuple[str, ...] = ()

    @property
    def is_sound(self) -> bool:
        return not self.codes

    @property
    def message(self) -> str:
        return " ".join(self.messages)

    @property
    def code(self) -> str:
        return ", ".join(self.codes)


_Faults = Iterator[tuple[str, str]]


def _verdict(faults: _Faults) -> Verdict:
    found = list(faults)
    return Verdict(
        tuple(dict.fromkeys(message for message, _ in found)),
        tuple(dict.fromkeys(code for _, code in found)),
    )


def _arguments(tool: str) -> str:
    return f"{tool}'s arguments"


def _follows(one: str, other: str) -> str:
    tools = catalogue()
    made = ", ".join(f"{slot.name} ({slot.kind})" for slot in tools[one].outputs)
    taken = ", ".join(f"{slot.name} ({slot.kind})" for slot in tools[other].args)
    return (
        f"{other} should not come after {one}: it makes no sense to hand {made} to {other}, which "
        f"takes {taken}."
    )


# Theirs.


def their_check(calls: Sequence[Call], edges: Edges) -> Verdict:
    """A whole plan, checked as theirs does."""
    try:
        return _verdict(_their_faults(calls, edges))
    except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
        return Verdict((f"Unexpected {type(error).__name__}: {error}.",), (_UNKNOWN,))


def their_check_of_step(call: Call) -> Verdict:
    """One node, checked as theirs does: the tool and the names of its arguments alone."""
    if call.tool not in catalogue():
        return Verdict((_no_such(call.tool),), (_TOOLS,))
    return _verdict(_their_names(call))


def _no_such(name: str) -> str:
    return f"{name} does not exist in the tool list."


def _their_faults(calls: Sequence[Call], edges: Edges) -> _Faults:
    by_id = {call.id: call for call in calls}
    links: dict[tuple[int, int], None] = {}
    for call in calls:
        for value in call.arguments.values():
            if isinstance(value, str) and value.startswith("<node-"):
                links[int(value[6]), call.id] = None
    for call in by_id.values():
        if call.tool not in catalogue():
            yield _no_such(call.tool), _TOOLS
            continue
        yield from _their_names(call)
        for value in call.arguments.values():
            if isinstance(value, str) and "<node-" in value:
                yield from _their_references(call, value, by_id)
    for source, target in links:
        pair = (by_id[source].tool, by_id[target].tool)
        if pair[0] in catalogue() and pair[1] in catalogue() and pair not in edges:
            yield _follows(*pair), _TOOLS


def _their_names(call: Call) -> _Faults:
    wanted = [slot.name for slot in catalogue()[call.tool].args]
    code = _arguments(call.tool)
    if len(wanted) != len(call.arguments):
        had = len(call.arguments)
        yield f"{call.tool} takes {len(wanted)} arguments, and there are {had}.", code
    for name in wanted:
        if name not in call.arguments:
            yield f"'{name}' is missing in the arguments of {call.tool}.", code
    for name in call.arguments:
        if name not in wanted:
            yield f"'{name}' is no argument of {call.tool}.", code


def _their_references(call: Call, value: str, by_id: Mapping[int, Call]) -> _Faults:
    code = _arguments(call.tool)
    found = _THEIR_REFERENCE.findall(value)
    if not found:
        yield _not_so(value), code
    for text in found:
        maker = by_id[int(text[6])].tool
        key = text.partition(".")[2]
        outputs = [slot.name for slot in catalogue()[maker].outputs]
        if key not in outputs:
            yield _no_output(key, maker, outputs), code


def _not_so(value: str) -> str:
    return f"{value!r} is no reference: name an output of an earlier node i as <node-i>.key."


def _no_output(key: str, maker: str, outputs: Sequence[str]) -> str:
    return f"{maker} has no output {key!r}; it has {', '.join(outputs)}."


# Strict.


def strict_check(calls: Sequence[Call], edges: Edges) -> Verdict:
    """A whole plan, or the nodes so far with one more."""
    return _verdict(_strict_faults(calls, edges))


def _strict_faults(calls: Sequence[Call], edges: Edges) -> _Faults:
    before: dict[int, Call] = {}
    later = {call.id for call in calls}
    for call in calls:
        if call.id in before:
            yield f"There are two nodes {call.id}.", _arguments(call.tool)
        tool = catalogue().get(call.tool)
        if tool is None:
            near = difflib.get_close_matches(call.tool, catalogue(), 1)
            hint = f" Did you mean {near[0]}?" if near else ""
            yield _no_such(call.tool) + hint, _TOOLS
        else:
            yield from _strict_names(call, tool)
            for name, value in call.arguments.items():
                slot = tool.argument(name)
                if slot is not None:
                    yield from _strict_value(call, slot, value, before, later, edges)
        before[call.id] = call


def _strict_names(call: Call, tool: BenchTool) -> _Faults:
    code = _arguments(call.tool)
    for slot in tool.args:
        if slot.name not in call.arguments:
            yield f"'{slot.name}' is missing in the arguments of {call.tool}.", code
    for name in call.arguments:
        if tool.argument(name) is None:
            yield f"'{name}' is no argument of {call.tool}.", code


def _strict_value(
    call: Call,
    slot: Slot,
    value: Any,
    before: Mapping[int, Call],
    later: set[int],
    edges: Edges,
) -> _Faults:
    code = _arguments(call.tool)
    text = value if isinstance(value, str) else ""
    found = list(REFERENCE.finditer(text))
    if "<node-" in REFERENCE.sub("", text) or any(not item[2] for item in found):
        yield _not_so(text), code
        return
    if not found:
        problem = _wrong_literal(slot, value)
        if problem:
            yield f"'{slot.name}' of {call.tool} {problem}.", code
        return
    whole = REFERENCE.fullmatch(text) is not None
    for item in found:
        number, key = int(item[1]), item[2]
        maker = before.get(number)
        if maker is None:
            where = "does not come before" if number in later else "is nowhere; it is read by"
            yield f"Node {number} {where} node {call.id}.", code
            continue
        tool = catalogue().get(maker.tool)
        if tool is None:
            continue
        made = tool.output(key)
        if made is None:
            yield _no_output(key, tool.name, [out.name for out in tool.outputs]), code
        elif whole and not fits(made.kind, slot.kind):
            yield (
                f"'{slot.name}' of {call.tool} takes {slot.kind}, and {item[0]} is {made.kind}.",
                code,
            )
        elif not whole and not (slot.kind == "text" and fits(made.kind, "text")):
            yield (
                f"{item[0]} stands inside a longer text, which works only for words: '{slot.name}' "
                f"of {call.tool} takes {slot.kind}, and it is {made.kind}.",
                code,
            )
        if (tool.name, call.tool) not in edges:
            yield _follows(tool.name, call.tool), _TOOLS


def _wrong_literal(slot: Slot, value: Any) -> str:
    """What is wrong with a value that is written out; empty where nothing is."""
    if slot.kind in _ENDINGS:
        is_file = isinstance(value, str) and value.lower().endswith(_ENDINGS[slot.kind])
        return "" if is_file else f"takes the name of a file of {slot.kind}, not {value!r}"
    if slot.kind in ("object", "objects"):
        return f"takes {slot.kind} that an earlier node found, not {value!r}"
    if slot.kind in ("number", "coordinate"):
        try:
            float(value)
        except (TypeError, ValueError):
            return f"takes a number, not {value!r}"
        return ""
    if isinstance(value, str) and value.strip():
        return ""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return "" if is_number else f"takes words, not {value!r}"
