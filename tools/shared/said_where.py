"""Where something is said: what a question looks for, and the sentences that say it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from controlllm.toolbox import GivenFile

from .function_words import FUNCTION_WORDS

#: What a question for a place is made of besides what is looked for there.
_ASKING = FUNCTION_WORDS | frozenset(
    "page pages mention mentions mentioned say says said speak speaks spoke spoken talk talks "
    "talked talking tell told find named name anywhere somewhere word words stand stands pdf "
    "document documents contract manual minutes report file files letter letters recording "
    "recordings memo memos clip clips audio audios sound sounds voice message messages video "
    "videos film films pls want read whole thing things look looking see listen hear heard new "
    "first last second seconds time minute subject topic passage part bit somebody person".split()
)
#: What is no name of the thing behind "about".
_NO_THING = FUNCTION_WORDS | {"thing", "things", "word", "words", "somewhere", "anywhere"}
_TELLING = re.compile(
    r"\b(?:(?P<about>about|concerning)|mention(?:s|ed|ing)?|sa(?:y|ys|id|ying)|"
    r"(?:speak|spoke|talk)\w* of|(?:called|words?|named?)(?! and\b))\s+"
    r"(?P<thing>.+?)"
    r"(?=[,;:.?!](?:\s|$)|\b(?:which|because|please|is said|is mentioned|and tell)\b|$)"
)
#: How near in meaning a sentence has to be to be told of where nothing has the words.
_NEAR = 0.28
_LONGEST_QUOTE = 240


def looked_for(question: str) -> list[str]:
    """The words of a question that have to stand where it is about: those in quotation marks, or
    those behind "about" and its like, or all but what any such question is made of."""
    marked = re.search(r"[\"“'‘]([^\"”'’]{2,})[\"”'’]", question)
    if marked:
        return _words(marked[1], _ASKING)
    told = question.strip().lower()
    behind = [(found["thing"], bool(found["about"])) for found in _TELLING.finditer(told)]
    behind.sort(key=lambda found: not found[1])
    candidates = [_words(thing, _NO_THING if is_about else _ASKING) for thing, is_about in behind]
    candidates += [_words(part, _ASKING) for part in re.split(r"[.?!](?:\s|$)", told)]
    return next(filter(None, candidates), [])


def _words(told: str, but: frozenset[str]) -> list[str]:
    found = re.findall(r"\w[\w'’-]*", told.lower().replace("’", "'"))
    return [word.removesuffix("'s") for word in found if word not in but]


def that_say(sentences: Sequence[str], words: Sequence[str]) -> list[int]:
    """The places of the sentences that hold the most of some words, side by side where that is
    anywhere; none where no two of several words stand together."""
    stems = [re.escape(word[: max(3, len(word) - 2)] if len(word) > 4 else word) for word in words]
    side_by_side = [
        re.compile(rf"\b{first}\w*\W+{second}", re.IGNORECASE) for first, second in pairwise(stems)
    ]
    patterns = [re.compile(rf"\b{stem}", re.IGNORECASE) for stem in stems]
    scores = [
        sum(bool(pattern.search(sentence)) for pattern in patterns)
        + 0.1 * sum(bool(pattern.search(sentence)) for pattern in side_by_side)
        for sentence in sentences
    ]
    # Of several words one may only say which document it is: "of the gym contract".
    most = max(scores, default=0.0)
    if most < min(2, max(len(words), 1)):
        return []
    return [place for place, score in enumerate(scores) if score == most]


def nearest(sentences: Sequence[str], words: Sequence[str]) -> int | None:
    """The place of the sentence that is nearest in meaning to some words; None where none is."""
    from controlllm.models import encoder  # loads a model

    if not sentences:
        return None
    rows = encoder.encode([" ".join(words), *sentences])
    likeness = rows[1:] @ rows[0]
    best = int(likeness.argmax())
    return best if likeness[best] >= _NEAR else None


def names_of(files: Sequence[GivenFile], count: int, what: str) -> list[str]:
    """What each of several files is called: as the person knows it, else "recording 2"."""
    named = [file.name for file in files] if len(files) == count else [""] * count
    return [name or f"{what} {place}" for place, name in enumerate(named, 1)]


def quoted(sentence: str) -> str:
    """A sentence with single spaces, cut where it is very long."""
    told = " ".join(sentence.split())
    return told if len(told) <= _LONGEST_QUOTE else f"{told[: _LONGEST_QUOTE - 1].rstrip()}…"
