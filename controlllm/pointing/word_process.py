"""Tells when each word of a recording is said, for `controlllm.pointing.spoken`, in a process of
its own: ``python -m controlllm.pointing.word_process TYPE PATH``.

It prints lines of JSON: how far it is (``share``, 0 to 1) as it listens, then the ``words``, each
with its start and end in seconds, or in a sentence why it ``failed``.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from controlllm.core.helper_process import Tell, own_lines
from controlllm.models import ModelFileError
from controlllm.pointing.cutting import sound_of
from controlllm.resources import BadInput
from controlllm.toolbox import ToolError
from controlllm.toolbox.rooms import tool_module

whisper = tool_module("speech.embedded.whisper")
word_times = tool_module("speech.embedded.word_times")

#: Seconds that are listened to at once; hours take memory for so much.
_HEARD_AT_ONCE = 300.0


def main(type_name: str, path: Path) -> None:
    tell = own_lines()
    try:
        tell({"words": _words(type_name, path, tell)})
    except (ToolError, BadInput, ModelFileError, ImportError, OSError, ValueError) as error:
        tell({"failed": str(error) or "This recording could not be read."})


def _words(type_name: str, path: Path, tell: Tell) -> list[tuple[str, float, float]]:
    sound = sound_of(type_name, path)
    if sound is None or not sound.frames:
        raise ToolError("There is no sound in it, so no words either.")
    sound = whisper.as_heard(sound)
    found: list[tuple[str, float, float]] = []
    for first, samples in tool_module("shared.sounds").parted(sound, _HEARD_AT_ONCE):
        heard: list[Any] = []
        if whisper.speech_spans(samples):
            for utterance in whisper.transcribe(samples, is_timed=True):
                heard += utterance.single
                done = first + utterance.end * whisper.RATE
                tell({"share": round(min(done / sound.frames, 1.0), 3)})
        start = first / whisper.RATE
        for word in word_times.in_pauses(heard, samples):
            found.append((word.text, round(start + word.start, 3), round(start + word.end, 3)))
    return found


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
