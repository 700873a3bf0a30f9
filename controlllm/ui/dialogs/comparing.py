"""Two ways of a part compared, in a dialog: who they are and what they came to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gradio as gr

from controlllm.ui.components.comparison import Comparison
from controlllm.ui.components.dialog import Dialog
from controlllm.ui.handlers import language_of
from controlllm.ui.texts import say, speaking

_QUIET: dict[str, Any] = {
    "api_visibility": "private",
    "show_progress": "hidden",
    "concurrency_limit": None,
    "trigger_mode": "multiple",
}
#: Gradio's slider over pictures listens to a pointer alone; this moves it by the keyboard.
_SLID = "(at) => ({ __type__: 'update', slider_position: at })"


def add_comparing(page: Any) -> None:
    """Add the dialog to the page: it opens where `Outcome.opens` says ``comparing``, and by itself
    when a way that was tried has ended."""
    with Dialog(elem_id="comparing") as dialog:
        with gr.Row(visible=False, elem_id="compared-pair") as pair:
            left = gr.Dropdown([], elem_id="compared-left", filterable=False)
            right = gr.Dropdown([], elem_id="compared-right", filterable=False)
        comparison = page.comparison = Comparison(elem_id="comparison")
        pictures = gr.ImageSlider(
            visible=False, interactive=False, show_label=False, buttons=["fullscreen"],
            elem_id="compared-pictures", max_height=480,
        )  # fmt: skip
        at = gr.Slider(
            0, 100, 50, step=1, label=page.texts("compare_slider"), visible=False,
            buttons=[], elem_id="compared-at",
        )  # fmt: skip
    shown = [dialog, pair, left, right, comparison, pictures, at]
    look = page.handlers.look

    async def draw(wanted: Mapping[str, Any], now: Any, opens: bool, request: gr.Request) -> Any:
        found = await look({**wanted, "do": "comparison"}, request)
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

    page.opens.change(open_it, [page.opens, page.here, dialog], shown, postprocess=False, **_QUIET)
    comparison.moved(move, [dialog], shown, postprocess=False, **_QUIET)
    gr.on(
        [left.input, right.input],
        choose,
        [left, right, comparison, page.attached],
        page.outputs,
        **_QUIET,
    )
    at.input(None, [at], [pictures], js=_SLID, **_QUIET)


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
