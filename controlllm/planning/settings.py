"""What a request says for the settings of a tool: numbers by the name or unit that they are said
with, one of the values that a tool lists, and colours."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from controlllm.core.plans import Action, Literal, values_of
from controlllm.planning.arguments import role_of
from controlllm.planning.clauses import bare
from controlllm.toolbox import Argument, Parameter, Tool, Toolbox
from controlllm.values import (
    Decibels,
    FileSize,
    Hertz,
    Pages,
    Pixels,
    as_said,
    kind_of_hint,
    values_in,
)
from controlllm.values.plain import plain
from controlllm.values.said_words import words_alone
from controlllm.values.times import find_passages

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
#: How the description of a setting ends that takes only some values (`sources/naming.py`).
_LISTED = re.compile(r"\bOne of: ([^…]+)\.$")
_COLOUR = re.compile(r"(?:^|_)colou?r$")
_COLOURS = (
    "black white grey gray red orange yellow green blue purple violet pink brown gold silver "
    "turquoise"
).split()


def with_settings(actions: Sequence[Action], text: str, toolbox: Toolbox) -> tuple[Action, ...]:
    """Actions with what a text says for their tools' settings, see `said_for` and `with_values`.

    A setting that is bound already stays as it is, unless it was given words that it does not list
    while the text says one that it does.
    """
    alone = tuple(_with_words_alone(action, text, toolbox[action.tool]) for action in actions)
    said = tuple(
        _with_said(action, _without_words(text, action, toolbox[action.tool]), toolbox[action.tool])
        for action in alone
    )
    return with_values(said, text, toolbox)


def with_values(actions: Sequence[Action], text: str, toolbox: Toolbox) -> tuple[Action, ...]:
    """Actions with the values that a text says for those parameters of their tools that are of a
    kind of value (`controlllm.values`) and not bound yet."""
    return tuple(_with_kinds(action, text, toolbox[action.tool]) for action in actions)


def _with_kinds(action: Action, text: str, tool: Tool) -> Action:
    kinds = {item.name: item.kind for item in tool.parameters if item.kind is not None}
    if kinds.keys() <= action.inputs.keys():
        return action
    taken = {
        name: value.text for name, value in action.inputs.items() if isinstance(value, Literal)
    }
    found = values_in(_without_words(text, action, tool), kinds, taken)
    said = {name: Literal(as_said(value)) for name, value in found.items()}
    return replace(action, inputs={**action.inputs, **said}) if said else action


def _words_as_they_are(action: Action, tool: Tool) -> dict[str, str]:
    """The words that an action is given beside its files to be put somewhere as they are."""
    if all(item.type == "text" for item in tool.args):
        return {}
    return {
        item.name: value.text
        for item in tool.args
        if item.type == "text"
        and item.name != "text"
        and role_of(item) == "content"
        and isinstance(value := action.inputs.get(item.name), Literal)
    }


def _with_words_alone(action: Action, text: str, tool: Tool) -> Action:
    kinds = [item.kind for item in tool.parameters if item.kind is not None]
    called = tool.name.split("_")
    alone = {
        name: Literal(_with_marks(words_alone(said, bare(text), kinds, called), name, text))
        for name, said in _words_as_they_are(action, tool).items()
    }
    return replace(action, inputs={**action.inputs, **alone}) if alone else action


def _with_marks(words: str, name: str, text: str) -> str:
    """What is to be written with the exclamation marks that follow it in a text: "first day!"."""
    if name != "words":
        return words
    marks = re.search(rf"(?<!\w){re.escape(words)}(!+)", text)
    return words + marks[1] if marks else words


def _without_words(text: str, action: Action, tool: Tool) -> str:
    """A text with the words that an action puts somewhere in quotation marks, so that they say
    nothing of how it is done: "NOT PAID" is to be written."""
    for words in _words_as_they_are(action, tool).values():
        if len(words) < _ALL_OF_IT * len(text):
            # What is quoted already stays so.
            alone = rf"(?<![\w\"'“‘«]){re.escape(words)}(?!\w)"
            text = re.sub(alone, '"\\g<0>"', text, count=1)
    return text


#: Words that are about so much of a text are an order rather than words to be put somewhere.
_ALL_OF_IT = 0.8

#: What is said in figures with a unit has to come to something.
_MEASURED = tuple(
    kind_of_hint(hint)[1]  # type: ignore[index]
    for hint in (FileSize, Decibels, Hertz, Pages, Pixels)
)


def unused_values(actions: Sequence[Action], text: str) -> tuple[str, ...]:
    """The words for measures of a text (a file's size, a level, a pitch, pages, pixels) that no
    action is given, neither as a setting nor in words."""
    words, told = plain(text), _told(actions)
    said: dict[str, object] = {}
    for kind in _MEASURED:
        for found in kind.find(words):
            said.setdefault(words[found.start : found.end].strip(), found.value)
    return tuple(
        phrase
        for phrase, value in said.items()
        if not any(_holds(item, phrase, value) for item in told)
    )


def unused_passages(actions: Sequence[Action], text: str) -> tuple[str, ...]:
    """The words for the passages of a recording, told by times, that no action is given."""
    words, told = plain(text), _told(actions)
    said = {words[item.start : item.end].strip(): item.value for item in find_passages(words)}
    return tuple(
        phrase
        for phrase, value in said.items()
        if re.search(r"\d", phrase) and not any(_holds(item, phrase, value) for item in told)
    )


def _told(actions: Sequence[Action]) -> list[str]:
    """The words and values that actions are given."""
    return [
        value.text
        for action in actions
        for given in action.inputs.values()
        for value in values_of(given)
        if isinstance(value, Literal)
    ]


def _holds(told: str, phrase: str, value: object) -> bool:
    """Whether what an action is given is a value, or holds its words or its figures."""
    figures = re.findall(r"\d+(?:\.\d+)?", phrase)
    has_figures = all(re.search(rf"(?<![\d.]){re.escape(item)}(?![\d])", told) for item in figures)
    return told == as_said(value) or phrase in plain(told) or (bool(figures) and has_figures)


def _with_said(action: Action, text: str, tool: Tool) -> Action:
    settings: tuple[Parameter | Argument, ...] = (*tool.parameters, *tool.args)
    said = {
        setting.name: Literal(value)
        for setting in settings
        if not getattr(setting, "kind", None)
        and _is_open(setting, action)
        and (value := said_for(setting, text)) is not None
    }
    return replace(action, inputs={**action.inputs, **said}) if said else action


def _is_open(setting: Parameter | Argument, action: Action) -> bool:
    given = action.inputs.get(setting.name)
    if given is None:
        return isinstance(setting, Parameter) or (setting.type == "text" and not setting.many)
    listed = _listed(setting)
    return bool(listed) and isinstance(given, Literal) and given.text not in listed


def said_for(setting: Parameter | Argument, text: str) -> str | None:
    """What a text says for a setting: the one number with its name or unit, as "500" of "500
    grams" and of "grams: 500"; the one word of those that it lists; the one colour for what is
    called one. None where it says none, or several."""
    default = setting.default if isinstance(setting, Parameter) else ""
    if isinstance(default, str):
        is_colour = _COLOUR.search(setting.name.lower())
        return _the_one(_listed(setting) or (_COLOURS if is_colour else ()), text)
    return _number(setting, text) if isinstance(setting, Parameter) else None


def _listed(setting: Parameter | Argument) -> Sequence[str]:
    """The values that a setting says it takes, where it names all of them."""
    told = _LISTED.search(setting.description)
    return told[1].split(", ") if told else ()


def _the_one(values: Sequence[str], text: str) -> str | None:
    """The only one of some values that stands in a text, spelt as it has to be given."""
    found = [
        value for value in values if re.search(rf"(?<!\w){re.escape(value)}(?!\w)", text, re.I)
    ]
    return found[0] if len(found) == 1 else None


def _number(parameter: Parameter, text: str) -> str | None:
    if type(parameter.default) not in (int, float):
        return None
    bearers = [parameter.name.replace("_", " "), *_UNIT.findall(parameter.description.lower())]
    found = {number for name in bearers for number in _numbers(name.lower(), plain(text))}
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
