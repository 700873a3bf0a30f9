"""A reader whose wishes are written down: what is made of them is tested without networks."""

from __future__ import annotations

from collections.abc import Mapping

from controlllm.planning.wishes import RequestText, Wish
from controlllm.toolbox import Toolbox


def tool(name, args, returned, domain="general", examples=()):
    """An entry of a catalogue; a type with a star is a list of it."""
    return {
        "name": name,
        "description": f"{name.replace('_', ' ')}.",
        "domain": domain,
        "args": [{"name": key, "type": kind} for key, kind in args],
        "returns": [{"name": "result", "type": returned}],
        "examples": list(examples),
    }


TOOLBOX = Toolbox.from_catalogue([
    tool("describe", [("image", "image")], "text"),
    tool("find", [("image", "image"), ("query", "text")], "bbox"),
    tool("crop", [("image", "image"), ("boxes", "bbox")], "image"),
    tool("brighten", [("image", "image"), ("prompt", "text")], "image"),
    tool("stitch", [("left", "image"), ("right", "image")], "image"),
    tool("transcribe", [("audio", "audio")], "text"),
    tool("shorten", [("text", "text")], "text"),
    tool("speak", [("text", "text")], "audio"),
    tool("answer", [("text", "text"), ("question", "text")], "text"),
    tool("weather", [("place", "text")], "text"),
    tool("draw", [("prompt", "text")], "image"),
])  # fmt: skip


class Scripted:
    """Says the wishes that it was given, in turn, whatever it is shown; keeps what that was."""

    def __init__(self, *wishes: Wish) -> None:
        self.wishes = wishes
        self.shown: list[RequestText] = []

    def __call__(self, shown: RequestText) -> tuple[Wish, ...]:
        self.shown.append(shown)
        return self.wishes


def wish(
    text: str,
    says: str,
    ends: Mapping[str, float],
    *,
    files=(),
    wishes=(),
    steps: Mapping[str, float] | None = None,
    words: Mapping[str, str] | None = None,
    impossible: float = 0.0,
    certainty: float = 0.9,
) -> Wish:
    """A wish over `TOOLBOX`; stretches of the text stand for their characters."""

    def span(stretch: str) -> tuple[int, int]:
        start = text.index(stretch)
        return start, start + len(stretch)

    names = [item.name for item in TOOLBOX]
    return Wish(
        (span(says),),
        tuple(files),
        tuple(wishes),
        {name: ends.get(name, 0.001) for name in names},
        impossible,
        {name: (steps or {}).get(name, 0.001) for name in names},
        {role: span(stretch) for role, stretch in (words or {}).items()},
        certainty,
    )
