"""What two ways came to: two players in step, two texts, and what is said of two pictures."""

from __future__ import annotations

from html import escape

from controlllm.comparing.looks import look_alike
from controlllm.resources import Resource
from controlllm.ui.drawings.icons import icon
from controlllm.ui.drawings.media import Media
from controlllm.ui.drawings.word_diff import compared
from controlllm.ui.drawings.wording import attributes
from controlllm.ui.texts import say, say_html

LETTERS = ("A", "B")
WORDS = frozenset(("text", "title", "tags"))
#: How much the shapes of two pictures may differ for the one to be laid over the other.
_SAME_SHAPE = 0.02


def said_of_pictures(left: Resource, right: Resource, media: Media) -> str:
    """Where nobody can tell two pictures apart, that it is so."""
    if not _look_alike(left, right, media):
        return ""
    return f'<p class="quiet-words">{say_html("compare.look_alike")}</p>'


def _look_alike(left: Resource, right: Resource, media: Media) -> bool:
    try:
        return look_alike(media.find(left.value), media.find(right.value))
    except KeyError:
        return False


def players(group: str, left: Resource, right: Resource, media: Media) -> str:
    """Two players in step, with one set of controls for both; `group` names their choice of which
    is heard."""
    kind, both, choices = left.type, "", ""
    for number, (letter, made) in enumerate(zip(LETTERS, (left, right), strict=True)):
        player = attributes(
            src=media.address(made),
            preload="auto",
            playsinline=kind == "video",
            aria_label=f"{letter}: {made.value}",
            data_side=letter,
            data_key=f"player-{made.digest[:12]}-{letter}",
            muted=number > 0,
        )
        both += f"<{kind} {player}></{kind}>"
        choice = attributes(
            type="radio",
            name=f"side-{group}",
            value=letter,
            checked=number == 0,
        )
        choices += f"<label><input {choice}><span>{letter}</span></label>"
    play = attributes(
        type="button",
        class_="small",
        data_do="play-both",
        data_keeps="aria-pressed",
        aria_pressed="false",
    )
    place = attributes(
        type="range",
        min=0,
        max=1000,
        value=0,
        aria_label=say("compare.place"),
        class_="both-place",
        data_keeps="aria-valuetext",
    )
    heard = say_html("compare.hear" if kind == "audio" else "compare.sound_of")
    whole = attributes(class_=f"both is-{kind}", role="group", aria_label=say("compare.player"))
    return (
        f'<div {whole}><div class="both-players">{both}</div><div class="both-controls">'
        f'<button {play}><span class="when-still">{icon("play")}{say_html("compare.play")}</span>'
        f'<span class="when-playing">{icon("pause")}{say_html("compare.pause")}</span></button>'
        f'<span class="heard">{heard}</span>'
        f'<div class="switch" role="radiogroup" aria-label="{heard}">{choices}</div>'
        f'<input {place}><output class="both-time"></output></div></div>'
    )


def words(left: Resource, right: Resource, media: Media) -> str:
    """Two texts beside each other, with what stands in one only marked."""
    found = compared(media.text(left), media.text(right))
    if not found.words:
        text = media.text(left)
        note = f'<p class="quiet-words">{say_html("compare.same_words")}</p>'
        return f'{note}<blockquote class="words">{escape(text)}</blockquote>'
    count = say_html("compare.text_differs", count=found.words)
    legend = " · ".join(
        f"<{element}>{say_html('compare.only_in', letter=letter)}</{element}>"
        for element, letter in zip(("del", "ins"), LETTERS, strict=True)
    )
    texts = "".join(
        f'<blockquote class="words">{text or "<em>∅</em>"}</blockquote>'
        for text in (found.left, found.right)
    )
    return (
        f'<p class="quiet-words">{count} · {legend}</p>'
        f'<div class="compared-two is-text">{texts}</div>'
    )


def _size(picture: Resource) -> tuple[int, int]:
    return int(picture.details.get("width") or 0), int(picture.details.get("height") or 0)


def same_shape(left: Resource, right: Resource) -> bool:
    """Whether one picture can be laid over the other."""
    (width, height), (other_width, other_height) = _size(left), _size(right)
    if not (width and height and other_width and other_height):
        return False
    return abs(width / height * other_height / other_width - 1) <= _SAME_SHAPE
