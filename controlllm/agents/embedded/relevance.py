"""What of an observation matters for what was asked, and whether it answers it at all."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from controlllm.agents.embedded.facts import Fact, facts_of, is_empty, words_of

#: Vectors of texts, each of length 1, shape (texts, dimensions).
Encode = Callable[[Sequence[str]], np.ndarray]

#: So many different names of fields are compared with what was asked.
_MOST_NAMES = 48
#: So many entries of a list are kept, the fittest.
_MOST_RECORDS = 6
#: An entry that holds a value that was asked for counts so much: then others are not meant.
_NAMED = 1.0
#: What counts entries or pages and says nothing itself.
_COUNTS = frozenset(
    "count total results matches found n size hits page pages limit offset per status ok success "
    "code took ms elapsed cached version request requested id".split()
)
_ERRORS = frozenset({"error", "errors", "fault", "exception"})
#: Words that ask for the one that has least of something, or most.
LEAST = re.compile(
    r"\b(?:cheapest|lowest|least|smallest|shortest|fewest|earliest|soonest|nearest|closest|coldest"
    r"|minimum|youngest|fastest|quickest|first)\b",
    re.IGNORECASE,
)
MOST = re.compile(
    r"\b(?:most|highest|largest|biggest|longest|latest|last|best|greatest|maximum|tallest|warmest"
    r"|hottest|dearest|oldest|newest|top(?:[- ]rated)?|better|windiest|rainiest|furthest|farthest"
    r")\b",
    re.IGNORECASE,
)
#: What a superlative is about, in words that fields are called by.
_ABOUT = {
    **{"cheapest": "price cost fare", "dearest": "price cost", "nearest": "distance"},
    **{"closest": "distance", "shortest": "duration distance length", "fastest": "duration"},
    **{"quickest": "duration", "longest": "duration length", "earliest": "start time departure"},
    **{"soonest": "start time date", "latest": "start time departure date", "best": "rating"},
    **{"coldest": "temperature low", "warmest": "temperature high", "hottest": "temperature high"},
    **{"top": "rating", "top-rated": "rating", "oldest": "year", "newest": "year date"},
    **{"better": "rating", "windiest": "wind", "rainiest": "rain", "tallest": "height"},
    **{"first": "start time date", "last": "start time date"},
}


@dataclass(frozen=True)
class Answer:
    """What an observation brings for some words: its facts, those that matter most first; `reason`
    says why it is of no use, empty where it is of use, `kind` what kind of failure that is.
    `nearness` is how near that field comes to what was asked which comes nearest, beside names and
    what was given.
    """

    facts: tuple[Fact, ...]
    reason: str = ""
    kind: str = ""
    nearness: float = 1.0


def answer_in(
    text: str,
    asked: str,
    arguments: Mapping[str, Any],
    encode: Encode,
    values: Sequence[str] = (),
    things: Mapping[str, Sequence[Fact]] | None = None,
) -> Answer:
    """What an observation brings for what was asked.

    `arguments` are those of the call, `values` what the request names besides (days, places),
    `things` what is known of resources that arguments name.
    """
    facts = facts_of(text)
    if wrong := _error_in(facts):
        return Answer((), f"It answered with an error: {wrong}.", "error")
    facts = tuple(fact for fact in facts if not _is_no_number(fact.value))
    told = [fact for fact in facts if fact.path == "" or not _says_nothing(fact)]
    if not told or is_empty(text):
        return Answer((), "It answered with nothing.", "irrelevant")
    if other := _about_another(facts, arguments, things or {}):
        return Answer((), other, "irrelevant")
    given = {plain(value) for value in arguments.values()}
    own = [f for f in facts if not _identifies(f) and plain(f.value) not in given and f.path]
    nearness = max(_scores(own, asked, encode).values(), default=0.0) if own else 0.0
    return Answer(tuple(_ranked(facts, asked, arguments, encode, values)), nearness=nearness)


def plain(value: Any) -> str:
    """A value as it is compared: without case, marks and white space around."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return " ".join(re.sub(r"[^\w\s.:@+-]", " ", str(value)).lower().split())


def _error_in(facts: Sequence[Fact]) -> str:
    for fact in facts[:40]:
        if fact.name.lower() in _ERRORS and fact.value not in (0, False, "none", "ok", ""):
            return str(fact.value).rstrip(".") if isinstance(fact.value, str) else "it says so"
        is_wrong = plain(fact.value) in ("error", "failed", "failure")
        if fact.name.lower() in ("status", "state") and not fact.record and is_wrong:
            more = (item.value for item in facts if item.name.lower() in ("message", "detail"))
            return str(next(more, fact.value)).rstrip(".")
    return ""


