"""Readings of clauses become subtasks: which resources and which words each one gets."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from controlllm.core.plans import Request, Subtask, TypedValue, deps_of, generated, is_generated
from controlllm.planning.clauses import Clause, bare
from controlllm.planning.graph import ToolGraph
from controlllm.planning.mentions import Mentions
from controlllm.planning.phrasebook import Intent
from controlllm.planning.wording import (
    EXCHANGES,
    MARKS,
    TAKES_AWAY,
    prompt_phrase,
    speaks_of_everything,
)
from controlllm.planning.words import determined
from controlllm.resources import Resource

_Typed = TypeVar("_Typed", Resource, TypedValue)

#: A reading that is less certain than this leaves the type of the result open.
_DOUBTFUL = 0.65
#: Types that tell of objects in a picture: a request for one of them may name which objects.
_ABOUT_OBJECTS = frozenset({"mask", "bbox", "number"})
#: Words that only point at a text and are none.
_POINTS = (
    r"(?:this|that|these|those|it|them|the|my|text|words|aloud|out\s+loud|(?:to|for)\s+me|please|"
    r"\s)+"
)
_ONLY_POINTS = re.compile(_POINTS, re.IGNORECASE)
#: An order that says nothing of what it is about but "this".
_ORDERS_ONLY = re.compile(rf"[\w-]+(?:\s+{_POINTS})?", re.IGNORECASE)


@dataclass(frozen=True)
class Reading:
    """A clause with what it wants, what it works on, the words in it that play a role, and what
    else it may want."""

    clause: Clause
    intent: Intent
    mentions: Mentions
    object: str
    words: Mapping[str, str] = field(default_factory=dict)
    others: tuple[Intent, ...] = ()


class SubtaskBuilder:
    """Turns readings into subtasks, one after the other, remembering what "it" may mean."""

    def __init__(self, graph: ToolGraph, request: Request, alone: bool = True) -> None:
        self.alone = alone
        self.graph = graph
        self.lattice = graph.lattice
        self.request = request
        self.subtasks: list[Subtask] = []
        self._object = ""
        self._object_sources: tuple[TypedValue, ...] = ()
        self._refers = "result"
        self._last: list[Subtask] = []
        self._used: list[str] = []
        self._made: dict[str, tuple[TypedValue, ...]] = {}
        self._whole: dict[str, bool] = {}
        self._recall(request.earlier)

    def _recall(self, earlier: Sequence[Subtask]) -> None:
        """Take up what the request before was about, for "now cut it out"."""
        for subtask in earlier:
            words = [arg.value for arg in subtask.args if arg.role == "object"]
            if words:
                self._object = words[-1]
                self._object_sources = tuple(
                    argument
                    for argument in subtask.args
                    if argument.type != "text" and not is_generated(argument.value)
                )
                about_object = subtask.returns.type in ("bbox", "mask", "category", "number")
                self._refers = (
                    "object" if about_object or MARKS.search(subtask.description) else "result"
                )

    def attached_types(self) -> set[str]:
        """The types of the files that came with the request."""
        attached = self.request.attached
        return {item.type for item in self.request.resources if item.value in attached}

    def types_at_hand(self) -> frozenset[str]:
        found = {resource.type for resource in self.request.resources}
        return frozenset(found | {subtask.returns.type for subtask in self.subtasks})

    def made_last(self) -> set[str]:
        """The types that the subtasks of the last clause return."""
        return {subtask.returns.type for subtask in self._last}

    def object_meant(self, mentions: Mentions) -> str:
        """The object spoken of before that "it" means here, empty where it means none."""
        return self._object if mentions.pronoun and self._means_object(mentions) else ""

    def _means_object(self, mentions: Mentions) -> bool:
        """Whether "it" is the object spoken of, not the last result: always where it is to go."""
        return self._refers == "object" or bool(TAKES_AWAY.search(mentions.masked))

    def add(
        self,
        reading: Reading,
        domains: tuple[str, ...],
        confidence: float,
        others: tuple[str, ...],
    ) -> None:
        """Append the subtasks of one reading: one, or one for each file that it means."""
        words = self._words(reading)
        groups = self._resources(reading, words)
        before = len(self.subtasks)
        for group in groups:
            args = (*group, *words)
            number = len(self.subtasks)
            subtask = Subtask(
                number,
                f"{reading.clause.text} {reading.clause.context}".strip(),
                domains,
                args,
                TypedValue(reading.intent.returns, generated(number)),
                deps_of(group),
                reading.intent.description,
                confidence,
                others,
                self._lacking(reading.intent, args, reading.clause),
                self._readings(reading, args),
                (reading.intent.returns, others[0]) if others and confidence < _DOUBTFUL else (),
            )
            self.subtasks.append(subtask)
        self._last = self.subtasks[before:]
        handed = [item for group in groups for item in group]
        spoken = [word.value for word in words if word.role == "object"]
        if spoken:
            self._object = spoken[0]
            self._object_sources = tuple(item for item in handed if item.type != "point")
        self._refers = reading.intent.refers
        medium = reading.intent.returns
        if medium in ("image", "audio", "video") and reading.intent.refers == "result":
            self._made[medium] = tuple(subtask.returns for subtask in self._last)
            generated_anew = not set(reading.intent.takes) - {"text"}
            self._whole[medium] = reading.intent.keeps or generated_anew
        elif reading.mentions.named:
            self._made.clear()
        self._used += [item.value for item in handed if not is_generated(item.value)]

    def _readings(self, reading: Reading, args: tuple[TypedValue, ...]) -> tuple[str, ...]:
        """Plain requests for what the clause may mean, with its files and words filled in."""
        slots = {
            item.role or item.type: "the result" if is_generated(item.value) else item.value
            for item in args
        }
        for role, words in reading.words.items():
            slots.setdefault(role, words)
        if reading.object:
            slots.setdefault("object", reading.object)
        found = [self._plainly(reading.intent, slots) or reading.clause.text]
        found += filter(None, (self._plainly(intent, slots) for intent in reading.others))
        return tuple(dict.fromkeys(found))

    def _plainly(self, intent: Intent, slots: Mapping[str, str]) -> str:
        """A phrasing of an intent with its slots filled, empty where none can be."""
        for phrasing in intent.phrasings:
            names = re.findall(r"\{(\w+)\}", phrasing)
            if names and all(name in slots for name in names):
                return phrasing.format(**slots)
        return ""

    def _lacking(
        self, intent: Intent, args: tuple[TypedValue, ...], clause: Clause
    ) -> tuple[str, ...]:
        """The types of files that the intent works on and that nothing at hand can give."""
        works_on_text = intent.text == "content" or "text" in intent.takes
        if not args and works_on_text and _ORDERS_ONLY.fullmatch(bare(clause.text).strip(" .!")):
            # "Summarise this", and there is nothing but these words.
            return ("text",)
        makeable = self.graph.makeable([argument.type for argument in args if not argument.role])
        return tuple(
            name for name in dict.fromkeys(intent.takes) if name != "text" and name not in makeable
        )

    def _words(self, reading: Reading) -> tuple[TypedValue, ...]:
        """The words of a clause that tools may read, with their role."""
        exchanged = _exchanged(reading)
        found = exchanged or self._main_words(reading)
        told = {word.role for word in found}
        both = "object" in reading.words and "prompt" in reading.words
        if "prompt" in told and both and not exchanged:
            # "Replace the dog with a cat": what is to be there, and where.
            found = (*found, TypedValue("text", reading.words["object"], "object"))
        edits = reading.intent.domain == "image-editing" and reading.intent.text == "none"
        if edits and "prompt" in reading.words and not told & {"prompt", "content"}:
            # "Replace what I clicked with a clock": what is to be there, wherever it is.
            found = (*found, TypedValue("text", reading.words["prompt"], "prompt"))
        if "language" in reading.words:
            found = (*found, TypedValue("text", reading.words["language"], "language"))
        return found

    def _main_words(self, reading: Reading) -> tuple[TypedValue, ...]:
        role, clause = reading.intent.text, reading.clause
        found: list[TypedValue] = []
        if clause.content:
            found.append(TypedValue("text", clause.content, "content"))
        quoted = re.search(r"\"([^\"]+)\"|“([^”]+)”", clause.text)
        names_object = reading.intent.returns in _ABOUT_OBJECTS or (
            reading.intent.domain == "image-editing"
            and set(reading.intent.takes) <= {"image", "mask", "bbox"}
        )
        handed = role in ("content", "prompt") or (role == "none" and not names_object)
        if quoted and not clause.content and handed:
            return (TypedValue("text", quoted.group(1) or quoted.group(2), "content"),)
        mentioned = reading.object
        if role == "object" or (role == "none" and names_object):
            if role == "object" and not mentioned and reading.mentions.pronoun:
                mentioned = self._object
            if mentioned and not speaks_of_everything(reading.mentions.masked):
                mentioned = determined(mentioned, clause.text)
                found.append(TypedValue("text", mentioned, "object"))
        elif role == "question":
            found.append(TypedValue("text", bare(clause.text), "question"))
        elif role == "prompt":
            whole = f"{reading.mentions.masked} {clause.context}".strip()
            prompt = " ".join(re.sub(r"<(\w+)>", r"the \1", prompt_phrase(whole)).split())
            heard = reading.words.get("prompt", "")
            # For what is made from words alone, more of them can only help.
            if heard and not (heard in prompt and not set(reading.intent.takes) - {"text"}):
                prompt = heard
            if not clause.content:
                found.append(TypedValue("text", prompt, "prompt"))
        elif role == "content" and not reading.intent.own and reading.intent.takes:
            # What a tool of another field wants to be told beside its file stands in the wish.
            found.append(TypedValue("text", bare(clause.text), "content"))
        elif role == "content" and not clause.content and not quoted:
            about_files = self.request.attached or reading.mentions.points_at_something
            if self._text_at_hand() or about_files or clause.text.rstrip().endswith("?"):
                return tuple(found)
            rest = re.sub(r"^\W*\w+\s+(?:out\s+loud|aloud|me)?\s*", "", bare(clause.text))
            if len(rest.split()) >= 2 and not _ONLY_POINTS.fullmatch(rest.strip(" .")):
                found.append(TypedValue("text", rest.strip(" .'\""), "content"))
        return tuple(found)

    def _types_spoken_of(self, reading: Reading) -> list[str]:
        """The kinds of files that a clause names, or else those that came with the request."""
        named = sorted(reading.mentions.kinds - {"text"})
        handed = [
            item.type for item in self.request.resources if item.value in self.request.attached
        ]
        return named or list(dict.fromkeys(handed))

    def _text_at_hand(self) -> bool:
        return any(self.lattice.is_a(name, "text") for name in self.types_at_hand())

    def _resources(
        self, reading: Reading, words: tuple[TypedValue, ...]
    ) -> list[tuple[TypedValue, ...]]:
        """The resources that a clause means, a group for each subtask that it makes."""
        takes = list(dict.fromkeys(reading.intent.takes))
        has_content = any(word.role == "content" for word in words)
        asks = reading.intent.text == "question" and reading.clause.text.rstrip().endswith("?")
        if asks and not takes and "text" in self.attached_types():
            takes = ["text"]
        if reading.intent.text == "content" and not has_content and not takes:
            takes = ["text"] if self._text_at_hand() else self._types_spoken_of(reading)
        chosen: list[list[TypedValue]] = []
        named = [TypedValue(kind, resource.value) for resource, kind in reading.mentions.named]
        placed: set[str] = set()
        for type_name in takes:
            if type_name == "text" and has_content:
                continue
            left = [item for item in named if item.value not in placed]
            own = self._of_type(type_name, left)
            # A mask is a picture too, but beside a plain one it is not the picture that is meant.
            plain = [item for item in own if item.type == type_name]
            # A mask that is wanted as a mask is not the picture that is wanted as well.
            own = plain or [item for item in own if item.type not in takes]
            found = own or self._meant(type_name, reading)
            if found:
                chosen.append(found)
                placed.update(item.value for item in found)
        if not chosen:
            chosen = self._sources_of(takes, reading)
        left = [item for item in named if item.value not in placed]
        if left:
            chosen.append(left)
        if reading.intent.gathers:
            return [tuple(item for found in chosen for item in found)]
        several = max((len(found) for found in chosen), default=1)
        return [
            tuple(group[min(index, len(group) - 1)] for group in chosen) for index in range(several)
        ]

    def _of_type(self, type_name: str, items: Iterable[_Typed]) -> list[_Typed]:
        return [item for item in items if self.lattice.is_a(item.type, type_name)]

    def _sources_of(self, takes: list[str], reading: Reading) -> list[list[TypedValue]]:
        """What is at hand that the types an intent takes can be made from: a picture for a mask."""
        for medium in ("image", "video", "audio"):
            if takes and set(takes) <= self.graph.makeable([medium]):
                found = self._meant(medium, reading)
                if found:
                    return [found]
        return []

    def _meant(self, type_name: str, reading: Reading) -> list[TypedValue]:
        """The resources of a type that a clause means without naming them."""
        mentions = reading.mentions
        before = [item for task in self._last for item in task.args if not item.role]
        together = self._of_type(type_name, before)
        if reading.clause.beside and together:
            return together
        about_object = (
            mentions.pronoun
            and self._means_object(mentions)
            and reading.intent.text == "object"
            and not reading.object
        )
        sources = self._of_type(type_name, self._object_sources) if about_object else []
        if sources:
            return sources
        results = self._of_type(type_name, [task.returns for task in self._last])
        within = bool(reading.object and type_name in mentions.kinds)
        if mentions.pronoun and self._refers == "result" and results and not within:
            return results
        going_on = self._goes_on_with(type_name, reading)
        if going_on:
            return going_on
        known = self._of_type(type_name, self.request.resources)
        if type_name in ("image", "audio", "video", "text"):
            # A mask or an edge map is an image too, but rarely the one that is meant.
            known = [item for item in known if item.type == type_name] or known
        attached = [item for item in known if item.value in self.request.attached]
        pool = attached or known
        if type_name == "text" and results and not attached:
            return results
        if not pool:
            earlier = [task.returns for task in reversed(self.subtasks)]
            return results or self._of_type(type_name, earlier)[:1]
        if mentions.pronoun and not attached and not self.subtasks:
            made = [item for item in known if item.origin != "uploaded"]
            if made and self._refers == "result":
                return [TypedValue.of(made[-1])]
        if mentions.ordinal is not None:
            place = mentions.ordinal
            return [TypedValue.of(pool[place if -len(pool) <= place < len(pool) else -1])]
        if mentions.plural and len(pool) > 1:
            return list(map(TypedValue.of, pool))
        if len(self._last) > 1 and len(together) > 1 and not mentions.pronoun:
            # What was asked of several files last, the next wish is about them too.
            return together
        used = [item for item in pool if item.value in self._used]
        if used and not mentions.plural:
            return [TypedValue.of(used[-1])]
        if attached:
            return list(map(TypedValue.of, attached))
        # Without a word such as "it", what a person handed over is meant before what tools made.
        uploaded = [item for item in pool if item.origin == "uploaded"]
        return [TypedValue.of((uploaded or pool)[-1])]

    def _goes_on_with(self, type_name: str, reading: Reading) -> list[TypedValue]:
        """The pictures, sounds or videos that were made last, where what is asked is about them.

        After "remove the dog", "remove the cat" is about the new picture; after "crop the dog",
        "crop the cat" is about the old one, and "enlarge" about the crop.
        """
        mentions = reading.mentions
        made = list(self._made.get(type_name, ()))
        elsewhere = (
            mentions.ordinal is not None
            or (mentions.plural and len(made) < 2)
            or re.search(r"\boriginal", mentions.masked, re.IGNORECASE) is not None
        )
        goes_on = reading.intent.text != "object" and type_name not in mentions.kinds
        return made if not elsewhere and (goes_on or self._whole.get(type_name)) else []


def _exchanged(reading: Reading) -> tuple[TypedValue, ...]:
    """What is to be there and in whose place, where a clause says it shortly and the reader has not
    heard both: "turn the dog into a cat"."""
    slots = [set(re.findall(r"\{(\w+)\}", phrasing)) for phrasing in reading.intent.phrasings]
    if {"object", "prompt"} <= reading.words.keys() or not any(
        {"object", "prompt"} <= names for names in slots
    ):
        return ()
    said = EXCHANGES.search(reading.mentions.masked)
    if said is None or reading.intent.text != "prompt":
        return ()
    return (
        TypedValue("text", said["new"], "prompt"),
        TypedValue("text", said["old"], "object"),
    )
