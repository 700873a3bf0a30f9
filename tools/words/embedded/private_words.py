"""Which words of a text are to be hidden: names, addresses and numbers by their kind, and words as
they stand in a request."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from controlllm.values import Kind
from controlllm.values.kinds import Found

from . import contacts
from .named_entities import named_entities

#: What the kinds are called.
NAMES = {
    "emails": "e-mail address", "phones": "phone number", "names": "name of a person",
    "ibans": "account or card number", "amounts": "sum of money", "dates": "date", "links": "link",
    "numbers": "number",
}  # fmt: skip
_QUOTED = re.compile(r"[\"“„«‘]([^\"”“»’]+)[\"”“»’]|(?<![\w'])'((?:[^'\n]|'(?=\w))+)'(?!\w)")
#: All names, and not that of one person.
_ALL_NAMES = re.compile(
    r"(?i:\b(?:all|any|every|each|both|other|no|people's|persons'?|everybody's|everyone's)"
    r"(?: (?!page)\w+){0,2} names?\b)|\b[Nn]ames\b(?! [A-Z])|"
    r"(?i:\b(?:people|who|anonymi[sz]e|personal|private)\b)",
)
_CENTS = re.compile(r"(?<![\d.,])\d{1,3}(?:[.,]\d{3})*[.,]\d\d(?![\d.,]*\d)")
_NUMBER = re.compile(r"\d(?:[\d .,/:-]*\d)?")
#: What is asked for by its kind.
_KINDS: tuple[tuple[str, str], ...] = (
    ("emails", r"e-?mails?\b|\bmail address"),
    ("phones", r"\b(?:tele)?phones?\b|\bmobile\b|\btel\b|\bnumbers? (?:of|to call|to ring)\b"),
    (
        "names",
        r"\bnames?\b(?! of (?:the )?(?:company|firm|street|file))|\bpe(?:ople|rsons?)\b|\bwho\b",
    ),
    (
        "ibans",
        r"\bibans?\b|\baccounts?\b|\bacct\b|\bbank(?:ing)? (?:details?|data|info\w*|numbers?)\b|"
        r"\b(?:payment|card) details?\b|\bsort ?codes?\b|\brouting\b|\bbic\b|\bswift\b|"
        r"\bcards? n(?:umbers?|o)\b|\b(?:credit|debit|bank) cards?\b",
    ),
    ("amounts", r"\bamounts?\b|\bprices?\b|\bsums?\b|\bsalar\w+|\bmoney\b|\beuros?\b"),
    ("dates", r"\bdates?\b|\bbirthdays?\b"),
    (
        "numbers",
        r"\b(?:all|any|every|each|the|no|these|those) (?:the )?(?:numbers|digits|figures)\b"
        r"(?! of\b)",
    ),
    ("links", r"\blinks?\b|\bweb ?(?:sites?|addresses)\b|\burls?\b"),
)
_PERSONAL = re.compile(
    r"(?i)\bpersonal (?:data|details|info\w*)\b|\bcontact (?:details|data|info\w*)\b|\bprivate\b|"
    r"\banonymi[sz]e\b"
)
_NO_WORDS = frozenset(
    "black out hide redact cover remove make please the and all every any a an in of on this that "
    "pdf it i my our her his their blacken censor properly so nobody before "
    "pixelate whiten censor blur put over with black white bars bar".split()
)


def _names(text: str) -> list[str]:
    return _with_parts(
        [
            one.name
            for one in named_entities(text)
            if one.kind == "person" and not re.search(r"\d", one.name)
        ]
    )


def _with_parts(names: list[str]) -> list[str]:
    """Names with their parts: where Helen Moore is hidden, Moore alone is."""
    return [*names, *(part for name in names for part in name.split() if len(part) > 2)]


_FINDERS: dict[str, Callable[[str], list[str]]] = {
    **contacts.FINDERS,
    "names": _names,
    "numbers": _NUMBER.findall,
    "amounts": lambda text: [*contacts.FINDERS["amounts"](text), *_CENTS.findall(text)],
    "ibans": contacts.accounts,
}


def kinds_in(request: str) -> list[str]:
    """The kinds of words that a request asks to hide."""
    kinds = [kind for kind, asked in _KINDS if re.search(asked, request, re.IGNORECASE)]
    if _PERSONAL.search(request):
        kinds += ["names", "emails", "phones", "ibans"]
    return list(dict.fromkeys(kinds))


def _found_kinds(words: str) -> Iterator[Found]:
    if kinds := kinds_in(words):
        yield Found(",".join(kinds), 0, 0)


KINDS = Kind("what to hide, such as names or phones", _found_kinds, r"[a-z]+(?:,[a-z]+)*")


def wanted(request: str, kinds: Iterable[str], text: str) -> tuple[list[str], list[str]]:
    """What is to be hidden of a text, in its words, and what was asked for and is not there.

    Words in quotation marks are meant as they stand; so are names and numbers that the request and
    the text share.
    """
    kinds = list(dict.fromkeys([*kinds, *kinds_in(request)]))
    found, missing = [], []
    named = _named_people(request, text) if "names" in kinds else []
    for kind in kinds:
        # "The name Karin Holt" is hers alone.
        held = named if kind == "names" and named else _FINDERS[kind](text)
        found += held
        missing += [] if held else [kind]
    for said in ((match[1] or match[2]).strip() for match in _QUOTED.finditer(request)):
        found += [said] if places_of(said, text) else []
        missing += [] if places_of(said, text) else [f"“{said}”"]
    if not found and places_of(request.strip(), text):
        found.append(request.strip())
    # A name or a number out of the text, as it stands in the request.
    for said in re.findall(
        r"(?:[^\W\d_a-z][\w'’-]*(?: (?:& )?[^\W\d_a-z][\w'’-]*)*)|[\d+][\d ,.()/-]*\d", request
    ):
        words = [word for word in said.split() if word.lower() not in _NO_WORDS]
        if words and places_of(" ".join(words), text):
            found.append(" ".join(words))
    return list(dict.fromkeys(found)), missing


def _named_people(request: str, text: str) -> list[str]:
    """The names of the people of a text whom a request names, and their parts, where it wants no
    other names hidden."""
    if _ALL_NAMES.search(request):
        return []
    people = [entity.name for entity in named_entities(text) if entity.kind == "person"]
    return _with_parts([name for name in people if " " in name and places_of(name, request)])


def places_of(said: str, text: str) -> list[tuple[int, int]]:
    """Where words stand in a text, whatever the case and the breaks of lines between them."""
    pattern = r"[\s-]*".join(map(re.escape, re.findall(r"\w+|[^\w\s]", said)))
    if not pattern:
        return []
    before = r"(?<!\w)" if said[0].isalnum() else ""
    after = r"(?!\w)" if said[-1].isalnum() else ""
    return [match.span() for match in re.finditer(before + pattern + after, text, re.IGNORECASE)]


def spans_of(hidden: Iterable[str], text: str) -> list[tuple[int, int]]:
    """Where words to hide stand in a text, in order, those that overlap as one: Moore in Helen
    Moore is no own place."""
    spans: list[tuple[int, int]] = []
    for start, end in sorted(span for said in hidden for span in places_of(said, text)):
        if spans and start < spans[-1][1]:
            spans[-1] = (spans[-1][0], max(end, spans[-1][1]))
        else:
            spans.append((start, end))
    return spans
