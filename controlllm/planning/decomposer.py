"""The embedded decomposer: a request becomes subtasks without a language model (paper Sec. 3.1).

A request is split into clauses; each clause is compared with the phrasebook for what it wants; the
resources that it means are found from names, kinds, order, pronouns and what came before.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from controlllm.graph import ToolGraph
from controlllm.plan import Request, Subtask, TypedValue, generated
from controlllm.planning.clauses import (
    ORDER_WORDS,
    QUESTION_WORDS,
    Clause,
    bare,
    split_clauses,
)
from controlllm.planning.mentions import CLICKED, Mentions, read_mentions
from controlllm.planning.phrasebook import (
    NEUTRAL,
    Encode,
    Intent,
    Match,
    Phrasebook,
    intent_of,
    read_intents,
)
from controlllm.planning.wording import (
    MEDIA_WORDS,
    object_phrase,
    prompt_phrase,
    speaks_of_everything,
)
from controlllm.resources import Resource

#: How much nearness an intent loses where the session has nothing that it could work on.
_INFEASIBLE = 0.25
#: How much nearness an intent gains where it takes what the clause speaks of.
_FITS_KIND = 0.08
#: The nearness under which a clause is not understood at all.
_UNKNOWN = 0.30
#: The sharpness of the choice between intents.
_TEMPERATURE = 0.05

#: "Given the image, what is …": the file is known already and only the question counts.
_OPENING_FILE = re.compile(
    r"^(?:given|as\s+for|with|in|for|from|regarding|considering|concerning|looking\s+at|based\s+on"
    r"|about|on)\s+(?:the\s+)?(?:the\s+\w+|given\s+\w+)\s*[,:]\s*(?=\w+\s+\w+)",
    re.IGNORECASE,
)
_MASKS = {"image": "the image", "video": "the video", "audio": "the recording", "text": "the text"}


@dataclass(frozen=True)
class _Reading:
    """A clause with what it wants and what it works on."""

    clause: Clause
    intent: Intent
    mentions: Mentions
    object: str


class EmbeddedDecomposer:
    """Decomposes requests with a sentence encoder and rules; no language model.

    `encode` gives sentence vectors for requests, `vectors` for the phrasebook's texts, which are
    many and the same at every start.
    """

    def __init__(
        self,
        graph: ToolGraph,
        encode: Encode,
        vectors: Encode | None = None,
        intents: Sequence[Intent] | None = None,
    ) -> None:
        self.graph = graph
        self._encode = encode
        shipped = tuple(read_intents() if intents is None else intents)
        taught = tuple(intent_of(tool) for tool in graph.toolbox if tool.examples)
        self.phrasebook = Phrasebook((*shipped, *taught), vectors or encode)
        self._orders = ORDER_WORDS | _opening_words(self.phrasebook.intents)

    def decompose(self, request: Request) -> tuple[Subtask, ...]:
        """The subtasks of a request, each after those it depends on; none where it asks nothing."""
        names = [resource.value for resource in request.resources]
        clauses = split_clauses(request.text, names, self._orders)
        if not clauses:
            return ()
        mentions = [
            read_mentions(clause.text, request.resources, self.graph.lattice) for clause in clauses
        ]
        builder = _Builder(self.graph, request)
        for clause, mention in zip(clauses, mentions, strict=True):
            self._read(builder, clause, mention)
        return tuple(builder.subtasks)

    def _read(self, builder: _Builder, clause: Clause, mentions: Mentions) -> None:
        mentioned = object_phrase(mentions.masked)
        if CLICKED.search(mentioned):
            mentioned = ""
        wording = _comparable(mentions.masked)
        vectors = self._encode([wording, _neutral_wording(wording, mentioned)])
        matches = self._feasible(
            self.phrasebook.matches(*vectors), builder, mentions, mentioned, clause
        )
        if not matches:
            return
        best = matches[0]
        intent = self._own_intent(matches)
        weights = np.exp((np.array([m.score for m in matches]) - best.score) / _TEMPERATURE)
        shares: dict[str, float] = {}
        for match, weight in zip(matches, weights / weights.sum(), strict=True):
            shares[match.intent.returns] = shares.get(match.intent.returns, 0.0) + float(weight)
        shares = self._makeable(shares)
        returns = self._nearest_type(best.intent.returns)
        others = sorted(
            (name for name, share in shares.items() if share >= 0.15 and name != returns),
            key=lambda name: -shares[name],
        )
        domains = list(dict.fromkeys(
            match.intent.domain for match in matches[:6] if match.score > best.score - 0.12
        ))  # fmt: skip
        sure = shares[returns] if best.score >= _UNKNOWN else best.score
        builder.add(
            _Reading(clause, replace(intent, returns=returns), mentions, mentioned),
            tuple(domains),
            round(min(sure, 1.0), 3),
            tuple(others),
        )

    def _nearest_type(self, wanted: str) -> str:
        """The type itself, or text where no tool here makes that special kind of text.

        A number can be told in words; a depth map is not just any picture.
        """
        if self.graph.producers(wanted) or not self.graph.lattice.is_a(wanted, "text"):
            return wanted
        return "text"

    def _makeable(self, shares: dict[str, float]) -> dict[str, float]:
        """Shares of return types, those that no tool makes counted for the more general type."""
        found: dict[str, float] = {}
        for name, share in shares.items():
            nearest = self._nearest_type(name)
            found[nearest] = found.get(nearest, 0.0) + share
        return found

    def _own_intent(self, matches: Sequence[Match]) -> Intent:
        """The intent whose word role and reference to believe: a shipped one where it is as near as
        a tool's, since tools see only their own arguments."""
        best = matches[0]
        for match in matches:
            if match.score < best.score - 0.15:
                break
            if match.intent.own and match.intent.returns == best.intent.returns:
                return match.intent
        return best.intent

    def _feasible(
        self,
        matches: Sequence[Match],
        builder: _Builder,
        mentions: Mentions,
        mentioned: str,
        clause: Clause,
    ) -> list[Match]:
        """Matches weighed by whether there is something to work on and whether it is spoken of."""
        at_hand = builder.types_at_hand()
        named_type = _named_type(mentions.masked)
        pointed = builder.request.attached or builder.subtasks or mentions.points_at_something
        makeable = self.graph.makeable(at_hand)
        weighed = []
        for match in matches:
            score = match.score
            takes = set(match.intent.takes)
            if not takes - {"text"} <= makeable:
                score -= _INFEASIBLE
            if "text" in takes and not (clause.content or "text" in makeable):
                score -= _INFEASIBLE
            if "point" in takes:
                score += _FITS_KIND * 2 if mentions.clicked else -_INFEASIBLE
            elif mentions.clicked and "point" in at_hand:
                score -= _FITS_KIND
            named = {kind for _, kind in mentions.named}
            if named and takes & self.graph.handed_types(named):
                score += _FITS_KIND
            elif named and not takes & self.graph.handed_types(named):
                score -= _FITS_KIND
            elif mentions.kinds & takes:
                score += _FITS_KIND / 2
            if named_type and named_type == match.intent.returns:
                score += _FITS_KIND
            if takes and not pointed:
                score -= _FITS_KIND
            if match.intent.text == "object" and not mentioned and not mentions.pronoun:
                score -= _FITS_KIND
            if match.intent.text == "content" and not clause.content and "text" not in makeable:
                score -= _FITS_KIND
            weighed.append(Match(match.intent, score))
        return sorted(weighed, key=lambda match: (-match.score, match.intent.name))


