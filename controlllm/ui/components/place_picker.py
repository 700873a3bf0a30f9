"""Pointing at one place in one picture."""

from __future__ import annotations

from controlllm.ui.components.drawn import Drawn


class PlacePicker(Drawn):
    """A picture in which one place is meant: by a click, or by the cross that the arrow keys move
    and Enter.

    Value: ``{"parts": [], "address", "name", "help", "given"}``. Event: ``act`` with what is
    `given` and the place (``x``, ``y``) in fractions of the picture.
    """

    script = "place_picker"
