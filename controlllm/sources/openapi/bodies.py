"""Bodies of requests to OpenAPI operations: JSON, forms and files."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

import httpx2

from controlllm.sources.source import ForeignArgument
from controlllm.sources.wire import file_of, in_words, sent

Given = Sequence[tuple[ForeignArgument, Any]]
#: Lists and objects in each other that are written with brackets; what lies deeper is JSON.
_MOST_NESTED = 20
_FORM = "multipart/form-data"


def body(kind: str, given: Given) -> tuple[bytes | None, str]:
    """The bytes of a body of a content type, and that type; None where nothing is sent.

    Raises ToolError where a value does not fit.
    """
    if not kind or not given:
        return (b"{}", kind) if "json" in kind else (None, "")
    first, value = given[0]
    is_whole = not first.call.get("path")
    if "json" in kind:
        found: Any = sent(first, value) if is_whole else _nested(given)
        return json.dumps(found, ensure_ascii=False).encode(), kind
    if kind == "application/x-www-form-urlencoded":
        return urlencode([(name, words) for name, words, _ in _fields(kind, given)]).encode(), kind
    if kind == _FORM:
        files = [
            (_in_brackets(argument), file_of(argument, item))
            for argument, value in given
            if argument.call.get("file")
            for item in (value if argument.many else [value])
        ]
        plain = [(item, value) for item, value in given if not item.call.get("file")]
        fields = [
            (name, (None, words.encode(), media_type) if media_type else (None, words.encode()))
            for name, words, media_type in _fields(kind, plain)
        ]
        packed = httpx2.Request("POST", "http://x/", files=[*fields, *files])
        return packed.read(), packed.headers["Content-Type"]
    _, content, media_type = file_of(first, value)
    return content, media_type if media_type.split("/")[0] == kind.split("/")[0] else kind


def _in_brackets(argument: ForeignArgument) -> str:
    """The name of a form's field: what lies in something has the names of both."""
    first, *inner = argument.call.get("path") or [argument.call["name"]]
    return "".join((str(first), *(f"[{name}]" for name in inner)))


def _nested(given: Given) -> dict[str, Any]:
    """An object with the objects in it of which the arguments are properties."""
    found: dict[str, Any] = {}
    for argument, value in given:
        *above, last = argument.call.get("path") or [argument.call["name"]]
        place = found
        for name in above:
            place = place.setdefault(name, {})
        place[last] = sent(argument, value)
    return found


def _fields(kind: str, given: Given) -> list[tuple[str, str, str]]:
    """The fields of a form: the name of each, its words, their media type where it is told."""
    forms = {
        str((item.call.get("path") or [item.call["name"]])[0]): item.call.get("form") or {}
        for item, _ in given
    }
    return [
        field
        for name, value in _nested(given).items()
        for field in _written(str(name), value, forms.get(str(name), {}), kind == _FORM)
    ]


def _written(
    name: str, value: Any, form: Mapping[str, Any], is_multipart: bool
) -> list[tuple[str, str, str]]:
    """The fields for one property of a form.

    An object where nothing says how is JSON in a form of several parts (OpenAPI 3, 4.8.15), and
    else written with the names of what is in it in brackets, as servers read it.
    """
    is_deep = form.get("as") == "deep"
    if is_multipart and not is_deep and isinstance(value, Mapping):
        return [(name, json.dumps(value, ensure_ascii=False), "application/json")]
    if is_deep or isinstance(value, Mapping):
        return [(inner, words, "") for inner, words in deep(name, value)]
    return [(name, in_words(item), "") for item in (value if isinstance(value, list) else [value])]


def deep(name: str, value: Any, depth: int = 0) -> list[tuple[str, str]]:
    """A value as fields whose names say in brackets where in it each lies: ``shipping[name]``,
    ``expand[]``, ``lines[0][price]``."""
    if depth < _MOST_NESTED and isinstance(value, Mapping):
        return [
            field
            for key, item in value.items()
            for field in deep(f"{name}[{key}]", item, depth + 1)
        ]
    if depth < _MOST_NESTED and isinstance(value, list):
        holds_more = any(isinstance(item, Mapping | list) for item in value)
        mark = "" if name.endswith("[]") else "[]"
        return [
            field
            for place, item in enumerate(value)
            for field in deep(f"{name}[{place}]" if holds_more else name + mark, item, depth + 1)
        ]
    return [(name, in_words(value))]
