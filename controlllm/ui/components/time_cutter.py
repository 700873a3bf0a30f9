"""A sound or a video to point at in time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from controlllm.ui.components.drawn import Drawn


class TimeCutter(Drawn):
    """A part of a sound or a video between two handles over its loudness, from one of its words to
    another, or a frame of a video, by pointer or keyboard. It stands in a `Dialog`, which it
    closes.

    Value: ``{"parts": [html], "handle", "value"}``, the recording's name; perhaps ``transcript``,
    the name of the text whose words are to be shown at once. Event: ``act``, to ``use-pointed`` the
    number (``value``) of what was kept of a recording (``of``). Calls `look` for ``recording``,
    ``loudness``, ``spoken-words``, ``stop-listening``, ``parts`` and ``frames``.
    """

    script = "time_cutter"

    def __init__(self, look: Callable[..., Any], value: Any = None, **props: Any) -> None:
        super().__init__(value, server_functions=[look], **props)
