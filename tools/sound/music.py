"""What is heard in music: its tempo, its notes."""

from __future__ import annotations

from controlllm.resources import Audio, Text
from controlllm.toolbox import Context, tool


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
    from .embedded.musical_facts import heard, note_of

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
