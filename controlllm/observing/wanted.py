"""What an operator wants to see, told by environment variables."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, cast, get_args
from urllib.parse import urlsplit

Readers = Literal["here", "everybody", "nobody"]


@dataclass(frozen=True)
class Wanted:
    """Who may read the figures, and where traces go.

    Parameters
    ----------
    readers: who gets an answer from ``/metrics``: programs on this machine, everybody, nobody.
    traces: the address of a collector that speaks OTLP over HTTP; nothing where it is empty.
    """

    readers: Readers = "here"
    traces: str = ""

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Wanted:
        """What ``CONTROLLLM_METRICS`` and ``CONTROLLLM_TRACES`` say; docs/operating.md has both.

        Raises ValueError, with the variable's name, where one says nothing that can be done.
        """
        readers = environment.get("CONTROLLLM_METRICS", "").strip() or "here"
        if readers not in get_args(Readers):
            choices = ", ".join(get_args(Readers))
            raise ValueError(f"CONTROLLLM_METRICS is {readers!r}; it has to be one of {choices}.")
        traces = environment.get("CONTROLLLM_TRACES", "").strip()
        if traces and urlsplit(traces).scheme not in ("http", "https"):
            raise ValueError(
                "CONTROLLLM_TRACES has to be the address of a collector, such as "
                "http://localhost:4318."
            )
        return cls(cast(Readers, readers), traces)
