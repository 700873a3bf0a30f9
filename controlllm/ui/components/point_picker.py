"""A picture to point at: what is meant in it and what is not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from controlllm.ui.components.drawn import Drawn


class PointPicker(Drawn):
    """Clicks, boxes and brush strokes on a picture, by pointer or keyboard, kept in the picture's
    own pixels at any zoom; what they mean lies over it while they are set, and is kept under a
    number. It stands in a `Dialog`, which it closes.

    Value: ``{"parts": [html], "handle", "value"}``, the picture's name; perhaps ``box``, to begin
    with. Event: ``act``, to ``use-pointed`` the number (``value``) of what was kept in a picture
    (``of``). Calls `look` for ``pictures``, ``glance`` and ``regions``.
    """

    script = "point_picker"

    def __init__(self, look: Callable[..., Any], value: Any = None, **props: Any) -> None:
        super().__init__(value, server_functions=[look], **props)
