"""Which camera move over a still picture a request asks for."""

from __future__ import annotations

import re
from dataclasses import dataclass

from controlllm.toolbox import ToolError
from tools.shared.time_phrases import Clock, marked

USUAL_SECONDS = 6.0
LONGEST = 120.0
SHORTEST = 0.5

_IN = re.compile(
    r"\bzoom\w*[- ]?(?:\w+ ){0,2}?in\b|\bzoom\w* (?:on\b|onto|to(?:wards?)?\b|close)|"
    r"\bclos(?:er|e in)"
    r"\b|\bpush\w*[- ]?in\b|\b(?:move|moving|go|fly|dolly|track\w*|drive) (?:\w+ )?"
    r"(?:in(?:to)?|towards?|forwards?|closer)\b"
)
_OUT = re.compile(
    r"\bzoom\w*[- ]?(?:\w+ ){0,2}?out\b|\bpull\w*[- ]?(?:\w+ )?(?:back|out|away)\b|\b(?:move|"
    r"moving|go|"
    r"dolly|fly) (?:\w+ )?(?:out|away|backwards?|back)\b|\breveal\w*\b|\bstart\w* close\b"
)
_ZOOM = re.compile(r"\bzoom\w*\b")
_WAYS = {
    "left": r"(?:to the |to |towards the |towards )?left(?:wards?)?|right[- ]to[- ]left|"
    r"from (?:the )?right to (?:the )?left",
    "right": r"(?:to the |to |towards the |towards )?right(?:wards?)?|left[- ]to[- ]right|"
    r"from (?:the )?left to (?:the )?right",
    "up": r"up(?:wards?)?|bottom[- ]to[- ]top|from (?:the )?bottom to (?:the )?top",
    "down": r"down(?:wards?)?|top[- ]to[- ]bottom|from (?:the )?top to (?:the )?bottom",
}
_MOVES = (
    r"pan\w*|tilt\w*|mov\w+|slid\w+|scroll\w*|sweep\w*|glid\w+|travel\w*|drift\w*|go\w*|track\w*|"
    r"pedestal|crane"
)
_SIDEWAYS = re.compile(r"\b(?:pan\w*|sweep\w*|slid\w+|scroll\w*|across|sideways)\b")
_UPRIGHT = re.compile(r"\btilt\w*\b")
_STILL = re.compile(
    r"\b(?:static|no (?:camera )?(?:move\w*|motion|zoom)|without (?:any )?(?:camera )?(?:mov\w+|"
    r"motion|"
    r"zoom\w*)|do(?:n't| not) move|keep (?:it|the camera) still|still shot|frozen)\b"
)
_TARGET = re.compile(
    r"\b(?:zoom\w*|push\w*|mov\w+|go\w*|fly|focus\w*|centr\w+|center\w*|clos\w+|pan\w*|dolly|"
    r"start\w*)"
    r"(?: \w+){0,3}? (?:on(?:to)?|to(?:wards?)?|into|at|with|from) (?P<thing>(?:the|my|her|his|"
    r"their|"
    r"its|an?) [a-z' -]+)"
)
_NO_TARGET = re.compile(
    r"\b(?:left|right|top|bottom|end|start|beginning|video|clip|side|corner|edge|picture|image|"
    r"photo|"
    r"camera|seconds?|movie|film|scene|life|middle|centre|center|subject)\b"
)
#: What would have to happen in the picture itself; a moving camera is no answer to it.
_ACTS = re.compile(
    r"\b(?:walk|runn?|danc|jump|wav|smil|talk|speak|sing|blink|nod|wink|laugh|cry|fly|swim|eat|"
    r"drink|"
    r"kiss|hug|fight|turn(?:s|ing)? (?:his|her|its|their) head|morph|explod|grow|"
    r"rotat\w* (?:the|its)|"
    r"gallop|bark|roar|flap|flow|fall|rain|snow|burn|drive|driv|race|climb|spin)(?:s|es|ing|e|"
    r"ed|ning|"
    r"ming)?\b"
)
_MADE_TO_MOVE = re.compile(
    r"\b(?:make|let|have) (?:the|her|him|them|his|my) ?"
    r"(?!camera|view|picture|image|photo|video|clip)"
    r"(?:\w+ ){0,2}?(?:move|moves|go)\b"
)
_CAMERA = re.compile(
    rf"\b(?:camera|zoom\w*|{_MOVES}|ken burns|parallax|push|pull|dolly|closer?|static|fly (?:over|"
    r"across|into))\b"
)
_STRONG = re.compile(r"\b(?:strong\w*|far|a lot|deep\w*|dramatic\w*|fast|close-?up|all the way)\b")
_SHAPES = {
    "wide": r"\b(?:16[:x/ ]9|wide ?screen|landscape format|horizontal(?: format| video)?|youtube|"
    r"tv)\b",
    "tall": r"\b(?:9[:x/ ]16|vertical(?: format| video)?|portrait (?:format|mode|video)|tiktok|"
    r"reels?|stor(?:y|ies)|shorts|for (?:my |a |the )?phone)\b",
    "square": r"\b(?:1[:x/ ]1|square)\b",
}


