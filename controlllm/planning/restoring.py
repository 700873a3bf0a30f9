"""Wishes to go back: "undo that", "the original again", "go back to before the mirror".

They need no tool: what is current moves along the lineage of what was made. Clauses are heard one
by one, each as a whole, so that "undo the red eyes" or "restore the original colours" is no such
wish; what was made is known by the words that asked for it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from controlllm.core.lineage import (
    Lineage,
    Made,
    ends_of,
    is_work,
    kind_of,
    lineage,
    spoken_of,
)
from controlllm.core.session import Turn
from controlllm.planning.clauses import bare

_FILES = (
    "picture|photo|image|pic|photograph|snapshot|drawing|recording|sound|audio|clip|video|film|"
    "movie|song|track|file|text|document|table|voice|scan|page"
)
_THING = rf"(?:one|ones|version|state|result|{_FILES})s?"
_STEP = rf"(?:step|change|edit|thing|action|{_THING})s?"
_THAT = r"(?:it|that|this|them|those|these)(?:\s+(?:last|one|change|edit|step))*"
_LAST = r"(?:the|that|this|your|my|our)\s+(?:very\s+)?(?:last|latest|most\s+recent|previous)"
_DONE = (
    r"(?:what|whatever)\s+(?:you|we|i)(?:\s+have|'ve)?(?:\s+just)?(?:\s+(?:did|done|made|changed))"
)
_WANT = (
    r"(?:(?:please\s+)?(?:give|show|get|bring|hand)\s+me|i\s+(?:want|need|mean|meant|prefer)|"
    r"i'?d\s+(?:like|rather\s+have)|i\s+would\s+like|let\s+me\s+have|let'?s\s+(?:have|use|take)|"
    r"(?:can|could|may)\s+i\s+(?:have|get)|use|take|keep|restore)"
)
_BACK = (
    r"(?:(?:go|get|step|switch|change|roll|return|revert|reset|put|take|bring|turn)\s+)?"
    r"(?:it\s+|that\s+|this\s+|me\s+|us\s+)?(?:all\s+the\s+way\s+)?(?:back\s+)?"
)
_AGAIN = r"(?:\s+(?:again|back|instead|after\s+all))"
_TAIL = r"(?:\s+(?:again|now|for\s+me|right\s+away|then|instead|completely))*"

#: What one takes back that was done last.
_UNDO = (
    rf"undo(?:\s+(?:(?:all\s+)?{_THAT}|{_LAST}(?:\s+{_STEP})?|the\s+(?:change|edit)|{_DONE}))?",
    rf"(?:revert|discard|scrap|roll\s+back)\s+(?:{_THAT}|{_LAST}\s+{_STEP}|{_DONE})",
    rf"(?:cancel|remove|delete|drop|forget)\s+(?:{_LAST}\s+(?:step|change|edit|action)|{_DONE})",
    r"cancel\s+that|(?:bring|change)\s+(?:it|that)\s+back",
    rf"take\s+(?:{_THAT}|{_LAST}\s+{_STEP})\s+back",
    rf"take\s+back\s+(?:{_THAT}|{_LAST}\s+{_STEP}|{_DONE})",
    r"revert|roll\s+back|take\s+a\s+step\s+back|(?:go|step|move)\s+back",
    r"(?:(?:go|step|move)\s+)?back\s+(?:one|a|by\s+one)\s+step|(?:go\s+)?(?:one|a)\s+step\s+back",
    rf"{_BACK}(?:back|(?<=revert\s)|(?<=return\s))?\s*to\s+"
    rf"(?:the|my)\s+(?:previous|earlier|former|last)\s+{_STEP}",
    rf"{_WANT}\s+(?:the|my)\s+(?:previous|earlier|former|last|old)\s+{_THING}{_AGAIN}",
    r"(?:put|get|set|turn|change)\s+(?:it|that|this)\s+back"
    r"(?:\s+(?:to\s+)?(?:the\s+way|how|what|as|like)\s+(?:it|that)\s+was(?:\s+before)?)?",
    r"make\s+(?:it|that|this)\s+(?:the\s+way|how|as|like)\s+it\s+was\s+before",
    r"(?:go\s+)?back\s+to\s+(?:the\s+way|how|what)\s+it\s+was(?:\s+before(?:\s+that)?)?",
    r"(?:go\s+)?back\s+to\s+before(?:\s+(?:that|this))?",
    rf"(?:{_WANT}|{_BACK}(?:back\s+)?to)\s+the\s+{_THING}\s+(?:from\s+)?before(?:\s+(?:that|this))?",
)  # fmt: skip
_ORIGINAL = (
    r"undo\s+(?:everything|it\s+all|all(?:\s+of\s+(?:it|that|this|them))?|"
    r"(?:all\s+)?(?:the\s+|my\s+|your\s+|these\s+|those\s+|of\s+the\s+)?(?:changes|edits|steps))",
    rf"{_BACK}to\s+(?:(?:the|my|its)\s+)?original(?:\s+{_THING})?",
    rf"bring\s+(?:back\s+the\s+original(?:\s+{_THING})?|the\s+original(?:\s+{_THING})?\s+back)",
    rf"{_WANT}\s+(?:the|my)\s+original(?:\s+{_THING})?{_AGAIN}?",
    rf"(?:(?:the|my)\s+)?original(?:\s+{_THING})?{_AGAIN}?",
    rf"start\s+(?:over|again|afresh)(?:\s+(?:with|from)\s+(?:the|my)\s+original(?:\s+{_THING})?|"
    r"\s+from\s+(?:scratch|the\s+beginning))?",
)
#: What one takes back by its name.
_BEFORE = (
    rf"{_BACK}to\s+(?:(?:the\s+way|how|what)\s+it\s+(?:was|looked|sounded)\s+|"
    rf"(?:the\s+|my\s+)?{_THING}\s+(?:from\s+)?)?before\s+(?P<words>.+)",
    r"(?:undo|revert)\s+(?:the|my|your|that|this)\s+(?P<words>.+)",
    r"take\s+(?:the|that)\s+(?P<words>.+)\s+back",
    r"take\s+back\s+(?:the|that)\s+(?P<words>.+)",
)
#: What one wants back by its name.
_NAMED = (
    rf"{_WANT}\s+the\s+(?P<words>.+?)\s+{_THING}{_AGAIN}",
    rf"(?:(?:go|switch|return|get)\s+)?back\s+to\s+the\s+(?P<words>.+?)\s+{_THING}",
    rf"bring\s+(?:back\s+the\s+(?P<words>.+?)\s+{_THING}|the\s+(?P<word>.+?)\s+{_THING}\s+back)",
    rf"the\s+(?P<words>.+?)\s+{_THING}{_AGAIN}",
    rf"i\s+(?:liked|preferred)\s+the\s+(?P<words>.+?)\s+{_THING}(?:\s+(?:better|more|best))?",
)
_ASIDE = "oh|ah|haha|ha|lol|no|nope|nah|hm+|wait|sorry|oops|ups|whoops|well|actually|ok|okay|please"
#: Says how it is found and asks for nothing.
_CHATTER = re.compile(
    rf"(?:(?:{_ASIDE}|o|stop|argh|ugh|damn|thanks|thank\s+you|my\s+(?:mistake|bad)|never\s*mind|"
    r"on\s+second\s+thoughts?)\s*)+"
    r"|(?:oh\s+|no\s+)*(?:(?:that|this|it)(?:\s+one)?(?:\s*'?s|\s+is|\s+was|\s+looks?|\s+looked|"
    r"\s+sounds?|\s+sounded|\s+isn'?t|\s+wasn'?t|\s+doesn'?t|\s+didn'?t|\s+does\s+not))\b.*"
    r"|(?:oh\s+|no\s+)*i\s+(?:don'?t|didn'?t|do\s+not|did\s+not)\s+(?:like|want|mean|ask\s+for)\b.*"
    r"|(?:that|the|this|your|my)\s+(?:last|previous)\s+\w+\s+(?:was|is|looked|looks|sounds)\b.*"
    # "The colour was nicer": why, and not what.
    r"|(?:the|my|its)\s+(?:\w+\s+){1,3}(?:was|were|looked|sounded|is|are|looks|sounds)\s+"
    r"(?:(?:so\s+)?(?:much|way|far|a\s+lot)\s+)?(?:fine|good|great|ok|okay|worse|[a-z]+er)"
    r"(?:\s+(?:before|that\s+way|like\s+that))?"
    r"|i(?:'ve|\s+have)?\s+changed\s+my\s+mind|too\s+\w+|not\s+(?:like\s+)?that"
    rf"|{_WANT}\s+(?:that|this)(?:\s+one)?{_AGAIN}",
    re.IGNORECASE,
)
#: Asks for something all the same: "it is the first part that must go".
_ASKS = re.compile(r"\b(?:must|should|need|needs|has\s+to|have\s+to)\b", re.IGNORECASE)
_SENTENCES = re.compile(r"(?<=[.!?;:])\s+|\n+|\s+[-–—]+\s+")
_JOINTS = re.compile(
    r"\s*,\s*(?:and\s+|but\s+|so\s+)?(?:then\s+)?|\s+(?:and|but|so|then)\s+(?:then\s+)?"
)
_LEADS = re.compile(
    rf"^(?:(?:{_ASIDE}|meh|yeah|yes|and|but|so|(?:(?:very|really|so|looks)\s+)?(?:great|perfect|"
    r"good|nice|lovely|super|cool|excellent|wonderful|thanks|thank\s+you)|then|now|just|rather|instead|"
    r"i\s+meant?|i\s+mean\s+to\s+say)\b[\s,:!.]*)+",
    re.IGNORECASE,
)
_TOGETHER = re.compile(r"^(?:let'?s|let\s+us|(?:can|could|shall)\s+we)\s+", re.IGNORECASE)
_INSTEAD = re.compile(r"[\s,]+instead(?=\s*[.!]*$)")
_QUOTES = re.compile(r"[\"“”„«»]")
#: Says nothing of which step is meant.
_EMPTY = frozenset(
    "the a an it its was were is are be been being that this you i we he she they my your our made "
    "make making got get had have has did do done doing in of to on at with for from one version "
    "step change edit picture photo image thing all just and so".split()
)
_ENDING = re.compile(r"(?:[a-z]?(?:ing|ed|er|est|en|ened|ening)|s|es|d|r|n|e|t|y|ly|)")
_SHORTEST = 3

_How = Literal["last", "original", "before", "named"]


@dataclass(frozen=True)
class Restoration:
    """What a person goes back to: `restored` is current from now on, `taken_back` is not wanted;
    `rest` is what else they ask. Where nothing is `restored` there is nothing to go back to."""

    restored: tuple[str, ...]
    taken_back: tuple[str, ...] = ()
    rest: str = ""


@dataclass(frozen=True)
class _Heard:
    """A wish to go back, with the words that name a step, and what else was said."""

    how: _How
    words: str = ""
    rest: str = ""


def restoring(text: str, turns: Sequence[Turn]) -> Restoration | None:
    """What a request goes back to after the turns of its branch; None where it does not ask that,
    or names something that was not done."""
    for heard in _heard(text):
        found = _resolved(heard, turns)
        if found is not None:
            return _going_on(found, turns) if found.rest else found
    return None


def _going_on(first: Restoration, turns: Sequence[Turn]) -> Restoration:
    """A wish to go back with what is asked besides, where that goes on going back: "undo that and
    give me the quieter one again"."""
    number = turns[-1].number + 1 if turns else 0
    then = Turn(number, "", restored=first.restored, taken_back=first.taken_back)
    second = restoring(first.rest, (*turns, then))
    if second is None or not second.restored:
        return first
    gone = (*first.taken_back, *second.taken_back)
    return _going_back(second.restored, tuple(dict.fromkeys(gone)), second.rest)


