"""The channels of a sound: one, two, only one of them, exchanged."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import numpy as np

from controlllm.resources import Audio, Sound
from controlllm.toolbox import Context, ToolError, tool
from controlllm.values import Choice

from ..shared.sounds import kept, mono

_OF_STEREO = ("of_the_stereo", "of_this_stereo", "from_the_stereo", "from_this_stereo")


def _side(side: str) -> str:
    """What people say for one of two channels, a stereo file named behind it as well."""
    names = ("channel", "ch", "side", "ear", "one", "track", "speaker")
    parts = [*(f"{side}_{part}" for part in names), f"{side[0]}_channel", f"{side[0]}_ch"]
    return " ".join([*parts, *(f"{part}_{of}" for part in parts for of in _OF_STEREO)])


def _swap() -> str:
    """What people say for both channels exchanged, up to the last word that names a channel."""
    pairs = ("left_and_right", "right_and_left", "left_and_the_right", "right_and_the_left",
             "left_with_right", "left_with_the_right", "left_for_right")  # fmt: skip
    parts = ("channel", "channels", "side", "sides", "ear", "ears", "one", "track", "tracks",
             "speaker", "speakers")  # fmt: skip
    named = [*pairs, *(f"{pair}_{part}" for pair in pairs for part in parts)]
    said = "swapped swapping exchange exchanged switch flip the_wrong_way_round from_the_other_ear"
    return " ".join([*named, said, "on_the_other_ear on_the_other_side from_the_other_side"])


_WAYS = Choice(
    mono="monaural monophonic single_channel one_channel to_one into_one mono_from_stereo "
    "both_sides_on_one both_channels_on_one both_ears_on_one both_on_one",
    stereo="two_channels both_ears both_sides on_both both_speakers stereo_from_mono",
    left=_side("left"),
    right=_side("right"),
    swap=_swap(),
)


@tool(
    domain="audio-editing",
    places="everywhere",
    examples=[
        "Turn this stereo recording into mono.",
        "Keep only the left channel.",
        "Swap left and right.",
        "Make the mono voice memo stereo so it plays on both sides.",
        "I only hear it in one ear, put it on both.",
        "Just the right channel of this interview, please.",
        "Mix both channels down to one.",
    ],
)
def change_channels(
    audio: Audio,
    context: Context,
    way: Annotated[str, _WAYS] = "",
) -> Audio:
    """Change the channels of a sound: stereo to mono, only the left or right one, swapped.

    Args:
        audio: the recording to change
        way: mono, stereo, only the left or the right channel, or left and right swapped; mono of
            stereo and stereo of mono where nothing is said
    returns: the recording with other channels
    """
    chosen = way or ("mono" if audio.channels > 1 else "stereo")
    if chosen in ("left", "right", "swap") and audio.channels < 2:
        raise ToolError(
            "The recording is mono: it has only one channel, so there is no left and right. Hand "
            "over a stereo recording."
        )
    context.progress(0.0, "Changing the channels")
    made = kept(_changed(audio, chosen), audio.rate, context)
    return made


def _changed(sound: Sound, way: str) -> Iterator[np.ndarray]:
    match way:
        case "mono":
            return mono(sound)
        case "left":
            return (block[:, :1] for block in sound.blocks())
        case "right":
            return (block[:, 1:2] for block in sound.blocks())
        case "swap":
            return (block[:, ::-1] for block in sound.blocks())
    return _stereo(sound)


def _stereo(sound: Sound) -> Iterator[np.ndarray]:
    """Both ears hear it: of mono, or of stereo in which one channel is silent."""
    sounding = [any(block[:, at].any() for block in sound.blocks()) for at in range(sound.channels)]
    at = sounding.index(True) if sum(sounding) == 1 else None
    if at is None:
        return sound.blocks()
    return (np.repeat(block[:, at : at + 1], 2, axis=1) for block in sound.blocks())
