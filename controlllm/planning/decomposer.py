"""The embedded decomposer: a request becomes subtasks without a language model (paper Sec. 3.1).

The trained reader says where clauses begin and end, what each wants and which of its words count;
the phrasebook, which also knows the examples of tools that the reader never saw, has its say in
what is wanted. The resources that a clause means are found from names, kinds, order, pronouns and
what came before.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np

from controlllm.core.plans import Request, Subtask
from controlllm.planning.clauses import (
    ORDER_WORDS,
    QUESTION_WORDS,
    SMALL_TALK,
    bare,
    corrected,
    split_clauses,
)
from controlllm.planning.graph import ToolGraph
from controlllm.planning.hearing import Heard, Hearing, Reader
from controlllm.planning.mentions import CLICKED, Mentions, read_mentions
from controlllm.planning.phrasebook import (
    NEUTRAL,
    OUTSIDE,
    Encode,
    Intent,
    Match,
    Phrasebook,
    intent_of,
    read_intents,
)
from controlllm.planning.subtasks import Reading, SubtaskBuilder
from controlllm.planning.weighing import (
    TEMPERATURE,
    feasible,
    known_by,
    nearness_of,
    unserved_intents,
    weighed,
)
from controlllm.planning.wording import MEDIA_WORDS, object_phrase, prompt_phrase

#: The nearness under which a clause is not understood at all.
_UNKNOWN = 0.30
#: The name of an object is taken from the rules where it is longer than what the reader heard, by
#: at most so many words.
_LONGER_NAME = 4
#: "Given the image, what is …": the file is known already and only the question counts.
_OPENING_FILE = re.compile(
    r"^(?:given|as\s+for|with|in|for|from|regarding|considering|concerning|looking\s+at|based\s+on"
    r"|about|on)\s+(?:the\s+)?(?:the\s+\w+|given\s+\w+)\s*[,:]\s*(?=\w+\s+\w+)",
    re.IGNORECASE,
)
_PRONOUN = re.compile(r"\b(?:it|them|him|her|that\s+one|this\s+one)\b", re.IGNORECASE)
_MASKS = {"image": "the image", "video": "the video", "audio": "the recording", "text": "the text"}


class EmbeddedDecomposer:
    """Decomposes requests with two small encoders and rules; no language model.

    `encode` gives sentence vectors for requests, `vectors` for the phrasebook's texts, which are
    many and the same at every start. Without a `reader`, rules find the clauses and the phrasebook
    alone says what they want.
    """

    def __init__(
        self,
        graph: ToolGraph,
        encode: Encode,
        vectors: Encode | None = None,
        intents: Sequence[Intent] | None = None,
        reader: Reader | None = None,
    ) -> None:
        self.graph = graph
        self._encode = encode
        shipped = tuple(read_intents() if intents is None else intents)
        taught = tuple(found for found in map(intent_of, graph.toolbox) if found.phrasings)
        self.phrasebook = Phrasebook((*shipped, *taught), vectors or encode)
        nearness = nearness_of(shipped, graph, vectors or encode)
        self._unserved = unserved_intents(shipped, nearness)
        self._known_by = known_by(shipped, graph, nearness)
        self._orders = ORDER_WORDS | _opening_words(self.phrasebook.intents, 3)
        # The reader has a say in where a clause begins, so any verb may suggest it.
        verbs = ORDER_WORDS | _opening_words((*shipped, *taught), 1)
        named = {intent.name: intent for intent in reversed(self.phrasebook.intents)}
        self._hearing = Hearing(reader, graph, named, verbs) if reader else None

    @property
    def taught(self) -> frozenset[str]:
        """The names of the tools that the reader knows by some intent."""
        return frozenset(self._known_by)

    def decompose(self, request: Request) -> tuple[Subtask, ...]:
        """The subtasks of a request, each after those it depends on; none where it asks nothing."""
        heard = self._hearing.heard(request) if self._hearing else self._split(request)
        if len(heard) > 1:
            heard = [item for item in heard if not SMALL_TALK.match(item.clause.text)] or heard[:1]
        builder = SubtaskBuilder(self.graph, request, alone=len(heard) == 1)
        for item in heard:
            mentions = read_mentions(item.clause.text, request.resources, self.graph.lattice)
            self._read(builder, item, mentions)
        return tuple(builder.subtasks)

    def _split(self, request: Request) -> list[Heard]:
        """The clauses of a request by rules."""
        names = [resource.value for resource in request.resources]
        return [
            Heard(replace(clause, text=corrected(clause.text, self._orders)))
            for clause in split_clauses(request.text, names, self._orders)
        ]

    def _read(self, builder: SubtaskBuilder, heard: Heard, mentions: Mentions) -> None:
        clause = heard.clause
        mentioned = object_phrase(mentions.masked)
        heard_object = heard.words.get("object", "")
        longer = len(mentioned.split()) - len(heard_object.split())
        part_of = mentioned.startswith(f"{heard_object} of ")
        is_else = heard_object not in mentioned or longer > _LONGER_NAME
        if heard_object and not part_of and is_else:
            mentioned = heard_object
        if CLICKED.search(mentioned):
            mentioned = ""
        # "Remove it" says little; "remove the cat" says what is wanted.
        spoken = mentioned or builder.object_meant(mentions)
        said = mentions.masked
        if spoken and not mentioned:
            said = _PRONOUN.sub(f"the {spoken}", said, count=1)
        wording = _comparable(said)
        vectors = self._encode([wording, _neutral_wording(wording, spoken)])
        near = self.phrasebook.matches(*vectors)
        nearest = max((match.score for match in near), default=0.0)
        likely = weighed(near, heard.likely, self._known_by)
        matches = feasible(likely, builder, mentions, mentioned, clause, self._unserved)
        if not matches:
            return
        best = matches[0]
        # The nearest intent says what is wanted; a shipped one knows better what the words are for.
        intent = replace(self._own_intent(matches), description=best.intent.description)
        weights = np.exp((np.array([m.score for m in matches]) - best.score) / TEMPERATURE)
        shares: dict[str, float] = {}
        for match, weight in zip(matches, weights / weights.sum(), strict=True):
            shares[match.intent.returns] = shares.get(match.intent.returns, 0.0) + float(weight)
        shares = self._makeable(shares)
        returns = self._nearest_type(best.intent.returns)
        others = sorted(
            (
                name
                for name, share in shares.items()
                if share >= 0.15 and name not in (returns, OUTSIDE) and returns != OUTSIDE
            ),
            key=lambda name: -shares[name],
        )
        if heard.likely and intent.text != "object":
            mentioned = heard_object
        domains = list(dict.fromkeys(
            match.intent.domain for match in matches[:6] if match.score > best.score - 0.12
        ))  # fmt: skip
        sure = shares[returns] if nearest >= _UNKNOWN else nearest
        sure *= heard.certainty
        builder.add(
            Reading(
                clause,
                replace(intent, returns=returns),
                mentions,
                mentioned,
                heard.words,
                _others(matches, intent),
            ),
            tuple(domains),
            round(min(sure, 1.0), 3),
            tuple(others),
        )

    def _nearest_type(self, wanted: str) -> str:
        """The type itself, or text where no tool here makes that special kind of text.

        A number can be told in words; a depth map is not just any picture.
        """
        if wanted == OUTSIDE or self.graph.producers(wanted):
            return wanted
        if not self.graph.lattice.is_a(wanted, "text"):
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


def _others(matches: Sequence[Match], chosen: Intent) -> tuple[Intent, ...]:
    """The likeliest intent that wants something else than the chosen one."""
    for match in matches:
        if match.intent.own and match.intent.name != chosen.name:
            return (match.intent,)
    return ()


def _comparable(masked: str) -> str:
    """A clause as the phrasebook's phrasings are written: files by their kind."""
    text = re.sub(r"<(\w+)>", lambda found: _MASKS.get(found.group(1), "the file"), masked)
    text = re.sub(r"\"[^\"]+\"|“[^”]+”", "this text", text)
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


@lru_cache(1024)
def _openings(phrasings: tuple[str, ...]) -> frozenset[str]:
    """The first words of phrasings. Remembered: a planner is made for each request where there are
    very many tools."""
    return frozenset(
        found.group().lower()
        for phrasing in phrasings
        if (found := re.match(r"[A-Za-z]+", bare(phrasing)))
    )


def _opening_words(intents: Sequence[Intent], least: int) -> frozenset[str]:
    """The verbs with which phrasings open: words that a new clause may begin with.

    Only words that open phrasings of at least so many intents count, and none that is a noun for a
    medium.
    """
    counts: dict[str, int] = {}
    for intent in intents:
        for word in _openings((*intent.phrasings, *intent.follow_ups)):
            counts[word] = counts.get(word, 0) + 1
    nouns = frozenset(
        "the a an i we my your his her their it its this that these those some any all every each "
        "no there here in on at of for from with to by as one two three let new same like".split()
    )
    return frozenset(
        word
        for word, count in counts.items()
        if count >= least and word not in nouns | MEDIA_WORDS | QUESTION_WORDS
    )
