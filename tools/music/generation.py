"""Tools that make music."""

from __future__ import annotations

from controlllm.resources import Audio, Sound, Text
from controlllm.toolbox import Context, tool

from ..cloud import hosted
from ..hub.catalogue_language_and_sound import COMPOSERS

#: How long a piece is where the words do not say it.
_USUAL_SECONDS = 30.0
_TONICS = ("C", "C#", "D", "Eb", "E", "F", "F#", "G", "Ab", "A", "Bb", "B")


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
    packages=("scipy", "tinysoundfont"),
    aliases=["music_generation"],
)
def text_to_music(prompt: Text, context: Context) -> Audio:
    """Make instrumental music from words: compose and play a new short piece that fits a mood, a
    genre, a tempo, a key, instruments and a length, or the scene that the words describe. The music
    is composed by rules and played by synthetic instruments; there is no singing.

    Args:
        prompt: how the music shall be, or a scene it shall fit: "a sad slow piano piece of 20 s"
    """
    from .embedded.composition import compose, perform
    from .embedded.instruments import RATE
    from .embedded.musical_request import read_request

    context.progress(0.0, "reading the words")
    score = compose(read_request(prompt))
    context.progress(0.05, f"composed {score.form} at {score.tempo:.0f} beats a minute")
    samples = perform(score, lambda share: context.progress(0.05 + 0.94 * share, "playing"))
    context.progress(1.0, "played")
    return Sound(samples, RATE)


@text_to_music.implementation(
    "hub",
    packages=("torch", "diffusers", "transformers", "scipy"),
    weights={"model": COMPOSERS},
    memory="16 GiB",
    needs_gpu=True,
    deterministic=False,
)
def _composed_by_downloaded_model(prompt: str, context: Context) -> Sound:
    from ..hub import composing
    from .embedded.musical_request import read_request

    request = read_request(prompt)
    seconds = request.seconds or _USUAL_SECONDS * request.length
    wishes: dict[str, object] = {}
    if request.tempo is not None:
        wishes["bpm"] = round(request.tempo)
    if request.tonic is not None and request.mode in ("major", "minor"):
        wishes["keyscale"] = f"{_TONICS[request.tonic % 12]} {request.mode}"
    if request.metre is not None:
        wishes["timesignature"] = request.metre.split("/")[0]
    return composing.compose(context.weights["model"], prompt, seconds, wishes, context)


hosted.offer(text_to_music)
