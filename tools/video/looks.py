"""Videos with another look: colours, light and contrast, and fading in and out."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from controlllm.resources import Sound, Video
from controlllm.toolbox import Context, ToolError, tool
from controlllm.values import Choice, Flag, Percent, Seconds

from ..shared import video_files
from ..shared.sounds import faded, kept
from ..shared.video_rewriting import rewritten
from .embedded import colouring

_PACKAGES = ("av", "cv2")
_STEP = 0.04  # seconds between pictures while it fades, also where the video stands still


_LOOKS = Choice(
    grey="gray black_and_white black_white greyscale grayscale b&w bw monochrome noir "
    "desaturate without_colour without_color without_colours no_colour no_color "
    "take_the_colour_out remove_the_colour remove_the_color",
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
    look: Annotated[str, _LOOKS] = "",
    amount: Percent = 0.0,
) -> Video:
    """Change the look of a whole video: black and white, sepia, brighter, darker, more contrast or
    colour.

    Args:
        video: the video whose look is to change
        look: the new look
        amount: how much of it, in percent; clearly seen where nothing is said
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
        lambda time, picture: change(picture),
        context,
        words="Changing the look",
    )


def _fading(way: str) -> list[str]:
    """What people say for fading a video in or out."""
    whats = ("", " it", " the video", " the clip", " the film", " this")
    return [f"{fade}{what} {way}" for fade in ("fade", "fades", "fading") for what in whats]


_FROM_BLACK = Flag(
    *_fading("in"), "start", "beginning", "begin", "begins", "opening", "from black", "out of black"
)
_TO_BLACK = Flag(
    *_fading("out"),
    *("in and out", "and out", "end", "ending", "ends", "to black", "into black"),
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
    seconds: Seconds = 0.0,
    start: Annotated[bool, _FROM_BLACK] = False,
    end: Annotated[bool, _TO_BLACK] = False,
) -> Video:
    """Let a video fade in from black at its start or fade out at its end, picture and sound.

    Args:
        video: the video that is to fade
        seconds: how long it fades; a second where nothing is said
        start: whether it fades in from black at its start
        end: whether it fades out to black at its end; it fades at both where nothing is said
        returns: the video, as long as before
    """
    facts = video_files.read_facts(video)
    fades_in, fades_out = start or not end, end or not start
    length = min(abs(seconds) or 1.0, facts.seconds / (fades_in + fades_out))

    last = facts.seconds - min(1 / facts.frame_rate, _STEP)

    def change(time: float, picture: np.ndarray) -> np.ndarray:
        # The last picture is the one that stays, so it is the black one.
        left = 0.0 if time >= last - 1e-3 else facts.seconds - time
        share = min(time if fades_in else length, left if fades_out else length) / length
        return picture if share >= 1 else (picture * np.float32(share)).astype(np.uint8)

    def softer(sound: Sound) -> Sound:
        count = round(length * sound.rate)
        ends = faded(sound.blocks(), sound.frames, count * fades_in, count * fades_out)
        return kept(ends, sound.rate, context)

    steps = np.arange(0.0, length, _STEP)
    moments = [*(steps if fades_in else ()), *(facts.seconds - steps if fades_out else ())]
    return rewritten(
        video,
        facts,
        change,
        context,
        moments=sorted(moments),
        sound_change=softer,
        words="Fading the video",
    )