def restoring_to(values: Sequence[str], turns: Sequence[Turn]) -> Restoration:
    """Going back to some files or results: all that was made of them is taken back."""
    now = lineage(turns)
    later = frozenset[str]().union(*map(now.made_of, values))
    gone = [item for item in now.standing if item in later and is_work(now.made[item].type)]
    return _going_back(values, gone, "")


def on_original(text: str, turns: Sequence[Turn]) -> str | None:
    """A request about "the original" with the name of that file in its place; None where it does
    not speak of it, or nothing was made of a file yet."""
    now, spoken = lineage(turns), spoken_of(turns)
    roots = [root for value in spoken for root in now.roots(value)]
    found = _SPEAKS_OF_ORIGINAL.search(text)
    if found is None or not roots or set(roots) <= set(spoken) or _QUOTES.search(text):
        return None
    text = _SPEAKS_OF_ORIGINAL.sub(lambda _: roots[0], text)
    return _INSTEAD.sub("", _LEADS.sub("", text.strip())).strip()


_SPEAKS_OF_ORIGINAL = re.compile(
    rf"\b(?:the|my)\s+original(?:\s+{_THING}\b|(?=\s*[.,;:?!]|\s*$|\s+(?:instead|in|into|to|by|with|"
    r"and|on|as|please|a|black|white|brighter|darker|smaller|larger|bigger|louder|quieter|upside|"
    r"again|too|is|was|has|had)\b))",
    re.IGNORECASE,
)


