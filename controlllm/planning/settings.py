"""Numbers of a request that reach a tool's settings by the name or unit that they are said with."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from controlllm.plans import Action, Literal
from controlllm.toolbox import Parameter, Tool, Toolbox

_NUMBER = r"(?<![\w.,\-])(-?\d+(?:,\d{3})*(?:\.\d+)?)(?![.,]?\d)"
#: How units are written short, by their names.
_SHORT = {
    "gram": "g",
    "kilogram": "kg",
    "metre": "m",
    "meter": "m",
    "kilometre": "km",
    "kilometer": "km",
    "litre": "l",
    "liter": "l",
    "second": "s",
    "minute": "min",
    "hour": "h",
}
_UNIT = re.compile(r"\bin ([a-z]+)\b")


def with_settings(actions: Sequence[Action], text: str, toolbox: Toolbox) -> tuple[Action, ...]:
    """Actions with the numbers that a text says for their tools' settings.

    A setting that is bound already stays as it is, and so does one for which the text says several
    numbers, or none of the default's type.
    """
    return tuple(_with_said(action, text, toolbox[action.tool]) for action in actions)


def _with_said(action: Action, text: str, tool: Tool) -> Action:
    said = {
        parameter.name: Literal(number)
        for parameter in tool.parameters
        if parameter.name not in action.inputs and (number := said_for(parameter, text)) is not None
    }
    return replace(action, inputs={**action.inputs, **said}) if said else action


def said_for(parameter: Parameter, text: str) -> str | None:
    """The one number that a text says with the name or the unit of a setting, as "500" of "500
    grams" and of "grams: 500"; None where it says none, or several, or the setting is no number."""
    if type(parameter.default) not in (int, float):
        return None
    bearers = [parameter.name.replace("_", " "), *_UNIT.findall(parameter.description.lower())]
    found = {number for name in bearers for number in _numbers(name.lower(), text.lower())}
    fitting = [number for number in found if parameter.read(number) is not None]
    return fitting[0] if len(found) == len(fitting) == 1 else None


def _numbers(name: str, text: str) -> Iterable[str]:
    """The numbers that stand right before or after a name, in digits alone."""
    one = name[:-1] if name.endswith("s") else name
    forms = f"{re.escape(one)}s?"
    short = _SHORT.get(one)
    units = f"(?:{forms}|{short})" if short else forms
    for pattern in (
        rf"{_NUMBER}[ -]?{units}(?!\w)",
        rf"(?<!\w){forms}(?: ?[:=] ?| of | is | to | )?{_NUMBER}(?!-?{units})",
    ):
        for number in re.findall(pattern, text):
            yield number.replace(",", "")
