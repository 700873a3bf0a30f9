"""What is to stay as it is: "crop it square, but the sound has to stay in".

The reader hears the word and not what is said of it, and mutes a film whose sound was to stay. Such
words ask for nothing, since no tool changes more than it says: they are read past.
"""

from __future__ import annotations

import re
from dataclasses import replace

from controlllm.planning.wishes import Read, RequestText, Wish

_ASPECT = (
    r"(?:(?:the|its|my|our|any|all(?:\s+the)?|original|full|good)\s+){0,2}"
    r"(?:sound(?:track)?|audio(?:\s+track)?|quality|sharpness|resolution)"
)
_STAYS = r"(?:stay|remain|be\s+kept|be\s+left|be\s+preserved|still\s+be\s+(?:there|in(?:\s+it)?))"
_LOSE = r"(?:los(?:e|ing)|touch(?:ing)?|remov(?:e|ing)|delet(?:e|ing)|chang(?:e|ing)|spoil(?:ing)?)"
_AS_IT_IS = (
    r"(?:\s+(?:in(?:\s+it)?|there|on|alone|untouched|unchanged|intact|the\s+same|"
    r"(?:exactly\s+)?as\s+(?:it\s+is|is)))?"
)
#: A clause that only says so, with what joins it to another.
_STAYING = re.compile(
    r"(?:^|(?<=[,;.!(–—-])|\s)\s*(?:(?:but|and|while|please)\s+)*(?:"  # noqa: RUF001
    rf"{_ASPECT}\s+(?:has\s+to|have\s+to|must|should|needs?\s+to|can|shall|is\s+to)\s+{_STAYS}{_AS_IT_IS}"
    rf"|{_ASPECT}\s+(?:must|should|may)\s*(?:not|n['’]t)\s+"
    r"(?:be\s+(?:lost|touched|removed|changed|gone)|change|get\s+lost|disappear|suffer)"
    rf"|(?:with|and)\s+{_ASPECT}\s+(?:kept|left|staying|unchanged|intact){_AS_IT_IS}"
    rf"|(?<!\bto\s)(?<!\bnot\s)(?<!n['’]t\s)(?<!\bdont\s)(?:keep|leave|preserve|keeping|leaving)\s+{_ASPECT}{_AS_IT_IS}"
    rf"|(?:do\s+not|don['’]?t|without|never)\s+{_LOSE}\s+{_ASPECT}"
    r")(?=\s*(?:[,;.!?)–—-]|$|(?:please|when|while|though|too|and|but|then)\b))",  # noqa: RUF001
    re.IGNORECASE,
)


def reading_past_what_stays(read: Read) -> Read:
    """A reader that is not shown what only says that something stays as it is, unless it is all
    that is said."""

    def read_past(shown: RequestText) -> tuple[Wish, ...]:
        text = _STAYING.sub(lambda found: " " * len(found.group()), shown.text)
        return read(replace(shown, text=text) if re.search(r"\w+\W+\w+", text) else shown)

    return read_past