def _heard(text: str) -> Iterator[_Heard]:
    """The wishes to go back that a text may hold, the likeliest first."""
    if _QUOTES.search(text) or len(text) > 400:
        return
    sentences = _SENTENCES.split(text.strip())
    parts = [part for sentence in sentences for part in _JOINTS.split(sentence)]
    for split in (sentences, parts):
        clauses = [clause for clause in split if clause and clause.strip(" .,!?;:-")]
        for place, clause in enumerate(clauses):
            if not all(map(is_chatter, clauses[:place])):
                break
            for how, words in _in_clause(clause):
                yield _Heard(how, words, _left(text, clauses[place + 1 :]))


def _in_clause(clause: str) -> Iterator[tuple[_How, str]]:
    """The ways in which a clause as a whole is a wish to go back."""
    if re.search(r"\?\s*$", clause) and not re.match(
        r"\W*(?:please\s+)?(?:can|could|would|will|may)\s", clause, re.IGNORECASE
    ):
        return
    said = _TOGETHER.sub("", bare(_LEADS.sub("", bare(clause)))).strip(" .,!?;:").lower()
    said = " ".join(said.replace("’", "'").split())
    said = re.sub(r"\s*\b(?:please|thanks)$", "", said).strip(" ,")
    every: tuple[tuple[_How, tuple[str, ...]], ...] = (
        ("last", _UNDO), ("original", _ORIGINAL), ("before", _BEFORE), ("named", _NAMED),
    )  # fmt: skip
    for how, patterns in every:
        for pattern in patterns:
            found = re.fullmatch(pattern + _TAIL, said)
            if found:
                yield how, next((word for word in found.groups() if word), "")
                break


