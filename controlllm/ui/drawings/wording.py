"""Names and figures as a person reads them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from controlllm.core.reasons import Reason
from controlllm.resources.types import PARENTS
from controlllm.toolbox import RUNTIMES
from controlllm.ui.texts import in_figures, say

#: A command for a terminal with the words that lead to it; its end may still be on the way.
_COMMAND = re.compile(
    r" Pull with `python -m controlllm[^`]*(?:`\.?|$)"
    r"|(?:[:;]| with)? ?`python -m controlllm[^`]*(?:`(?: installs it)?|$)"
)

#: How the origin of clicked points begins.
_CLICKED = "clicked on "

#: What a person at a terminal is told to do next.
_PULL_AGAIN = re.compile(
    r"(?:,? and (?:then )?| )pull (?:\S+ )?again(?:; it goes on where it stopped)?(?=\.)"
)


def tool_label(name: str) -> str:
    """``image_cropping`` as ``Image cropping``."""
    words = name.replace("_", " ").replace("bbox", "boxes").strip()
    return words[:1].upper() + words[1:]


def type_label(resource_type: str) -> str:
    """The everyday word for a resource type."""
    return say(f"types.{resource_type}") if resource_type in PARENTS else resource_type


def runtime_label(runtime: str) -> str:
    """Where an action runs, in words."""
    return say(f"words.runtime_{runtime}") if runtime in RUNTIMES else runtime


def seconds_label(seconds: float) -> str:
    """A duration as ``0.3 s``, ``42 s`` or ``2:05 min``."""
    if seconds < 0.05:
        return say("words.under_a_tenth", seconds=in_figures(0.1, 1))
    if seconds < 10:
        return say("words.seconds", seconds=in_figures(seconds, 1))
    if seconds < 60:
        return say("words.seconds", seconds=in_figures(seconds))
    return say("words.minutes", time=f"{int(seconds // 60)}:{int(seconds % 60):02d}")


def size_label(details: Mapping[str, Any]) -> str:
    """What is worth saying of a resource's size: pixels, duration, length of text, clicks."""
    parts = []
    if details.get("width") and details.get("height"):
        width, height = int(details["width"]), int(details["height"])
        parts.append(say("words.pixels", width=width, height=height))
    if details.get("seconds"):
        parts.append(seconds_label(float(details["seconds"])))
    if details.get("characters"):
        parts.append(say("words.characters", count=int(details["characters"])))
    if details.get("points"):
        points = details["points"]
        number = len(points) if hasattr(points, "__len__") else int(points)
        parts.append(say("words.points", count=number))
    if details.get("files"):
        parts.append(say("words.files", count=int(details["files"])))
    return " · ".join(parts)


def origin_label(origin: str) -> str:
    """Where a resource came from: the tool's name, or how the person handed it over."""
    if "_" in origin:
        return say("files.made_by", tool=tool_label(origin).lower())
    if origin.startswith(_CLICKED):
        return say("files.clicked_on", picture=origin.removeprefix(_CLICKED))
    return say("files.uploaded") if origin == "uploaded" else origin


def shorten(text: str, length: int) -> str:
    """The text's beginning on one line, at most `length` characters."""
    line = " ".join(text.split())
    return line if len(line) <= length else line[: length - 1].rstrip() + "…"


def without_commands(text: str) -> str:
    """A sentence of the program without what only a person at a terminal can use, and with every
    reason once."""
    return "\n".join(_each_reason_once(line) for line in _COMMAND.sub("", text).split("\n"))


def reason_label(reason: str) -> str:
    """Why something cannot run, in the reader's language; in the words of whoever gave the reason
    where it is a tool's that is not ours."""
    if not isinstance(reason, Reason):
        return without_commands(reason)
    if reason.lacks:
        return say("reasons.and").join(
            say("reasons.of_tool", tool=tool_label(tool), reason=reason_label(why))
            for tool, why in reason.lacks
        )
    if reason.either:
        return say("reasons.or").join(dict.fromkeys(map(reason_label, reason.either)))
    try:
        return say(f"reasons.{reason.key}", **reason.values)
    except (KeyError, ValueError):  # a plan from elsewhere may name any text
        return without_commands(reason)


def _each_reason_once(line: str) -> str:
    kept: list[str] = []
    for part in line.split("; or "):
        reason = re.split(r"\.(?=\s|$)", part, maxsplit=1)[0]
        if reason.startswith("needs ") and any(one.endswith(reason) for one in kept):
            kept[-1] += part[len(reason) :]
        else:
            kept.append(part)
    return "; or ".join(kept)


def fetching_label(step: str, words: str) -> str:
    """How the fetching of weights stands, for a person who has a button to begin it again."""
    said = without_commands(words)
    if step == "stopped":
        return say("toolbox.fetching_stopped")
    if step != "failed":
        return said
    if "could not be reached" in said:
        said = say("toolbox.hub_not_reached")
    said = _PULL_AGAIN.sub("", said)
    return said if "try again" in said.lower() else say("toolbox.fetch_again", reason=said)
