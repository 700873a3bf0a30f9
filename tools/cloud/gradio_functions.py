"""Which of a Gradio app's functions does a tool's work, and how its inputs are handed to it.

Told by the names of the function's parameters and by the components that they and its outputs have.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from controlllm.toolbox import Argument, Tool, ToolError

from .answers import kind_of

WHO = "The Gradio app"

#: Which of Gradio's components take and give what, the fittest first.
_WORDS = ("textbox", "textarea", "text", "markdown", "code", "html")
_TAKES: Mapping[str, tuple[str, ...]] = {
    "picture": ("image", "imageeditor", "file"),
    "mask": ("image", "file"),
    "audio": ("audio", "file"),
    "video": ("video", "file"),
    "number": ("number", "slider", "textbox"),
    "words": _WORDS,
}
_GIVES: Mapping[str, tuple[str, ...]] = {
    "picture": ("image", "gallery", "imageslider", "imageeditor", "annotatedimage", "file"),
    "mask": ("image", "imageeditor", "file"),
    "audio": ("audio", "file"),
    "video": ("video", "file"),
    "number": ("number", "slider", "textbox", "label"),
    "words": (*_WORDS, "label", "json"),
    "category": ("label", "json", "textbox"),
    "bbox": ("json",),
}


@dataclass(frozen=True)
class Fit:
    """One of an app's functions, the tool's argument for each of its parameters, and which of its
    outputs is the result. `left` is how many arguments it has no room for."""

    name: str
    arguments: Mapping[str, Argument]
    output: int
    outputs: int
    left: int


def fitting(tool: Tool, given: Mapping[str, Any], described: Mapping[str, Any], wanted: str) -> Fit:
    """The function of the app that fits the tool best; raises ToolError where none does."""
    found = []
    for name, function in described.get("named_endpoints", {}).items():
        if wanted and name.strip("/") != wanted.strip("/"):
            continue
        fit = _fit(tool, given, name, function)
        if fit is not None:
            found.append(fit)
    if not found:
        what = f"function {wanted!r} that fits" if wanted else "function that fits"
        raise ToolError(
            f"{WHO} at this address has no {what} {tool.name}. Choose another app in the settings."
        )
    return min(found, key=lambda fit: (fit.left, fit.name.strip("/") != tool.name))


def _fit(tool: Tool, given: Mapping[str, Any], name: str, function: Any) -> Fit | None:
    parameters = list(function["parameters"])
    arguments: dict[str, Argument] = {}
    left = 0
    # A mask last: a picture takes the first place for pictures.
    for argument in sorted(tool.args, key=lambda argument: argument.type == "mask"):
        if argument.name not in given:
            continue
        room = _room(argument, parameters, arguments)
        if room is not None:
            arguments[room] = argument
        elif argument.type == "mask" and "imageeditor" in _used(parameters, arguments):
            continue
        elif argument.optional or argument.type in ("bbox", "point"):
            left += 1
        else:
            return None
    for parameter in parameters:
        own = any(item.name == parameter["parameter_name"] for item in tool.parameters)
        filled = parameter["parameter_name"] in arguments or own
        if not filled and not parameter.get("parameter_has_default"):
            return None
    returns = [str(item["component"]).lower() for item in function["returns"]]
    components = _GIVES.get(kind_of(tool.returns.type), ())
    for component in components:
        if component in returns:
            place = returns.index(component)
            return Fit(name, arguments, place, len(returns), left)
    return None


def _room(argument: Argument, parameters: list[Any], taken: Mapping[str, Argument]) -> str | None:
    """The parameter for an argument: one of its name, else the first of the fittest component."""
    if argument.many:
        return None
    kind = kind_of(argument.type)
    components = _TAKES.get("words" if kind == "category" else kind, ())
    free = [item for item in parameters if item["parameter_name"] not in taken]
    for item in free:
        component = str(item["component"]).lower()
        if item["parameter_name"] == argument.name and component in components:
            return str(item["parameter_name"])
    for component in components:
        for item in free:
            if str(item["component"]).lower() == component:
                return str(item["parameter_name"])
    return None


def _used(parameters: list[Any], taken: Mapping[str, Argument]) -> list[str]:
    return [
        str(item["component"]).lower() for item in parameters if item["parameter_name"] in taken
    ]
