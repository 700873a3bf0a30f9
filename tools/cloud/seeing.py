"""Looking at pictures and videos with the person's language model on the network."""

from __future__ import annotations

from typing import Any

import PIL.Image

from controlllm.resources import Box, Clip, Label
from controlllm.toolbox import Context

from ..seeing.embedded import seeing_requests
from ..seeing.embedded.phrases_to_boxes import phrase_of
from ..shared.boxes import without_repeats
from . import chat
from .schemas import SHARE, closed

_MOST_BOXES = 100
_LEAST_SIDE = 1.0

_KINDS = (
    "Name what this picture as a whole shows, as specifically as you can tell: the breed of a dog, "
    "the kind of a vehicle, the name of a dish. Give five different categories with how sure you "
    "are of each as a share from 0 to 1, most likely first."
)
_KINDS_SCHEMA = closed(
    categories={
        "type": "array",
        "minItems": 1,
        "maxItems": 20,
        "items": closed(name={"type": "string", "minLength": 1, "maxLength": 120}, sureness=SHARE),
    }
)
_SHOWN_KINDS = 5

_PLACES = (
    "Find in this picture every object that the following words mean, and only those: “{phrase}”. "
    "Give a tight box around each one, with left and right as shares of the picture's width and "
    "top and bottom as shares of its height, from 0 at the upper left to 1 at the lower right, a "
    "name of one to three words, and how sure you are as a share from 0 to 1. Where there is no "
    "such object in the picture, give an empty list."
)
_SIDES = ("left", "top", "right", "bottom")
_PLACES_SCHEMA = closed(
    boxes={
        "type": "array",
        "maxItems": _MOST_BOXES,
        "items": closed(
            name={"type": "string", "maxLength": 120},
            **dict.fromkeys(_SIDES, SHARE),
            sureness=SHARE,
        ),
    }
)


def caption(image: PIL.Image.Image, context: Context) -> str:
    """A picture described in one to three sentences."""
    return seeing_requests.spoken(chat.look(seeing_requests.CAPTION, [image], context))


def answer(image: PIL.Image.Image, question: str, context: Context) -> str:
    """The answer to a question about a picture."""
    asked = seeing_requests.to_answer(question)
    return seeing_requests.spoken(chat.look(asked, [image], context))


def read(image: PIL.Image.Image, context: Context) -> str:
    """The text in a picture, row by row; empty where there is none."""
    return seeing_requests.read_text(chat.look(seeing_requests.READ, [image], context))


def describe_video(clip: Clip, context: Context) -> str:
    """What a video shows, from some of its frames."""
    watched = seeing_requests.Watched(clip, context)
    return seeing_requests.spoken(chat.look(watched.to_describe, watched.frames, context))


def answer_about_video(clip: Clip, question: str, context: Context) -> str:
    """The answer to a question about a video, from some of its frames."""
    watched = seeing_requests.Watched(clip, context)
    asked = watched.to_answer(question)
    return seeing_requests.spoken(chat.look(asked, watched.frames, context))


def classify(image: PIL.Image.Image, context: Context) -> tuple[Label, ...]:
    """The five likeliest categories of a picture, most likely first."""
    reply = chat.look_for(_KINDS_SCHEMA, _KINDS, [image], context)
    found: dict[str, float] = {}
    for item in reply["categories"]:
        name = " ".join(str(item["name"]).split())
        if name:
            found[name] = max(found.get(name, 0.0), float(item["sureness"]))
    ordered = sorted(found.items(), key=lambda item: -item[1])[:_SHOWN_KINDS]
    return tuple(Label(name, round(score, 4)) for name, score in ordered)


def ground(image: PIL.Image.Image, query: str, context: Context) -> tuple[Box, ...]:
    """Boxes in the picture's pixels of what a phrase means, surest first."""
    asked = _PLACES.format(phrase=phrase_of(query) or query.strip())
    reply = chat.look_for(_PLACES_SCHEMA, asked, [image], context)
    boxes = [box for item in reply["boxes"] if (box := _box(item, image)) is not None]
    return without_repeats(boxes, limit=0.9)


def _box(item: dict[str, Any], image: PIL.Image.Image) -> Box | None:
    """A box in pixels, None where it holds nothing."""
    left, right = (float(item[side]) * image.width for side in ("left", "right"))
    top, bottom = (float(item[side]) * image.height for side in ("top", "bottom"))
    if right - left < _LEAST_SIDE or bottom - top < _LEAST_SIDE:
        return None
    name = " ".join(str(item["name"]).split())
    return Box(left, top, right, bottom, name, round(float(item["sureness"]), 4))
