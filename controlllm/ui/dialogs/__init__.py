"""The page's dialogs that hold components of Gradio's own, a module for each.

Each has a function that is called within the page's `gr.Blocks`: it adds the dialog, and what opens
it and what is done in it (`Page.opens`, `controlllm.ui.handlers`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from controlllm.ui.dialogs.comparing import add_comparing

#: Called with the page, in this order.
DIALOGS: tuple[Callable[[Any], None], ...] = (add_comparing,)
