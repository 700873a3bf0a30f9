"""The embedded decomposer: a request becomes subtasks without a language model (paper Sec. 3.1).

The trained reader says where clauses begin and end, what each wants and which of its words count;
the phrasebook, which also knows the examples of tools that the reader never saw, has its say in
what is wanted. The resources that a clause means are found from names, kinds, order, pronouns and
what came before.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from controlllm.graph import ToolGraph
from controlllm.plan import Request, Subtask
from controlllm.planning.assessment import aim_and_steps, described
from controlllm.planning.clauses import (
    ORDER_WORDS,
    QUESTION_WORDS,
    SMALL_TALK,
    Clause,
    bare,
    corrected,
    is_result,
    likely_starts,
    split_clauses,
    split_content,
)
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
from controlllm.planning.reading import MaskedText, Read, ReadClause, clauses_of, masked
from controlllm.planning.subtasks import TAKES_AWAY, Reading, SubtaskBuilder
from controlllm.planning.wording import (
    MEDIA_WORDS,
    completed,
    is_one_of,
    named_result,
    object_phrase,
    prompt_phrase,
)

#: How much nearness an intent loses where the session has nothing that it could work on.
_INFEASIBLE = 0.25
#: How much nearness an intent gains where it takes what the clause speaks of.
_FITS_KIND = 0.08
#: Types so general that most tools take them: to take another one tells more of a tool.
_MEDIA = frozenset({"image", "video", "audio", "text"})
#: How near some tool's description must come to what an intent wants for it to serve the intent,
#: and how much nearness an intent loses that none serves here.
_SERVES, _UNSERVED = 0.4, 0.12
#: Types that tell what is in a file and leave it as it is.
_ABOUT_WHAT_IS_THERE = frozenset({"mask", "bbox", "category", "number", "text"})
#: How much nearness an intent for certain things gains with one of them and loses with another.
_KNOWN = 0.12
#: The nearness under which a clause is not understood at all.
_UNKNOWN = 0.30
#: The sharpness of the choice between intents.
_TEMPERATURE = 0.05
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
#: A text that is handed over within a request is set apart before reading if it has so many words;
#: a shorter one the reader tells from the wish itself.
_LONG_CONTENT = 25
#: The name of an object is taken from the rules where it is longer than what the reader heard, by
#: at most so many words.
_LONGER_NAME = 4
#: What no intent is likelier than is not understood; after a question it is more of the question.
_VAGUE = 0.8
#: Words count as the reader says where it is surer of them than this.
_SURE_WORDS = 0.6

#: "Given the image, what is …": the file is known already and only the question counts.
_OPENING_FILE = re.compile(
    r"^(?:given|as\s+for|with|in|for|from|regarding|considering|concerning|looking\s+at|based\s+on"
    r"|about|on)\s+(?:the\s+)?(?:the\s+\w+|given\s+\w+)\s*[,:]\s*(?=\w+\s+\w+)",
    re.IGNORECASE,
)
_FILE_WORDS = re.compile(
    r"\b[a-z]+\d\b|\b(?:image|picture|photo|pic|video|clip|film|audio|recording|sound|mask)s?\b",
    re.I,
)
#: Words beside the clauses that tell which file is meant, or that something was clicked.
_TELLS = re.compile(rf"\b[a-z]+\d\b|{CLICKED.pattern}", re.IGNORECASE)
_PRONOUN = re.compile(r"\b(?:it|them|him|her|that\s+one|this\s+one)\b", re.IGNORECASE)
#: Words that lead on to the next clause.
_TRAILING = re.compile(r"(?:[\s,;]+(?:and|then|also|but|plus|&|afterwards|after that))+$", re.I)
_INTRODUCES = re.compile(
    r"[a-z]+\d\s+(?:is|has|was|shows)\b[^?.]*\.?"
    r"|(?:please\s+)?answer\s+(?:the\s+|my\s+)?questions?\s+(?:based\s+)?(?:on|about|for)\b[^?.]*\.?"
    r"|(?:please\s+)?(?:analy[sz]e|examine|inspect|study|look\s+at)\s+(?:the\s+|this\s+|these\s+)?"
    r"(?:\w+\s+){0,3}[a-z]+\d(?:[\s,]+(?:and\s+)?[a-z]+\d)*(?:\s+files?)?[\s,]*(?:and)?",
    re.IGNORECASE,
)
#: A clause that says nothing but which files are meant besides, and into what.
_MORE_FILES = re.compile(
    r"[\s,;]*(?:(?:and|or|&|plus)\s+)?(?:the\s+(?:image|video|file|picture)s?\s+)?[a-z]+\d"
    r"(?:(?:[\s,;]|and)+[a-z]+\d)*(?:\s+(?:in)?to\s+[A-Z][a-z]+)?"
    r"(?:,?\s+(?:together|too|as\s+well|please))?[\s,;.?!]*(?:and)?"
)
_GIVE = re.compile(r"(?:make|give|get|create|write|produce|show|find|do)(?:\s+me)?", re.I)
_MASKS = {"image": "the image", "video": "the video", "audio": "the recording", "text": "the text"}


@dataclass(frozen=True)
class Reader:
    """The trained reader: `read` scores the tokens of a text, `intents` are what it tells apart."""

    read: Read
    intents: tuple[str, ...]

    def clauses(self, text: str, likely: frozenset[int]) -> tuple[ReadClause, ...]:
        """The clauses of a text, grammar's `likely` starts considered; none where it is empty."""
        return clauses_of(self.read(text), text, likely) if text.strip() else ()


