"""The embedded decomposer: a request becomes subtasks without a language model (paper Sec. 3.1).

A request is split into clauses; each clause is compared with the phrasebook for what it wants; the
resources that it means are found from names, kinds, order, pronouns and what came before.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from controlllm.graph import ToolGraph
from controlllm.plan import Request, Subtask
from controlllm.planning.clauses import (
    ORDER_WORDS,
    QUESTION_WORDS,
    SMALL_TALK,
    Clause,
    bare,
    corrected,
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
from controlllm.planning.subtasks import TAKES_AWAY, Reading, SubtaskBuilder
from controlllm.planning.wording import MEDIA_WORDS, named_result, object_phrase, prompt_phrase

#: How much nearness an intent loses where the session has nothing that it could work on.
_INFEASIBLE = 0.25
#: How much nearness an intent gains where it takes what the clause speaks of.
_FITS_KIND = 0.08
#: Types that tell what is in a file and leave it as it is.
_ABOUT_WHAT_IS_THERE = frozenset({"mask", "bbox", "category", "number", "text"})
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
_PRONOUN = re.compile(r"\b(?:it|them|him|her|that\s+one|this\s+one)\b", re.IGNORECASE)
_MASKS = {"image": "the image", "video": "the video", "audio": "the recording", "text": "the text"}


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
        clauses = [replace(clause, text=corrected(clause.text, self._orders)) for clause in clauses]
        if len(clauses) > 1:
            clauses = [item for item in clauses if not SMALL_TALK.match(item.text)] or clauses[:1]
        mentions = [
            read_mentions(clause.text, request.resources, self.graph.lattice) for clause in clauses
        ]
        builder = SubtaskBuilder(self.graph, request, alone=len(clauses) == 1)
        for clause, mention in zip(clauses, mentions, strict=True):
            self._read(builder, clause, mention)
        return tuple(builder.subtasks)

    def _read(self, builder: SubtaskBuilder, clause: Clause, mentions: Mentions) -> None:
        mentioned = object_phrase(mentions.masked)
        if CLICKED.search(mentioned):
            mentioned = ""
        # "Remove it" says little; "remove the cat" says what is wanted.
        spoken = mentioned or builder.object_meant(mentions)
        said = mentions.masked
        if spoken and not mentioned:
            said = _PRONOUN.sub(f"the {spoken}", said, count=1)
        wording = _comparable(said)
        vectors = self._encode([wording, _neutral_wording(wording, spoken)])
        matches = self._feasible(
            self.phrasebook.matches(*vectors), builder, mentions, mentioned, clause
        )
        if not matches:
            return
        best = matches[0]
        # The nearest intent says what is wanted; a shipped one knows better what the words are for.
        intent = replace(self._own_intent(matches), description=best.intent.description)
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
            Reading(clause, replace(intent, returns=returns), mentions, mentioned),
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
        builder: SubtaskBuilder,
        mentions: Mentions,
        mentioned: str,
        clause: Clause,
    ) -> list[Match]:
        """Matches weighed by whether there is something to work on and whether it is spoken of."""
        at_hand = builder.types_at_hand()
        named_type = named_result(mentions.masked)
        takes_away = TAKES_AWAY.search(mentions.masked) is not None
        pointed = builder.request.attached or builder.subtasks or mentions.points_at_something
        makeable = self.graph.makeable(at_hand)
        weighed = []
        for match in matches:
            score = match.score
            takes = set(match.intent.takes)
            if not takes - {"text"} <= makeable:
                score -= _INFEASIBLE
            if "text" in takes and not clause.content:
                if "text" not in makeable:
                    score -= _INFEASIBLE
                elif "text" not in self.graph.handed_types(at_hand):
                    score -= _FITS_KIND * 2
            if builder.request.attached and not (takes or clause.content or builder.subtasks):
                # Files came with these words, so the words are most likely about them.
                score -= _FITS_KIND * 2
            if builder.alone and len(builder.attached_types()) > 1:
                # Two kinds of files came with one wish: it is most likely about both.
                score -= _FITS_KIND * len(builder.attached_types() - takes)
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
                score += _FITS_KIND * 1.5
            if takes_away and match.intent.returns in (
                "mask",
                "bbox",
                "category",
                "number",
                "text",
            ):
                score -= _FITS_KIND * 1.5
            if takes and not pointed:
                score -= _FITS_KIND
            if match.intent.text == "object" and not mentioned and not mentions.pronoun:
                score -= _FITS_KIND
            if match.intent.text == "content" and not clause.content and "text" not in makeable:
                score -= _FITS_KIND
            weighed.append(Match(match.intent, score))
        return sorted(weighed, key=lambda match: (-match.score, match.intent.name))


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
