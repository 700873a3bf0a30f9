"""Addresses on the web: what they look like, and which type of a toolbox stands for them."""

from __future__ import annotations

import re

from controlllm.planning.graph import ADDRESS_TYPES, ToolGraph

ADDRESS = re.compile(r"(?:[a-z][a-z0-9+.-]*://|www\.)[^\s\"'<>“”‘’()]*[\w/=#-]", re.IGNORECASE)


def address_type(graph: ToolGraph) -> str:
    """The type that the tools of a graph take addresses as, empty where they take none."""
    return next((name for name in ADDRESS_TYPES if graph.consumers(name)), "")
