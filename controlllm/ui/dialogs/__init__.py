"""The page's dialogs that hold components of Gradio's own, a module for each.

Each has a function that is called within the page's `gr.Blocks`: it adds the dialog, and what opens
it and what is done in it (`Page.opens`, `controlllm.ui.handlers`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from controlllm.ui.dialogs.batches import add_batch_form, add_batch_point
from controlllm.ui.dialogs.comparing import add_comparing
from controlllm.ui.dialogs.pointing import add_pointing
from controlllm.ui.dialogs.recipe_file import add_recipe_file
from controlllm.ui.dialogs.settings import add_settings
from controlllm.ui.dialogs.toolbox import add_toolbox

#: Called with the page, in this order.
DIALOGS: tuple[Callable[[Any], None], ...] = (
    add_comparing,
    add_pointing,
    add_recipe_file,
    add_batch_form,
    add_batch_point,
    add_settings,
    add_toolbox,
)
