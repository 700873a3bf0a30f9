"""Plain tones, beeps, sweeps and noise."""

from __future__ import annotations

from controlllm.resources import Audio, Text
from controlllm.toolbox import Context, ToolError, tool

from ..shared.sounds import kept
from .embedded import plain_tones


@tool(
    domain="audio-generation",
    examples=[
        "Make a 440 Hz tone for five seconds.",
        "I need a short beep.",
        "Generate ten seconds of white noise.",
        "Play me a middle C to tune my guitar.",
        "Create a sweep from 20 Hz to 20 kHz over 10 seconds.",
        "Half a minute of brown noise to sleep to.",
        "Give me an A4 sine wave.",
        "Three beeps for a countdown.",
    ],
    packages=("scipy",),
)
def make_tone(text: Text, context: Context) -> Audio:
    """Make a plain tone of a pitch, a beep, a sweep, or white, pink or brown noise, for some
    seconds.

    Args:
        text: what to make: the pitch in hertz or as a note, a beep, a sweep from one pitch to
            another, or a noise, and how long
    returns: the tone, mono at 44,100 Hz
    """
    try:
        wish = plain_tones.read(text)
    except plain_tones.UnclearToneError as error:
        raise ToolError(str(error)) from error
    context.progress(0.0, f"Making {wish.in_words}")
    made = kept(plain_tones.made(wish, context), plain_tones.RATE, context)
    return made
