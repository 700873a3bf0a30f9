"""Where the tools that ship lie among the wishes of people, beside where their descriptions lie.

`training/match_tools.py` learns it from written requests; ``docs/models/wish-reader.md`` says what
it brings.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import numpy as np

from controlllm.layout import ASSETS

MOVES_FILE = ASSETS / "planner" / "tool-moves.npz"
#: The name under which stands how far the vector for no tool at all is moved.
NO_TOOL = ""


@cache
def tool_moves() -> Mapping[str, np.ndarray]:
    """By the name of a tool what is added to the vector of its description, float32, shape (384,);
    nothing where the file is not there."""
    if not MOVES_FILE.is_file():
        return {}
    with np.load(MOVES_FILE, allow_pickle=False) as stored:
        moves = stored["moves"].astype(np.float32)
        return dict(zip(map(str, stored["names"]), moves, strict=True))
