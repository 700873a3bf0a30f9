"""One of several pictures that is named by what it shows: "make the one with the dog brighter".

Nothing was seen yet when a request is planned. So what names the picture becomes a wish of its own,
for a tool that picks one of several by words for a thing, and the rest is read as if that picture
alone had been handed over.
"""

from __future__ import annotations

import re
from dataclasses import replace

from controlllm.planning.arguments import picks_one
from controlllm.planning.graph import ToolGraph
from controlllm.planning.wishes import Read, RequestText, Wish

_KIND = r"(?:one|picture|photo|photograph|image|pic|shot|snap|snapshot)"
_THING = (
    r"(?P<thing{n}>(?:(?:the|a|an|my|our|your|his|her|some|two|three)\s+)?"
    r"(?!(?:it|them|this|that|which|what)\b)[a-z]+(?:\s+(?!(?:and|but|or|to|in|into|on|please|a|the|"
    r"make|should|as|with|for|is|are|must|needs?|has|have|then|now|black|brighter|darker|smaller|"
    r"larger|bigger|lighter|grey|gray|sharper|mirrored|by|at|from|so|also|too|but|under|over)\b)[a-z]+){{0,2}})"
)
#: "One of these is blurred" tells nothing that it shows.
_IS = r"(?:is\s+(?=(?:the|a|an|my|our|your|his|her|of|with)\b)|shows?\s+|has\s+)"
_SAID = re.compile(
    rf"\b(?:only\s+)?(?:the|that)\s+{_KIND}\s+(?:with|of|that\s+shows|showing|which\s+shows|that\s+has|"
    rf"where\s+(?:you\s+(?:can\s+)?see|there\s+(?:is|are)))\s+{_THING.format(n=1)}(?:\s+(?:on|in)\s+it)?"
    rf"|\b(?:only\s+)?one\s+of\s+(?:these|those|them|the)(?:\s+(?!is\b|shows?\b|has\b)[a-z\d]+){{0,2}}\s+"
    rf"{_IS}(?:(?:the\s+one\s+)?(?:of|with)\s+)?{_THING.format(n=2)}"
    rf"|\b(?:on\s+)?which(?:\s+{_KIND})?(?:\s+of\s+(?:these|those|them|the\s+\w+))?\s+"
    rf"(?:(?:shows?|has|(?:can\s+you\s+|do\s+you\s+|you\s+)see)\s+|is\s+(?:of|with)\s+)"
    rf"{_THING.format(n=3)}",
    re.IGNORECASE,
)
#: Words that ask for a picture and say nothing else of it.
_ASKS_FOR = frozenset(
    "a can could find for get give have i just let like me my need of only out pick please search "
    "see send show take tell the these this them to want we which would you your".split()
)
#: So long is a name of a picture as the reader is shown it.
_NAME = "image1"


def reading_picked(read: Read, graph: ToolGraph) -> Read:
    """A reader that hears which of several pictures is meant by what it shows, where there is a
    tool that picks it."""
    picks = next(filter(picks_one, graph.toolbox), None)

    def read_picked(shown: RequestText) -> tuple[Wish, ...]:
        places = tuple(p for p, slot in enumerate(shown.slots) if slot.name.startswith("image"))
        named = list(_SAID.finditer(shown.text))
        if picks is None or len(places) < 2 or len(named) != 1:
            return read(shown)
        (said,) = named
        start, end = said.span()
        thing = next(said.span(name) for name in said.groupdict() if said[name])
        tools = {tool.name: float(tool is picks) for tool in graph.toolbox}
        picking = Wish(((start, end),), places, (), tools, 0.0, {}, {"object": thing}, 1.0)
        left = shown.text[:start] + shown.text[end:]
        if _ASKS_FOR.issuperset(re.findall(r"\w+", left.lower())):
            return (picking,)
        text = shown.text[:start] + _NAME.rjust(end - start) + shown.text[end:]
        kept = [place for place in range(len(shown.slots)) if place not in places[1:]]
        alone = replace(shown, text=text, slots=tuple(shown.slots[place] for place in kept))
        found = [picking]
        for wish in read(alone):
            files = [kept[at] for at in wish.files]
            before = [0] if places[0] in files else []
            found.append(
                replace(
                    wish,
                    spans=tuple((start if start < a < end else a, b) for a, b in wish.spans),
                    files=tuple(at for at in files if at != places[0]),
                    wishes=(*before, *(at + 1 for at in wish.wishes)),
                )
            )
        return tuple(found)

    return read_picked
