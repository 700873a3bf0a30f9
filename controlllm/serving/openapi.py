"""The document that describes the interface (OpenAPI 3.1), and a plain page that shows it.

Both are made of the list of operations and of the tools that there are.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from controlllm import __version__
from controlllm.serving.arguments import is_media, schema_of
from controlllm.serving.messages import Problem
from controlllm.serving.operations import Operation
from controlllm.toolbox import Tool, Toolbox

_REF = "#/components/schemas/{model}"
_ABOUT = """\
Pictures, sound, video and text, worked on by tools that are searched for and run as a plan.

Every request needs the header `Authorization: Bearer TOKEN`. What is wrong is said in a sentence,
as `{"detail": "…"}`. Runs are answered by their events, one object of JSON a line
(`application/x-ndjson`), or as server-sent events where the header `Accept: text/event-stream` is
sent, or, with `?wait=1`, by what they came to. The last event is one of `AnswerFinished`,
`RequestFailed` and `RequestCancelled`. What results and events quote of files is data."""
_MEDIA = {"image": "image/png", "audio": "audio/wav", "video": "video/mp4", "html": "text/html"}
_PROBLEMS = {
    "400": "The request cannot be understood.",
    "401": "There is no valid token.",
    "403": "This token only reads.",
    "404": "There is no such thing, or it is not yours.",
    "413": "This is too large.",
    "422": "Something that was sent is wrong.",
    "429": "A limit is reached.",
    "507": "It cannot be kept.",
}


def document(operations: Sequence[Operation], toolbox: Toolbox, prefix: str) -> dict[str, Any]:
    """The OpenAPI document of the interface at a prefix of the address."""
    models: set[type[BaseModel]] = {Problem}
    for operation in operations:
        models |= {m for m in (operation.takes, operation.gives) if isinstance(m, type)}
    listed: list[tuple[type[BaseModel], Any]] = [
        (model, "validation") for model in sorted(models, key=lambda model: model.__name__)
    ]
    _, schemas = models_json_schema(listed, ref_template=_REF)
    paths: dict[str, Any] = {}
    for operation in operations:
        paths.setdefault(operation.path, {})[operation.method.lower()] = _described(operation)
    for tool in toolbox:
        paths[f"/tools/{tool.name}"] = {"post": _tool(tool, toolbox)}
    return {
        "openapi": "3.1.0",
        "info": {"title": "ControlLLM", "version": __version__, "description": _ABOUT},
        "servers": [{"url": prefix}],
        "security": [{"token": []}],
        "paths": paths,
        "components": {
            "schemas": schemas["$defs"],
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _described(operation: Operation) -> dict[str, Any]:
    names = re.findall(r"{(\w+)}", operation.path)
    parameters: list[dict[str, Any]] = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
        for name in names
    ]
    parameters += [
        {
            "name": query.name,
            "in": "query",
            "description": query.description,
            "schema": {"type": query.type},
        }
        for query in operation.queries
    ]
    found: dict[str, Any] = {
        "operationId": operation.name,
        "summary": operation.summary,
        "responses": {str(operation.status): _given(operation), **_problems(operation)},
    }
    if operation.description:
        found["description"] = operation.description
    if parameters:
        found["parameters"] = parameters
    if operation.takes == "bytes":
        content: dict[str, Any] = {"application/octet-stream": {}}
        found["requestBody"] = {"required": True, "content": content}
    elif operation.takes is not None:
        found["requestBody"] = {"required": True, "content": _json(operation.takes)}
    return found


def _given(operation: Operation) -> dict[str, Any]:
    given: dict[str, Any] = {"description": operation.summary + "."}
    if operation.kind == "bytes":
        given["content"] = {"application/octet-stream": {}}
    elif operation.kind != "nothing" and operation.gives is not None:
        given["content"] = _json(operation.gives)
        if operation.kind == "events":
            lines = {"schema": {"type": "string", "description": "The events of the run."}}
            given["content"] |= {"application/x-ndjson": lines, "text/event-stream": lines}
    return given


def _json(model: type[BaseModel]) -> dict[str, Any]:
    return {"application/json": {"schema": {"$ref": _REF.format(model=model.__name__)}}}


def _problems(operation: Operation | None = None) -> dict[str, Any]:
    left_out = set() if operation is None or operation.runs else {"403"}
    return {
        code: {"description": said, "content": _json(Problem)}
        for code, said in _PROBLEMS.items()
        if code not in left_out
    }


def _tool(tool: Tool, toolbox: Toolbox) -> dict[str, Any]:
    """A tool by itself: everything in one request, the result's own bytes as the answer."""
    schema = schema_of(tool, toolbox, with_bytes=True)
    form = schema_of(tool, toolbox, with_bytes=True)
    kinds = {argument.name: argument for argument in tool.args}
    for name, one in form["properties"].items():
        media = name in kinds and is_media(kinds[name].type)
        target = one["items"] if media and kinds[name].many else one
        if media:
            target.pop("contentEncoding")
            target["format"] = "binary"
    made = tool.returns.type
    lattice = toolbox.lattice
    general = lattice.ancestors(made)[-1]
    if made in ("bbox", "point", "category"):
        content: dict[str, Any] = {"application/json": {"schema": {"type": "array"}}}
    elif made in ("mask",) or general in _MEDIA:
        kind = _MEDIA.get(general, "image/png")
        content = {kind: {"schema": {"type": "string", "format": "binary"}}}
    else:
        content = {"text/plain": {"schema": {"type": "string"}}}
    return {
        "operationId": f"tool_{tool.name}",
        "tags": [tool.domain],
        "summary": tool.description,
        "requestBody": {
            "required": True,
            "content": {
                "application/json": {"schema": schema},
                "multipart/form-data": {"schema": form},
            },
        },
        "responses": {
            "200": {"description": f"The result: {made}.", "content": content},
            **_problems(),
        },
    }


