"""The dialogs in which a person points, compares two ways, chooses a recipe's file, and says what a
batch needs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import gradio as gr

from controlllm.resources.probing import BadInput
from controlllm.ui.calls import Call
from controlllm.ui.components import drawn as own
from controlllm.ui.drawings.pointing import point_picker, time_cutter
from controlllm.ui.handlers import AT_ONCE, PRIVATE, language_of
from controlllm.ui.outcome import NOTHING, Outcome, changes, dialog_of
from controlllm.ui.texts import say, speaking
from controlllm.ui.verbs.batches import begin_batch
from controlllm.ui.verbs.recipes import look_at_file

_NOTHING = {"what": ""}
#: Gradio's slider over pictures listens to a pointer alone; this moves it by the keyboard.
_SLID = "(at) => ({ __type__: 'update', slider_position: at })"


# Pointing.


def add_pointing(page: Any) -> None:
    """Add the dialogs that point at things in pictures, and at parts and words of recordings: they
    open where `Outcome.opens` says ``picker`` or ``cutter``."""
    kinds = []
    for what, name, component, draw in (
        ("picker", "picking", own.PointPicker, point_picker),
        ("cutter", "cutting", own.TimeCutter, time_cutter),
    ):
        with own.Dialog(elem_id=name) as dialog:
            part = component(page.look, elem_id=what)
        kinds.append((what, dialog, part, draw))
        part.act(page.handlers.act, [page.here, page.attached], page.outputs, **PRIVATE)

    def opened(opens: Mapping[str, Any] | None, request: gr.Request) -> list[Any]:
        told, shown = dict(opens or {}), []
        with speaking(language_of(request)):
            for what, _, _, draw in kinds:
                is_meant = told.get("what") == what
                opening = dialog_of(told["title"], True, time=told["time"]) if is_meant else None
                shown.append(opening or gr.skip())
                shown.append({"parts": [draw()], **told} if is_meant else gr.skip())
        return shown

    shows = [item for _, dialog, part, _ in kinds for item in (dialog, part)]
    page.opens.change(opened, [page.opens], shows, queue=False, **AT_ONCE)


# Comparing.


def add_comparing(page: Any) -> None:
    """Add the dialog of two ways of a part: it opens where `Outcome.opens` says ``comparing``, and
    by itself when a way that was tried has ended."""
    with own.Dialog(elem_id="comparing") as dialog:
        with gr.Row(visible=False, elem_id="compared-pair") as pair:
            left = gr.Dropdown([], elem_id="compared-left", filterable=False)
            right = gr.Dropdown([], elem_id="compared-right", filterable=False)
        comparison = page.comparison = own.Comparison(elem_id="comparison")
        pictures = gr.ImageSlider(
            visible=False, interactive=False, show_label=False, buttons=["fullscreen"],
            elem_id="compared-pictures", max_height=480,
        )  # fmt: skip
        at = gr.Slider(
            0, 100, 50, step=1, label=page.say("compare.slider"), visible=False,
            buttons=[], elem_id="compared-at",
        )  # fmt: skip
    shown = [dialog, pair, left, right, comparison, pictures, at]

    async def draw(wanted: Mapping[str, Any], now: Any, opens: bool, request: gr.Request) -> Any:
        found = await page.handlers.look({**wanted, "do": "comparison"}, request)
        if not found.get("parts"):
            if found.get("error"):
                gr.Warning(found["error"])
            return [{**now, "open": False}, *[gr.skip()] * 6]
        with speaking(language_of(request)):
            return _values(found, wanted, {**now, "open": opens or now["open"]})

    async def open_it(opens: Any, here: str, now: Any, request: gr.Request) -> Any:
        if (opens or {}).get("what") != "comparing":
            return [gr.skip()] * 7
        wanted = {"turn": opens["turn"], "subtask": opens["subtask"], "handle": here}
        return await draw(wanted, now, True, request)

    async def move(now: Any, event: gr.EventData, request: gr.Request) -> Any:
        sent = dict(event._data or {})
        opens = bool(sent.pop("opens", False))
        return await draw(sent, now, opens, request)

    async def choose(
        first: int, second: int, value: Any, attached: list[str], request: gr.Request
    ) -> Any:
        sent = {name: value[name] for name in ("handle", "turn", "subtask")}
        sent = {**sent, "do": "compare-pair", "left": first, "right": second}
        return await page.handlers.do(sent, value["handle"], attached, request)

    page.opens.change(open_it, [page.opens, page.here, dialog], shown, postprocess=False, **AT_ONCE)
    comparison.moved(move, [dialog], shown, postprocess=False, **AT_ONCE)
    two = [left, right, comparison, page.attached]
    gr.on([left.input, right.input], choose, two, page.outputs, **AT_ONCE)
    at.input(None, [at], [pictures], js=_SLID, **AT_ONCE)


def _values(found: Mapping[str, Any], wanted: Mapping[str, Any], dialog: Any) -> list[Any]:
    """The values of the dialog's components; they are handed on as they are."""
    ways, places = [tuple(way) for way in found["ways"]], (found["left"], found["right"])
    pairs = [
        gr.update(
            choices=[way for way in ways if way[1] not in places or way[1] == place],
            value=place,
            label=say("compare.side", letter=letter),
        )
        for letter, place in zip("AB", places, strict=True)
    ]
    # Without "meta" Gradio takes them for no files of its own, and leaves our address as it is.
    pictures = [
        {"path": item["value"], "url": item["address"], "orig_name": item["value"]}
        for item in found["pictures"]
    ]
    over = gr.update(value=pictures, visible=True) if pictures else gr.update(visible=False)
    place = {name: wanted[name] for name in ("turn", "subtask", "handle")}
    return [
        {**dialog, "title": found["title"], "wide": True},
        gr.update(visible=len(ways) > 2),
        *pairs,
        {"parts": list(found["parts"]), **place},
        over,
        gr.update(visible=bool(pictures)),
    ]