_NOT = re.compile(r"\b(?:not|no|without|except|isn't|aren't)\s+(?:a\s+|the\s+|any\s+)?(\w{3,})")
_CLOCK = r"(?P<hour>\d{1,2})(?::(?P<minute>\d\d))?\s*(?P<half>[ap])?\.?m?\.?"
_LATER = re.compile(
    rf"{_CLOCK}\s+(?:or|and)\s+later\b|\b(?:after|from)\s+{_CLOCK.replace('P<', 'P<a_')}", re.I
)
_EARLIER = re.compile(
    rf"{_CLOCK}\s+(?:or|and)\s+earlier\b|\bbefore\s+{_CLOCK.replace('P<', 'P<a_')}", re.I
)


def _bounds(asked: str) -> tuple[str, str]:
    """The earliest and the latest time that is asked for ("7 pm or later"), ``hh:mm``."""
    return _clock(_LATER.search(asked), "00:00"), _clock(_EARLIER.search(asked), "99:99")


def _clock(match: re.Match[str] | None, otherwise: str) -> str:
    if match is None:
        return otherwise
    told = match.groupdict()
    hour = int(told["hour"] or told["a_hour"])
    half = (told["half"] or told["a_half"] or "").lower()
    if not half and not (told["minute"] or told["a_minute"]):
        # A number alone may count anything.
        return otherwise
    hour = hour % 12 + (12 if half == "p" else 0) if half else hour
    return f"{hour:02}:{told['minute'] or told['a_minute'] or '00'}"


def _within(value: object, bounds: tuple[str, str]) -> bool:
    if not isinstance(value, str) or not re.fullmatch(r"\d\d:\d\d", value):
        return True
    return bounds[0] <= value <= bounds[1]


def _is_no_number(value: object) -> bool:
    return isinstance(value, int | float) and value in _NO_NUMBERS


def _says_nothing(fact: Fact) -> bool:
    return set(fact.words.split()) <= _COUNTS and fact.value in (0, False, True, 1, 200, "ok")


def _about_another(
    facts: Sequence[Fact], arguments: Mapping[str, Any], things: Mapping[str, Sequence[Fact]]
) -> str:
    """Why an answer is about something else than was asked: a field that is called like an argument
    has another value, and what was asked for stands nowhere."""
    said = {plain(fact.value) for fact in facts}
    joined = " | ".join(said)
    for name, wanted in arguments.items():
        if isinstance(wanted, bool | list | tuple) or wanted in ("", None):
            continue
        if wanted in things:
            if other := _about_another_thing(facts, name, things[wanted]):
                return other
            continue
        expected = plain(wanted)
        if expected in said or (len(expected) > 2 and expected in joined):
            continue
        called = words_of(name)
        own = [item for item in facts if words_of(item.name) == called and "." not in item.path]
        own = own or [item for item in facts if words_of(item.name) == called and not item.record]
        for fact in own:
            got = plain(fact.value)
            if got and type(fact.value) is not bool and not (got in expected and len(got) > 2):
                return f"It answered about {called} {fact.value} and not {wanted}."
    return ""


def _about_another_thing(facts: Sequence[Fact], name: str, thing: Sequence[Fact]) -> str:
    """Why an answer is about another entity than the one that was handed over."""
    known = {plain(fact.value) for fact in thing}
    called = set(words_of(name).split())
    title = next((f.value for f in thing if set(f.words.split()[-1:]) & {"name", "title"}), "")
    own = plain(title)
    if not own or any(own in plain(f.value) or plain(f.value) == own for f in facts):
        return ""
    for fact in facts:
        last = set(fact.words.split()[-1:])
        says_who = last & (called | _WHO) and isinstance(fact.value, str) and not fact.record
        if says_who and str(fact.value)[:1].isupper() and plain(fact.value) not in known:
            return f"It answered about {fact.value} and not {title}."
    return ""


#: Fields that say what an answer is about.
_WHO = frozenset(
    "name title location place city town station nearest property product team player company film "
    "movie dish recipe hotel shop what subject display".split()
)
_COMMON = frozenset(
    "the and for you how what which who when where why are was were can could would should will "
    "with that this from not yet one get got any all has have had been his her its our your".split()
)
#: Numbers that services put where they have none.
_NO_NUMBERS = frozenset({-9999, -999, -99999, -9999.0})


