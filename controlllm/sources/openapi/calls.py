"""Calls of tools that come from OpenAPI documents, with their bodies: JSON, forms and files."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any
from urllib.parse import quote, urlencode

import httpx2

from controlllm.network.retry_after import retry_after
from controlllm.network.transport import place_of
from controlllm.resources.well_formed import json_from_outside
from controlllm.sources.fetching import Answer, Asked, Bounds, fetch, pause
from controlllm.sources.naming import shortened
from controlllm.sources.openapi.security import Proof, forget, hidden, proof_of, server_of
from controlllm.sources.source import ForeignArgument, ForeignTool, Source
from controlllm.sources.wire import (
    after_acting,
    as_value,
    bad_input,
    file_of,
    in_words,
    read_json,
    sent,
    taken,
)
from controlllm.toolbox import Code, Context, ToolError

BOUNDS = Bounds()
#: Bytes of a request.
MOST_SENT = 64 * 1024 * 1024
#: A server that asks to wait no longer than this is asked again, in seconds.
_MOST_WAIT = 5.0
_MOST_SAID = 200
_CODES: Mapping[int, Code] = {
    **dict.fromkeys((401, 403), Code.UNAUTHORISED),
    **dict.fromkeys((404, 405, 410), Code.NOT_FOUND),
    **dict.fromkeys((408, 504), Code.TIMED_OUT),
    **{402: Code.NOT_SUBSCRIBED, 503: Code.TOO_MANY},
}
_REASONS = ("detail", "message", "error_description", "error", "title", "reason", "msg", "errors")


def call(source: Source, tool: ForeignTool, inputs: Mapping[str, Any], context: Context) -> Any:
    """Ask an operation; a value of the tool's return type.

    Raises ToolError with a code; the text of its message comes from the server only where it says
    what was wrong with a request, cut short and without secrets.
    """
    is_local = (tool.call if "server" in tool.call else source.options).get("is_local")
    own = place_of(server_of(source, tool)) if is_local else None
    proof = proof_of(source, tool, own, context)
    asked = _request(source, tool, inputs, proof)
    answer = fetch(asked, own, context, BOUNDS)
    if answer.status == 401 and forget(proof):
        proof = proof_of(source, tool, own, context)
        answer = fetch(_request(source, tool, inputs, proof), own, context, BOUNDS)
    if answer.status == 429:
        wait = retry_after(answer.headers)
        if wait is not None and wait <= _MOST_WAIT:
            pause(wait, context)
            answer = fetch(asked, own, context, BOUNDS)
    if not 200 <= answer.status < 300:
        _refuse(source, tool, answer, proof)
    with after_acting(tool):
        return _value(source, tool, answer, proof, context)


def _request(source: Source, tool: ForeignTool, inputs: Mapping[str, Any], proof: Proof) -> Asked:
    """The request of a call; raises ToolError where an input does not fit."""
    path = str(tool.call["path"])
    query: list[tuple[str, str]] = []
    headers: dict[str, str] = {}
    cookies = dict(proof.cookies)
    inside: list[tuple[ForeignArgument, Any]] = []
    for argument in tool.arguments:
        given = inputs.get(argument.name)
        if given is None or (argument.many and not given):
            continue
        where, wire = argument.call["in"], str(argument.call["name"])
        if where == "body":
            inside.append((argument, given))
            continue
        value = sent(argument, given)
        if where == "path":
            kind = re.search(rf"([^/{{}}]+)/{re.escape(f'{{{wire}}}')}", tool.call["path"])
            named = _number_alone(value, kind[1]) if kind else value
            path = path.replace(f"{{{wire}}}", _in_path(argument, named))
        elif where == "query":
            query += _in_query(argument, wire, value)
        elif where == "header":
            headers[wire] = _in_header(argument, _joined(argument, value))
        else:
            cookies[wire] = quote(_joined(argument, value), safe="")
    if re.search(r"\{[^{}]*\}", path):
        raise ToolError(f"{tool.name} lacks a value for its address.", Code.BAD_INPUT)
    # Keys in addresses last: some servers log what comes before.
    query += list(proof.query.items())
    words = urlencode(query, quote_via=quote)
    url = f"{server_of(source, tool)}{path}" + (f"?{words}" if words else "")
    secrets = dict(proof.headers)
    if cookies:
        secrets["Cookie"] = "; ".join(f"{name}={value}" for name, value in cookies.items())
    content, content_type = body(str(tool.call.get("body") or ""), inside)
    if content is not None and len(content) > MOST_SENT:
        raise ToolError(f"{tool.name} would send more than {MOST_SENT >> 20} MB.", Code.BAD_INPUT)
    if content_type:
        headers["Content-Type"] = content_type
    return Asked(tool.call["method"], url, headers, content, secrets)


def _number_alone(value: Any, kind: str) -> Any:
    """A value without the word for what it numbers, which the address has before it: of "user 42"
    or "user 42's", 42 is what stands in /users/{id}."""
    if not isinstance(value, str):
        return value
    singular = re.sub(r"ies$", "y", kind).removesuffix("s")
    said = re.fullmatch(
        rf"(?:the )?{re.escape(singular)}(?:s|ies)?(?: no\.?| number| id)? #?(\S*\d\S*?)(?:['’]s)?",
        value.strip(),
        re.IGNORECASE,
    )
    return said[1] if said else value


def _in_path(argument: ForeignArgument, value: Any) -> str:
    items = [in_words(item) for item in value] if isinstance(value, list) else [in_words(value)]
    if not any(items) or ",".join(items) in (".", ".."):
        raise bad_input(argument, f"cannot be {','.join(items)!r}")
    return ",".join(quote(item, safe="") for item in items)


def _in_query(argument: ForeignArgument, wire: str, value: Any) -> list[tuple[str, str]]:
    if argument.call.get("json"):
        return [(wire, json.dumps(value, ensure_ascii=False))]
    if isinstance(value, list | Mapping) and argument.call.get("deep"):
        return deep(wire, value)
    if isinstance(value, list) and not argument.call.get("joined"):
        return [(wire, in_words(item)) for item in value]
    if isinstance(value, Mapping):
        return [(str(key), in_words(item)) for key, item in value.items()]
    return [(wire, _joined(argument, value))]


def _joined(argument: ForeignArgument, value: Any) -> str:
    if isinstance(value, list):
        told = argument.call.get("joined")
        return (told if isinstance(told, str) else ",").join(map(in_words, value))
    return in_words(value)


def _in_header(argument: ForeignArgument, words: str) -> str:
    if not words.isprintable():
        raise bad_input(argument, "holds characters that cannot be sent there")
    return words if words.isascii() else quote(words)


def _value(
    source: Source, tool: ForeignTool, answer: Answer, proof: Proof, context: Context
) -> Any:
    """What an answer holds, as a value of the tool's return type."""
    take = tool.call.get("take") or ()
    is_json = "json" in answer.media_type
    if not answer.content:
        if tool.returns == "text":
            return "Done."
        raise ToolError(f"{source.name} sent an empty answer.")
    if not is_json and not (take and answer.content.lstrip()[:1] in (b"{", b"[")):
        if tool.returns in ("text", "html"):
            words = answer.content.decode("utf-8", "replace")
            return as_value(tool.returns, hidden(words, proof.told), source.name, context)
        return as_value(tool.returns, answer.content, source.name, context)
    words = hidden(answer.content.decode("utf-8", "replace"), proof.told)
    found = read_json(words.encode(), source.name)
    _refuse_error(source, found, proof)
    return as_value(tool.returns, taken(found, take, source.name), source.name, context)