# Recipes and batches.


def add_recipe_file(page: Any) -> None:
    """Add the dialog in which a file is chosen that is a recipe, or carries one: it is looked at in
    the page's panel."""
    with own.Dialog(elem_id="recipe-file") as dialog:
        file = gr.File(
            label=page.say("recipes.import_what"), elem_id="recipe-file-chosen", height=180
        )

    async def take(here: str, attached: list[str], path: str, request: gr.Request) -> list[Any]:
        def look(call: Call) -> Outcome:
            chosen = page.handlers.own_files(call, [Path(path)])
            if not chosen:
                raise BadInput(say("errors.file_gone", name=Path(path).name))
            return look_at_file(call, chosen[0])

        outcome = await page.handlers.done(look, here, request, {}, attached)
        return [*changes(outcome or NOTHING, here), dialog_of() if outcome else gr.skip(), None]

    page.opens_dialog("recipe-file", dialog)
    shown = [*page.outputs, dialog, file]
    file.upload(take, [page.here, page.attached, file], shown, **PRIVATE)


def add_batch_form(page: Any) -> None:
    """Add the dialog that asks for the files and words of a batch, as its recipe needs them."""
    labels = {"place": page.say("batch.place"), "start": page.say("batch.start")}
    with own.Dialog(elem_id="batch-form") as dialog, gr.Column(elem_id="batch-needs"):

        @gr.render(
            inputs=[page.opens], triggers=[page.opens.change], show_progress="hidden",
            trigger_mode="multiple",
        )  # fmt: skip
        def needs(opens: dict[str, Any]) -> None:
            if (opens or {}).get("what") == "batch":
                _form(page, dialog, opens, labels)

    page.opens_dialog("batch", dialog)
    # Its fields go with it: what they held would stand in those of the next time.
    dialog.closed(lambda: _NOTHING, None, [page.opens], **PRIVATE)


def _form(page: Any, dialog: own.Dialog, needs: dict[str, Any], labels: Mapping[str, Any]) -> None:
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
            label=labels["place"], elem_id="batch-place",
        )  # fmt: skip
    start = gr.Button(labels["start"], variant="primary", elem_id="batch-start")

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
            sent_here = set(page.handlers.own_files(call, [*chosen, *same.values()]))
            return begin_batch(
                call,
                [path for path in chosen if path in sent_here],
                {name: path for name, path in same.items() if path in sent_here},
            )

        outcome = await page.handlers.done(work, here, request, sent, values[page.attached])
        if outcome is None:
            return [*changes(NOTHING), gr.skip()]
        return [*changes(replace(outcome, opens=_NOTHING), here), dialog_of()]

    fields = [
        item for item in (files, place, *others.values(), *words.values()) if item is not None
    ]
    start.click(begin, {page.here, page.attached, *fields}, [*page.outputs, dialog], **PRIVATE)


def add_batch_point(page: Any) -> None:
    """Add the dialog in which one place in one picture of a batch is pointed at."""
    with own.Dialog(elem_id="batch-point") as dialog:
        picker = own.PlacePicker(elem_id="batch-point-body")

    def show(opens: dict[str, Any]) -> Any:
        if opens.get("what") != "batch-point":
            return gr.skip()
        given = {key: opens[key] for key in ("batch", "number", "panel", "handle")}
        shown = {key: opens[key] for key in ("address", "name", "help", "time")}
        return {"parts": [], **shown, "given": {**given, "do": "point-batch"}}

    async def take(
        event: gr.EventData, here: str, attached: list[str], request: gr.Request
    ) -> list[Any]:
        return [*await page.handlers.act(event, here, attached, request), dialog_of()]

    page.opens.change(show, [page.opens], [picker], **AT_ONCE)
    page.opens_dialog("batch-point", dialog, is_wide=True)
    picker.act(take, [page.here, page.attached], [*page.outputs, dialog], **PRIVATE)
