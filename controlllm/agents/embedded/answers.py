"""The answer in words: what was found for each part of a task, and what was not."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from controlllm.agents.embedded.facts import Fact, facts_of, read, words_of
from controlllm.agents.embedded.parts import Part
from controlllm.core.state import Result, State
from controlllm.resources import Resource, TypeLattice

#: How a sentence ends, within quotation marks or brackets too.
_ENDED = re.compile(r"[.!?…:][\"'”’»)\]*_`]*$")
#: How it is said that media were made, as planned answers say it.
_READY = {
    "image": "Here is the picture:",
    "audio": "The sound is ready:",
    "video": "The video is ready:",
    "html": "The web page is ready:",
}
#: So many facts are told for a part.
_MOST_TOLD = 24


def finished(part: Part, state: State) -> bool:
    """Whether a part of a task is answered."""
    return any(item.answers and item.subtask == part.words.part for item in state.results)


def answer_of(
    parts: Sequence[Part],
    state: State,
    resources: Mapping[str, Resource] = MappingProxyType({}),
) -> str:
    """What was found for each part, and in plain words what was not and why; `resources` are those
    at hand, by their names."""
    lines = []
    for part in parts:
        words = part.words.part.strip().rstrip(".?! ")
        heading = f"{words[:1].upper()}{words[1:]}: "
        found = [i for i in state.results if i.answers and i.subtask == part.words.part]
        if found:
            told = [_brought(item, resources) for item in found]
            said = "; ".join([*(item.rstrip(". ") for item in told[:-1]), told[-1]])
            is_ready = len(parts) == 1 and _is_media(found[0].source, resources)
            lines.append(("" if is_ready else heading) + _sentence(said))
        elif part.lacking:
            lines.append(f"{heading if len(parts) > 1 else ''}{part.lacking}")
        else:
            reasons = [item.reason.rstrip(".") for item in state.failures][-2:]
            why = f" ({'; '.join(reasons)})" if reasons else ""
            lines.append(f"I could not find out or do this: {words}{why}.")
    return "\n".join(lines)


def _sentence(said: str) -> str:
    """What was found with a full stop, unless it is a sentence that has its own end."""
    said = said.rstrip()
    return said if _ENDED.search(said) else f"{said}."


def _is_media(name: str, resources: Mapping[str, Resource]) -> bool:
    """Whether a resource is none that an answer can quote: a picture, a sound, boxes."""
    if name not in resources or "text" in resources[name].details:
        return False
    lattice, made = TypeLattice(), resources[name].type
    return made in lattice and not lattice.is_a(made, "text")


def _brought(result: Result, resources: Mapping[str, Resource]) -> str:
    """What a result is, for a person: what stands in it, or, of media, which it is."""
    if not _is_media(result.source, resources):
        return _told(read(result.finding))
    made, tool = resources[result.source].type, result.tool.replace("_", " ")
    kind = "image" if TypeLattice().is_a(made, "image") else made
    ready = _READY.get(kind, f"Here is what {tool} made:")
    return f"{ready} {result.source}"


def told_in_words(finding: str) -> str:
    """A finding as a sentence for a person: what was noted of an answer, or the answer itself where
    it is data. Words are left as they are."""
    text = finding.strip()
    facts = facts_of(text) if text[:1] in ("{", "[") else read(text)
    if not any(fact.path for fact in facts):
        return "; ".join(str(fact.value) for fact in facts)
    said = _told(facts)
    return f"{said[:1].upper()}{said[1:]}."


def _told(facts: Sequence[Fact]) -> str:
    """Facts in words for a person; those of another entry of a list after a semicolon."""
    told = ""
    before = ""
    for fact in facts[:_MOST_TOLD]:
        name = words_of(fact.name) if fact.path else ""
        value = (
            {True: "yes", False: "no"}[fact.value] if isinstance(fact.value, bool) else fact.value
        )
        if told:
            told += ", " if fact.record == before else "; "
        told += f"{name}: {value}" if name else str(value)
        before = fact.record
    return told
