"""What people say beside a wish: whose table it is, what it is for, greetings and thanks."""

from __future__ import annotations

import re

from .asking import FUNCTION_WORDS, asked_of
from .reading import Sheet

#: What a sentence asks for or rules out begins with or holds one of these.
_ASKS = re.compile(
    r"(?<!\w)(?:how|what|which|who|whose|when|where|total|sum|averages?|mean|median|count|sort|order|"
    r"keep|only|filter|remove|delete|drop|without|except|exclude|but|not|no|don't|doesn't|never|"
    r"all|every|each|add|put|make|show|give|list|take|throw|leave|round|split|join|compare|fill|"
    r"rename|move|draw|chart|plot|if|unless|where|as|should|must|has to|have to|need|want)(?!\w)",
    re.IGNORECASE,
)
_POLITE = re.compile(
    r"^\s*(?:dear \w+|hi(?: there)?|hello(?: there)?|hey|good (?:morning|evening|day))\s*[,!.]\s*|"
    r"(?<!\w)(?:please|pls|plz|kindly|thank you(?: (?:so|very) much)?|thanks(?: a lot)?|cheers|thx|"
    r"sorry)(?!\w)[!.]?",
    re.IGNORECASE,
)
_IN_BRACKETS = re.compile(r"\s*\(([^()]*)\)")
_LEAD = re.compile(r"^([^:.?!\n\"“]{3,60}):\s+(?=\S)")
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
#: What somebody tells and does not mind: "some typed leeds small, doesn't matter".
_NO_MATTER = re.compile(
    r"(?<!\w)(?:(?:doesn't|does not|don't|do not) matter|no matter|never mind|not important)(?!\w)",
    re.IGNORECASE,
)

#: What computes, picks or leaves out something, in a part of a sentence that has to be kept.
_WORKS = re.compile(
    r"(?<!\w)(?:how|which|who|when|totals?|sums?|averages?|mean|median|count|sort|order|keep|only|"
    r"filter|remove|delete|drop|without|except|exclude|excluding|leave|skip|ignore|double|twice|"
    r"half|per ?cent|%|minus|plus|times|over|under|above|below|more|less|than|most|least|first|"
    r"last|per|each|every|between|round|split|join|if|unless|highest|lowest|best|worst|top|add|put|"
    r"draw|chart|plot|rename|move|replace|fill)(?!\w)|\d|[\"“]",
    re.IGNORECASE,
)
#: With these a part of a sentence begins that rules something out.
_RULES_OUT = re.compile(r"^\W*(?:and |but |so )*(?:not|no|never|don't|nor|just)(?!\w)", re.I)
#: Who speaks, of whom, and how: a part of a sentence that tells something has one of these.
_TELLS = re.compile(
    r"(?<!\w)(?:i|i'm|im|i've|my|me|we|we're|our|us|he|she|his|her|they|their|you|it's|it|that's|"
    r"thats|lol|haha\w*|omg|btw|tbh|thanks|cheers|sorry|please|pls|because|otherwise)(?!\w)",
    re.IGNORECASE,
)
_WANTED = re.compile(
    r"\W*(?:(?:so|hi|hey|ok|well|and),? )*(?:my|our|the|his|her) [\w-]+(?: [\w-]+)? (?:wants?|"
    r"wanted|"
    r"needs?|would like|asks?|asked|is asking|are asking)(?: me| us)?(?: (?:to (?:know|see|have|"
    r"get)|for|"
    r"about))?(?!\w)",
    re.IGNORECASE,
)
_PARTS = re.compile(
    r"((?<=[.!?])\s+|\n+|\s*[;,:]\s+|\s+[-–—]\s+|\s+(?=(?:so|because|cause|cos|since|otherwise|as "
    r"(?:i|we|my|our|he|she|they)|lol)\b))",
    re.IGNORECASE,
)


