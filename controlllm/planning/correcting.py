"""Another value for what was done last: "bottom right rather", "no, 12 seconds".

Only what is nothing but a value, said as a correction, is heard so; the step that takes such a
value is made anew with it on what it had before.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from controlllm.core.plans import Action, Literal, Plan, Solution, Value, with_values
from controlllm.planning.clauses import bare
from controlllm.planning.restoring import are_known, is_chatter, without_leads
from controlllm.toolbox import Toolbox
from controlllm.values import as_said, values_and_rest, values_in
from controlllm.values.kinds import Kind
from controlllm.values.plain import HIDDEN, plain

#: Says that what was put together was meant in the opposite order.
_SWAPS = re.compile(
    r"^(?:no[,.! ]+)?(?:(?:i meant|please|sorry|actually|do it|make it|put them|the)[, ]+)*"
    r"(?:other way (?:a?round)|swap (?:them|the two|(?:their|the) (?:order|sides|places))|"
    r"vice versa|in (?:the )?(?:other|opposite|reverse) order)\b",
    re.IGNORECASE,
)
#: Says that something said before was not meant.
_CORRECTS = re.compile(
    r"^\W*(?:no|nope|sorry|oops|actually|rather|better|wait|make\s+that|i\s+meant?|"
    r"change\s+(?:that|it)\s+to|i\s+said)\b|\b(?:rather|instead|better|after\s+all|sorry|"
    r"is\s+enough|will\s+do|it\s+turns\s+out)(?:\s+(?:then|i\s+(?:think|guess)))?\W*$",
    re.IGNORECASE,
)
_AROUND = re.compile(
    r"^(?:(?:make|change)\s+(?:that|it)\s+(?:to\s+)?|it\s+should\s+be\s+|i\s+said\s+|(?:better|rather)\s+)+"
    r"|[\s,]*\b(?:rather|instead|(?:is\s+)?better|after\s+all|please|then|sorry|is\s+enough|"
    r"will\s+do|it\s+turns\s+out|i\s+(?:think|guess))$",
    re.IGNORECASE,
)
#: Stand beside a value and say nothing.
_SMALL = frozenset("the a an at in on to by of it be should with for and only just about".split())
#: Ask for a value and say nothing of it.
_ASKS_FOR = frozenset(
    "i you we want would like can could make have put set turn change is are please and now but "
    "bit little lot much more quite than same please thanks also rather instead better ok".split()
)
#: What a tool works on, and not what it puts there, and which of several that is.
_OF_EVERY_FILE = frozenset(
    "picture pictures image images photo video videos film sound audio file files first second "
    "third fourth last next other others both each".split()
)
#: Behind a value: by how much more or less it is to be than it was, "two seconds longer".
_BY = re.compile(
    rf"(?<={HIDDEN}) (?:(?P<more>longer|more|higher|wider|thicker|later)|"
    r"(?:shorter|less|lower|narrower|thinner|earlier|sooner))\b"
)
_MEASURE = re.compile(r"(?<![\w.])(?P<number>\d+(?:[.,]\d+)?)\s*(?P<unit>[a-z%°]*)", re.IGNORECASE)
_MOST_WORDS = 6
#: What stands before the words that are meant: "oh no wait, it must be 2026".
_BEFORE_IT = re.compile(
    r"^(?:(?:oh|ah|no|nope|wait|sorry|oops|ups|hm+|actually|but|i meant?|i said|"
    r"it (?:must|should|has to|ought to|was (?:meant )?to) (?:be|say|read)|it's|it is|that's|"
    r"make (?:it|that))\b[\s,.!:-]*)+",
    re.IGNORECASE,
)
_ONE_NOT_THE_OTHER = re.compile(
    r"(?P<new>[^,;]{1,60}?),? (?:and )?not (?P<old>[^,;]{1,60})|"
    r"not (?P<old_first>[^,;]{1,60}?)(?:,? but|,) (?P<new_last>[^,;]{1,60})",
    re.IGNORECASE,
)


def corrected_plan(text: str, plan: Plan, toolbox: Toolbox) -> Plan | None:
    """The chosen ways of a plan with the value that a text gives in place of one of theirs; None
    where it is not a correction, or no step takes such a value."""
    if _SWAPS.search(bare(text)):
        return _swapped(plan)
    told = _one_not_the_other(text)
    if told is not None and (worded := _with_words(*told, plan, toolbox)) is not None:
        return worded
    named = _with_named(text, plan, toolbox)
    if named is not None or not _CORRECTS.search(text):
        return named
    # "No, that's too long, make it five seconds": what is left is the value.
    clauses = [clause for clause in re.split(r"[,.;!]\s+", text.strip()) if clause]
    left = [clause for clause in clauses if not is_chatter(clause)]
    if len(left) == 1:
        text = left[0]
    said = bare(without_leads(bare(text))).strip(" .,!?;:")
    previous = ""
    while previous != said:
        previous, said = said, _AROUND.sub("", said).strip(" .,!?;:")
    if not said or len(said.split()) > _MOST_WORDS:
        return None
    return _with_kind(said, plan, toolbox) or _with_measure(said, plan, toolbox)


def _one_not_the_other(text: str) -> tuple[str, str] | None:
    """What is meant and what is not, where a text says both: "it must be 2026, not 2025"."""
    found = _ONE_NOT_THE_OTHER.fullmatch(_BEFORE_IT.sub("", text.strip()).strip(" .!?"))
    if found is None:
        return None
    new, old = found["new"] or found["new_last"], found["old"] or found["old_first"]
    return new.strip(" \"'“”‘’"), old.strip(" \"'“”‘’")


def _with_words(new: str, old: str, plan: Plan, toolbox: Toolbox) -> Plan | None:
    """The plan with other words in what a step was told, where those that were not meant stand
    there just once."""
    if not new or not old or set(re.findall(r"[a-z]+", new.lower())) & _ASKS_FOR:
        return None
    # "12 seconds, not 10" is said of "the first 10 seconds".
    behind = re.escape(new.partition(" ")[2])
    pattern = re.compile(rf"(?<!\w){re.escape(old)}(?: {behind})?(?!\w)", re.IGNORECASE)
    for number, place, action in _steps(plan):
        valued = {
            item.name
            for item in (toolbox[action.tool].parameters if action.tool in toolbox else ())
            if item.kind is not None
        }
        inputs = {
            name: Literal(pattern.sub(lambda _: new, given.text))
            for name, given in action.inputs.items()
            if name not in valued
            and isinstance(given, Literal)
            and len(pattern.findall(given.text)) == 1
        }
        if inputs:
            words = _words_of(plan, number)
            action = replace(action, inputs={**action.inputs, **inputs})
            told = pattern.sub(lambda _: new, words)
            return _changed(plan, number, place, action, words, told)
    return None


def _with_named(text: str, plan: Plan, toolbox: Toolbox) -> Plan | None:
    """The plan with other values for what one of its steps put there, where a text names that and
    says nothing else: "bit smaller the writing, and can it be yellow"."""
    for number, place, action in _steps(plan):
        if action.tool not in toolbox:
            continue
        tool = toolbox[action.tool]
        kinds = {item.name: item.kind for item in tool.parameters if item.kind is not None}
        said, rest = values_and_rest(text, kinds)
        if by := _BY.search(rest):
            said, rest = _changed_by(by, said, action), rest.replace(by[0], "", 1)
        left = set(re.findall(r"[a-z]+", rest)) - _SMALL - _ASKS_FOR
        things = " ".join([tool.description, *(item.description for item in tool.parameters)])
        known = set(re.findall(r"[a-z]+", things.lower())) - _OF_EVERY_FILE
        # "Cut seconds 3 to 5 out" asks for another cut.
        is_order = action.tool.split("_")[0] in left
        if not said or not (left or by) or is_order or not are_known(left, known):
            continue
        inputs = {**action.inputs, **{name: Literal(as_said(said[name])) for name in said}}
        if inputs != action.inputs:
            words = _words_of(plan, number)
            action = replace(action, inputs=inputs)
            return _changed(plan, number, place, action, words, f"{words}, {text}")
    return None


def _changed_by(by: re.Match[str], said: dict[str, Any], action: Action) -> dict[str, Any]:
    """The one value that a step had, changed by the one that is said; none where there is none."""
    for name, value in said.items() if len(said) == 1 else ():
        old = action.inputs.get(name)
        if isinstance(value, float) and isinstance(old, Literal) and _MEASURE.fullmatch(old.text):
            return {name: float(old.text) + (value if by["more"] else -value)}
    return {}


def _swapped(plan: Plan) -> Plan | None:
    """The plan whose last step that puts several things together has them in the opposite order."""
    for number, place, action in _steps(plan):
        for name, given in action.inputs.items():
            if isinstance(given, tuple) and len(given) > 1:
                words = _words_of(plan, number)
                action = replace(action, inputs={**action.inputs, name: given[::-1]})
                return _changed(plan, number, place, action, words, words)
    return None


def _with_kind(said: str, plan: Plan, toolbox: Toolbox) -> Plan | None:
    """The plan with a value for a parameter that has a value of such a kind."""
    for number, place, action in _steps(plan):
        for item in toolbox[action.tool].parameters if action.tool in toolbox else ():
            if item.kind is None or item.name not in action.inputs:
                continue
            words = plain(said)
            found = next(iter(item.kind.find(words)), None)
            if found is None:
                continue
            left = (words[: found.start] + " " + words[found.end :]).split()
            if set(left) - _SMALL - set(item.name.split("_")):
                continue
            other = Literal(as_said(found.value))
            if action.inputs[item.name] != other:
                inputs = {**action.inputs, item.name: other}
                words = _renamed(_words_of(plan, number), item.kind, action.inputs[item.name], said)
                action = replace(action, inputs=inputs)
                return _changed(plan, number, place, action, _words_of(plan, number), words)
    return None


def _words_of(plan: Plan, number: int) -> str:
    return next(task.description for task in plan.subtasks if task.id == number)


def _renamed(words: str, kind: Kind, old: Value | tuple[Value, ...], said: str) -> str:
    """What asked for a value with another one in its place, where it can be told."""
    read = plain(words)
    found = [item for item in kind.find(read) if Literal(as_said(item.value)) == old]
    if len(found) != 1 or len(read) != len(words):
        return words
    return words[: found[0].start] + said + words[found[0].end :]


def _with_measure(said: str, plan: Plan, toolbox: Toolbox) -> Plan | None:
    """The plan with another number in the words of a step, where they have one with that unit."""
    told = _MEASURE.fullmatch(" ".join(word for word in said.split() if word not in _SMALL))
    if told is None:
        return None
    for number, place, action in _steps(plan):
        words = _words_of(plan, number)
        measures = [
            item
            for item in _MEASURE.finditer(words)
            if not told["unit"] or _unit(item["unit"]) == _unit(told["unit"])
        ]
        if len(measures) != 1:
            continue
        old = measures[0]
        new_words = words[: old.start("number")] + told["number"] + words[old.end("number") :]
        if new_words == words:
            continue
        inputs = _remeasured(action, words, new_words, old["number"], told["number"], toolbox)
        if inputs != action.inputs:
            return _changed(plan, number, place, replace(action, inputs=inputs), words, new_words)
    return None


def _remeasured(
    action: Action, words: str, new_words: str, old: str, new: str, toolbox: Toolbox
) -> dict[str, Value | tuple[Value, ...]]:
    """The inputs of a step whose words have another number."""
    kinds = {
        item.name: item.kind
        for item in (toolbox[action.tool].parameters if action.tool in toolbox else ())
        if item.kind is not None and item.name in action.inputs
    }
    before, after = values_in(words, kinds), values_in(new_words, kinds)
    inputs = dict(action.inputs)
    for name in kinds:
        if name in before and name in after and inputs[name] == Literal(as_said(before[name])):
            inputs[name] = Literal(as_said(after[name]))

    def other(value: Value) -> Value:
        if not isinstance(value, Literal):
            return value
        pattern = rf"(?<![\w.]){re.escape(old)}(?![\d.,]*\d)"
        found = re.findall(pattern, value.text)
        return Literal(re.sub(pattern, new, value.text)) if len(found) == 1 else value

    rest = {name: given for name, given in inputs.items() if name not in kinds}
    return {**inputs, **with_values(rest, other)}


def _unit(word: str) -> str:
    """A unit as it is compared: "seconds", "sec" and "s" are one."""
    word = word.lower().rstrip("s") or word.lower()
    return word[:3] if len(word) > 2 else word


def _steps(plan: Plan) -> Iterator[tuple[int, int, Action]]:
    """The steps of the chosen ways, the last first, with their subtask and place."""
    for task in reversed(plan.subtasks):
        way = plan.solution(task.id)
        for place in reversed(range(len(way.actions) if way else 0)):
            assert way is not None
            yield task.id, place, way.actions[place]


def _changed(
    plan: Plan, number: int, place: int, action: Action, words: str, new_words: str
) -> Plan:
    """The chosen ways of a plan with another step; nothing that was kept stands for a result."""
    ways: dict[int, tuple[Solution, ...]] = {}
    for task in plan.subtasks:
        way = plan.solution(task.id)
        if way is None:
            ways[task.id] = ()
            continue
        actions = [replace(item, pinned="") for item in way.actions]
        if task.id == number:
            actions[place] = replace(action, pinned="")
        ways[task.id] = (replace(way, actions=tuple(actions), reason="", missing=""),)
    tasks = tuple(
        replace(task, description=new_words)
        if task.id == number and task.description == words
        else task
        for task in plan.subtasks
    )
    return Plan(tasks, ways)
