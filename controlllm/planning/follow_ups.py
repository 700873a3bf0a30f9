"""What a request that goes on may be about: what is at hand, and what "it" is."""

from __future__ import annotations

import re
from collections.abc import Sequence

from controlllm.core.lineage import Lineage, is_work, kind_of
from controlllm.planning.mentions import KIND_WORDS, read_mentions
from controlllm.planning.restoring import is_chatter
from controlllm.resources import Resource

#: Speaks of something that was spoken of before, in the first thing that is asked.
_BACK = re.compile(
    r"\b(?:it|its|he|his|him|she|her|hers|they|their|them|this|that|these|those)\b", re.IGNORECASE
)
_KINDS = {kind: "|".join(sorted(words)) for kind, words in KIND_WORDS.items() if kind != "text"}
_FILE = re.compile(
    rf"\b(?:the|this|that|my|our)\s+(?:\w+\s+)?(?:{'|'.join(_KINDS.values())})\b", re.IGNORECASE
)
#: Tells one of several files from the others, or means several.
_APART = re.compile(
    r"\b(?:others?|another|both|all|each|every|either|two|three|four|rest|first|second|third|fourth|"
    r"fifth|last|former|latter|original|next\s+one|"
    r"(?:images|pictures|photos|photographs|pics|videos|clips|films|recordings|files|sounds|songs))\b",
    re.IGNORECASE,
)
#: A question about what is to be seen, though no picture is named.
_QUESTION = re.compile(
    r"\W*(?:(?:and|so|ok|okay|now|but)\s+)*(?:how\s+many|is|are|was|were|what|who|where|which|does|do)\b",
    re.IGNORECASE,
)
_THERE = re.compile(
    r"\bthere\b|\bin\s+the\s+(?:background|foreground|middle|corner)\b|\bon\s+the\s+(?:left|right)\b"
    r"|\bis\s+the\s+\w+\s+\w+ing\b",
    re.IGNORECASE,
)
_OF_WORDS = re.compile(
    rf"\b(?:{'|'.join(sorted(KIND_WORDS['text']))}|words?|sentences?|answer|summary|mean|says?|"
    r"translat\w+|summari[sz]\w*|shorten\w*|rewrite|rephrase|paraphrase|proofread|spell\w*|read|"
    r"speak|pronounce|voice|aloud|out\s+loud|poem|rhyme|headline|title|hashtags?|keywords?|language|"
    r"english|german|french|spanish|italian|dutch|polish|russian|arabic|turkish|chinese|japanese)\b",
    re.IGNORECASE,
)
_KEPT = frozenset({"text", "document", "table"})
#: Only how something is to be: "a bit darker please".
_MORE = re.compile(
    r"\W*(?:(?:and|now|ok|okay|please|make|even|still|just|no|but|slightly|much|way|"
    r"an?|little|tiny|lot|bit|touch)\W+)*(?:more|less|(?!after|under|over|other)[a-z]{3,}er)\b",
    re.IGNORECASE,
)
_THEM = re.compile(
    r"\b(?:put|join|combine|merge|compare|stitch|arrange)\b.*\b(?:them|these|those)\b", re.I
)
_MOST_WORDS = 6
_ADDRESS = re.compile(r"\bhttps?://", re.IGNORECASE)
#: Puts files together.
_TOGETHER = re.compile(
    r"\b(?:others?|both|with|beside|next\s+to|onto|between|than|and\s+the)\b", re.IGNORECASE
)
_FIRST = re.compile(r"[.;:!?\n]\s|,|\s(?:and|then)\s", re.IGNORECASE)
_SHORTEST = 4


def offered(
    resources: Sequence[Resource], now: Lineage, attached: Sequence[str], text: str
) -> tuple[Resource, ...]:
    """The resources that may be meant: not what was taken back or only made on the way to something
    else, unless it came along or is called by its name."""
    hidden = (now.taken_back | now.on_the_way) - set(attached)
    return tuple(
        item for item in resources if item.value not in hidden or is_named(item.value, text)
    )


