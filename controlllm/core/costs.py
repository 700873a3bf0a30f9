"""What planning took: what the search did, and how much a language model was used."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from controlllm.resources.json_data import JsonData


@dataclass(frozen=True)
class SearchCost(JsonData):
    """What the search did: states visited, tools assessed, language-model calls, seconds."""

    strategy: str
    visited: int = 0
    assessed: int = 0
    llm_calls: int = 0
    seconds: float = 0.0

    def __add__(self, other: SearchCost) -> SearchCost:
        return SearchCost(
            self.strategy,
            self.visited + other.visited,
            self.assessed + other.assessed,
            self.llm_calls + other.llm_calls,
            self.seconds + other.seconds,
        )

    def to_json(self) -> dict[str, Any]:
        return {**super().to_json(), "seconds": round(self.seconds, 6)}


@dataclass(frozen=True)
class Usage(JsonData):
    """How much a language model was used: calls, and the tokens it read and wrote where it says."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0

    @property
    def tokens(self) -> int:
        return self.prompt_tokens + self.completion_tokens

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.calls + other.calls,
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
        )