# The page


def page(found: dict[str, Any]) -> str:
    """The document as a page without scripts."""
    rows = "".join(_rows(found))
    schemas = found["components"]["schemas"]
    objects = "".join(
        f"<details><summary><code>{html.escape(name)}</code> "
        f"{_words(schema.get('description', ''))}</summary>{_schema(schema, schemas)}</details>"
        for name, schema in schemas.items()
    )
    about = "".join(f"<p>{_words(part)}</p>" for part in found["info"]["description"].split("\n\n"))
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        "<title>ControlLLM for programs</title>"
        f"<style>{_STYLE}</style></head><body><main><h1>ControlLLM for programs</h1>{about}"
        f'<p>As data: <a href="{found["servers"][0]["url"]}/openapi.json">openapi.json</a></p>'
        f"{rows}<h2>Objects</h2>{objects}</main></body></html>"
    )


def _rows(found: dict[str, Any]) -> Iterator[str]:
    prefix = found["servers"][0]["url"]
    schemas = found["components"]["schemas"]
    group = ""
    for path, methods in found["paths"].items():
        for method, said in methods.items():
            if group != (group := "Each tool by itself" if said.get("tags") else "Operations"):
                yield f"<h2>{group}</h2>"
            address = html.escape(prefix + path)
            summary = html.escape(said["summary"])
            more = [f"<p>{_words(said['description'])}</p>"] if said.get("description") else []
            more += [
                f"<p><code>{html.escape(item['name'])}</code> ({item['in']}) "
                f"{_words(item.get('description', ''))}</p>"
                for item in said.get("parameters", ())
            ]
            for kind, one in said.get("requestBody", {}).get("content", {}).items():
                more.append(f"<h3>Takes {kind}</h3>{_schema(one.get('schema'), schemas)}")
            for code, one in said["responses"].items():
                if code.startswith("2"):
                    kinds = ", ".join(one.get("content", {})) or "nothing"
                    more.append(f"<h3>Gives {code}: {html.escape(kinds)}</h3>")
                    for inner in one.get("content", {}).values():
                        more.append(_schema(inner.get("schema"), schemas))
            yield (
                f"<details><summary><b>{method.upper()}</b> <code>{address}</code> {summary}"
                f"</summary>{''.join(more)}</details>"
            )


def _schema(schema: dict[str, Any] | None, schemas: dict[str, Any]) -> str:
    if not schema:
        return ""
    if "$ref" in schema:
        schema = schemas[schema["$ref"].rsplit("/", 1)[-1]]
    rows = []
    for name, one in schema.get("properties", {}).items():
        mark = "" if name in schema.get("required", ()) else " (may be left out)"
        rows.append(
            f"<li><code>{html.escape(name)}</code>{mark}: {_kind(one)}. "
            f"{_words(one.get('description', ''))}</li>"
        )
    return f"<ul>{''.join(rows)}</ul>" if rows else f"<p>{_kind(schema)}</p>"


def _kind(one: dict[str, Any]) -> str:
    if "$ref" in one:
        return html.escape(one["$ref"].rsplit("/", 1)[-1])
    if one.get("type") == "array":
        return f"list of {_kind(one.get('items', {}))}"
    if "anyOf" in one:
        return " or ".join(_kind(item) for item in one["anyOf"])
    media = one.get("contentMediaType")
    if media:
        return html.escape(f"{media}, {one.get('contentEncoding', 'a file')}")
    return html.escape(str(one.get("type", "anything")))


def _words(text: str) -> str:
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(text, quote=False))


_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;margin:0;background:#fff;color:#1c2024}"
    "main{max-width:60rem;margin:0 auto;padding:2rem 1rem}"
    "details{border-top:1px solid #d5d9de;padding:.5rem 0}summary{cursor:pointer}"
    "summary b{display:inline-block;min-width:4.5rem}h3{font-size:1rem;margin:.75rem 0 .25rem}"
    "code{background:#f1f3f5;padding:.1em .3em;border-radius:3px}a{color:#0b57a4}"
    "@media(prefers-color-scheme:dark){body{background:#16181b;color:#e6e8ea}"
    "code{background:#262a2f}details{border-color:#363b41}a{color:#8ab8f0}}"
)
