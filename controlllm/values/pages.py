"""Pages as they are said: numbers, ranges, the first and the last, all from one on."""

from __future__ import annotations

import re
from collections.abc import Iterator

from controlllm.values.kinds import Found, found_in
from controlllm.values.plain import UP_TO_TWELVE

_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth".split()
_PAGE = r"(?:(?:pages?|pgs?|slides?|sheets?|pp?)(?![a-z])\.?)"
_NUMBER = rf"(?:\d+|{'|'.join(UP_TO_TWELVE)})(?![\w%])"
_TO = r"(?:-|to|through|till|until|up to)"
_SOME = rf"{_NUMBER}(?: ?{_TO} ?(?:{_PAGE} ?)?{_NUMBER})?"
#: Behind "and" a comma begins something else: "pages 14 and 22, two I know of".
_LISTED = re.compile(
    rf"\b{_PAGE} ?(?P<some>{_SOME}(?: ?(?:,|&) ?(?:{_PAGE} ?)?{_SOME})*"
    rf"(?:(?: ?, ?| )and (?:{_PAGE} ?)?{_SOME})*)"
)
#: A range further on: "pages 1-3 violin, 4-6 viola".
_RANGE = re.compile(r"(?<![\w.:/-])(\d+) ?- ?(\d+)(?![\w.:/%-]| ?(?:seconds?|minutes?|px|mm|cm)\b)")
_SET_APART = re.compile(r"\b(?:only|just|without|except|but)(?: for)?(?: the)? $")
#: Numbers alone, where pages are what is spoken of: "i think 4, 8 and 11", "1-12, 13-31, 32-44".
_NUMBERS_ALONE = re.compile(
    r"(?<![\w.:/-])(\d{1,4}(?: ?- ?\d{1,4})?(?: ?, ?\d{1,4}(?: ?- ?\d{1,4})?)*"
    r"(?: ?(?:,|and|, and) ?\d{1,4}(?: ?- ?\d{1,4})?))(?![\w.:/%-]| ?(?:,|and) ?\d)"
    r"(?= ?(?:$|[,.;!?)]|(?:please|out|only|as|from|in|into|and)\b))"
)
_ON = (
    r"(?:on(?:wards?)?\b|and (?:after|following|up)\b|"
    r"(?:to|until|till|up to) the (?:very )?end\b)"
)


def find_some_pages(words: str) -> Iterator[Found]:
    """The pages in plain words, but for "every page": what shows a few does not show all."""
    return (found for found in find_pages(words) if found.value != "all")


def find_pages(words: str) -> Iterator[Found]:
    """The pages in plain words, counted from 1: ``"2-5,7"``, ``"last"``, ``"odd"``, ``"7-"`` for
    all from the seventh on, ``"all"``."""
    opened = list(_open_ended(words))
    yield from opened
    listed = _LISTED.finditer(words)
    # "Page 3 is upside down, only page 2 should turn": what is set apart is what is meant.
    for match in sorted(listed, key=lambda match: not _SET_APART.search(words[: match.start()])):
        if not any(one.start < match.end() and match.start() < one.end for one in opened):
            yield Found(_with_further(_listed(match["some"]), words[match.end() :]), *match.span())
    ordinal = "|".join(_ORDINALS)
    yield from found_in(
        words,
        (rf"\bfirst ({_NUMBER}) {_PAGE}", lambda match: f"1-{_figure(match[1])}"),
        (rf"\blast ({_NUMBER}) {_PAGE}", lambda match: f"last{_figure(match[1])}"),
        (
            rf"\bfirst(?: {_PAGE})? and (?:the )?(?:very )?last(?: {_PAGE}| one)?\b",
            lambda match: "1,last",
        ),
        (
            rf"(?<!every )(?<!each )\b({ordinal})(?: and (?:the )?({ordinal}))? {_PAGE}(?!\w)",
            _numbers,
        ),
        (rf"\b(\d+)(?:st|nd|rd|th) {_PAGE}(?!\w)", lambda match: match[1]),
        (rf"\b(?:last|final) {_PAGE}(?!\w)|\bthe very last(?: one)?(?!\w)", "last"),
        (r"\b(?:cover|title) (?:page|sheet)\b", "1"),
        (rf"\bodd(?: numbered)?(?: {_PAGE})?(?!\w)", "odd"),
        (rf"\beven(?: numbered)? {_PAGE}(?!\w)|\bevery (?:other|second) {_PAGE}(?!\w)", "even"),
        (
            rf"\b(?:all|every|each|whole)(?: of)?(?: the| its)? (?:{_PAGE}|pdf|document)(?!\w)",
            "all",
        ),
    )


def find_told_pages(words: str) -> Iterator[Found]:
    """The pages in plain words that are about nothing but pages, so that numbers alone are some,
    where no other pages are said."""
    named = list(find_pages(words))
    yield from named
    if not named:
        yield from found_in(words, (_NUMBERS_ALONE, lambda match: _listed(match[1])))


def _open_ended(words: str) -> Iterator[Found]:
    """Pages from one on, or up to one."""
    has_pages = re.search(rf"\b{_PAGE}", words) is not None
    for pattern, form, change in (
        (rf"\b(?:after|behind|past) {_PAGE} ?({_NUMBER})(?!,| and| ?-)", "{}-", 1),
        (rf"\b(?:from )?{_PAGE} ?({_NUMBER}) {_ON}", "{}-", 0),
        (rf"\bfrom ({_NUMBER}) {_ON}", "{}-" if has_pages else "", 0),
        (rf"\b(?:up to|until|till)(?: and including)? {_PAGE} ?({_NUMBER})", "1-{}", 0),
        (rf"\b(?:everything|all|anything) before {_PAGE} ?({_NUMBER})", "1-{}", -1),
    ):
        for match in re.finditer(pattern, words) if form else ():
            number = int(_figure(match[1])) + change
            # "Pages 2 up to page 5" is a range, which has its beginning before.
            begins = re.search(rf"{_NUMBER} ?$", words[: match.start()])
            if number > 0 and not (begins and form.startswith("1-")):
                yield Found(form.format(number), *match.span())


def _listed(some: str) -> str:
    """Pages as they are said one behind the other, as "2-5,7"."""
    figures = re.sub(r"[a-z]+", lambda word: _figure(word[0]), some)
    figures = re.sub(rf" ?{_TO} ?", "-", figures)
    figures = re.sub(r" ?(?:,|\band\b|&) ?", ",", re.sub(rf"{_PAGE} ?", "", figures))
    return re.sub(r",+", ",", figures.replace(" ", ""))


def _with_further(listed: str, rest: str) -> str:
    """A range with those that follow it further on in the words."""
    last = re.search(r"-(\d+)$", listed)
    end = int(last[1]) if last else 0
    for match in _RANGE.finditer(rest) if last else ():
        if end < int(match[1]) < int(match[2]):
            listed, end = f"{listed},{match[1]}-{match[2]}", int(match[2])
    return listed


def _figure(word: str) -> str:
    return str(UP_TO_TWELVE.get(word, word))


def _numbers(match: re.Match[str]) -> str:
    return ",".join(str(_ORDINALS.index(word) + 1) for word in match.groups() if word)