def _ranked(
    facts: Sequence[Fact],
    asked: str,
    arguments: Mapping[str, Any],
    encode: Encode,
    values: Sequence[str],
) -> list[Fact]:
    """The facts, those first that matter most: in the entries that fit what was asked."""
    scores = _scores(facts, asked, encode)
    wanted = {plain(value) for value in values} | {
        plain(value) for value in arguments.values() if isinstance(value, str | int | float)
    }
    asked_plain = f" {plain(asked)} "
    asked_words = {_stem(word) for word in words_of(asked).split() if len(word) > 2}
    asked_words -= _COMMON
    unwanted = {_stem(word.lower()) for word in _NOT.findall(asked)}
    bounds = _bounds(asked)
    asked_words -= unwanted
    records: dict[str, float] = {}
    for fact in facts:
        if fact.record:
            value = plain(fact.value)
            stands = len(value) > 2 and f" {value} " in asked_plain
            hit = 1.0 * (value in wanted) + 0.8 * (stands and value not in wanted)
            said = {_stem(word) for word in words_of(str(fact.value)).split() if len(word) > 2}
            hit += 0.3 * len(said & asked_words) - 1.0 * bool(said & unwanted)
            hit -= 2.0 * (not _within(fact.value, bounds))
            records[fact.record] = records.get(fact.record, 0.0) + hit
    best = max(records.values(), default=0.0)
    fitting = [name for name, hit in records.items() if hit >= best - 0.3]
    fitting.sort(key=lambda name: -records[name])
    fitting = _extreme_first(fitting, facts, asked, scores, encode)
    if best < _NAMED:
        # Nothing says that just these are meant.
        fitting += [name for name in records if name not in fitting]
    fitting = fitting[:_MOST_RECORDS]
    places = {name: place for place, name in enumerate(fitting)}

    inner = any("." in fact.path or fact.record for fact in facts)

    def rank(fact: Fact) -> tuple[float, float]:
        place = places.get(fact.record, 99) if fact.record else 0
        score = scores.get(fact.words, 0.0)
        # What stands around an answer is mostly about who gives it.
        around = inner and "." not in fact.path and not fact.record
        return (place if not around else 50 - 50 * (score > 0.4), -score)

    kept = [fact for fact in facts if not fact.record or fact.record in places]
    return sorted(kept, key=rank)


def _stem(word: str) -> str:
    return re.sub(r"(?:ies|es|s)$", "", word)


def _identifies(fact: Fact) -> bool:
    last = fact.words.split()[-1:]
    return last in (["id"], ["name"], ["title"], ["code"])


def _scores(facts: Sequence[Fact], asked: str, encode: Encode) -> dict[str, float]:
    """How near the names of fields come to what was asked, by their words."""
    words = dict.fromkeys(fact.words for fact in facts)
    spoken = set(words_of(asked).split())
    overlap = sorted(words, key=lambda name: -len(spoken & set(name.split())))
    names = [name for name in overlap[:_MOST_NAMES] if name]
    if not names:
        return {}
    vectors = encode([asked, *names])
    return dict(zip(names, (vectors[1:] @ vectors[0]).tolist(), strict=True))


def _extreme_first(
    records: list[str],
    facts: Sequence[Fact],
    asked: str,
    scores: Mapping[str, float],
    encode: Encode,
) -> list[str]:
    """Entries in the order that a superlative asks for: "the cheapest"."""
    least, most = LEAST.search(asked), MOST.search(asked)
    told = least or most
    if told is None or len(records) < 2:
        return records
    columns: dict[str, dict[str, float | str]] = {}
    for fact in facts:
        if fact.record in records and _has_order(fact.value):
            columns.setdefault(fact.words, {})[fact.record] = fact.value
    names = [
        name
        for name, column in columns.items()
        if len(column) == len(records) and len({type(v) is str for v in column.values()}) == 1
    ]
    if not names:
        return records
    about = _ABOUT.get(told.group().lower(), asked[told.end() : told.end() + 30])
    vectors = encode([about, *names])
    column = columns[names[int(np.argmax(vectors[1:] @ vectors[0]))]]
    return sorted(records, key=lambda name: column[name], reverse=told is most)


def _has_order(value: object) -> bool:
    """Whether a value is a number, a date or a time."""
    if isinstance(value, str):
        return re.match(r"\d{4}-\d\d|\d\d:\d\d", value) is not None
    return isinstance(value, int | float) and not isinstance(value, bool)