def without_chatter(sheet: Sheet, words: str) -> str:
    """Words for a table without the parts of sentences in which somebody only tells something:
    they name nothing of the table, and neither reckon nor rule anything out."""

    def is_told(part: str) -> bool:
        if _WORKS.search(part) or _RULES_OUT.search(part) or not _TELLS.search(part):
            return False
        has_name = re.search(r"\w\W+(?!I\b|I')[A-Z]\w", part.strip())
        return not has_name and not asked_of(sheet, part).items

    wanted = _WANTED.match(words)
    if wanted and not asked_of(sheet, wanted[0]).items:
        # "My accountant wants to know what ..." asks what.
        words = words[wanted.end() :]
    pieces = _PARTS.split(_POLITE.sub(" ", words))
    kept, between = "", ""
    for place in range(0, len(pieces), 2):
        if pieces[place].strip() and not is_told(pieces[place]):
            kept += (between if kept else "") + pieces[place]
        between = pieces[place + 1] if place + 1 < len(pieces) else ""
    return " ".join(kept.split()) or words


#: What people call the table that they have, with its kind last: "the waiting list".
_ITSELF = (
    r"(?:lists?|sheets?|tables?|files?|csv|spreadsheet|register|log|diary|accounts|export|database|"
    r"ledger|overview|roster|workbook|inventory|survey)"
)
_CALLED = re.compile(
    rf"(?<!\w)(?P<the>(?:the|my|our|this|that|his|her|their|your)) (?P<name>(?:[\w'’&-]+ ){{1,3}}?)"
    rf"(?P<kind>{_ITSELF})(?!\w)",
    re.IGNORECASE,
)
_ORDINAL = re.compile(r"first|second|third|last|other", re.IGNORECASE)
_HEADED = re.compile(
    rf"^(?P<lead>(?:[\w'’&-]+ ){{0,4}}?{_ITSELF}|[^\W\d][\w'’&-]*(?: [\w'’&-]+){{0,2}}) ?: +(?=\w)",
    re.IGNORECASE,
)


def without_its_name(sheet: Sheet, words: str) -> str:
    """Words for a table without what the table itself is called: "in the waiting list" is in the
    list. What names a value of the table stays, or the only column."""

    def bare(found: re.Match[str]) -> str:
        name, rest = found["name"], words[: found.start()] + words[found.end() :]
        # "The first list" is this one, whatever the other is.
        is_small = not _ORDINAL.fullmatch(name.strip()) and any(
            word.lower() in FUNCTION_WORDS for word in name.split()
        )
        is_named = _names(sheet, name, "VNDQ") or (
            _names(sheet, name, "C") and not _names(sheet, rest, "C")
        )
        return found[0] if is_small or is_named else f"{found['the']} {found['kind']}"

    return _CALLED.sub(bare, words)


def without_heading(sheet: Sheet, words: str) -> str:
    """Words for a table without what they are headed by: "Kit list: ..." begins behind the colon,
    and "Shop takings: the average" is that of the takings."""
    headed = _HEADED.match(words)
    if headed is None or _names(sheet, headed["lead"], "VNDQ"):
        return words
    said = [item.said for item in asked_of(sheet, headed["lead"]).items.values()]
    if said:
        return f"{words[headed.end() :].rstrip(' .?!')} of {said[0]}"
    return words[headed.end() :] if re.search(rf"{_ITSELF}$", headed["lead"], re.I) else words


def _names(sheet: Sheet, part: str, kinds: str) -> bool:
    """Whether a part of the words names something of these kinds of marks in the table."""
    return any(mark[0] in kinds for mark in asked_of(sheet, part).items)


def without_asides(sheet: Sheet, words: str) -> str:
    """Words for a table without the sentences, brackets and openings that name nothing of it and
    ask nothing."""

    def is_aside(part: str) -> bool:
        return (
            bool(_NO_MATTER.search(part))
            or not _ASKS.search(part)
            and not asked_of(sheet, part).items
        )

    words = _POLITE.sub(" ", words)
    words = _IN_BRACKETS.sub(lambda found: " " if is_aside(found[1]) else found[0], words)
    lead = _LEAD.match(words)
    if lead and is_aside(lead[1]):
        words = words[lead.end() :]
    kept = [part for part in _SENTENCE.split(words) if part.strip() and not is_aside(part)]
    return " ".join(" ".join(kept).split()) or words
