"""Title, artist, album and cover written into the file of a sound."""

from __future__ import annotations

from pathlib import Path

from controlllm.resources import Audio, Filed, Image, Text
from controlllm.toolbox import Context, ToolError, tool

from .embedded import sound_files, sound_labels


@tool(
    domain="audio-editing",
    examples=[
        "Put the picture into the mp3 as its cover.",
        "Set the title to Evening Walk and the artist to Anna Berg.",
        "Add this image as album art to the song.",
        "Write title, artist and album into the file: Home, The Larks, Early Days.",
        "Tag the podcast: title 'Episode 7', artist 'Radio Garden', year 2024.",
        "The car radio shows no artist, make it say The Lost Boys.",
        "Give the m4a the cover photo and the album name Summer 2023.",
        "Change the metadata of this track: genre Jazz.",
    ],
    packages=("av",),
)
def label_audio(
    audio: Audio, context: Context, order: Text | None = None, cover: Image | None = None
) -> Audio:
    """Write title, artist, album, year, genre or a cover picture into the file of a sound.

    Args:
        audio: the sound
        order: an instruction
        cover: its cover
        returns: the sound with its labels
    """
    labels = sound_labels.labels_in(order or "")
    if not labels and cover is None:
        raise ToolError(
            "It is not said what to write into the file. Say it such as “title: Summer Rain, "
            "artist: The Larks”, or hand over a picture for its cover."
        )
    context.progress(0.1, "Writing the labels")
    given = [file.path for file in context.files("audio") if sound_labels.is_known(file.path)]
    path = given[0] if len(given) == 1 else None
    if path is not None and cover is not None and not sound_labels.takes_cover(path):
        path = None
        context.remark("A WAV file has no room for a cover, so it is an MP3 now.")
    if path is None:
        path = Path(context.folder) / "unlabelled.mp3"
        path.write_bytes(sound_files.saved(audio, "mp3", 0.0, 0, context))
    # What is a file of its own is no value of the type, though it is stored as one.
    return Filed(*sound_labels.labelled(path, labels, cover, context))  # type: ignore[return-value]
