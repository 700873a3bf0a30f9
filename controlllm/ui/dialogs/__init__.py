"""The page's dialogs that hold components of Gradio's own.

Each is called within the page's `gr.Blocks`: it adds the dialog, and what opens it and what is done
in it (`Page.opens`, `controlllm.ui.handlers`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from controlllm.ui.dialogs.at_work import (
    add_batch_form,
    add_batch_point,
    add_comparing,
    add_pointing,
    add_recipe_file,
)
from controlllm.ui.dialogs.settings import SettingsDialog
from controlllm.ui.dialogs.toolbox import ToolboxDialog

#: Called with the page, in this order.
DIALOGS: tuple[Callable[[Any], object], ...] = (
    add_comparing,
    add_pointing,
    add_recipe_file,
    add_batch_form,
    add_batch_point,
    SettingsDialog,
    ToolboxDialog,
)
