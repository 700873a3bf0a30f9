"""Which intents a clause may have: how near its wording comes, what the reader holds likely, and
whether there is something here that they could work on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from controlllm.planning.assessment import aim_and_steps, described
from controlllm.planning.clauses import Clause
from controlllm.planning.graph import ToolGraph
from controlllm.planning.mentions import Mentions
from controlllm.planning.phrasebook import OUTSIDE, Encode, Intent, Match
from controlllm.planning.subtasks import SubtaskBuilder
from controlllm.planning.wording import TAKES_AWAY, is_one_of, named_result

#: How much nearness an intent loses where the session has nothing that it could work on.
_INFEASIBLE = 0.25
#: How much nearness an intent gains where it takes what the clause speaks of.
_FITS_KIND = 0.08
#: Types so general that most tools take them: to take another one tells more of a tool.
_MEDIA = frozenset({"image", "video", "audio", "text"})
#: What is never left where something was taken away.
_TOLD = frozenset({"mask", "bbox", "category", "number", "text"})
#: How near some tool's description must come to what an intent wants for it to serve the intent,
#: and how much nearness an intent loses that none serves here.
_SERVES, _UNSERVED = 0.4, 0.12
#: How much nearness an intent for certain things gains with one of them and loses with another.
_KNOWN = 0.12
#: The sharpness of the choice between intents.
TEMPERATURE = 0.05
#: What the likeliest intent scores where the reader has no doubt; others follow by likelihood, down
#: to the least. So a likelihood and a nearness of wording can be weighed against each other.
_SURE, _LEAST_LIKELY = 0.8, 1e-5
#: How much the nearness of its phrasings counts for an intent that the reader knows.
_NEARNESS_SHARE = 0.3
#: What an intent that only a tool's examples make must be nearer by than all that the reader knows.
_TAUGHT_MARGIN = 0.04
#: How near a tool's description must come to what an intent wants for the reader to know the tool
#: by that intent, and by how many of the nearest it may be known.
_KNOWN_BY, _MOST_KNOWN_BY = 0.6, 3


def feasible(
    matches: Sequence[Match],
    builder: SubtaskBuilder,
    mentions: Mentions,
    mentioned: str,
    clause: Clause,
    unserved: frozenset[str],
) -> list[Match]:
    """Matches weighed by whether there is something to work on and whether it is spoken of."""
    wanted = _Wanted(builder, mentions, mentioned, clause)
    weighed = []
    for match in matches:
        score = match.score
        # Whatever is at hand may be what is to be printed or sent.
        if match.intent.returns != OUTSIDE:
            score -= _UNSERVED * (match.intent.name in unserved)
            score += wanted.by_what_is_there(match.intent) + wanted.by_what_is_said(match.intent)
        weighed.append(Match(match.intent, score))
    return sorted(weighed, key=lambda match: (-match.score, match.intent.name))


class _Wanted:
    """What a clause wants, as intents are weighed by it: how much nearness each gains or loses."""

    def __init__(
        self, builder: SubtaskBuilder, mentions: Mentions, mentioned: str, clause: Clause
    ) -> None:
        graph = self._graph = builder.graph
        self._builder, self._clause = builder, clause
        self._mentions, self._mentioned = mentions, mentioned
        self._named_type = named_result(mentions.masked)
        self._takes_away = TAKES_AWAY.search(mentions.masked) is not None
        self._made_last = builder.made_last() - _MEDIA
        self._at_hand = builder.types_at_hand()
        self._makeable = graph.makeable(self._at_hand)
        self._of_words = {
            name
            for name in graph.makeable(self._at_hand | {"text"})
            if not any(graph.lattice.is_a(name, medium) for medium in _MEDIA)
        }
        self._pointed = builder.request.attached or builder.subtasks or mentions.points_at_something

    def by_what_is_there(self, intent: Intent) -> float:
        """Whether there is something that it could work on."""
        builder, content, takes = self._builder, self._clause.content, set(intent.takes)
        at_hand, makeable, score = self._at_hand, self._makeable, 0.0
        if not takes - {"text"} <= (makeable if intent.own else makeable | self._of_words):
            asks = self._clause.text.rstrip().endswith("?")
            score -= _INFEASIBLE if self._pointed or at_hand or not asks else 2 * _INFEASIBLE
        if "text" in takes and not content:
            if "text" not in makeable:
                score -= _INFEASIBLE
            elif "text" not in self._graph.handed_types(at_hand):
                score -= _FITS_KIND * 2
        if builder.request.attached and not (takes or content or builder.subtasks):
            # Files came with these words, so the words are most likely about them.
            score -= _FITS_KIND * 2
        if builder.alone and len(builder.attached_types()) > 1:
            # Two kinds of files came with one wish: it is most likely about both.
            score -= _FITS_KIND * len(builder.attached_types() - takes)
        if takes and not self._pointed:
            score -= _FITS_KIND
        if intent.text == "content" and not content and "text" not in makeable:
            score -= _FITS_KIND
        return score

    def by_what_is_said(self, intent: Intent) -> float:
        """Whether the clause speaks of what it takes and makes."""
        mentions, takes, score = self._mentions, set(intent.takes), 0.0
        if "point" in takes:
            score += _FITS_KIND * 2 if mentions.clicked else -_INFEASIBLE
        elif mentions.clicked and "point" in self._at_hand:
            score -= _FITS_KIND
        named = {kind for _, kind in mentions.named}
        if named and takes & self._graph.handed_types(named):
            score += _FITS_KIND
            if named - _MEDIA:
                score += _FITS_KIND if takes & (named - _MEDIA) else -_FITS_KIND
        elif named:
            score -= _FITS_KIND
        elif mentions.kinds & takes:
            score += _FITS_KIND / 2
        if not named and takes & self._made_last:
            score += _FITS_KIND
        if self._named_type and self._named_type == intent.returns:
            score += _FITS_KIND * 1.5
        if self._takes_away and intent.returns in _TOLD:
            score -= _FITS_KIND * 1.5
        if intent.text == "object" and not self._mentioned and not mentions.pronoun:
            score -= _FITS_KIND
        if intent.knows and self._mentioned:
            score += _KNOWN if is_one_of(self._mentioned, intent.knows) else -_KNOWN
        return score


def nearness_of(intents: Sequence[Intent], graph: ToolGraph, vectors: Encode) -> np.ndarray:
    """How near each tool's description (columns) comes to what each intent wants (rows)."""
    tools = list(graph.toolbox)
    if not tools or not intents:
        return np.zeros((len(intents), len(tools)), np.float32)
    wanted = vectors([aim_and_steps(intent.description)[0] for intent in intents])
    found: np.ndarray = wanted @ vectors([described(tool) for tool in tools]).T
    return found


