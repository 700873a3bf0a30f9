"""What a search for one subtask knew and found, kept for those who ask why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from controlllm.core.plans import Solution, TypedValue


@dataclass(frozen=True)
class Found:
    """A way that was found, whether it is shown or not; tools in the order in which they run."""

    cost: float
    tools: tuple[str, ...]
    way: Solution | None = None


@dataclass(frozen=True)
class Trace:
    """What the search for one subtask knew.

    `given` and `texts` are what ways had to use and could read, `types` the types of result that
    were searched for, the likeliest first. `ends` are the scores 1..5 of tools as the one that
    makes the result, `helps` as a step on the way; a tool in neither was not scored. `found` are
    all ways found, best first, of which at most `limit` are shown. `named` are those that
    were told beforehand by who read the request, so that only they were searched, None where all
    were; `complete` says that nothing better can have been missed among the tools searched.
    """

    strategy: str
    given: Sequence[TypedValue]
    texts: Sequence[TypedValue]
    types: tuple[str, ...]
    ends: Mapping[str, float] = field(default_factory=dict)
    helps: Mapping[str, float] = field(default_factory=dict)
    found: tuple[Found, ...] = ()
    limit: int = 5
    named: frozenset[str] | None = None
    complete: bool = True
