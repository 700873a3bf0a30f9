"""The dialog in which a file is chosen that is a recipe, or carries one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gradio as gr

from controlllm.resources.probing import BadInput
from controlllm.ui.calls import Call
from controlllm.ui.components.dialog import Dialog
from controlllm.ui.outcome import NOTHING, Outcome, changes
from controlllm.ui.texts import say
from controlllm.ui.verbs.recipes import look_at_file

_CLOSED = {"open": False, "title": "", "wide": False}


def add_recipe_file(page: Any) -> None:
    """Add the dialog; what is chosen in it is looked at in the page's panel."""
    with Dialog(elem_id="recipe-file") as dialog:
        file = gr.File(
            label=page.texts("recipes_import_what"), elem_id="recipe-file-chosen", height=180
        )

    def open_it(opens: dict[str, Any]) -> Any:
        if opens.get("what") != "recipe-file":
            return gr.skip()
        return {"open": True, "title": opens["title"], "wide": False}

    async def take(here: str, attached: list[str], path: str, request: gr.Request) -> list[Any]:
        def look(call: Call) -> Outcome:
            own = page.handlers.own_files(call, [Path(path)])
            if not own:
                raise BadInput(say("errors.file_gone", name=Path(path).name))
            return look_at_file(call, own[0])

        outcome = await page.handlers.performed(look, here, {}, attached, request)
        return [*changes(outcome or NOTHING, here), _CLOSED if outcome else gr.skip(), None]

    page.opens.change(open_it, [page.opens], [dialog], **page.private)
    file.upload(
        take,
        [page.here, page.attached, file],
        [*page.outputs, dialog, file],
        **page.private,
    )