def unserved_intents(intents: Sequence[Intent], nearness: np.ndarray) -> frozenset[str]:
    """The intents that no tool of a toolbox comes near: the weather, where none tells it."""
    if not nearness.size:
        return frozenset()
    return frozenset(
        intent.name
        for intent, row in zip(intents, nearness, strict=True)
        if intent.returns != OUTSIDE and row.max() < _SERVES
    )


def known_by(
    intents: Sequence[Intent], graph: ToolGraph, nearness: np.ndarray
) -> dict[str, tuple[str, ...]]:
    """The intents by which the reader knows a tool, by the tool's name; the others are missing."""
    found = {}
    for tool, column in zip(graph.toolbox, nearness.T, strict=True):
        nearest = np.argsort(-column)[:_MOST_KNOWN_BY]
        names = tuple(intents[place].name for place in nearest if column[place] >= _KNOWN_BY)
        if names:
            found[tool.name] = names
    return found


def weighed(
    near: Sequence[Match], likely: Mapping[str, float], known_by: Mapping[str, Sequence[str]]
) -> list[Match]:
    """Nearness of wording and likelihood as one score.

    An intent that only a tool's examples make is as likely as those by which the reader knows the
    tool. One of a tool that it does not know counts by how much nearer its wording is than that of
    all intents that the reader knows.
    """
    if not likely:
        return list(near)
    best = max((match.score for match in near if match.intent.name in likely), default=0.0)
    found = []
    for match in near:
        names = (match.intent.name,) if match.intent.own else known_by.get(match.intent.name, ())
        known = [likely[name] for name in names if name in likely]
        if not known:
            score = _SURE - _TAUGHT_MARGIN + match.score - best
        else:
            score = _SURE + TEMPERATURE * float(np.log(max(*known, _LEAST_LIKELY)))
            score += _NEARNESS_SHARE * (match.score - best)
        found.append(Match(match.intent, score))
    return found
