"""Several pictures as one that moves."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Annotated

import PIL.Image

from controlllm.resources import Image
from controlllm.toolbox import Context, ToolError, tool
from controlllm.values import Choice, Flag, Kind, Seconds
from controlllm.values.kinds import Found, found_in
from controlllm.values.plain import HIDDEN

from ..shared import moving
from ..shared.amounts import in_figures, ratio
from .embedded.fitting import fill_or_fit, ground, in_one_mode, put

_EACH = 0.5
#: Below this, programs that show a GIF take their own time instead.
_SHORTEST, _LONGEST = 0.02, 600.0
_LONGEST_SIDE = {"gif": 800, "webp": 1280}
_MOST_FRAMES = 300

_FASTER = re.compile(r"\b(?:fast\w*|quick\w*|speed\w* (?:\w+ )?up|sped|accelerat\w+|time ?lapse)\b")
_SLOWER = re.compile(r"\b(?:slow\w*|decelerat\w+)\b")
#: "It is slow" is a complaint: it shall be faster.
_COMPLAINT = re.compile(
    r"(?:\b(?:is|too|so|very|bit|really|runs|plays|quite|rather)|'s) "
    r"(?:(?P<slow>slow(?:ly)?)|fast|quick(?:ly)?)\b"
)


def _speeds(words: str) -> Iterator[Found]:
    """How many times as fast words say that something plays."""
    complaint = _COMPLAINT.search(words)
    asked = _COMPLAINT.sub(lambda found: HIDDEN * len(found[0]), words)
    slower, faster = _SLOWER.search(asked), _FASTER.search(asked)
    if complaint and not (slower or faster):
        slower, faster = (None, complaint) if complaint["slow"] else (complaint, None)
    said = slower or faster or re.search(r"\bspeed|\bas long|\btempo|\d ?x\b|\btimes\b", words)
    if said is None:
        return
    found = ratio(in_figures(words), -1 if slower else 1, of_speed=True)
    usual = 0.5 if slower else 2.0
    if found or slower or faster:
        yield Found(found or usual, *said.span())


_BOOMERANG = Kind(
    "yes or no",
    lambda words: found_in(
        words,
        (
            r"\b(?:boomerang|back and forth|forth and back|ping[ -]?pong|"
            r"(?:forwards?|to (?:its|the) end)(?: and| then|,)+ (?:go(?:es)? |play(?:s)? )?"
            r"(?:back(?:wards?)?|in reverse|reversed?)|there and back)\b",
            True,
        ),
    ),
)
SPEED = Kind("a speed, such as twice as fast", _speeds)

_Format = Annotated[str, Choice(webp="webp", gif="gif animated_gif")]


@tool(
    domain="image-processing",
    examples=[
        "Make a GIF of these pictures.",
        "Turn my drawings into an animation, each for 0.2 seconds.",
        "I want an animated GIF from the five photos.",
        "Create a looping WebP of the screenshots.",
        "Can you make the pictures move like a flip book?",
        "Stop motion from these images, 3 seconds each.",
        "Show the photos one after the other in an endless gif.",
    ],
)
def animate_images(
    images: list[Image],
    seconds: Seconds = 0.0,
    format: _Format = "",
    context: Context | None = None,
) -> Image:
    """Make an animated GIF or WebP from several pictures, each shown for a time.

    Args:
        images: the pictures, in the order in which they are shown
        seconds: seconds; how long each is shown, half a second where nothing is said
        format: webp is smaller and has more colours; a GIF where nothing is said
    """
    if len(images) < 2:
        raise ToolError(
            f"There {'is only one picture' if images else 'are no pictures'} to animate. Give two "
            "or more."
        )
    if len(images) > _MOST_FRAMES:
        raise ToolError(
            f"{len(images)} pictures are too many for one animation; give at most {_MOST_FRAMES}, "
            "or make a slideshow video of them."
        )
    kind = format or "gif"
    duration = round(1000 * min(max(seconds or _EACH, _SHORTEST), _LONGEST))
    frames = list(_frames(images, _LONGEST_SIDE[kind], context or Context()))
    return moving.written(frames, [duration] * len(frames), kind)


@tool(
    domain="image-processing",
    examples=[
        "Make the GIF twice as fast.",
        "Play the animation backwards.",
        "The gif runs too quickly, half the speed please.",
        "Slow the animated picture down.",
        "Reverse this GIF.",
        "Let it go forward and then back, like a boomerang.",
        "The whole animation should last 3 seconds.",
        "Speed the gif up by 50 %.",
    ],
)
def change_animation(
    image: Image,
    speed: Annotated[float, SPEED] = 0.0,
    seconds: Seconds = 0.0,
    boomerang: Annotated[bool, _BOOMERANG] = False,
    backwards: Annotated[
        bool,
        Flag(
            *("backwards", "backward", "in_reverse", "reverse", "reversed", "reverse_it"),
            *("back_to_front", "from_the_end", "from_end_to_start", "the_other_way_round"),
        ),
    ] = False,
) -> Image:
    """Change how an animated GIF or WebP plays: faster or slower, backwards, or forward and then
    back. All frames stay.

    Args:
        image: the animated picture
        speed: how many times as fast it plays
        seconds: seconds; how long all of it lasts, where that is said
        boomerang: forward and then back
        backwards: from its end to its beginning
        returns: the animation
    """
    frames = moving.frames_of(image)
    if not frames:
        raise ToolError(
            "The picture does not move: it has only one frame. Hand over an animated GIF or WebP."
        )
    if not (speed or seconds or backwards or boomerang):
        raise ToolError("How shall it play? Say it such as twice as fast, or backwards.")
    pictures, lasting = [picture for picture, _ in frames], [time for _, time in frames]
    if backwards:
        pictures, lasting = pictures[::-1], lasting[::-1]
    if boomerang:
        pictures, lasting = pictures + pictures[-2:0:-1], lasting + lasting[-2:0:-1]
    factor = speed or (sum(lasting) / (1000 * seconds) if seconds else 1.0)
    if not 1 / 100 <= factor <= 100:
        raise ToolError("It can play at most a hundred times as fast or as slow. Ask for less.")
    return moving.played(pictures, [time / factor for time in lasting], moving.kind_of(image))


def _frames(
    images: Sequence[PIL.Image.Image], longest: int, context: Context
) -> Iterator[PIL.Image.Image]:
    """The pictures in one size and mode, that of the first or smaller."""
    first = images[0]
    scale = min(1.0, longest / max(first.size))
    size = (max(1, round(first.width * scale)), max(1, round(first.height * scale)))
    mode = "RGBA" if in_one_mode(images) == "RGBA" else "RGB"
    for number, image in enumerate(images):
        context.progress(number / len(images), "Making the animation")
        frame = ground(size, mode)
        small = fill_or_fit(image, size)
        put(frame, small, ((size[0] - small.width) // 2, (size[1] - small.height) // 2))
        yield frame
