"""Example requests for an empty conversation; each runs with one click and without a network."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from html import escape

from controlllm.layout import ASSETS
from controlllm.resources import ClickedPoint
from controlllm.ui.drawings.icons import icon
from controlllm.ui.drawings.markup import attributes, button
from controlllm.ui.texts import say_html

FOLDER = ASSETS / "examples"


@dataclass(frozen=True)
class Example:
    """A request with its media. `points` are clicks on the first file; `sign` is what its card
    shows where no file is a picture."""

    id: str
    text: str
    files: tuple[str, ...] = ()
    points: tuple[ClickedPoint, ...] = ()
    sign: str = "image"


@cache
def examples() -> tuple[Example, ...]:
    """The examples of ``assets/examples/examples.json``, in its order."""
    entries = json.loads((FOLDER / "examples.json").read_text())
    return tuple(
        Example(
            entry["id"],
            entry["text"],
            tuple(entry.get("files", ())),
            tuple(ClickedPoint(**point) for point in entry.get("points", ())),
            entry.get("sign", "image"),
        )
        for entry in entries
    )


def welcome() -> str:
    """What an empty conversation shows."""
    cards = "".join(_card(example) for example in examples())
    return (
        f'<section class="welcome" data-key="welcome"><h1>{say_html("examples.welcome")}</h1>'
        f"<p>{say_html('examples.about')}</p>"
        f'<ul class="examples" aria-label="{say_html("examples.title")}">{cards}</ul></section>'
    )


def _card(example: Example) -> str:
    pictures = [name for name in example.files if name.endswith((".jpg", ".png"))]
    if pictures:
        image = attributes(src=f"/page/examples/{pictures[0]}", alt="", loading="lazy")
        marks = "".join(
            f'<span class="mark-dot" style="left:{point.x:.2%};top:{point.y:.2%}"></span>'
            for point in example.points
            if point.x <= 1 and point.y <= 1
        )
        top = f'<span class="example-picture"><img {image}>{marks}</span>'
    else:
        top = f'<span class="example-picture is-plain">{icon(example.sign)}</span>'
    title = say_html(f"examples.title_{example.id}")
    words = f"<strong>{title}</strong><span>{escape(example.text)}</span>"
    inside = f'{top}<span class="example-words">{words}</span>'
    return f"<li>{button('example', inside, class_=None, data_example=example.id)}</li>"
