"""Ways of a subtask that were tried beside the one in use: plain data, JSON in and out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any


@dataclass(frozen=True)
class Comparison:
    """What was tried beside the way in use.

    `tried` are the places of ways among the subtask's solutions, in the order in which they were
    tried, each with why nothing came of it, or nothing. `left` and `right` are the two compared.
    `keeps` is the way that the person has kept, and `former` the one in use before that; -1 where
    none was kept.
    """

    tried: Mapping[int, str] = field(default_factory=dict)
    left: int = 0
    right: int = 0
    keeps: int = -1
    former: int = -1

    def with_tried(self, way: int, chosen: int, problem: str = "") -> Comparison:
        """With one more way, compared with the one in use."""
        return replace(self, tried={**self.tried, way: problem}, left=chosen, right=way)

    def kept(self, way: int, before: int) -> Comparison:
        """When a person keeps a way, instead of the one before or as it is."""
        return replace(self.in_use(way, before), keeps=way, former=before)

    def in_use(self, way: int, before: int) -> Comparison:
        """When a way is in use now instead of the one before: that one stays to be compared."""
        tried = {before: "", **self.tried} if before != way else self.tried
        return replace(self, tried={place: said for place, said in tried.items() if place != way})

    def to_json(self) -> dict[str, Any]:
        return {
            "tried": [[way, problem] for way, problem in self.tried.items()],
            "left": self.left,
            "right": self.right,
            "keeps": self.keeps,
            "former": self.former,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Comparison:
        tried = {int(way): str(problem) for way, problem in data["tried"]}
        keeps, former = int(data.get("keeps", -1)), int(data.get("former", -1))
        return cls(tried, int(data["left"]), int(data["right"]), keeps, former)
