"""Plans of m&m's as JSON and as code, in and out.

Reading follows the benchmark's rules: what stands behind "RESULT #:", from the first brace to the
last, or between the fences of a block of code. It does not take over their faults: newlines and
backslashes inside strings stay, and code is never run: `code.py` interprets it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.suites.answers import REFERENCE, Call
from benchmarks.suites.mnms.code import NotAPlan, calls_in
from controlllm.language.reading import Unusable

_RESULT = "RESULT #:"
_FENCED = re.compile(r"```(?:python|py)?[ \t]*\n(.*?)```", re.DOTALL)
_ACTION = re.compile(r"ACTION\s*\d*\s*:", re.IGNORECASE)
_ENDS = re.compile(r"\bTERMINATE\b")
#: A backslash that begins nothing that JSON knows, such as the one in "Emma\'s".
_STRAY = re.compile(r'\\(?!["\\/bfnrtu])')


@dataclass(frozen=True)
class Parsed:
    """What a reply holds: calls, or why it holds none.

    `code` is ``json`` where it is no such JSON, ``unknown`` for anything else, empty where it could
    be read. `ended` says that the model has nothing to add. `program` is the code that was read.
    """

    calls: tuple[Call, ...] = ()
    message: str = ""
    code: str = ""
    ended: bool = False
    program: str = ""

    @property
    def is_read(self) -> bool:
        return not self.code


def read_plan(text: str, form: str) -> Parsed:
    """A whole plan in a reply, as ``json`` or ``code``."""
    behind = text.rpartition(_RESULT)[2]
    if form == "code":
        return _read_code(behind, text)
    try:
        told = _json_in(behind)
        if "nodes" not in told:
            raise Unusable('The object has no "nodes".')
        return Parsed(_calls(told["nodes"]))
    except Unusable as problem:
        return _unread(problem, text)


def read_step(text: str, form: str, before: Sequence[Call] = ()) -> Parsed:
    """One node in a reply, step by step, after those `before`; the thought is left aside."""
    if form == "code":
        return _read_code(text, text, before)
    found = list(_ACTION.finditer(text))
    behind = text[found[-1].end() :] if found else text.rpartition(_RESULT)[2]
    try:
        return Parsed(_calls([_json_in(behind)]))
    except Unusable as problem:
        return _unread(problem, text)


def _unread(problem: Unusable, text: str) -> Parsed:
    if _ENDS.search(text):
        return Parsed(ended=True)
    return Parsed(message=str(problem), code="json")


def _json_in(text: str) -> dict[str, Any]:
    start, end = text.find("{"), text.rfind("}")
    if start < 0 or end < start:
        raise Unusable("There is no JSON object in the reply.")
    inner = text[start : end + 1]
    decoder = json.JSONDecoder(strict=False)
    try:
        told = decoder.decode(inner)
    except (ValueError, RecursionError) as first:
        try:
            told = decoder.decode(_STRAY.sub("", inner))
        except (ValueError, RecursionError):
            raise Unusable(f"The reply is no valid JSON: {first}.") from None
    if not isinstance(told, dict):
        raise Unusable("The reply is no JSON object.")
    return told


def _calls(nodes: Any) -> tuple[Call, ...]:
    if not isinstance(nodes, list):
        raise Unusable('"nodes" is no list.')
    calls = []
    for place, node in enumerate(nodes):
        if not isinstance(node, dict):
            raise Unusable(f"Node {place} is no object.")
        for name, kind, what in (("name", str, "text"), ("args", dict, "object")):
            if not isinstance(node.get(name), kind):
                raise Unusable(f'"{name}" of node {place} is no {what}.')
        number = node.get("id")
        if isinstance(number, str) and number.isdigit():
            number = int(number)
        if isinstance(number, bool) or not isinstance(number, int):
            raise Unusable(f'"id" of node {place} is no whole number.')
        calls.append(Call(node["name"], node["args"], number))
    return tuple(calls)


def _read_code(behind: str, text: str, before: Sequence[Call] = ()) -> Parsed:
    found = _FENCED.search(behind)
    if found is None:
        if _ENDS.search(text):
            return Parsed(ended=True)
        return Parsed(message="There is no block of Python code in the reply.", code="unknown")
    try:
        return Parsed(calls_in(found[1], before), program=found[1].strip("\n"))
    except NotAPlan as problem:
        return Parsed(message=str(problem), code="unknown")


def to_json(calls: Iterable[Call]) -> str:
    """A plan as m&m's JSON."""
    return json.dumps({"nodes": [call.to_json() for call in calls]}, ensure_ascii=False)


def to_code(calls: Sequence[Call]) -> str:
    """A plan as m&m's code: ``solve()`` with a line for each call."""
    lines = [f"    {line}" for line in code_lines(calls)]
    result = ", ".join(f"{call.id}: output{call.id}" for call in calls)
    return "\n".join(["def solve():", *lines, f"    result = {{{result}}}", "    return result"])


def code_lines(calls: Iterable[Call]) -> list[str]:
    """Each call as an assignment; any value gives a line that can be read again."""
    lines = []
    for call in calls:
        given = ", ".join(f"{name}={_in_code(value)}" for name, value in call.arguments.items())
        lines.append(f"output{call.id} = {call.tool.replace(' ', '_')}({given})")
    return lines


def _in_code(value: Any) -> str:
    if not isinstance(value, str):
        return json.dumps(value) if isinstance(value, list | dict) else repr(value)
    whole = REFERENCE.fullmatch(value)
    if whole is not None:
        return _looked_up(whole)
    if REFERENCE.search(value) is None:
        return repr(value)
    # What is no reference is quoted, so that quotes and braces in it stay words.
    parts, position = [], 0
    for found in REFERENCE.finditer(value):
        parts += [_quoted(value[position : found.start()]), "{" + _looked_up(found) + "}"]
        position = found.end()
    return 'f"' + "".join([*parts, _quoted(value[position:])]) + '"'


def _looked_up(found: re.Match[str]) -> str:
    return f"output{found[1]}['{found[2]}']" if found[2] else f"output{found[1]}"


def _quoted(words: str) -> str:
    inner = json.dumps(words, ensure_ascii=False)[1:-1]
    return inner.replace("{", "{{").replace("}", "}}")