class _Builder:
    """Turns readings into subtasks, one after the other, remembering what "it" may mean."""

    def __init__(self, graph: ToolGraph, request: Request) -> None:
        self.graph = graph
        self.lattice = graph.lattice
        self.request = request
        self.subtasks: list[Subtask] = []
        self._object = ""
        self._object_sources: tuple[TypedValue, ...] = ()
        self._refers = "result"
        self._last: list[Subtask] = []
        self._used: list[str] = []
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
                    if argument.type != "text" and not argument.value.startswith("<GEN>")
                )
                about_object = subtask.returns.type in ("bbox", "mask", "category", "number")
                self._refers = "object" if about_object or _marks(subtask) else "result"

    def types_at_hand(self) -> frozenset[str]:
        found = {resource.type for resource in self.request.resources}
        return frozenset(found | {subtask.returns.type for subtask in self.subtasks})

    def add(
        self,
        reading: _Reading,
        domains: tuple[str, ...],
        confidence: float,
        others: tuple[str, ...],
    ) -> None:
        """Append the subtasks of one reading: one, or one for each file that it means."""
        words = self._words(reading)
        groups = self._resources(reading, words)
        made: list[Subtask] = []
        for group in groups:
            args = (*group, *words)
            number = len(self.subtasks)
            deps = tuple(
                sorted({
                    int(argument.value.split("-")[1])
                    for argument in group
                    if argument.value.startswith("<GEN>-")
                })
            )  # fmt: skip
            subtask = Subtask(
                number,
                f"{reading.clause.text} {reading.clause.context}".strip(),
                domains,
                args,
                TypedValue(reading.intent.returns, generated(number)),
                deps,
                reading.intent.description,
                confidence,
                others,
                self._lacking(reading.intent, args),
            )
            self.subtasks.append(subtask)
            made.append(subtask)
        self._last = made
        spoken = [word.value for word in words if word.role == "object"]
        if spoken:
            self._object = spoken[0]
            self._object_sources = tuple(
                argument for group in groups for argument in group if argument.type != "point"
            )
        self._refers = reading.intent.refers
        self._used.extend(
            argument.value
            for group in groups
            for argument in group
            if not argument.value.startswith("<GEN>")
        )

    def _lacking(self, intent: Intent, args: tuple[TypedValue, ...]) -> tuple[str, ...]:
        """The types of files that the intent works on and that nothing at hand can give."""
        makeable = self.graph.makeable([argument.type for argument in args if not argument.role])
        return tuple(
            name for name in dict.fromkeys(intent.takes) if name != "text" and name not in makeable
        )

    def _words(self, reading: _Reading) -> tuple[TypedValue, ...]:
        """The words of a clause that tools may read, with their role."""
        role, clause = reading.intent.text, reading.clause
        found: list[TypedValue] = []
        if clause.content:
            found.append(TypedValue("text", clause.content, "content"))
        mentioned = reading.object
        if role == "object":
            if not mentioned and self._object and reading.mentions.pronoun:
                mentioned = self._object
            if mentioned and not speaks_of_everything(reading.mentions.masked):
                found.append(TypedValue("text", mentioned, "object"))
        elif role == "question":
            found.append(TypedValue("text", bare(clause.text), "question"))
        elif role == "prompt":
            whole = f"{reading.mentions.masked} {clause.context}".strip()
            prompt = clause.content or prompt_phrase(whole)
            if not clause.content:
                found.append(TypedValue("text", _without_names(prompt), "prompt"))
        elif role == "content" and not clause.content and not self._text_at_hand():
            rest = re.sub(r"^\W*\w+\s+(?:out\s+loud|aloud|me)?\s*", "", bare(clause.text))
            if len(rest.split()) >= 2:
                found.append(TypedValue("text", rest.strip(" .'\""), "content"))
        return tuple(found)

    def _text_at_hand(self) -> bool:
        return any(self.lattice.is_a(name, "text") for name in self.types_at_hand())

    def _resources(
        self, reading: _Reading, words: tuple[TypedValue, ...]
    ) -> list[tuple[TypedValue, ...]]:
        """The resources that a clause means, a group for each subtask that it makes."""
        takes = list(dict.fromkeys(reading.intent.takes))
        has_content = any(word.role == "content" for word in words)
        if reading.intent.text == "content" and not has_content and "text" not in takes:
            takes.append("text")
        chosen: list[list[TypedValue]] = []
        named = [TypedValue(kind, resource.value) for resource, kind in reading.mentions.named]
        placed: set[str] = set()
        for type_name in takes:
            if type_name == "text" and has_content:
                continue
            own = [
                item
                for item in named
                if item.value not in placed and self.lattice.is_a(item.type, type_name)
            ]
            found = own or self._meant(type_name, reading)
            if found:
                chosen.append(found)
                placed.update(item.value for item in found)
        left = [item for item in named if item.value not in placed]
        if left:
            chosen.append(left)
        several = max((len(found) for found in chosen), default=1)
        return [
            tuple(group[min(index, len(group) - 1)] for group in chosen) for index in range(several)
        ]

    def _meant(self, type_name: str, reading: _Reading) -> list[TypedValue]:
        """The resources of a type that a clause means without naming them."""
        mentions = reading.mentions
        if reading.clause.beside and self._last:
            shared = [
                argument
                for subtask in self._last
                for argument in subtask.args
                if not argument.role and self.lattice.is_a(argument.type, type_name)
            ]
            if shared:
                return shared
        about_object = (
            mentions.pronoun
            and self._refers == "object"
            and reading.intent.text == "object"
            and not reading.object
        )
        if about_object:
            sources = [
                item for item in self._object_sources if self.lattice.is_a(item.type, type_name)
            ]
            if sources:
                return sources
        results = [
            TypedValue(subtask.returns.type, subtask.returns.value)
            for subtask in self._last
            if self.lattice.is_a(subtask.returns.type, type_name)
        ]
        within = bool(reading.object and type_name in mentions.kinds)
        if mentions.pronoun and self._refers == "result" and results and not within:
            return results
        known = [item for item in self.request.resources if self.lattice.is_a(item.type, type_name)]
        special = type_name not in ("image", "audio", "video", "text")
        if not special:
            # A mask or an edge map is an image too, but rarely the one that is meant.
            plain = [item for item in known if item.type == type_name]
            known = plain or known
        attached = [item for item in known if item.value in self.request.attached]
        pool = attached or known
        if type_name == "text" and results and not attached:
            return results
        if not pool:
            earlier = [
                TypedValue(subtask.returns.type, subtask.returns.value)
                for subtask in reversed(self.subtasks)
                if self.lattice.is_a(subtask.returns.type, type_name)
            ]
            return results or earlier[:1]
        if mentions.pronoun and not attached and not self.subtasks:
            made = [item for item in known if item.origin != "uploaded"]
            if made and self._refers == "result":
                return [_typed(made[-1])]
        if mentions.ordinal is not None:
            place = mentions.ordinal
            return [_typed(pool[place if -len(pool) <= place < len(pool) else -1])]
        if mentions.plural and len(pool) > 1:
            return [_typed(item) for item in pool]
        used = [item for item in pool if item.value in self._used]
        if used and not mentions.plural:
            return [_typed(used[-1])]
        if attached:
            return [_typed(item) for item in attached]
        return [_typed(pool[-1])]


