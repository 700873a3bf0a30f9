"""Cuts a part or a frame out of a recording, or says how loud it is over time, in a process of its
own: ``python -m controlllm.pointing.cutting WHAT TYPE PATH START END OUT``, times in seconds.

It prints one line of JSON: what was made (``media_type``, ``details``), the loudness (``peaks``,
``seconds``), or in a sentence why it ``failed``.
"""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import numpy as np
import PIL.Image

from controlllm.resources import BadInput, Clip, Sound, decode, details_of
from controlllm.resources.encoding import write_sound
from controlllm.resources.mixing_down import MonoMixer
from controlllm.toolbox import Context, ToolError
from controlllm.toolbox.rooms import tool_module

#: So many pieces of a recording are told apart where its loudness is drawn.
PIECES = 600
_RATE = 16_000
_LONGEST_WAVE = 3600.0


def main(arguments: list[str]) -> None:
    what, type_name, path, start, end, out = arguments
    try:
        if what == "wave":
            said = loudness(type_name, Path(path))
        elif what == "frame":
            said = _frame(Path(path), float(start), Path(out))
        else:
            said = _part(type_name, Path(path), float(start), float(end), Path(out))
    except (ToolError, BadInput, OSError, ValueError, StopIteration) as error:
        said = {"failed": str(error) or "This recording could not be read."}
    print(json.dumps(said))


def loudness(type_name: str, path: Path) -> dict[str, Any]:
    """The lowest and highest sample in each of `PIECES` pieces, and how long it all is, in seconds.

    `peaks` is empty where there is no sound.
    """
    seconds = float(details_of(type_name, path)["seconds"])
    sound = sound_of(type_name, path)
    if sound is None or not sound.frames:
        return {"peaks": [], "seconds": seconds}
    count = min(PIECES, sound.frames)
    edges = np.linspace(0, sound.frames, count + 1).astype(int)
    low, high = np.zeros(count), np.zeros(count)
    mixer = MonoMixer()
    place = 0
    for block in sound.blocks():
        mono = mixer.mixed(np.asarray(block, np.float32))
        first = int(np.searchsorted(edges, place, "right")) - 1
        last = int(np.searchsorted(edges, place + len(mono), "left"))
        for piece in range(max(first, 0), min(last, count)):
            part = mono[max(edges[piece] - place, 0) : max(edges[piece + 1] - place, 0)]
            if len(part):
                low[piece], high[piece] = (
                    min(low[piece], part.min()),
                    max(high[piece], part.max()),
                )
        place += len(mono)
    peaks = [[round(float(a), 3), round(float(b), 3)] for a, b in zip(low, high, strict=True)]
    return {"peaks": peaks, "seconds": max(seconds, sound.seconds)}


def sound_of(type_name: str, path: Path) -> Sound | None:
    """The sound of a recording, of a video its sound track: None where there is none."""
    if type_name == "audio":
        found: Sound = decode("audio", path)
        return found
    video_files = tool_module("shared.video_files")
    track: Sound | None = video_files.read_sound(Clip(path), _RATE, 1, _LONGEST_WAVE)
    return track


def _part(type_name: str, path: Path, start: float, end: float, out: Path) -> dict[str, Any]:
    if type_name == "audio":
        sound: Sound = decode("audio", path)
        cut = sound.part(round(start * sound.rate), round(end * sound.rate))
        with out.open("wb") as file:
            write_sound(Sound(np.asarray(cut), sound.rate), file)
        return {"media_type": "audio/wav", "details": details_of("audio", out)}
    timeline = tool_module("video.embedded.timeline")
    made = timeline.assemble(
        Clip(path), [timeline.Passage(start, end)], Context(), "Cutting the part"
    )
    shutil.copyfile(made.path, out)
    return {"media_type": "video/mp4", "details": details_of("video", out)}


def _frame(path: Path, at: float, out: Path) -> dict[str, Any]:
    video_files = tool_module("shared.video_files")
    frames = video_files.read_frames(Clip(path), at, at + 1e-3, Context())
    PIL.Image.fromarray(next(frames)[1]).save(out, "PNG", compress_level=1)
    return {"media_type": "image/png", "details": details_of("image", out)}


if __name__ == "__main__":
    main(sys.argv[1:])
