"""What a Gradio app offers, as a source: each of its named functions a tool.

Types are told from the components that a function's inputs and outputs are. What has no name, or
takes what cannot be given, is left out.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from controlllm.network.gradio_client import MOST_BYTES, Watched
from controlllm.sources.documents import Unreadable
from controlllm.sources.inference import Inferred, value_type
from controlllm.sources.naming import (
    MOST_ALLOWED,
    MOST_ARGUMENTS,
    MOST_OF_ARGUMENT,
    plain,
    shortened,
    unique,
    with_allowed,
)
from controlllm.sources.schemas import Schema
from controlllm.sources.secrets import secret
from controlllm.sources.source import ADDRESS_ALONE, Adding, ForeignArgument, ForeignTool, Source
from controlllm.toolbox import Context, ToolError
from controlllm.toolbox.rooms import tool_module

MOST_FUNCTIONS = 500
#: Components that are of one type whatever they are called.
_TYPES = {
    **dict.fromkeys(("image", "imageeditor", "imageslider", "annotatedimage"), "image"),
    **dict.fromkeys(("gallery", "plot"), "image"),
    **{"audio": "audio", "video": "video", "html": "html"},
    **dict.fromkeys(("number", "slider"), "number"),
    **dict.fromkeys(("textbox", "text", "textarea", "markdown", "code", "dropdown"), "text"),
    **dict.fromkeys(("radio", "checkbox", "checkboxgroup", "label", "json"), "text"),
    **dict.fromkeys(("dataframe", "highlightedtext", "multimodaltextbox", "chatbot"), "text"),
    **dict.fromkeys(("datetime", "colorpicker"), "text"),
}
#: What a function gives that it cannot be handed.
_GIVEN_ONLY = frozenset({"gallery", "imageslider", "annotatedimage", "plot", "chatbot", "label"})
_MEDIA = ("image", "audio", "video")
_NUMBERED = re.compile(r"(?:parameter|value|param)_\d+")
_FILES = frozenset({"file", "uploadbutton", "downloadbutton"})


def described(address: str, name: str, adding: Adding = ADDRESS_ALONE) -> Source:
    """The source that a Gradio app is, with all its named functions; with ``#/name`` behind the
    address that one alone.

    Secrets are ``bearer`` for a token of Hugging Face, else by the header that each is for. An app
    cannot say itself that its functions only compute, so without `reads` they act outside.

    Raises ToolError with a sentence where there is no app that can be used.
    """
    place, _, wanted = address.partition("#")
    options: dict[str, Any] = {"is_local": adding.is_local, "reads": adding.reads}
    secrets = dict(adding.secrets)
    source = Source(name, "gradio", place, "A Gradio app.", (), secrets, options, adding.home)
    with opened(source, Context()) as client:
        functions = functions_of(source, client)
    names: set[str] = set()
    tools, left_out = [], []
    for own, function in list(functions.items())[:MOST_FUNCTIONS]:
        if wanted and own.strip("/") != wanted.strip("/"):
            continue
        try:
            tool = _tool(unique(plain(own), names), own, function)
        except (Unreadable, LookupError, TypeError, ValueError, AttributeError) as error:
            said = str(error) if isinstance(error, Unreadable) else "it is not described as it is"
            left_out.append(f"{shortened(own, 60)}: {said}")
            continue
        names.add(tool.name)
        tools.append(replace(tool, acts_outside=not adding.reads))
    if not tools:
        raise ToolError(f"{name} offers no function that can be used.")
    return replace(source, tools=tuple(tools), options={**options, "left_out": left_out})


@contextmanager
def opened(source: Source, context: Context) -> Iterator[Any]:
    """Gradio's client of a source's app, watched; raises ToolError where there is no such app."""
    gradio_apps = tool_module("cloud.gradio_apps")
    if not source.address.startswith(("http://", "https://")):
        raise ToolError("A Gradio app is added by its address on the web, https://…")
    watched = Watched(source.address, source.options.get("is_local") is True, MOST_BYTES)
    headers = {role: secret(name, source.home) for role, name in source.secrets.items()}
    key = headers.pop("bearer", "")
    options = {"auth": watched, "trust_env": False}
    with gradio_apps.opened(source.address, key, context, headers, options) as client:
        client.watched = watched
        yield client


def functions_of(source: Source, client: Any) -> Mapping[str, Any]:
    """An app's named functions as it describes them; raises ToolError where that is nothing."""
    try:
        found = client.view_api(return_format="dict", print_info=False)["named_endpoints"]
        return {str(own): function for own, function in found.items()}
    except (AttributeError, LookupError, TypeError, ValueError):
        pass
    raise ToolError(f"{source.name} does not say in Gradio's form what it offers.")


