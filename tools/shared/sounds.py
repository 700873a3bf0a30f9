"""Sounds that tools are handed."""

from __future__ import annotations

from controlllm.resources import Sound
from controlllm.toolbox import ToolError


def expect_sound(sound: Sound) -> None:
    """Raise ToolError where a sound holds nothing to work on."""
    if not sound.samples.size:
        raise ToolError("The sound is empty: there is no sound in it. Hand over another one.")
