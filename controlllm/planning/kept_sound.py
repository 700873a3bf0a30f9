"""What is said of a film's sound only so that nothing happens to it: "the sound has to stay in".

The reader hears the word and wishes something of the sound, mostly that it be gone. So where a film
is at hand such a part of a request is not read; films keep their sound in whatever is done to them.
"""

from __future__ import annotations

import re

from controlllm.planning.wishes import Read, RequestText, Wish

_SOUND = (
    r"(?:(?:the|its|it's|my|our|all|original|film's|video's|clip's) )*"
    r"(?:sound(?:track)?|audio|music|voices?|tone)"
)
_STAYS = (
    r"(?:(?:(?:has|have|needs?|is|are) to|must|should|shall|may|can|will|had better) (?:still )?"
    r"(?:stay|remain|be (?:kept|there|left|in it|preserved|heard|audible)|keep)|stays?|remains?|"
    r"(?:(?:must|may|should|shall|can)(?: ?not|n't)|is not to|isn't to) (?:get|be|go) "
    r"(?:lost|gone|removed|muted|away|cut|missing|touched|changed))"
)
_KEEPS = (
    r"(?:(?:but|and|while|please|with) )*(?:keep(?:ing)?|leav(?:e|ing)|preserv(?:e|ing)|"
    r"retain(?:ing)?|(?:don't|do not|without|never) (?:remov(?:e|ing)|los(?:e|ing)|touch(?:ing)?|"
    r"chang(?:e|ing)|cut(?:ting)?|mut(?:e|ing)|delet(?:e|ing)|drop(?:ping)?|"
    r"tak(?:e|ing) (?:out|away)))"
)
_HOW = (
    r"(?: (?:in (?:it|there)|in|on|there|intact|untouched|as (?:it|they) (?:is|are|was)|please|"
    r"of course|too|though|also|as well|the same))*"
)
_BEGINS = r"(?:^|(?<=[.,;!?])|(?= but )|(?= and )|(?= without )|(?= with the sound))"
_KEPT = re.compile(
    rf"{_BEGINS}\s*(?:(?:but|and|though|please|also|so that) )*"
    rf"(?:{_SOUND} {_STAYS}|{_KEEPS} {_SOUND}|with {_SOUND})\b{_HOW}(?=\s*(?:[.,;!?)]|and\b|$))",
    re.IGNORECASE,
)


def reading_kept_sound(read: Read) -> Read:
    """A reader that does not read what is said of a film's sound only so that it stays."""

    def read_rest(shown: RequestText) -> tuple[Wish, ...]:
        if not any(slot.name.startswith("video") for slot in shown.slots):
            return read(shown)
        rest = _KEPT.sub(lambda found: " " * len(found[0]), shown.text)
        if rest == shown.text or not re.search(r"\w{2}", rest):
            return read(shown)
        return read(RequestText(rest, shown.slots, shown.earlier))

    return read_rest