def _refuse_error(source: Source, found: Any, proof: Proof) -> None:
    """Raise ToolError where an answer says of itself that it is an error, and nothing else."""
    usual = {"error", "message", "status", "code", "success", "detail", "error_code"}
    if isinstance(found, Mapping) and found.get("error") and set(found) <= usual:
        raise ToolError(f"{source.name} {_said(found, proof) or 'answered with an error.'}")


def _refuse(source: Source, tool: ForeignTool, answer: Answer, proof: Proof) -> None:
    """Raise the ToolError that an answer's status stands for."""
    status, name = answer.status, source.name
    code = _CODES.get(status, Code.BAD_INPUT if 400 <= status < 500 else Code.ERROR)
    if status >= 500 and tool.acts_outside and code.did_nothing:
        code = Code.ERROR  # it may have acted before it gave up
    try:
        found = json_from_outside(answer.content[:200_000])
    except (ValueError, RecursionError):
        found = None
    said = _said(found, proof)
    if status == 429:
        wait = retry_after(answer.headers)
        until = f"asks to wait {wait:.0f} seconds" if wait else "asks to wait a while"
        code = Code.TOO_MANY if wait is None else Code.RATE_LIMITED
        raise ToolError(f"{name} has had too many requests and {until}.", code)
    if status == 403 and re.search(r"subscri|plan|payment|quota", said, re.IGNORECASE):
        code = Code.NOT_SUBSCRIBED
    if status >= 500 or status == 408:
        fault = ToolError(f"{name} has a fault of its own ({status}). Try again later.", code)
        # What became of the request is not known, and the fault may pass.
        raise fault from ConnectionError(str(status))
    words = {
        Code.UNAUTHORISED: "does not let us in; check its secret.",
        Code.NOT_SUBSCRIBED: "wants a subscription for this.",
        Code.NOT_FOUND: "has nothing there.",
    }.get(code, "did not accept the request.")
    phrase = HTTPStatus(status).phrase if status in set(HTTPStatus) else "no success"
    raise ToolError(f"{name} {words} ({status} {phrase}){f' {said}' if said else ''}", code)


def _said(found: Any, proof: Proof) -> str:
    """What a server says was wrong, in its words: short, plain, and marked as its words."""
    words = _reason(found)
    return f"It says: “{shortened(hidden(words, proof.told), _MOST_SAID)}”" if words else ""


def _reason(found: Any, depth: int = 0) -> str:
    if isinstance(found, str):
        return found
    if depth > 3:
        return ""
    if isinstance(found, list):
        return "; ".join(filter(None, (_reason(item, depth + 1) for item in found[:4])))
    if isinstance(found, Mapping):
        # FastAPI tells where in the request it was.
        where = found.get("loc")
        at = f"{'.'.join(map(str, where[1:]))}: " if isinstance(where, list) and where[1:] else ""
        words = next((said for key in _REASONS if (said := _reason(found.get(key), depth + 1))), "")
        return f"{at}{words}" if words else ""
    return ""


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