def counted(
    text: str,
    resources: Sequence[Resource],
    now: Lineage,
    spoken: Sequence[str] = (),
) -> tuple[str, ...]:
    """The file that "the second picture" means, as it is now: of those that one step made together,
    where those are `spoken` of, else of those that were added; none where no place among several is
    told."""
    told = read_mentions(text, resources)
    if told.ordinal is None or told.named or _TOGETHER.search(text):
        return ()
    together: dict[tuple[int, str], list[str]] = {}
    for item in spoken:
        if item in now.made:
            together.setdefault((now.made[item].turn, now.made[item].step), []).append(item)
    most = max(together.values(), key=len, default=[])
    if most[1:]:
        is_there = -len(most) <= told.ordinal < len(most)
        return (most[told.ordinal],) if is_there else ()
    added = [
        item
        for item in resources
        if item.value not in now.made and is_work(item.type) and kind_of(item.type) in told.kinds
    ]
    if len(added) < 2 or not -len(added) <= told.ordinal < len(added):
        return ()
    return (now.current(added[told.ordinal].value, added[told.ordinal].type),)


def narrowed(
    resources: Sequence[Resource], spoken: Sequence[str], text: str
) -> tuple[Resource, ...]:
    """The resources without other files of the kinds of those that are spoken of, unless words of
    their names are said: "it" is one of these, and never another picture."""
    known = {item.value: item for item in resources}
    kinds = {kind_of(known[value].type) for value in spoken if value in known}
    if kinds and not is_about_words(text):
        # An answer in words is not what the next wish is about.
        kinds.add("text")
    said = set(_words(text))
    own = {word for value in spoken for word in _words(value.rpartition(".")[0])}
    return tuple(
        item
        for item in resources
        if item.value in spoken
        or kind_of(item.type) not in kinds
        or (item.type in _KEPT and item.origin == "uploaded")
        or is_named(item.value, text)
        or said & (set(_words(item.value.rpartition(".")[0])) - own)
    )


def is_about_words(text: str) -> bool:
    """Whether what is asked can only be meant of words."""
    return _OF_WORDS.search(text) is not None


def _words(text: str) -> list[str]:
    return [word for word in re.findall(r"[^\W\d_]+", text.lower()) if len(word) >= _SHORTEST]


def is_named(value: str, text: str) -> bool:
    """Whether a text calls a file by its name, with its ending or without."""
    stem = value.rpartition(".")[0]
    names = [value, *([stem] if len(stem) >= _SHORTEST and re.search(r"[\d_\- ]", stem) else [])]
    return any(
        re.search(rf"(?<![\w.-]){re.escape(name)}(?![\w-])", text, re.IGNORECASE) for name in names
    )


def spoken_of_again(
    text: str, resources: Sequence[Resource], spoken: Sequence[str], now: Lineage
) -> tuple[str, ...]:
    """The files that a request means by "it", "his" or "the picture" without naming any: those that
    were `spoken` of last, with what is current of another kind that it speaks of; else none."""
    known = {item.value: item for item in resources}
    files = [known[value] for value in spoken if value in known and is_work(known[value].type)]
    named = any(is_named(value, text) for value in known)
    if not files or named or _APART.search(text) or _ADDRESS.search(text):
        return ()
    if _THEM.search(text) and len(files) == 1:
        kind = kind_of(files[0].type)
        added = [
            item
            for item in resources
            if item.value not in now.made and is_work(item.type) and kind_of(item.type) == kind
        ]
        if added[1:]:
            return tuple(dict.fromkeys(now.current(item.value, item.type) for item in added))
    # "That's too hectic, make it slower": what is asked comes behind.
    clauses = [part for part in _FIRST.split(text.strip()) if part.strip()]
    first = next((part for part in clauses if not is_chatter(part)), text)
    kinds = {kind_of(item.type) for item in files}
    told = [kind for kind, words in _KINDS.items() if re.search(rf"\b(?:{words})\b", text, re.I)]
    asks_on = _QUESTION.match(first) and _THERE.search(first) and set(kinds) & {"image"}
    means_file = _FILE.search(first) and set(told) & kinds
    speaks_on = _MORE.match(first) and len(first.split()) <= _MOST_WORDS and not told
    if not _BACK.search(first) and not means_file and not asks_on and not speaks_on:
        return ()
    others = [
        [item for item in resources if kind_of(item.type) == kind]
        for kind in told
        if kind not in kinds and kind in _KINDS
    ]
    beside = [items[-1] for items in others if items and _BACK.search(first)]
    found = dict.fromkeys(item.value for item in (*beside, *files))
    return tuple(found)