#: Words that name the kind of result that is asked for.
_RESULT_WORDS: tuple[tuple[str, str], ...] = (
    (r"masks?", "mask"),
    (r"bounding\s+box(?:es)?|bbox(?:es)?|coordinates", "bbox"),
    (r"web\s?pages?|html", "html"),
    (r"canny(?:\s+edges?)?", "canny"),
    (r"edges?(?:\s+maps?)?", "edge"),
    (r"line\s+(?:map|drawing|art)|straight\s+lines", "line"),
    (r"hed(?:\s+map)?", "hed"),
    (r"scribble", "scribble"),
    (r"pose|skeleton", "pose"),
    (r"depth(?:\s+map)?", "depth"),
    (r"normal\s+map", "normal"),
    (r"segmentation(?:\s+map)?", "segmentation"),
    (r"title|headline", "title"),
    (r"tags|hashtags|keywords", "tags"),
)
_SOURCE_WORDS = re.compile(
    r"\b(?:conditioned\s+on|based\s+on|using|use|from|(?<!me\s)(?<!us\s)with|given|by|via|in|under|of)\s+"
    r"(?:the\s+|a\s+|this\s+|its\s+|given\s+)*(?:\w+\s+)?$",
    re.IGNORECASE,
)


def _named_type(masked: str) -> str:
    """The type of result that a clause names ("a mask of the bear"), empty where it names none.

    Words that say what to start from ("using the segmentation") do not count.
    """
    for pattern, type_name in _RESULT_WORDS:
        found = re.search(rf"\b(?:{pattern})\b", masked, re.IGNORECASE)
        if found and not _SOURCE_WORDS.search(masked[: found.start()]):
            return type_name
    return ""


