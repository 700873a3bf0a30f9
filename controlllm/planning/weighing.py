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
    graph = builder.graph
    at_hand = builder.types_at_hand()
    named_type = named_result(mentions.masked)
    made_last = builder.made_last() - _MEDIA
    takes_away = TAKES_AWAY.search(mentions.masked) is not None
    pointed = builder.request.attached or builder.subtasks or mentions.points_at_something
    makeable = graph.makeable(at_hand)
    of_words = {
        name
        for name in graph.makeable(at_hand | {"text"})
        if not any(graph.lattice.is_a(name, medium) for medium in _MEDIA)
    }
    asks = clause.text.rstrip().endswith("?")
    weighed = []
    for match in matches:
        score = match.score
        takes = set(match.intent.takes)
        if match.intent.returns == OUTSIDE:
            # Whatever is at hand may be what is to be printed or sent.
            weighed.append(match)
            continue
        if match.intent.name in unserved:
            score -= _UNSERVED
        if not takes - {"text"} <= (makeable if match.intent.own else makeable | of_words):
            score -= _INFEASIBLE if pointed or at_hand or not asks else 2 * _INFEASIBLE
        if "text" in takes and not clause.content:
            if "text" not in makeable:
                score -= _INFEASIBLE
            elif "text" not in graph.handed_types(at_hand):
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
        if named and takes & graph.handed_types(named):
            score += _FITS_KIND
            if named - _MEDIA:
                score += _FITS_KIND if takes & (named - _MEDIA) else -_FITS_KIND
        elif named and not takes & graph.handed_types(named):
            score -= _FITS_KIND
        elif mentions.kinds & takes:
            score += _FITS_KIND / 2
        if not named and takes & made_last:
            score += _FITS_KIND
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
        if match.intent.knows and mentioned:
            score += _KNOWN if is_one_of(mentioned, match.intent.knows) else -_KNOWN
        weighed.append(Match(match.intent, score))
    return sorted(weighed, key=lambda match: (-match.score, match.intent.name))


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
