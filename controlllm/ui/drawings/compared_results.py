"""What two ways came to: two players in step, two texts, and what is said of two pictures."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from html import escape

from controlllm.comparing.looks import look_alike
from controlllm.resources import Resource
from controlllm.ui.drawings.icons import icon
from controlllm.ui.drawings.markup import attributes, button, quiet
from controlllm.ui.drawings.media import Media, quoted
from controlllm.ui.texts import say, say_html

LETTERS = ("A", "B")
TEXTS = frozenset(("text", "title", "tags"))
#: A word, or a sign; what lies between belongs to what comes before.
_PIECE = re.compile(r"\w+(?:['’-]\w+)*\s*|[^\w\s]\s*|\s+")
#: How much the shapes of two pictures may differ for the one to be laid over the other.
_SAME_SHAPE = 0.02


def said_of_pictures(left: Resource, right: Resource, media: Media) -> str:
    """Where nobody can tell two pictures apart, that it is so."""
    try:
        is_alike = look_alike(media.find(left.value), media.find(right.value))
    except KeyError:
        is_alike = False
    return quiet(say_html("compare.look_alike")) if is_alike else ""


def players(group: str, left: Resource, right: Resource, media: Media) -> str:
    """Two players in step, with one set of controls for both; `group` names their choice of which
    is heard."""
    kind, both, choices = left.type, "", ""
    for number, (letter, made) in enumerate(zip(LETTERS, (left, right), strict=True)):
        player = attributes(
            src=media.address(made), preload="auto", playsinline=kind == "video",
            aria_label=f"{letter}: {made.value}", data_side=letter,
            data_key=f"player-{made.digest[:12]}-{letter}", muted=number > 0,
        )  # fmt: skip
        both += f"<{kind} {player}></{kind}>"
        choice = attributes(type="radio", name=f"side-{group}", value=letter, checked=number == 0)
        choices += f"<label><input {choice}><span>{letter}</span></label>"
    play = button(
        "play-both",
        f'<span class="when-still">{icon("play")}{say_html("compare.play")}</span>'
        f'<span class="when-playing">{icon("pause")}{say_html("compare.pause")}</span>',
        data_keeps="aria-pressed", aria_pressed="false",
    )  # fmt: skip
    place = attributes(
        type="range", min=0, max=1000, value=0, aria_label=say("compare.place"),
        class_="both-place", data_keeps="aria-valuetext",
    )  # fmt: skip
    heard = say_html("compare.hear" if kind == "audio" else "compare.sound_of")
    whole = attributes(class_=f"both is-{kind}", role="group", aria_label=say("compare.player"))
    return (
        f'<div {whole}><div class="both-players">{both}</div><div class="both-controls">'
        f"{play}"
        f'<span class="heard">{heard}</span>'
        f'<div class="switch" role="radiogroup" aria-label="{heard}">{choices}</div>'
        f'<input {place}><output class="both-time"></output></div></div>'
    )


def words(left: Resource, right: Resource, media: Media) -> str:
    """Two texts beside each other, with what stands in one only marked."""
    found = compared(media.text(left), media.text(right))
    if not found.words:
        return quiet(say_html("compare.same_words")) + quoted(escape(media.text(left)))
    count = say_html("compare.text_differs", count=found.words)
    legend = " · ".join(
        f"<{element}>{say_html('compare.only_in', letter=letter)}</{element}>"
        for element, letter in zip(("del", "ins"), LETTERS, strict=True)
    )
    texts = "".join(quoted(text or "<em>∅</em>") for text in (found.left, found.right))
    return quiet(f"{count} · {legend}") + f'<div class="compared-two is-text">{texts}</div>'


def _size(picture: Resource) -> tuple[int, int]:
    return int(picture.details.get("width") or 0), int(picture.details.get("height") or 0)


def same_shape(left: Resource, right: Resource) -> bool:
    """Whether one picture can be laid over the other."""
    (width, height), (other_width, other_height) = _size(left), _size(right)
    if not (width and height and other_width and other_height):
        return False
    return abs(width / height * other_height / other_width - 1) <= _SAME_SHAPE


# Two texts with the words marked that only the one has.


@dataclass(frozen=True)
class Compared:
    """Both texts as HTML with what differs marked, and how many words that are in all."""

    left: str
    right: str
    words: int


def compared(left: str, right: str) -> Compared:
    """Two texts compared word by word."""
    mine, theirs = _PIECE.findall(left), _PIECE.findall(right)
    matcher = SequenceMatcher(None, _bare(mine), _bare(theirs), autojunk=False)
    shown: tuple[list[str], list[str]] = ([], [])
    words = 0
    for kind, start, end, other_start, other_end in matcher.get_opcodes():
        gone, come = "".join(mine[start:end]), "".join(theirs[other_start:other_end])
        if kind == "equal":
            shown[0].append(escape(gone))
            shown[1].append(escape(come))
            continue
        words += max(_words(mine[start:end]), _words(theirs[other_start:other_end]))
        shown[0].append(_marked("del", "compare.gone", gone))
        shown[1].append(_marked("ins", "compare.come", come))
    return Compared("".join(shown[0]), "".join(shown[1]), words)


def _marked(element: str, key: str, text: str) -> str:
    if not text:
        return ""
    said = f'<span class="for-screen-readers">{say_html(key)} </span>'
    inner = text.rstrip()
    return f"<{element}>{said}{escape(inner)}</{element}>{escape(text[len(inner) :])}"


def _bare(pieces: Sequence[str]) -> list[str]:
    return [piece.strip().casefold() for piece in pieces]


def _words(pieces: Sequence[str]) -> int:
    return sum(any(letter.isalnum() for letter in piece) for piece in pieces)
