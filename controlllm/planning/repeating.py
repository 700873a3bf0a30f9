"""Wishes to have done to another file what was done last: "do the same to the other one"; and what
is not said anew of a step that was done before: "a bit smaller, the writing"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from controlllm.core.lineage import lineage
from controlllm.core.plans import Action, Subtask
from controlllm.core.plans import Literal as Words
from controlllm.core.session import Turn
from controlllm.planning.arguments import role_of
from controlllm.planning.clauses import bare
from controlllm.planning.restoring import without_leads
from controlllm.planning.settings import with_settings
from controlllm.toolbox import Tool, Toolbox

_FILES = (
    "picture|photo|image|pic|photograph|recording|sound|audio|clip|video|film|movie|song|track|file"
    "|one|document|text"
)
_NAME = r"(?:\"[^\"]+\"|“[^”]+”|[\w ()-]*\.[a-z0-9]{2,5})"
_OTHERS = (
    r"(?:all\s+)?(?:of\s+)?(?:(?:the|my)\s+)?"
    rf"(?:others|rest|(?:other|remaining)\s+(?:(?:two|three|four|\d)\b\s*)?(?:{_FILES})s|"
    r"other\s+(?:two|three|four|\d))"
)
_OTHER = (
    r"(?:(?:the|my)\s+)?(?:other|first|second|third|fourth|fifth|last|next)"
    rf"(?:\s+(?:{_FILES}))?"
)
_THIS = (
    r"(?:this|that|these|the\s+new)(?:\s+(?:other|new))?(?:\s+(?:two|three))?"
    rf"(?:\s+(?:{_FILES})s?)?|it"
)
_TARGET = (
    rf"(?P<target>(?P<others>{_OTHERS})|(?P<other>{_OTHER})|(?P<this>{_THIS})|(?P<name>{_NAME}))"
)
_SAME = (
    r"(?:exactly\s+)?(?:the\s+)?same(?:\s+(?:thing|edit|edits|change|changes|steps?))?(?:\s+again)?"
)
_BOTH = (
    r"(?P<both>both(?:\s+(?:things|steps|edits|changes|of\s+(?:them|those|these)))?"
    r"|(?:those|these)\s+two\s+(?:things|steps|edits|changes))"
)
_ALL = (
    r"(?P<all>all(?:\s+of)?\s+(?:that|this|those|these|the\s+(?:steps|changes|edits))|everything)"
)
_ALSO = r"(?:\s+(?:too|also|as\s+well|again|next|now|of\s+course))*"
_PATTERNS = (
    rf"(?:do|apply|repeat|make|try)\s+(?:{_SAME}|{_BOTH}|{_ALL}|it|that|this)(?:\s+(?:again|also))?\s+"
    rf"(?:to|with|for|on|in)\s+{_TARGET}{_ALSO}",
    rf"(?:{_SAME}|{_BOTH}|{_ALL})\s+(?:to|with|for|on|in)\s+{_TARGET}{_ALSO}",
    rf"(?:(?:to|with|for|on)\s+)?{_TARGET},?\s+(?:too|also|as\s*well|ditto|likewise)"
    r"(?:\s+of\s+course)?",
    rf"(?:what\s+about|how\s+about)\s+{_TARGET}{_ALSO}",
)


@dataclass(frozen=True)
class Again:
    """What of the last requests is done again, and to what: `others` of the files, the one that
    came along (`this`), or one that is called by its name or place (`named`, `words`)."""

    what: Literal["last", "both", "all"]
    to: Literal["others", "other", "this", "named"]
    words: str = ""


def repeating(text: str) -> Again | None:
    """What a request wants done again; None where it asks anything else."""
    said = bare(without_leads(bare(text))).strip(" .,!?;:").replace("’", "'")
    said = re.sub(r"\s*,\s*(?=please$)", " ", " ".join(said.split()))
    said = re.sub(r"\s*\b(?:please|thanks)$", "", said, flags=re.IGNORECASE)
    for pattern in _PATTERNS:
        found = re.fullmatch(pattern, said, re.IGNORECASE)
        if found is None:
            continue
        told = found.groupdict()
        what: Literal["last", "both", "all"] = (
            "both" if told.get("both") else "all" if told.get("all") else "last"
        )
        if told["others"]:
            return Again(what, "others")
        if told["other"] and re.match(r"(?:(?:the|my)\s+)?other", told["other"], re.IGNORECASE):
            return Again(what, "other")
        if told["this"]:
            return Again(what, "this")
        return Again(what, "named", told["target"])
    return None


#: Says that it is to be as it was for another file.
_AS_BEFORE = re.compile(
    r"\b(?:same|also|as\s*well|again|likewise|ditto|like\s+before|next(?!\s+to))\b|"
    r"\btoo(?=\s*(?:[,.;!?]|$|please\b|but\b))",
    re.IGNORECASE,
)
#: Begins anew from a file.
_ORIGINAL = re.compile(r"\b(?:original|untouched)\b", re.IGNORECASE)


def with_settings_as_before(
    actions: Sequence[Action], subtask: Subtask, turns: Sequence[Turn], toolbox: Toolbox
) -> tuple[Action, ...]:
    """Actions with what a subtask says for their tools' settings, see `with_settings`, and with
    what the last steps by the same tools in the turns before were told besides.

    What is done anew to the same files keeps all that is not said now: "a bit smaller, the writing"
    writes the same words. So does what is to be the same for another file: "this one too, in red".
    """
    before = [_done_before(action.tool, subtask, turns) for action in actions]
    kept = [
        _words_kept(action, done, toolbox[action.tool], subtask)
        for action, done in zip(actions, before, strict=True)
    ]
    said = with_settings(kept, subtask.description, toolbox)
    return tuple(
        _values_kept(action, done, toolbox[action.tool])
        for action, done in zip(said, before, strict=True)
    )


@dataclass(frozen=True)
class _Before:
    """A step of an earlier turn that is done anew, or where it is not `is_anew`, to what came of
    it."""

    action: Action
    is_anew: bool


def _done_before(tool: str, subtask: Subtask, turns: Sequence[Turn]) -> _Before | None:
    """The last step by a tool in some turns that a subtask does once more; None where there is
    none, or where what is worked on now is yet to be made."""
    files, said = {item.value for item in subtask.args if not item.role}, subtask.description
    step = next((step for turn in reversed(turns) for step in _steps_by(tool, turn)), None)
    if step is None or not files or any(value.startswith("<GEN>-") for value in files):
        return None
    task, action, results = step
    now = lineage(turns)
    if files == {item.value for item in task.args if not item.role}:
        is_new = _ORIGINAL.search(said) or any(value in said for value in files)
        return None if is_new else _Before(action, True)
    goes_on = any(results.intersection(now.line(value)) for value in files)
    return _Before(action, not goes_on) if _AS_BEFORE.search(said) else None


def _steps_by(tool: str, turn: Turn) -> Iterator[tuple[Subtask, Action, set[str]]]:
    """The steps by a tool that a turn chose, the last first, with what the turn made."""
    made = {item.value for item in turn.results.values()}
    for task in reversed(turn.plan.subtasks if turn.plan else ()):
        way = turn.plan.solution(task.id) if turn.plan else None
        for action in reversed(way.actions if way else ()):
            if action.tool == tool:
                yield task, action, made


#: Roles of words that say how something is done, or to what.
_TELLING = frozenset({"prompt", "question", "object"})


def _words_kept(action: Action, before: _Before | None, tool: Tool, subtask: Subtask) -> Action:
    """A step with the words of a step before in place of others that were not heard to be such."""
    if before is None or not before.is_anew:
        return action
    heard = {item.role for item in subtask.args if item.role}
    kept = {
        item.name: old
        for item in tool.args
        if item.type == "text"
        and isinstance(action.inputs.get(item.name), Words)
        and isinstance(old := before.action.inputs.get(item.name), Words)
        and heard <= _TELLING - {role_of(item)}
    }
    return replace(action, inputs={**action.inputs, **kept})


def _values_kept(said: Action, before: _Before | None, tool: Tool) -> Action:
    """A step with the values of a step before for what it was not told; one that goes on from that
    has them only where it was told nothing at all."""
    names = {item.name for item in tool.parameters}
    was_told = any(isinstance(value, Words) for value in said.inputs.values())
    if before is None or (was_told and not before.is_anew):
        return said
    old = {name: value for name, value in before.action.inputs.items() if name in names}
    kept = {name: value for name, value in old.items() if isinstance(value, Words)}
    return replace(said, inputs={**kept, **said.inputs})