def is_chatter(clause: str) -> bool:
    """Whether a clause says how something is found and asks for nothing."""
    said = bare(clause).strip(" .,!?;:").replace("’", "'")
    return not said or _CHATTER.fullmatch(said) is not None


def _left(text: str, clauses: Sequence[str]) -> str:
    """What the clauses after a wish to go back ask for, as it stands in the text."""
    asked = [clause for clause in clauses if not is_chatter(clause) or _ASKS.search(clause)]
    if not asked:
        return ""
    start, end = text.rindex(asked[0]), text.rindex(asked[-1]) + len(asked[-1])
    found = text[start:end] if start < end else " ".join(asked)
    return _INSTEAD.sub("", found).strip().rstrip(".").strip()


def _resolved(heard: _Heard, turns: Sequence[Turn]) -> Restoration | None:
    now = lineage(turns)
    if heard.how == "last":
        return _last(heard, turns, now)
    if heard.how == "original":
        spoken = spoken_of(turns)
        roots = [root for value in spoken for root in now.roots(value)]
        restored = _alike(roots, spoken, turns)
        if not restored:
            return None
        later = {item for root in restored for item in now.made_of(root)}
        return _going_back(restored, [item for item in now.standing if item in later], heard.rest)
    step = _step(heard.words, now, asked_for=heard.how == "named")
    if step is None:
        return None
    order = list(now.made)
    later = {
        item
        for item in order[order.index(step.value) :]
        if set(now.roots(item)) & set(now.roots(step.value))
    } | now.made_of(step.value)
    if heard.how == "named":
        gone = [item for item in now.standing if item in later and is_work(now.made[item].type)]
        return _going_back((step.value,), gone, heard.rest)
    sources = _sources_of_part(step, now)
    restored = _alike(sources, [step.value], turns)
    return _going_back(restored, [item for item in now.standing if item in later], heard.rest)


