"""Words and phrases found in a text and put in place of others, their capitals kept."""

from __future__ import annotations

import re

_QUOTES = "\"'“”‘’«»„`"


def quoted_words(words: str) -> str:
    """A word or phrase without the quotation marks that it was given in."""
    plain = words.strip()
    while len(plain) > 1 and plain[0] in _QUOTES and plain[-1] in _QUOTES:
        plain = plain[1:-1].strip()
    return plain


_IN_QUOTES = re.compile(
    r"[\"“«„]([^\"”»“]+)[\"”»“]|(?<![\w'])['‘]((?:[^'’]|['’](?=\w))+)['’](?!\w)"
)
_CALLED = re.compile(r"^(?:the |my |our )?(?:words?|phrase|term|expression) (?=\S)", re.IGNORECASE)


def counted_word(words: str) -> str:
    """The word or phrase that is to be counted: the one in quotation marks, "the word however"."""
    quoted = _IN_QUOTES.search(words)
    if quoted:
        return (quoted[1] or quoted[2]).strip()
    return quoted_words(_CALLED.sub("", words.strip()))


_SOME = r"(?:“[^”]+”|\"[^\"]+\"|«[^»]+»|‘[^’]+’|'(?:[^']|'(?=\w))+'|[^\"“”«»]+?)"
_SAID = r"(?:says?|reads?|is written|stands?|is)"
_WHERE = rf"(?:wherever|everywhere|every ?where (?:that )?|where)(?: it| there)? {_SAID}"
#: How people say which words (``old``) are replaced by which (``new``), the surest first.
_END = r"(?=[,.;!]|$)"
_EXCHANGES = tuple(
    re.compile(
        pattern.replace("OLD", f"(?P<old>{_SOME})").replace("NEW", f"(?P<new>{_SOME})") + _END,
        re.IGNORECASE,
    )
    for pattern in (
        rf"\b(?:put|write|use|have) NEW {_WHERE} OLD",
        rf"\b{_WHERE} OLD,? (?:(?:it|there) (?:should|shall|must|has to|is to) (?:say|read|"
        r"be|stand)|(?:put|write|use|say|make it)) NEW",
        r"\b(?:put|write|use|have|say) NEW "
        r"(?:instead of|rather than|in place of|for every|for each) OLD",
        r"\bswap in NEW for OLD",
        r"\b(?:should|shall|must|has to|is to) (?:become|be|read|say) NEW,? (?:and )?not OLD",
        r"\b(?:is|are)(?: now)? called NEW(?: now)?,? (?:and )?(?:not|no longer) OLD",
        r"\b(?:replace|substitute|swap(?: out)?|exchange|change|turn|rename|correct) OLD,? "
        r"(?:by|with|to|into|for|as|→|->|=>) NEW",
        r"\bOLD (?:should|shall|must|has to|is to) (?:become|be|read) NEW",
        r"\b(?:take|leave|cut) OLD out(?:$| (?:of|from)\b)(?P<new>).*",
        r"\b(?:take out|leave out|cut out|remove|delete|drop|erase|get rid of) OLD(?P<new>)",
        r"(?:^|: )OLD (?:→|->|=>) NEW",
    )
)
_BEFORE = re.compile(
    r"^(?:(?:please|every|each|all|any|the|both|only|occurrences? of|instances? of|words?|phrases?|"
    r"names?|terms?|it says) )+(?=\S)",
    re.IGNORECASE,
)
_BEHIND = re.compile(
    r"[ ,]+(?:everywhere|throughout|please|pls|again|each time|every time|"
    r"wherever (?:it|that|the \w+) (?:occurs|stands|appears|comes up|is)|whenever it (?:occurs|"
    r"appears)|"
    r"all (?:over|through(?:out)?) (?:the|my|this|that|our|his|her|their) [^\"“”]*|(?:in|of|from|"
    r"out of) "
    r"(?:the|my|this|that|our|his|her|their|an?)\b[^\"“”]*)$",
    re.IGNORECASE,
)


def said_exchange(words: str) -> tuple[str, str] | None:
    """Which words are to be replaced by which, as somebody said it: "replace Monday by Tuesday in
    the letter", "put 2025 wherever it says 2024"; the second are empty where the first are only to
    be taken out. None where it is not said."""
    plain = " ".join(words.split())
    for pattern in _EXCHANGES:
        found = pattern.search(plain)
        if found:
            old, new = _alone(found["old"]), _alone(found["new"])
            if old and not re.search(r"(?:^|\s)(?:it|this|that|them)$", old, re.IGNORECASE):
                return old, new
    return None


def _alone(words: str) -> str:
    """Words without what only stands around them: quotation marks, "the word", "in the letter"."""
    bare = words.strip()
    while quoted_words(bare) == bare:
        shorter = _BEHIND.sub("", _BEFORE.sub("", bare)).strip(" ,")
        if shorter == bare:
            return bare
        bare = shorter
    return quoted_words(bare)


def named(phrase: str) -> str:
    """A phrase as it is named in a sentence, cut where it is long."""
    phrase = " ".join(phrase.split())
    return f"“{phrase}”" if len(phrase) <= 60 else f"“{phrase[:60]}…”"


def word_pattern(phrase: str) -> re.Pattern[str]:
    """A pattern for a phrase as whole words, in any case, also over the end of a line."""
    start = r"(?<!\w)" if re.match(r"\w", phrase) else ""
    end = r"(?!\w)" if re.search(r"\w\Z", phrase) else ""
    return re.compile(start + _loosely(phrase) + end, re.IGNORECASE)


def inner_pattern(phrase: str) -> re.Pattern[str]:
    """A pattern for a phrase anywhere, also inside of words."""
    return re.compile(_loosely(phrase), re.IGNORECASE)


def _loosely(phrase: str) -> str:
    words = [re.sub(r"['’]", "['’]", re.escape(word)) for word in phrase.split()]
    return r"\s+".join(words)


def exchanged(text: str, old: str, new: str) -> tuple[str, int]:
    """The text with a phrase in place of another, and how often it was put there.

    The new one has a capital, or only capitals, where the old one does.
    """

    def instead(match: re.Match[str]) -> str:
        found = match[0]
        letters = [letter for letter in found if letter.isalpha()]
        if found == old or not letters:
            return new
        if len(letters) > 1 and all(letter.isupper() for letter in letters):
            return new.upper()
        if letters[0].isupper() and old[:1].islower():
            return new[:1].upper() + new[1:]
        if letters[0].islower() and old[:1].isupper() and old[1:].islower() and new[1:].islower():
            return new[:1].lower() + new[1:]
        return new

    changed, count = word_pattern(old).subn(instead, text)
    if count and not new.strip():
        # Where a word is taken out, one of the blanks around it goes as well.
        changed = re.sub(r"(?<=\S)[ \t]{2,}(?=\S)", " ", changed)
        changed = re.sub(r"(?<![ \t])[ \t]+(?=[,.;:!?](?:\s|\Z)|\n|\Z)", "", changed)
    return changed, count
