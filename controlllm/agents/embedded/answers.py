"""The answer in words: what was found for each part of a task, and what was not."""

from __future__ import annotations

from collections.abc import Sequence

from controlllm.agents.embedded.facts import Fact, facts_of, read, words_of
from controlllm.agents.embedded.parts import Part
from controlllm.state import State

#: So many facts are told for a part.
_MOST_TOLD = 24


def finished(part: Part, state: State) -> bool:
    """Whether a part of a task is answered."""
    return any(item.answers and item.subtask == part.words.part for item in state.results)


def answer_of(parts: Sequence[Part], state: State) -> str:
    """What was found for each part, and in plain words what was not and why."""
    lines = []
    for part in parts:
        words = part.words.part.strip().rstrip(".?! ")
        found = [i for i in state.results if i.answers and i.subtask == part.words.part]
        if found:
            said = "; ".join(_told(read(item.finding)) for item in found)
            lines.append(f"{words[:1].upper()}{words[1:]}: {said}.")
        else:
            reasons = [item.reason.rstrip(".") for item in state.failures][-2:]
            why = f" ({'; '.join(reasons)})" if reasons else ""
            lines.append(f"I could not find out or do this: {words}{why}.")
    return "\n".join(lines)


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
