"""A resource: a typed value in a session and where it came from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from controlllm.resources.json_data import JsonData

#: What of a result's details a person has to know, sentences that the tool said.
REMARKS = "remarks"
#: Says of a result that a tool found nothing: no box, region, tag or kind.
EMPTY = "is_empty"
#: Of a sound that was rewritten when it was taken in: the media type of the file as it came, and
#: its kilobits a second.
GIVEN_AS, KILOBITS = "given_as", "kilobits"


@dataclass(frozen=True)
class Resource(JsonData):
    """A typed value in a session.

    `value` is the name that plans use for it, unique in its session (``"photo.jpg"``,
    ``"<GEN>-2"``); for planning alone nothing else is needed. `digest` is the SHA-256 of its stored
    bytes, in hexadecimal; `origin` says in words where it came from; `turn` counts the requests of
    the session, so that "the last one" means something; `details` holds what is worth showing
    (width and height in pixels, seconds, the points' picture).
    """

    type: str
    value: str
    digest: str = ""
    media_type: str = ""
    origin: str = "uploaded"
    turn: int = 0
    details: Mapping[str, Any] = field(default_factory=dict)

    @property
    def holds_nothing(self) -> bool:
        """Whether a step found nothing and this says so: no file that anybody would want."""
        return bool(self.details.get(EMPTY))
