"""Videos with another look: colours, light and contrast, and fading in and out."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Annotated

import numpy as np

from controlllm.resources import Sound, Video
from controlllm.toolbox import Context, ToolError, tool
from controlllm.values import Choice, Kind, Percent
from controlllm.values.kinds import Found, found_in

from ..shared import video_files
from ..shared.said_ends import FADES_IN, FADES_OUT, LASTS, RISES_FOR
from ..shared.sounds import faded, kept
from ..shared.video_rewriting import Change, rewritten
from .embedded import colouring

_PACKAGES = ("av", "cv2")
_STEP = 0.04  # seconds between pictures while it fades, also where the video stands still


_LOOKS = Choice(
    grey="gray black_and_white black_white black/white greyscale grayscale b&w b/w bw monochrome "
    "noir desaturate colourless colorless",
    sepia="vintage antique old_film old_look sepia_tone sepia_toned",
    brighter="brighten brightens lighter lighten brightness too_dark more_light",
    darker="darken darkens dimmer dim too_bright less_light less_bright",
    more_contrast="contrast stronger_contrast higher_contrast more_contrasty contrasty "
    "more_contrasts contrasts",
    less_contrast="lower_contrast softer_contrast weaker_contrast reduce_the_contrast "
    "reduce_contrast less_contrasty lower_the_contrast less_contrasts",
    more_colour="more_color stronger_colours stronger_colors more_saturation saturate "
    "more_saturated saturated vivid colourful colorful more_colourful more_colorful "
    "vibrant more_vivid more_colours more_colors richer_colours richer_colors "
    "saturation",
    less_colour="less_color weaker_colours weaker_colors less_saturation less_saturated "
    "paler muted less_colourful less_colorful less_vivid fewer_colours less_colours "
    "turn_down_the_colours turn_down_the_colors reduce_saturation reduce_the_saturation "
    "lower_saturation lower_the_saturation reduce_the_colours reduce_the_colors",
)
_NO_COLOUR = (
    r"\b(?:no|without|los(?:e|es|ing)|strip\w*|drain\w*|remov\w+|tak\w+|drop\w*|rid of)"
    r"(?: out)?(?: of)? (?:any |all )?(?:of )?(?:the |its |their )?colou?rs?\b"
    r"(?! (?:change|cast|noise))"
)


def _looks(words: str) -> Iterator[Found]:
    return chain(found_in(words, (_NO_COLOUR, "grey")), _LOOKS.find(words))


_LOOK = Kind(_LOOKS.name, _looks)


@tool(
    domain="video-editing",
    places="everywhere",
    examples=[
        "Make the film black and white.",
        "Give the clip an old sepia look.",
        "The recording is too dark, brighten it.",
        "More contrast in the footage, please.",
        "Turn down the colours of this video by 40 %.",
        "Desaturate the clip.",
        "I want stronger colours in my holiday film.",
        "Make it 20 % darker.",
    ],
    packages=_PACKAGES,
)
def recolor_video(
    video: Video,
    context: Context,
    look: Annotated[str, _LOOK] = "",
    amount: Percent = 0.0,
) -> Video:
    """Change the look of a whole video: black and white, sepia, brighter, darker, more contrast or
    colour.

    Args:
        video: the video whose look is to change
        look: the new look
        amount: percent; how much of it, clearly seen where nothing is said
        returns: the video with its new look, as long as before and with its sound
    """
    if not look:
        raise ToolError(
            "Which look shall the video have? Say one: black and white, sepia, brighter, darker, "
            "more or less contrast, more or less colour."
        )
    change = colouring.look(look, abs(amount) / 100)
    return rewritten(
        video,
        video_files.read_facts(video),
        Change(lambda time, picture: change(picture)),
        context,
        "Changing the look",
    )


@tool(
    domain="video-editing",
    examples=[
        "Let the film begin out of black.",
        "Fade the clip to black at the end.",
        "Soft start and end for my video, 2 seconds each.",
        "It should fade in over three seconds.",
        "Have picture and sound fade out at the end.",
        "The recording ends so abruptly, fade it out.",
        "Add a fade from black at the start.",
    ],
    packages=_PACKAGES,
)
def fade_video(
    video: Video,
    context: Context,
    rise: Annotated[float, RISES_FOR] = 0.0,
    seconds: Annotated[float, LASTS] = 0.0,
    start: Annotated[bool, FADES_IN] = False,
    end: Annotated[bool, FADES_OUT] = False,
) -> Video:
    """Let a video fade in from black at its start or fade out at its end, picture and sound.

    Args:
        video: the video that is to fade
        rise: seconds; how long it fades in, where that is not as long as it fades out
        seconds: seconds; how long it fades, one where nothing is said
        start: whether it fades in from black at its start
        end: whether it fades out to black at its end; it fades at both where nothing is said
        returns: the video, as long as before
    """
    facts = video_files.read_facts(video)
    both = bool(rise) or start == end
    longest = facts.seconds / (1 + both)
    rising = min(abs(rise or seconds) or 1.0, longest) if both or start else 0.0
    falling = min(abs(seconds) or 1.0, longest) if both or end else 0.0

    last = facts.seconds - min(1 / facts.frame_rate, _STEP)

    def change(time: float, picture: np.ndarray) -> np.ndarray:
        # The last picture is the one that stays, so it is the black one.
        left = 0.0 if time >= last - 1e-3 else facts.seconds - time
        share = min(time / rising if rising else 1.0, left / falling if falling else 1.0)
        return picture if share >= 1 else (picture * np.float32(share)).astype(np.uint8)

    def softer(sound: Sound) -> Sound:
        counts = (round(length * sound.rate) for length in (rising, falling))
        ends = faded(sound.blocks(), sound.frames, *counts)
        return kept(ends, sound.rate, context)

    moments = [
        *np.arange(0.0, rising, _STEP),
        *(facts.seconds - np.arange(0.0, falling, _STEP)),
    ]
    return rewritten(
        video,
        facts,
        Change(change, moments=sorted(moments), sound=softer),
        context,
        "Fading the video",
    )
