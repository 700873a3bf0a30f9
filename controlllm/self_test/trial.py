"""What came of trying a tool: plain data, JSON in and out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

from controlllm.core.reasons import reason_beside, reason_from_json

#: "missing": it cannot run here; "skipped": it acts outside, so nothing tries it unasked.
State = Literal["works", "missing", "failed", "skipped"]


@dataclass(frozen=True)
class Trial:
    """One tool tried.

    Parameters
    ----------
    words: what it made, where that is read; else why it did not work or cannot run.
    runtime: on which its implementation runs.
    seconds: of the call with all loading. memory: MiB beyond what the process held before.
    picture: the name of a small picture (WebP) of what it made; empty where there is none.
    """

    tool: str
    state: State
    words: str = ""
    runtime: str = ""
    seconds: float = 0.0
    memory: int = 0
    picture: str = ""

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), **reason_beside("words", self.words)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Trial:
        words = reason_from_json(data.get("words_as", data.get("words")))
        return cls(
            **{name: value for name, value in data.items() if name != "words_as"} | {"words": words}
        )
