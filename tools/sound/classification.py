"""What is heard in a recording: the kind of sound, the tempo and the notes of music."""

from __future__ import annotations

from controlllm.resources import Audio, Category, Label, Sound, Text
from controlllm.toolbox import Context, tool

from ..hub.catalogue_language_and_sound import SOUND_CLASSES
from .embedded import sound_kinds
from .embedded.musical_facts import heard, note_of


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


@tool(
    domain="audio-perception",
    examples=[
        "What is the tempo of this song?",
        "How many BPM does the drum loop have?",
        "Which note am I humming here?",
        "In what key is the piece?",
        "How fast is this, in beats per minute?",
        "Tell me the pitch of the tuning fork.",
        "Is the whistle an A or a B flat?",
    ],
    packages=("scipy",),
)
def music_information(audio: Audio, context: Context) -> Text:
    """Tell the musical facts of a sound: its tempo in beats a minute (BPM), the note that is sung
    or played, with its pitch in hertz, or the key.

    Args:
        audio: the music, the beat or the note
        returns: what is heard, a line each
    """
    context.progress(0.0, "Listening to the music")
    found = heard(audio)
    lines = []
    if found.tempo:
        lines.append(f"Tempo: about {found.tempo:.0f} beats a minute (BPM)")
    if found.pitch:
        lines.append(f"Note: {note_of(found.pitch)} ({found.pitch:.1f} Hz)")
    if found.key:
        lines.append(f"Key: probably {found.key}")
    return "\n".join(lines) or "I hear neither a steady beat nor a note that stands out."
