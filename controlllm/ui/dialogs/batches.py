"""The dialogs of batches: what one needs to begin, and the place that is meant in one picture."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import gradio as gr

from controlllm.ui.calls import Call
from controlllm.ui.components.dialog import Dialog
from controlllm.ui.components.place_picker import PlacePicker
from controlllm.ui.outcome import NOTHING, Outcome, changes
from controlllm.ui.verbs.batches import begin_batch

_CLOSED = {"open": False, "title": "", "wide": False}
_NOTHING = {"what": ""}
_NO_PLACE = {"parts": [], "address": "", "name": "", "help": "", "given": {}}


def add_batch_form(page: Any) -> None:
    """Add the dialog that asks for the files and words of a batch, as its recipe needs them."""
    with Dialog(elem_id="batch-form") as dialog, gr.Column(elem_id="batch-needs"):

        @gr.render(
            inputs=[page.opens], triggers=[page.opens.change], show_progress="hidden",
        )  # fmt: skip
        def needs(opens: dict[str, Any]) -> None:
            if (opens or {}).get("what") == "batch":
                _form(page, dialog, opens)

    _opening(page, dialog, "batch")
    # Its fields go with it: what they held would stand in those of the next time.
    dialog.closed(lambda: _NOTHING, None, [page.opens], **page.private)


def _form(page: Any, dialog: Dialog, needs: dict[str, Any]) -> None:
    files = None
    if needs["each"]:
        files = gr.File(
            label=needs["each"], file_count="multiple", height=190, elem_id="batch-files",
            interactive=True,
        )  # fmt: skip
    others = {
        item["name"]: gr.File(
            label=item["label"], height=120, elem_classes="batch-other", interactive=True,
        )
        for item in needs["others"]
    }  # fmt: skip
    words = {
        item["name"]: gr.Textbox(
            item["given"], label=item["label"], lines=2, max_lines=6, interactive=True,
            elem_classes="batch-words-field",
        )
        for item in needs["words"]
    }  # fmt: skip
    place = None
    if needs["places"]:
        place = gr.Radio(
            [tuple(choice) for choice in needs["places"]], value=needs["place"], interactive=True,
            label=page.texts("batch_place"), elem_id="batch-place",
        )  # fmt: skip
    start = gr.Button(page.texts("batch_start"), variant="primary", elem_id="batch-start")

    async def begin(values: dict[Any, Any], request: gr.Request) -> list[Any]:
        here = values[page.here]
        sent = {
            "recipe": needs["recipe"],
            "words": {name: values[field] or "" for name, field in words.items()},
            "place": values[place] if place is not None else "",
        }
        chosen = [Path(path) for path in (values[files] or () if files is not None else ())]
        same = {name: Path(values[field]) for name, field in others.items() if values[field]}

        def work(call: Call) -> Outcome:
            own = set(page.handlers.own_files(call, [*chosen, *same.values()]))
            return begin_batch(
                call,
                [path for path in chosen if path in own],
                {name: path for name, path in same.items() if path in own},
            )

        outcome = await page.handlers.performed(work, here, sent, values[page.attached], request)
        if outcome is None:
            return [*changes(NOTHING), gr.skip()]
        return [*changes(replace(outcome, opens=_NOTHING), here), _CLOSED]

    fields = [
        item for item in (files, place, *others.values(), *words.values()) if item is not None
    ]
    start.click(begin, {page.here, page.attached, *fields}, [*page.outputs, dialog], **page.private)


def add_batch_point(page: Any) -> None:
    """Add the dialog in which one place in one picture of a batch is pointed at."""
    with Dialog(elem_id="batch-point") as dialog:
        picker = PlacePicker(dict(_NO_PLACE), elem_id="batch-point-body")

    def show(opens: dict[str, Any]) -> Any:
        if opens.get("what") != "batch-point":
            return gr.skip()
        given = {key: opens[key] for key in ("batch", "number", "panel", "handle")}
        return {
            **_NO_PLACE,
            **{key: opens[key] for key in ("address", "name", "help", "time")},
            "given": {**given, "do": "point-batch"},
        }

    async def take(
        event: gr.EventData, here: str, attached: list[str], request: gr.Request
    ) -> list[Any]:
        return [*await page.handlers.act(event, here, attached, request), _CLOSED]

    page.opens.change(show, [page.opens], [picker], **page.private)
    _opening(page, dialog, "batch-point", is_wide=True)
    picker.act(take, [page.here, page.attached], [*page.outputs, dialog], **page.private)


def _opening(page: Any, dialog: Dialog, what: str, is_wide: bool = False) -> None:
    def open_it(opens: dict[str, Any]) -> Any:
        if opens.get("what") != what:
            return gr.skip()
        return {"open": True, "title": opens["title"], "wide": is_wide}

    page.opens.change(open_it, [page.opens], [dialog], **page.private)
