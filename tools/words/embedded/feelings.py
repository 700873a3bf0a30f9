"""The feeling of a text: its clauses judged apart, then weighed against each other."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tools.words.embedded.feeling_model import ClauseFeeling, clause_feelings
from tools.words.embedded.feeling_phrases import says_indifferent, says_mixed, turn_of_phrase
from tools.words.embedded.feeling_words import WordFeelings, word_feelings

_AT_REST = re.compile(
    r"\b(?:lies|lie|lying)\b(?=\s(?:in|on|at|next|down|near|under|over|between|beside|behind|"
    r"across|along|around|north|south|east|west)\b)",
    re.IGNORECASE,
)
#: Between two clauses of which the second takes something back from the first.
_CONTRAST = re.compile(
    r"[,;]?\s+(?<!nothing )(?<!anything )(?<!everything )(?<!all )(?<!last )(?<!choice )"
    r"but(?! also\b)(?! not least\b),?\s+(?:then\s+|unfortunately,?\s+|sadly,?\s+)?"
    r"|(?:[,;]|\sand)\s+yet,?\s+|[,;]\s+(?:still|only|just|except(?: that)?|while|whereas),?\s+"
    r"|[,;]?\s+(?:even though|although|though|whereas|albeit|despite|in spite of|apart from|"
    r"except for|except that)\s+"
    r"|[,;]\s+(?:however|on the other hand|unfortunately|sadly|alas|that said),?\s+"
    r"|\s+pity (?:about|that)\s+|,?\s+shame (?:about|that)\s+",
    re.IGNORECASE,
)
_OPENED_CONTRAST = re.compile(
    r"^(?:although|though|even though|even if|while|whilst|whereas|despite|in spite of|apart from|"
    r"except for|as much as|much as)\s+([^,]+),\s+",
    re.IGNORECASE,
)
_LEANING = re.compile(
    r"^(?:but|yet|however|still|sadly|unfortunately|and|on the other hand|that said|though),?\s+",
    re.IGNORECASE,
)
_BESIDE = re.compile(
    r"[,;:]\s+|\s[–—-]+\s|\s+and\s+(?=(?:the|it|its|his|her|their|my|our|we|i|they|he|she|"
    r"you|nobody|"
    r"no one|nothing|a|an)\s)",
    re.IGNORECASE,
)
_HEADED = re.compile(
    r"\b(?:pros?|plus(?:es)?|upsides?|likes?|cons?|minus(?:es)?|downsides?)\s?:", re.I
)
_GOOD_HEAD = re.compile(r"(?:pro|plus|upside|like)", re.I)
#: What was hoped or feared is not what came.
_ONLY_EXPECTED = re.compile(
    r"\b(?:doubts?|doubtful|sceptical|skeptical|afraid|feared|worried|nervous|expect(?:ed|ing)|"
    r"supposed to|used to|once loved|thought|hoped|hoping|promis\w+|wanted to (?:like|love)|"
    r"look(?:ed|ing) forward|high hopes|sounds?|claims?|advertis\w+|in the (?:pictures?|photos?|"
    r"shop|advert|ad|brochure)|on paper|at first|everyone says|they say|was told|may look|"
    r"might look)\b",
    re.IGNORECASE,
)
_CHEERING = re.compile(
    r"^(?:oh,? |ah,? |well,? |yeah,? |wow,? |just |how |so )?(?:great|wonderful|fantastic|"
    r"brilliant|"
    r"lovely|perfect|nice|marvellous|marvelous|super|awesome|terrific|excellent|joy|fabulous|"
    r"charming|splendid|amazing|congratulations|well done|bravo|nice (?:work|one|job)|good job|"
    r"great (?:work|job|start)|thanks(?: a (?:lot|bunch))?|thank you)\s*[,.!:–—-]+\s*(?=\w)",
    re.IGNORECASE,
)
_TROUBLE = re.compile(
    r"\b(?:another|again|twice|still|yet another|lost|late|delay\w*|cancel\w*|broke\w*|crash\w*|"
    r"forgot\w*|managed to|missed|wrong|flat|raining|bill|closed|stuck|queue|fail\w*|ruin\w*|dead|"
    r"more (?:rain|work|traffic|delays|homework))\b",
    re.IGNORECASE,
)
_ASKING = re.compile(
    r"^(?:what|when|where|which|who|whose|how|is|are|was|were|do|does|did|can|could|will|"
    r"would|have|"
    r"has|may|shall|should)\b.*\?\W*$",
    re.IGNORECASE,
)
#: From here on a clause is felt to lean to one side.
_FELT = 0.25
_CLEAR = 0.4
_FAINT = 0.15


@dataclass(frozen=True)
class SentenceFeeling:
    """How good and how bad a sentence is, each from 0 to 1, and the two weighed, -1 to 1."""

    score: float
    good: float
    bad: float


@dataclass(frozen=True)
class _Part:
    words: str
    #: What follows takes it back, as before a "but".
    weight: float = 1.0
    known: float | None = None


def sentence_feelings(sentences: Sequence[str]) -> list[SentenceFeeling]:
    """The feeling of each sentence."""
    return [_of_sentence(_AT_REST.sub("is", sentence)) for sentence in sentences]


def text_feeling(each: Sequence[SentenceFeeling]) -> tuple[float, bool]:
    """The feeling of a whole text, from -1 to 1, and whether it has two sides."""
    felt = [one for one in each if one.good or one.bad]
    if not felt:
        return 0.0, False
    good, bad = sum(one.good for one in felt), sum(one.bad for one in felt)
    score = sum(one.score for one in felt) / len(felt)
    least = min(good, bad)
    sides = max(one.good for one in felt) >= _CLEAR and max(one.bad for one in felt) >= _CLEAR
    return score, sides and least / (good + bad) >= 0.28


def _of_sentence(sentence: str) -> SentenceFeeling:
    if says_mixed(sentence):
        return SentenceFeeling(0.0, 0.5, 0.5)
    if says_indifferent(sentence):
        return SentenceFeeling(0.0, 0.0, 0.0)
    ironic = _irony(sentence)
    if ironic is not None:
        return SentenceFeeling(ironic, 0.0, -ironic)
    parts = _parts(sentence)
    scores = [_of_clause(part.words) if part.known is None else part.known for part in parts]
    if len(parts) == 1:
        return _beside(sentence, scores[0])
    for place, part in enumerate(parts[:-1]):
        later = scores[place + 1]
        if _ONLY_EXPECTED.search(part.words) and abs(later) >= _FELT:
            scores[place] = later / 2
    _hear_the_other_side(parts, scores)
    good = max(0.0, *scores)
    bad = -min(0.0, *scores)
    if good >= _FELT and bad >= _FELT:
        weighed = sum(part.weight * score for part, score in zip(parts, scores, strict=True))
        total = weighed / sum(part.weight for part in parts)
        return SentenceFeeling(total, max(good, _CLEAR), max(bad, _CLEAR))
    strongest = max(scores, key=abs)
    return _one_sided(strongest)


def _hear_the_other_side(parts: Sequence[_Part], scores: list[float]) -> None:
    """After a "but" a faint leaning counts where it goes against a clear first clause."""
    clear = max(scores, key=abs)
    if abs(clear) < _CLEAR or min(scores) < 0 < max(scores):
        return
    for place, part in enumerate(parts):
        if scores[place] == 0 and part.known is None:
            leaning = clause_feelings([part.words])[0].score
            if leaning * clear < 0 and abs(leaning) >= _FAINT:
                scores[place] = _CLEAR if leaning > 0 else -_CLEAR


def _beside(sentence: str, whole: float) -> SentenceFeeling:
    """A sentence without a "but" has two sides only where its clauses are clear by themselves."""
    clauses = [part for part in _BESIDE.split(sentence) if re.search(r"\w\W+\w", part)]
    if len(clauses) < 2 or turn_of_phrase(sentence) not in (None, *map(turn_of_phrase, clauses)):
        return _one_sided(whole)
    clear = []
    for clause in clauses:
        said = word_feelings(clause)
        score = _of_clause(clause)
        evident = turn_of_phrase(clause) is not None or said.balance * score > 0
        clear.append(score if evident else 0.0)
    good, bad = max(0.0, *clear), -min(0.0, *clear)
    if good >= _CLEAR and bad >= _CLEAR:
        return SentenceFeeling(sum(clear) / len(clear), good, bad)
    strongest = max(clear, key=abs)
    # A list of praise is praise, whatever the whole of it looks like.
    if min(good, bad) < _FELT and max(good, bad) >= _CLEAR and strongest * whole <= 0:
        return _one_sided(strongest)
    return _one_sided(whole)


def _one_sided(score: float) -> SentenceFeeling:
    if abs(score) < _FELT:
        return SentenceFeeling(0.0, 0.0, 0.0)
    return SentenceFeeling(score, max(score, 0.0), max(-score, 0.0))


def _irony(sentence: str) -> float | None:
    """The feeling of a cheer that meets trouble: "Oh great, another delay."."""
    cheer = _CHEERING.match(sentence)
    if not cheer:
        return None
    rest = sentence[cheer.end() :]
    if re.search(r"\bbut\b", rest):
        return None
    if _of_clause(rest) <= -_FELT or (_TROUBLE.search(rest) and _of_clause(rest) < _CLEAR):
        return -0.6
    return None


def _parts(sentence: str) -> list[_Part]:
    """The clauses of a sentence that stand against each other; one where none do."""
    heads = list(_HEADED.finditer(sentence))
    if heads:
        ends = [*(head.start() for head in heads[1:]), len(sentence)]
        return [
            _Part(sentence[head.end() : end], known=0.6 if _GOOD_HEAD.match(head[0]) else -0.6)
            for head, end in zip(heads, ends, strict=True)
        ]
    sentence = _LEANING.sub("", sentence)
    opened = _OPENED_CONTRAST.match(sentence)
    first = [_Part(opened[1], 0.7)] if opened else []
    rest = [
        part for part in _CONTRAST.split(sentence[opened.end() :] if opened else sentence) if part
    ]
    rest = [part for part in rest if re.search(r"\w", part)]
    last = len(rest) - 1
    return [
        *first,
        *(_Part(part, 1.0 if place == last else 0.7) for place, part in enumerate(rest)),
    ]


def _of_clause(clause: str) -> float:
    """From -1 to 1, 0 where a clause states or asks something without a feeling."""
    turn = turn_of_phrase(clause)
    if turn is not None:
        return turn
    said = word_feelings(clause)
    judged = clause_feelings([clause])[0]
    return _weighed(clause, said, judged)


def _weighed(clause: str, said: WordFeelings, judged: ClauseFeeling) -> float:
    if not said.good and not said.bad:
        # Without a word of feeling the network must be sure.
        least = 0.75 if _ASKING.match(clause) else 0.4
        return judged.score if abs(judged.score) >= least else 0.0
    # Under a "not" the network often follows the word; the count of words does not.
    trust = 0.45 if said.turned else 0.65
    score = trust * judged.score + (1 - trust) * said.balance * 1.3
    if said.good and said.bad:
        score = 0.8 * judged.score + 0.2 * said.balance
    return max(min(score, 1.0), -1.0)
