"""Telling what kind of sound a recording is."""

from __future__ import annotations

from controlllm.resources import Audio, Category, Label, Sound
from controlllm.toolbox import Context, tool

from ..hub.catalogue_language_and_sound import SOUND_CLASSES
from .embedded import sound_kinds


@tool(
    domain="audio-perception",
    examples=[
        "What kind of sound is this?",
        "Is this recording speech or music?",
        "Classify the audio clip.",
        "What sort of noise do I hear in this file?",
        "Tell me whether somebody talks here or whether it is just noise.",
        "Which category does this sound belong to?",
        "Does the recording contain music, a siren or a beep?",
        "Label this sound file.",
        "What am I listening to?",
    ],
    aliases=["sound_classification"],
    packages=["onnxruntime", "scipy"],
    memory="60 MiB",
)
def audio_classification(audio: Audio, context: Context) -> Category:
    """Say what kind of sound a recording is: speech, music, noise, a beep or tone, a siren, hum,
    a knock or bang, or silence. Hundreds of kinds are known, among them animals, instruments,
    vehicles, tools, alarms and weather; several are named with their shares.

    Args:
        audio: the recording to listen to
    """
    return sound_kinds.kinds(audio, context)


@audio_classification.implementation(
    "hub",
    packages=("torch", "transformers", "scipy"),
    weights={"model": SOUND_CLASSES},
    memory="1 GiB",
)
def _sorted_by_downloaded_model(audio: Sound, context: Context) -> tuple[Label, ...]:
    from ..hub import listening

    return listening.kinds_of(context.weights["model"], audio, context)
