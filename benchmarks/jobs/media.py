"""Media that jobs are made of: what packages bring along, and sentences read by our own voice."""

from __future__ import annotations

import shutil
import tempfile
from importlib.resources import files
from pathlib import Path

import numpy as np
import PIL.Image
import soundfile

SPOKEN = {
    "train": "The train to Glasgow leaves at half past nine from platform four.",
    "garden": "We planted tomatoes and beans in the garden last weekend.",
    "meeting": "Please send the report to Maria before the meeting on Tuesday.",
    "recipe": "Mix the flour with two eggs and a little salt, then wait for twenty minutes.",
    "weather": "Tomorrow it will rain in the morning, but the sun comes out later.",
    "podcast": "Welcome back to the show. Today we talk about bees and honey.",
    "lost": "I lost my blue umbrella on the bus yesterday.",
    "doctor": "The doctor said that I should drink more water and sleep longer.",
}
_PHOTOS = (
    "astronaut", "chelsea", "cat", "coffee", "rocket", "camera", "page", "text", "coins", "moon",
    "hubble_deep_field", "stereo_motorcycle", "horse", "brick", "grass", "retina", "colorwheel",
    "immunohistochemistry",
)  # fmt: skip


def _made() -> Path:
    """A folder with all of them, made the first time that it is asked for on this machine."""
    folder = Path(tempfile.gettempdir()) / "controlllm-job-media-1"
    if folder.is_dir():
        return folder
    made = Path(tempfile.mkdtemp())
    for file in (files("gradio") / "media_assets").iterdir():
        if file.is_dir():
            for one in file.iterdir():
                with one.open("rb") as content:
                    (made / one.name).write_bytes(content.read())
    _photos(made)
    _sentences(made)
    try:
        made.rename(folder)
    except OSError:  # another process was quicker
        shutil.rmtree(made)
    return folder


def _photos(folder: Path) -> None:
    import skimage.data

    for name in _PHOTOS:
        found = getattr(skimage.data, name)()
        pixels = np.asarray(found[0] if isinstance(found, tuple) else found)
        pixels = pixels.astype(np.uint8) * 255 if pixels.dtype == bool else pixels
        picture = PIL.Image.fromarray(pixels).convert("RGB")
        picture.save(folder / f"{name}.jpg", quality=92)


def _sentences(folder: Path) -> None:
    from controlllm.toolbox import Toolbox
    from controlllm.toolbox.context import Context

    read = next(
        way for way in Toolbox.load().implementations["text_to_speech"] if way.runtime == "embedded"
    )
    for name, sentence in SPOKEN.items():
        sound = read.function(sentence, Context())
        soundfile.write(folder / f"spoken-{name}.wav", sound.samples, sound.rate)


#: Photos, sounds and films that jobs are made of. Made when a set of jobs is imported.
MEDIA = _made()
