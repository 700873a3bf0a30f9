"""How a request is worked on."""

from __future__ import annotations

import threading
from dataclasses import dataclass

from controlllm.settings import Settings


@dataclass(frozen=True)
class RunOptions:
    """How a request is worked on.

    By which `settings`, those of the assistant where none are given, and until `cancelled` is set.
    With `asks` there is a person who can be asked what is meant, and answers by
    `Assistant.choose`; otherwise the likeliest is taken.
    """

    settings: Settings | None = None
    cancelled: threading.Event | None = None
    asks: bool = False


#: By the settings of the assistant, until its end, and nobody is asked.
USUAL = RunOptions()