def _last(heard: _Heard, turns: Sequence[Turn], now: Lineage) -> Restoration:
    """Taking back what the last turn made whose results stand."""
    for turn in reversed(turns):
        types = {item.value: item.type for item in turn.every}
        ends = [
            value
            for value in ends_of(turn)
            if turn.plan is not None and value in now.standing and is_work(types[value])
        ]
        if not ends:
            continue
        marked = Turn(turns[-1].number + 1, "", taken_back=tuple(ends))
        then = lineage((*turns, marked))
        kinds = _types_of(turns)
        back = []
        for value in ends:
            for root in now.roots(value):
                found = then.current(root, types[value])
                if found == root and kind_of(kinds.get(root, "")) != kind_of(types[value]):
                    # A picture of a sound is gone: the sound is as it was.
                    found = then.current(root, kinds.get(root, ""))
                if root != value:
                    back.append(found)
        return _going_back(_alike(back, ends, turns), ends, heard.rest)
    return Restoration((), (), heard.rest)


def _going_back(restored: Sequence[str], taken_back: Sequence[str], rest: str) -> Restoration:
    kept = tuple(dict.fromkeys(restored))
    return Restoration(kept, tuple(item for item in taken_back if item not in kept), rest)


def _alike(values: Sequence[str], to: Sequence[str], turns: Sequence[Turn]) -> list[str]:
    """Those of some files that are the same kind of thing as others, or all where none is."""
    types = _types_of(turns)
    kinds = {kind_of(types[value]) for value in to if value in types}
    same = [value for value in values if kind_of(types.get(value, "")) in kinds]
    return list(dict.fromkeys(same or values))


def _types_of(turns: Sequence[Turn]) -> dict[str, str]:
    """The types of all that turns worked on and made."""
    types: dict[str, str] = {}
    for turn in turns:
        for task in turn.plan.subtasks if turn.plan else ():
            types.update({item.value: item.type for item in task.args if not item.role})
        types.update({item.value: item.type for item in turn.every})
    return types


def _sources_of_part(step: Made, now: Lineage) -> list[str]:
    """What the part of a request that a step belongs to was about."""
    part = step.step.split(".")[0]
    found, todo = [], list(step.sources)
    while todo:
        made = now.made.get(value := todo.pop(0))
        if made is not None and (made.turn, made.step.split(".")[0]) == (step.turn, part):
            todo += made.sources
        else:
            found.append(value)
    return found


def _step(words: str, now: Lineage, asked_for: bool) -> Made | None:
    """The latest step that some words name, one that stands before one that was taken back."""
    named = [word for word in re.findall(r"[a-z0-9]+", words) if word not in _EMPTY]
    if not named:
        return None
    pool = [
        item
        for item in now.made.values()
        if is_work(item.type) and not (asked_for and item.value in now.on_the_way)
    ]
    pool.sort(key=lambda item: item.value not in now.taken_back)
    for item in reversed(pool):
        inside = {
            word
            for source in item.sources
            for word in re.findall(r"[a-z0-9]+", source.rpartition(".")[0].lower())
        }
        own = set(re.findall(r"[a-z0-9]+", item.value.rpartition(".")[0].lower())) - inside
        asked = re.sub(r"\S+\.\w+", " ", item.asked.lower())
        known = own | set(re.findall(r"[a-z0-9]+", f"{asked} {item.tool.replace('_', ' ')}"))
        if are_known(named, known):
            return item
    return None


def are_known(words: Iterable[str], known: Collection[str]) -> bool:
    """Whether of each of some words another form is among those that are known."""
    return all(any(_same(word, other) for other in known) for word in words)


def _same(one: str, other: str) -> bool:
    """Whether two words are forms of one: "blur" and "blurring"."""
    if one == other:
        return True
    short, long = sorted((one, other), key=len)
    shared = 0
    while shared < len(short) and short[shared] == long[shared]:
        shared += 1
    if shared < _SHORTEST or shared < len(short) - 2:
        # "brightening" and "brighter" have a stem in common.
        stem = short[:shared]
        if len(stem) < 5:
            return False
    return bool(_ENDING.fullmatch(short[shared:]) and _ENDING.fullmatch(long[shared:]))


def without_leads(text: str) -> str:
    """A text without what only leads up to what it asks: "no, I meant …"."""
    return _LEADS.sub("", text)