def fingerprint(function: Any) -> str:
    """Changes when what a function takes or gives does."""
    told = [
        [
            [item.get(key) for key in ("parameter_name", "component", "type")]
            for item in function[part]
        ]
        for part in ("parameters", "returns")
    ]
    return hashlib.sha256(json.dumps(told, sort_keys=True, default=str).encode()).hexdigest()[:16]


def _tool(name: str, own: str, function: Mapping[str, Any]) -> ForeignTool:
    """A function as it is kept; raises Unreadable where it cannot be used."""
    found: dict[str, ForeignArgument] = {}
    reasons = []
    for item in function["parameters"]:
        argument = _argument(item, found)
        if argument is None:
            continue
        if len(found) == MOST_ARGUMENTS:
            raise Unreadable(f"it needs more than {MOST_ARGUMENTS} values")
        kept, why = argument
        found[kept.name] = kept
        reasons.append(why.to_json(kept.name))
    result, output = _result(function["returns"])
    labels = " and ".join(_label(item) for item in function["parameters"][:4])
    gives = " and ".join(_label(item) for item in function["returns"][:4])
    spoken = name.replace("_", " ").capitalize()
    said = function.get("description") or f"{spoken}: {gives or 'a result'} from {labels or 'none'}"
    return ForeignTool(
        name,
        shortened(str(said)),
        tuple(found.values()),
        result.type,
        call={
            "name": own,
            "fingerprint": fingerprint(function),
            "output": output,
            "outputs": len(function["returns"]),
            "reasons": [result.to_json("result"), *reasons],
        },
    )


def _label(item: Mapping[str, Any]) -> str:
    """What a component is called; Gradio numbers those that their app gave no name."""
    told = (item.get("label"), item.get("parameter_name"), item.get("component"))
    names = (str(name) for name in told if isinstance(name, str) and name)
    return next((name for name in names if not _NUMBERED.fullmatch(name)), "")[:100]


def _argument(
    item: Mapping[str, Any], taken: Mapping[str, Any]
) -> tuple[ForeignArgument, Inferred] | None:
    """An argument with its type's reason, None where the function does without it; raises
    Unreadable where it does not."""
    own, component = str(item["parameter_name"]), str(item["component"]).lower()
    has_default = item.get("parameter_has_default") is True
    default = item.get("parameter_default") if has_default else None
    found = None if component in _GIVEN_ONLY else _type_of(item)
    if found is None and not has_default:
        raise Unreadable(f"it takes {component[:40]!r}, which cannot be given")
    is_plain = isinstance(default, str | int | float)
    if found is None or (has_default and not is_plain and found.type not in _MEDIA):
        return None
    schema = item.get("type")
    schema = schema if isinstance(schema, Mapping) else {}
    call: dict[str, Any] = {"name": own, "component": component, "type": schema.get("type") or ""}
    if component in ("multimodaltextbox", "file"):
        call["type"] = ""
    if "subtitles" in str(schema.get("properties") or "")[:10_000]:
        call["in_two"] = True
    enum = schema.get("enum")
    if isinstance(enum, list):
        call["enum"] = [value for value in enum if isinstance(value, str | int | float)]
        call["enum"] = call["enum"][:MOST_ALLOWED]
    if found.type == "number" and not has_default:
        found = Inferred("text", "It is a number, and a request says it in words.", 0.8)
    name = unique(plain(own, "value"), taken)
    said = shortened(_label(item), MOST_OF_ARGUMENT)
    said = with_allowed(said, call.get("enum") or ())
    kept = ForeignArgument(
        name, found.type, said, not has_default, False, default if is_plain else None, "", call
    )
    return kept, found


def _type_of(item: Mapping[str, Any]) -> Inferred | None:
    """The type of what a component holds; None where nothing says it."""
    component = str(item["component"]).lower()
    if component in _TYPES:
        return Inferred(_TYPES[component], f"It is shown as {component}.", 0.9)
    if component in _FILES:
        found = value_type(_label(item), Schema(type="string", is_binary=True))
        return found if found.type != "text" else None
    return None


def _result(returns: Sequence[Mapping[str, Any]]) -> tuple[Inferred, int]:
    """The type of a function's result, and which of its outputs that is: the first file, else the
    first of what it gives."""
    found = [(_type_of(item), place) for place, item in enumerate(returns)]
    known = [(item, place) for item, place in found if item is not None]
    files = [(item, place) for item, place in known if item.type in _MEDIA]
    for item, place in (*files, *known):
        return item, place
    raise Unreadable("it gives nothing that can be used")