@dataclass(frozen=True)
class Move:
    """A camera move. `zoom` is above 1 towards the subject, below 1 away from it; `across` and
    `down` are -1, 0 or 1; `target` names what the camera looks at, empty for the main subject."""

    seconds: float = USUAL_SECONDS
    zoom: float = 1.0
    across: int = 0
    down: int = 0
    target: str = ""
    shape: str = ""
    usual: bool = False


def read_move(prompt: str | None) -> Move:
    """The move that a request names, the usual one where it names none.

    Raises ToolError where it asks that something in the picture itself moves, or for a length that
    no camera move can have.
    """
    text = " ".join((prompt or "").lower().replace("’", "'").split())
    clock = Clock(1.0)
    shape = next((name for name, words in _SHAPES.items() if re.search(words, text)), "")
    # "9:16" is a shape here and no time.
    plain = marked(re.sub(_SHAPES[shape], " ", text) if shape else text, clock, shares=False)
    seconds = _seconds(plain, clock)
    plain = re.sub(r"@\d+", " ", plain)
    if _MADE_TO_MOVE.search(plain) or (_ACTS.search(plain) and not _CAMERA.search(plain)):
        raise ToolError(
            "Only the camera can move over a still picture here; what is shown in it cannot be "
            "made to move. Ask for a camera move, such as “zoom in slowly” or “pan left”."
        )
    if _STILL.search(plain):
        return Move(seconds, shape=shape)
    across, down = _directions(plain)
    strength = 1.7 if _STRONG.search(plain) else 1.4
    if re.search(r"\b(?:slight\w*|gentl\w*|subtl\w*|a (?:little|bit)|soft\w*|slow\w*)\b", plain):
        strength = 1.22
    zoom = 1.0
    if _OUT.search(plain):
        zoom = 1 / strength
    elif _IN.search(plain) or (_ZOOM.search(plain) and not across and not down):
        zoom = strength
    if not across and not down and zoom == 1.0:
        if _SIDEWAYS.search(plain):
            across = 1
        elif _UPRIGHT.search(plain):
            down = -1
        else:
            return Move(seconds, shape=shape, usual=True, target=_target(plain), zoom=1.28)
    return Move(seconds, zoom, across, down, _target(plain), shape)


def _seconds(plain: str, clock: Clock) -> float:
    mark = re.search(r"@\d+", plain)
    seconds = clock[mark[0]] if mark else USUAL_SECONDS
    if not SHORTEST <= seconds <= LONGEST:
        raise ToolError(
            f"A camera move over a picture can last from {SHORTEST:g} to {LONGEST:.0f} seconds; "
            "ask for a length between them."
        )
    return seconds


def _directions(plain: str) -> tuple[int, int]:
    found = set()
    for way, words in _WAYS.items():
        together = rf"\b(?:{_MOVES})(?: (?!and\b|zoom)\w+){{0,4}}? (?:and )?(?:{words})\b"
        if re.search(together, plain) or re.search(
            rf"(?:^|[,;] ?|to |from \w+ to )(?:{words})\b", plain
        ):
            found.add(way)
    for one, other in (("left", "right"), ("up", "down")):
        if {one, other} <= found:
            # "From left to right" names both; the last one is where the camera goes.
            goal = one if plain.rfind(one) > plain.rfind(other) else other
            found -= {one, other}
            found.add(goal)
    top = re.search(r"\btop\b.*\bbottom\b|\bbottom\b.*\btop\b", plain)
    if top:
        found -= {"up", "down"}
        found.add("down" if top[0].startswith("top") else "up")
    across = ("right" in found) - ("left" in found)
    return across, ("down" in found) - ("up" in found)


def _target(plain: str) -> str:
    found = _TARGET.search(plain)
    if not found:
        return ""
    thing = re.split(
        r"\b(?:and|then|slowly|quickly|for|while|over|within|in)\b|[,.;]", found["thing"]
    )[0]
    thing = thing.strip()
    return "" if not thing or _NO_TARGET.search(thing) else thing