@dataclass(frozen=True)
class _Heard:
    """A clause with what the reader heard in it: how likely each intent is, the words that count
    by their role, and how sure it is that this is a clause."""

    clause: Clause
    likely: Mapping[str, float] = field(default_factory=dict)
    words: Mapping[str, str] = field(default_factory=dict)
    certainty: float = 1.0


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
        self._reader = reader
        shipped = tuple(read_intents() if intents is None else intents)
        taught = tuple(found for found in map(intent_of, graph.toolbox) if found.phrasings)
        self.phrasebook = Phrasebook((*shipped, *taught), vectors or encode)
        nearness = _nearness(shipped, graph, vectors or encode)
        self._unserved = _unserved(shipped, nearness)
        self._known_by = _known_by(shipped, graph, nearness)
        self._orders = ORDER_WORDS | _opening_words(self.phrasebook.intents, 3)
        # The reader has a say in where a clause begins, so any verb may suggest it.
        self._verbs = ORDER_WORDS | _opening_words((*shipped, *taught), 1)

    @property
    def taught(self) -> frozenset[str]:
        """The names of the tools that the reader knows by some intent."""
        return frozenset(self._known_by)

    def decompose(self, request: Request) -> tuple[Subtask, ...]:
        """The subtasks of a request, each after those it depends on; none where it asks nothing."""
        heard = self._heard(request) if self._reader else self._split(request)
        if len(heard) > 1:
            heard = [item for item in heard if not SMALL_TALK.match(item.clause.text)] or heard[:1]
        builder = SubtaskBuilder(self.graph, request, alone=len(heard) == 1)
        for item in heard:
            mentions = read_mentions(item.clause.text, request.resources, self.graph.lattice)
            self._read(builder, item, mentions)
        return tuple(builder.subtasks)

    def _split(self, request: Request) -> list[_Heard]:
        """The clauses of a request by rules."""
        names = [resource.value for resource in request.resources]
        return [
            _Heard(replace(clause, text=corrected(clause.text, self._orders)))
            for clause in split_clauses(request.text, names, self._orders)
        ]

    def _heard(self, request: Request) -> list[_Heard]:
        """The clauses of a request as the reader hears them."""
        assert self._reader is not None
        names = [resource.value for resource in request.resources]
        text, content = split_content(request.text, names)
        short = content if len(content.split()) < _LONG_CONTENT else ""
        if short:
            text, content = request.text, ""
        shown = masked(text, request.resources, self.graph.lattice)
        found: list[_Heard] = []
        begun = ended = 0
        polite_from: int | None = None
        grammar = likely_starts(shown.text, self._verbs)
        for clause in self._reader.clauses(shown.text, grammar):
            start, end = shown.original(clause.start, clause.end)
            before, ended = ended, clause.end
            told = shown.text[clause.start : clause.end]
            if _only_polite(text[start:end]) or _only_told(told):
                polite_from = start if polite_from is None else polite_from
                continue
            start, polite_from = (start if polite_from is None else polite_from), None
            if _TELLS.search(shown.text[before : clause.start]):
                # "I clicked on something in image1. Segment it."
                start = min(start, shown.original(before, clause.start)[0])
            if found and _MORE_FILES.fullmatch(told):
                # "Translate image1, image2 and image3 into Dutch" wants one thing of three files.
                listed = _TRAILING.sub("", text[begun:end].strip(" ,;")).strip(" ,;")
                words = {**found[-1].words, **_words_of(clause, text, shown)}
                found[-1] = replace(
                    found[-1], clause=replace(found[-1].clause, text=listed), words=words
                )
                continue
            wording = _TRAILING.sub("", text[start:end].strip(" ,;")).strip(" ,;")
            words = _words_of(clause, text, shown)
            likely = dict(zip(self._reader.intents, map(float, clause.intents), strict=True))
            beside = bool(found) and is_result(wording)
            handed = words.pop("content", "")
            if self._likeliest(likely).text == "content":
                handed = short if short and short in wording else handed
            else:
                handed = ""
            own = Clause(wording, content=handed, beside=beside)
            heard = _Heard(own, likely, words, clause.certainty)
            if (
                found
                and self._is_general(found[-1])
                and (self._is_general(heard) or (_is_vague(heard) and not _speaks_of_files(told)))
            ):
                # A puzzle of four sentences is one question.
                whole = replace(found[-1].clause, text=text[begun:end].strip(" ,;"))
                found[-1] = replace(found[-1], clause=whole, words={})
            else:
                begun = start
                found.append(heard)
        if polite_from is not None and not found:
            return [_Heard(Clause(text))]
        if not found and content:
            return [_Heard(Clause(content))]
        if found and content:
            found[0] = replace(found[0], clause=replace(found[0].clause, content=content))
        return found

    def _likeliest(self, likely: Mapping[str, float]) -> Intent:
        name = max(likely, key=lambda item: likely[item])
        return next(intent for intent in self.phrasebook.intents if intent.name == name)

    def _is_general(self, heard: _Heard) -> bool:
        """Whether a clause most likely is a question to which no file belongs."""
        intent = self._likeliest(heard.likely)
        return intent.text == "question" and not intent.takes

    def _read(self, builder: SubtaskBuilder, heard: _Heard, mentions: Mentions) -> None:
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
        weighed = _weighed(near, heard.likely, self._known_by)
        matches = self._feasible(weighed, builder, mentions, mentioned, clause)
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
        made_last = builder.made_last() - _MEDIA
        takes_away = TAKES_AWAY.search(mentions.masked) is not None
        pointed = builder.request.attached or builder.subtasks or mentions.points_at_something
        makeable = self.graph.makeable(at_hand)
        of_words = {
            name
            for name in self.graph.makeable(at_hand | {"text"})
            if not any(self.graph.lattice.is_a(name, medium) for medium in _MEDIA)
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
            if match.intent.name in self._unserved:
                score -= _UNSERVED
            if not takes - {"text"} <= (makeable if match.intent.own else makeable | of_words):
                score -= _INFEASIBLE if pointed or at_hand or not asks else 2 * _INFEASIBLE
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
                if named - _MEDIA:
                    score += _FITS_KIND if takes & (named - _MEDIA) else -_FITS_KIND
            elif named and not takes & self.graph.handed_types(named):
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


def _nearness(intents: Sequence[Intent], graph: ToolGraph, vectors: Encode) -> np.ndarray:
    """How near each tool's description (columns) comes to what each intent wants (rows)."""
    tools = list(graph.toolbox)
    if not tools or not intents:
        return np.zeros((len(intents), len(tools)), np.float32)
    wanted = vectors([aim_and_steps(intent.description)[0] for intent in intents])
    found: np.ndarray = wanted @ vectors([described(tool) for tool in tools]).T
    return found


def _unserved(intents: Sequence[Intent], nearness: np.ndarray) -> frozenset[str]:
    """The intents that no tool of a toolbox comes near: the weather, where none tells it."""
    if not nearness.size:
        return frozenset()
    return frozenset(
        intent.name
        for intent, row in zip(intents, nearness, strict=True)
        if intent.returns != OUTSIDE and row.max() < _SERVES
    )


def _known_by(
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


def _words_of(clause: ReadClause, text: str, shown: MaskedText) -> dict[str, str]:
    """The words of a clause by their role: the first that play it, of descriptions the longest."""
    found: dict[str, str] = {}
    for span in clause.spans:
        if span.certainty <= _SURE_WORDS:
            continue
        words = text[slice(*shown.original(span.start, span.end))].strip(" .,\"'“”")
        longer = span.role == "prompt" and len(words) > len(found.get(span.role, ""))
        if len(words.split()) < 3 and span.role in ("object", "prompt"):
            start, end = shown.original(span.start, clause.end)
            words = completed(words, text[start:end])
        if words and (span.role not in found or longer):
            found[span.role] = words
    return found


def _only_told(wording: str) -> bool:
    """Whether a file is only introduced: "image1 is a sketch of mine", "analyse image1 and"."""
    return _INTRODUCES.fullmatch(wording) is not None


def _only_polite(wording: str) -> bool:
    """Whether nothing is said but "please", "can you" or "give me"."""
    said = wording.strip(" ,;:")
    return bare(f"{said} x") == "x" or _GIVE.fullmatch(said) is not None


def _is_vague(heard: _Heard) -> bool:
    """Whether the reader does not know what a clause wants."""
    return max(heard.likely.values(), default=0.0) < _VAGUE


def _speaks_of_files(wording: str) -> bool:
    """Whether a clause names a file or a medium; files stand in it by kind and number."""
    return _FILE_WORDS.search(wording) is not None


def _others(matches: Sequence[Match], chosen: Intent) -> tuple[Intent, ...]:
    """The likeliest intent that wants something else than the chosen one."""
    for match in matches:
        if match.intent.own and match.intent.name != chosen.name:
            return (match.intent,)
    return ()


def _weighed(
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
            score = _SURE + _TEMPERATURE * float(np.log(max(*known, _LEAST_LIKELY)))
            score += _NEARNESS_SHARE * (match.score - best)
        found.append(Match(match.intent, score))
    return found


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


def _opening_words(intents: Sequence[Intent], least: int) -> frozenset[str]:
    """The verbs with which phrasings open: words that a new clause may begin with.

    Only words that open phrasings of at least so many intents count, and none that is a noun for a
    medium.
    """
    counts: dict[str, int] = {}
    for intent in intents:
        for word in {
            found.group().lower()
            for phrasing in (*intent.phrasings, *intent.follow_ups)
            if (found := re.match(r"[A-Za-z]+", bare(phrasing)))
        }:
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
