"""The prompted resource expert: words for what the search left open (paper Sec. 6.4, Table 9)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from controlllm.language.asking import Asker
from controlllm.language.prompting import messages_of, read_prompt, shortened
from controlllm.language.reading import Checked, Unusable
from controlllm.plan import Action, Literal, Reference, Subtask, TypedValue, Value
from controlllm.planning.arguments import role_of
from controlllm.planning.clauses import bare
from controlllm.planning.roles import ResourceExpert
from controlllm.planning.search import Candidate, Words
from controlllm.resources import TypeLattice
from controlllm.toolbox import Argument, Tool

#: Words longer than this are a text to work on, which no model need repeat, in characters.
_LONGEST_WORDS = 2_000
#: Tokens that a reply may take.
_MOST_TOKENS = 1_500

#: Words that hold no claim of their own: an answer may add them to those of the request.
_SMALL_WORDS = frozenset(
    "a an and any are at be by can do does for from has have how i in is it its many me much of on "
    "or that the their there these they this those to was were what when where which who why will "
    "with you image images picture pictures photo photos video audio recording text".split()
)


@dataclass(frozen=True)
class Slot:
    """A text argument of a tool with the words that the embedded expert put there."""

    tool: Tool
    argument: Argument
    words: str

    @property
    def key(self) -> tuple[str, str, str]:
        return self.tool.name, self.argument.name, self.words


class PromptedResourceExpert:
    """Fills open text arguments with a language model, out of what was said and is at hand.

    `embedded` fills in everything first; what the model adds has to be found in the subtask's words
    or be the name of a text at hand, else the embedded expert's words stay.
    """

    def __init__(self, asker: Asker, lattice: TypeLattice, embedded: ResourceExpert) -> None:
        self._asker = asker
        self._lattice = lattice
        self._embedded = embedded

    def complete(
        self,
        candidates: Sequence[Candidate],
        subtask: Subtask,
        given: Sequence[TypedValue],
        texts: Sequence[TypedValue],
    ) -> tuple[tuple[Action, ...], ...]:
        """The actions of each candidate; one call where words are open, none where they are not.

        Raises LanguageModelFailed where the model fails and nothing may take over.
        """
        completed = self._embedded.complete(candidates, subtask, given, texts)
        slots = _open_slots(candidates, subtask, texts)
        if not slots:
            return completed
        values = self._asker.keep(
            "arguments", lambda: self._ask(slots, subtask, given, texts), lambda: {}
        )
        return tuple(tuple(_filled(action, values) for action in actions) for actions in completed)

    def _ask(
        self,
        slots: Sequence[Slot],
        subtask: Subtask,
        given: Sequence[TypedValue],
        texts: Sequence[TypedValue],
    ) -> Mapping[tuple[str, str, str], Value]:
        at_hand = {item.value for item in given if self._lattice.is_a(item.type, "text")}
        said = f"{subtask.description} {' '.join(text.value for text in texts)}"
        names = [str(number) for number in range(1, len(slots) + 1)]
        data = {
            "task": shortened(subtask.description, _LONGEST_WORDS),
            "words": [shortened(text.value, _LONGEST_WORDS) for text in texts],
            "resources": sorted(at_hand),
            "slots": {
                name: {
                    "tool": slot.tool.name,
                    "does": slot.tool.description,
                    "argument": slot.argument.name,
                    "means": slot.argument.description or role_of(slot.argument),
                    "now": slot.words,
                }
                for name, slot in zip(names, slots, strict=True)
            },
        }

        def check(reply: Any) -> Checked[Mapping[tuple[str, str, str], Value]]:
            return _read(reply, dict(zip(names, slots, strict=True)), at_hand, said)

        schema = {
            "type": "object",
            "properties": {name: {"type": "string"} for name in names},
            "required": names,
            "additionalProperties": False,
        }
        return self._asker.ask(
            "arguments",
            messages_of(read_prompt("arguments"), data),
            schema,
            check,
            _MOST_TOKENS,
        )


def _open_slots(
    candidates: Sequence[Candidate], subtask: Subtask, texts: Sequence[TypedValue]
) -> tuple[Slot, ...]:
    """The text arguments whose words were meant for something else, each once."""
    found: dict[tuple[str, str, str], Slot] = {}
    for candidate in candidates:
        for draft in candidate.drafts:
            for argument, binding in zip(draft.tool.args, draft.inputs, strict=True):
                if not isinstance(binding, Words):
                    continue
                own = binding.index < 0
                if not own and texts[binding.index].role == role_of(argument):
                    continue
                words = bare(subtask.description) if own else texts[binding.index].value
                if len(words) > _LONGEST_WORDS:
                    continue
                slot = Slot(draft.tool, argument, words)
                found.setdefault(slot.key, slot)
    return tuple(found.values())


def _read(
    reply: Any, slots: Mapping[str, Slot], at_hand: set[str], said: str
) -> Checked[Mapping[tuple[str, str, str], Value]]:
    """The value for every slot that the model may be believed in; raises Unusable."""
    if not isinstance(reply, dict):
        raise Unusable("Expected a JSON object with words for every slot.")
    missing = [name for name in slots if not isinstance(reply.get(name), str)]
    if missing:
        raise Unusable(f"There are no words for slot {', '.join(missing)}.")
    values: dict[tuple[str, str, str], Value] = {}
    repairs = []
    for name, slot in slots.items():
        words = " ".join(reply[name].split())
        if words == " ".join(slot.words.split()):
            continue
        if words in at_hand:
            values[slot.key] = Reference(words)
        elif words and is_said(words, said):
            values[slot.key] = Literal(words)
        else:
            tool = slot.tool.name.replace("_", " ")
            repairs.append(f"for {tool} it gave words that nobody said; the request's own are used")
    return Checked(values, tuple(dict.fromkeys(repairs)))


def is_said(words: str, said: str) -> bool:
    """Whether words hold nothing but words of what was said, in any form and order."""
    known = {_stem(word) for word in re.findall(r"\w+", said.lower())}
    told = re.findall(r"\w+", words.lower())
    return bool(told) and all(word in _SMALL_WORDS or _stem(word) in known for word in told)


def _stem(word: str) -> str:
    return re.sub(r"(?:'s|es|s)$", "", word)


def _filled(action: Action, values: Mapping[tuple[str, str, str], Value]) -> Action:
    """The action with the model's words in place of those that were put there for now."""

    def changed(name: str, value: Value) -> Value:
        if isinstance(value, Literal):
            return values.get((action.tool, name, value.text), value)
        return value

    inputs = {
        name: tuple(changed(name, item) for item in value)
        if isinstance(value, tuple)
        else changed(name, value)
        for name, value in action.inputs.items()
    }
    return replace(action, inputs=inputs)
