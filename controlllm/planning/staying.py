"""What is to stay as it is: "crop it square, but the sound has to stay in".

The reader hears the word and not what is said of it, and mutes a film whose sound was to stay. Such
words ask for nothing, since no tool changes more than it says: they are read past. Of sound that is
so only where a film is at hand: elsewhere it is what is worked on.
"""

from __future__ import annotations

import re
from dataclasses import replace

from controlllm.planning.wishes import Read, RequestText, Wish

_WHOSE = r"(?:(?:the|its|it's|my|our|any|all|original|full|good|film's|video's|clip's) )*"
_SOUND = r"(?:sound(?:track)?|audio(?: track)?|music|voices?|tone)"
_QUALITY = r"(?:quality|sharpness|resolution)"
_STAYS = (
    r"(?:(?:(?:has|have|needs?|is|are) to|must|should|shall|may|can|will|had better) (?:still )?"
    r"(?:stay|remain|be (?:kept|left|there|in(?: it)?|preserved|heard|audible)|keep)|stays?|remains?"
    r"|(?:(?:must|may|should|shall|can)(?: ?not|n['’]t)|is not to|isn['’]t to) (?:get |be |go )?"
    r"(?:lost|gone|removed|muted|away|cut|missing|touched|changed?|disappear|suffer))"
)
_KEEPS = (
    r"(?<!\bto )(?<!\bnot )(?<!n['’]t )(?<!\bdont )(?:keep(?:ing)?|leav(?:e|ing)|preserv(?:e|ing)|"
    r"retain(?:ing)?|(?:don['’]?t|do not|without|never) (?:remov(?:e|ing)|los(?:e|ing)|"
    r"touch(?:ing)?|chang(?:e|ing)|spoil(?:ing)?|cut(?:ting)?|mut(?:e|ing)|delet(?:e|ing)|"
    r"drop(?:ping)?|tak(?:e|ing) (?:out|away)))"
)
_HOW = (
    r"(?: (?:in (?:it|there)|in|on|there|alone|intact|untouched|unchanged|(?:exactly )?as "
    r"(?:it|they) (?:is|are|was)|as is|please|of course|too|though|also|as well|the same))*"
)
_JOINED = r"(?:(?:but|and|while|though|please|also|so that|with) )*"


def _staying(thing: str) -> re.Pattern[str]:
    """A part of a request that only says that a thing stays, with what joins it to another."""
    thing = _WHOSE + thing
    return re.compile(
        rf"(?:^|(?<=[.,;!?(–—-])|(?<=\w) )\s*{_JOINED}(?:{thing} {_STAYS}|{_KEEPS} {thing}"  # noqa: RUF001
        rf"|(?<=with ){thing}(?: (?:kept|left|staying))?)\b{_HOW}"
        r"(?=\s*(?:[.,;!?)–—-]|$|(?:when|while|and|but|then)\b))",  # noqa: RUF001
        re.IGNORECASE,
    )


_OF_ANYTHING, _OF_FILMS = _staying(_QUALITY), _staying(f"(?:{_SOUND}|{_QUALITY})")


def reading_past_what_stays(read: Read) -> Read:
    """A reader that is not shown what only says that something stays as it is, unless it is all
    that is said."""

    def read_past(shown: RequestText) -> tuple[Wish, ...]:
        is_film = any(slot.name.startswith("video") for slot in shown.slots)
        staying = _OF_FILMS if is_film else _OF_ANYTHING
        text = staying.sub(lambda found: " " * len(found[0]), shown.text)
        return read(replace(shown, text=text) if re.search(r"\w{2}", text) else shown)

    return read_past
