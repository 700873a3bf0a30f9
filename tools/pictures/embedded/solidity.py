"""How solid something is that is laid over a picture, as people say it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated

from controlllm.values import Kind
from controlllm.values.kinds import Found

_SHARE = r"(?<![\w.:])(\d+(?:\.\d+)?) ?(?:%|percent|per cent)"
_SOLID = r"(?:opacity|opaque|strength|solid|visible|visibility)"
_CLEAR = r"(?:transparen(?:t|cy)|see[ -]?through|translucen(?:t|cy))"
_HALF = rf"\b(?:half|semi)[ -]?{_CLEAR}|\b{_CLEAR}\b"


def _find(words: str) -> Iterator[Found]:
    """The shares that are said of how solid or how clear it is; others say something else."""
    for kind, is_clear in ((_SOLID, False), (_CLEAR, True)):
        pattern = rf"{_SHARE} {kind}\b|\b{kind}(?: of| at| to| is)?[ :=]*{_SHARE}"
        for match in re.finditer(pattern, words):
            share = float(match[1] or match[2])
            yield Found(100.0 - share if is_clear else share, *match.span())
    for match in re.finditer(_HALF, words):
        yield Found(50.0, *match.span())
    # What a person types into the field of this value alone.
    if alone := re.fullmatch(rf"\s*{_SHARE}\s*", words):
        yield Found(float(alone[1]), *alone.span())


#: In percent: 100 is all solid.
Solidity = Annotated[float, Kind("how solid it is, such as 50 %", _find)]
