"""Parts of recordings that a person pointed at, in requests: "make this part louder".

A part is a recording of its own with a number, cut out of another one. What is asked of it is not
asked of all of the recording, which comes along to show where the part is from.
"""

from __future__ import annotations

import re
from dataclasses import replace

from controlllm.plans import Request
from controlllm.resources import Resource

#: What only says that the part is meant.
_THIS_PART = re.compile(
    r"\b(?:this|that|the\s+(?:marked|chosen|selected))\s+"
    r"(?:part|passage|section|bit|piece|span|stretch|moment|word|frame)\b"
    r"|\b(?:these|those|the\s+(?:marked|chosen|selected))\s+(?:words|seconds)\b",
    re.IGNORECASE,
)


def is_part(resource: Resource) -> bool:
    """Whether a resource is a part, or a frame, of a recording that somebody pointed at."""
    return {"number", "span", "image"} <= resource.details.keys()


def about_parts(request: Request) -> Request:
    """A request without the recordings whose parts alone are meant.

    Parts are meant that are named by their numbers, else those that came along.
    """
    parts = {item.value: item for item in request.resources if is_part(item)}
    named = [value for value in parts if value in request.text]
    meant = named or [value for value in request.attached if value in parts]
    if not meant:
        return request
    text = request.text if named or len(meant) > 1 else _THIS_PART.sub(meant[0], request.text)
    sources = {str(parts[value].details["image"]) for value in meant}
    left = {value for value in {*sources, *parts} if value not in meant and value not in text}
    attached = [value for value in request.attached if value not in left]
    return replace(
        request,
        text=text,
        resources=tuple(item for item in request.resources if item.value not in left),
        attached=tuple(dict.fromkeys([*attached, *meant])),
    )