def _typed(resource: Resource) -> TypedValue:
    return TypedValue(resource.type, resource.value)


def _marks(subtask: Subtask) -> bool:
    """Whether a subtask marked an object without changing it, so that "it" is the object."""
    return bool(re.search(r"\b(?:highlight|mark|outline|circle|box)", subtask.description, re.I))


def _comparable(masked: str) -> str:
    """A clause as the phrasebook's phrasings are written: files by their kind."""
    text = re.sub(r"<(\w+)>", lambda found: _MASKS.get(found.group(1), "the file"), masked)
    text = re.sub(
        r"\b(?:the|this|that|my|given|a)\s+(?:image|picture|photo|video|clip|recording|audio|file)"
        r"(?:\s+(?:file|called|named|file\s+named))?\s+['\"]?(the (?:image|video|recording|text))",
        r"\1",
        text,
        flags=re.IGNORECASE,
    )
    return " ".join(_OPENING_FILE.sub("", text.strip()).split()[:60])


def _neutral_wording(wording: str, mentioned: str) -> str:
    """A clause with the object and the description in it replaced by neutral words."""
    prompt = prompt_phrase(wording)
    if len(prompt.split()) >= 5 and len(prompt) < 0.75 * len(wording) and prompt in wording:
        return wording.replace(prompt, NEUTRAL["prompt"])
    if mentioned and mentioned in wording:
        return wording.replace(mentioned, NEUTRAL["object"])
    return wording


def _without_names(text: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<(\w+)>", r"the \1", text)).strip()


def _opening_words(intents: Sequence[Intent]) -> frozenset[str]:
    """The verbs with which phrasings open: words that a new clause may begin with.

    Only words that open several phrasings count, and none that is a noun for a medium.
    """
    counts: dict[str, int] = {}
    for intent in intents:
        for word in {
            found.group().lower()
            for phrasing in intent.phrasings
            if (found := re.match(r"[A-Za-z]+", bare(phrasing)))
        }:
            counts[word] = counts.get(word, 0) + 1
    nouns = frozenset(
        "the a an i we my your his her their it its this that these those some any all every each "
        "no there here in on at of for from with to by as one two three let".split()
    )
    return frozenset(
        word
        for word, count in counts.items()
        if count >= 3 and word not in nouns | MEDIA_WORDS | QUESTION_WORDS
    )
