"""The dialogs in which a person points: at things in pictures, at parts and words of recordings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gradio as gr

from controlllm.ui.components.dialog import Dialog
from controlllm.ui.components.point_picker import PointPicker
from controlllm.ui.components.time_cutter import TimeCutter
from controlllm.ui.drawings.point_picker import point_picker
from controlllm.ui.drawings.time_cutter import time_cutter
from controlllm.ui.handlers import language_of
from controlllm.ui.texts import say, speaking

_PRIVATE: dict[str, Any] = {
    "api_visibility": "private",
    "show_progress": "hidden",
    "concurrency_limit": None,
}
_NOTHING = (gr.skip(), gr.skip())


def add_pointing(page: Any) -> None:
    """Add them to the page: they open where `Outcome.opens` says ``picker`` or ``cutter``."""
    with Dialog(elem_id="picking") as picking:
        picker = PointPicker(page.look, elem_id="picker")
    with Dialog(elem_id="cutting") as cutting:
        cutter = TimeCutter(page.look, elem_id="cutter")

    def opened(opens: Mapping[str, Any] | None, request: gr.Request) -> list[Any]:
        told = dict(opens or {})
        with speaking(language_of(request)):
            if told.get("what") == "picker":
                title = say("pointing.title_in", name=told["value"])
                shown = {"open": True, "title": title, "wide": True}
                return [shown, {"parts": [point_picker()], **told}, *_NOTHING]
            if told.get("what") == "cutter":
                title = say("pointing.part_title", name=told["value"])
                shown = {"open": True, "title": title, "wide": True}
                return [*_NOTHING, shown, {"parts": [time_cutter()], **told}]
        return [*_NOTHING, *_NOTHING]

    dialogs = [picking, picker, cutting, cutter]
    page.opens.change(opened, [page.opens], dialogs, queue=False, **_PRIVATE)
    for part in (picker, cutter):
        part.act(page.handlers.act, [page.here, page.attached], page.outputs, **_PRIVATE)
