"""Tools that make music."""

from __future__ import annotations

from controlllm.resources import Audio, Sound, Text
from controlllm.toolbox import Context, tool


@tool(
    domain="audio-generation",
    examples=[
        "Compose a calm piano piece of 30 seconds.",
        "Make some happy background music for my video.",
        "Write a sad slow waltz in D minor.",
        "Generate a techno track at 128 bpm.",
        "Could you play me a lullaby on a music box?",
        "I need a short epic orchestral theme.",
        "Turn this description of a scene into music that fits it.",
        "Produce a relaxed bossa nova with guitar and flute.",
        "What would this caption sound like as music?",
    ],
    packages=("scipy",),
    aliases=["music_generation"],
)
def text_to_music(prompt: Text, context: Context | None = None) -> Audio:
    """Make instrumental music from words: compose and play a new short piece that fits a mood, a
    genre, a tempo, a key, instruments and a length, or the scene that the words describe. The music
    is composed by rules and played by synthetic instruments; there is no singing.

    Args:
        prompt: how the music shall be, or a scene it shall fit: "a sad slow piano piece of 20 s"
    """
    from tools.models.composition import compose
    from tools.models.instruments import RATE
    from tools.models.musical_request import read_request
    from tools.models.performance import perform

    context = context or Context()
    context.progress(0.0, "reading the words")
    score = compose(read_request(prompt))
    context.progress(0.05, f"composed {score.form} at {score.tempo:.0f} beats a minute")
    samples = perform(score, lambda share: context.progress(0.05 + 0.94 * share, "playing"))
    context.progress(1.0, "played")
    return Sound(samples, RATE)
