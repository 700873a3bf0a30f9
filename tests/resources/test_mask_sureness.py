"""How sure it is that a picture in black and white is a mask, and how the list of files says it."""

from __future__ import annotations

import PIL.Image
import PIL.ImageDraw

from controlllm.core.session import Session
from controlllm.resources import Resource, ingest
from controlllm.ui.drawings.media import Media
from controlllm.ui.drawings.tray import tray
from tests.every_case import every_case


def drawn(kind: str) -> PIL.Image.Image:
    picture = PIL.Image.new("L", (300, 200), 0)
    pen = PIL.ImageDraw.Draw(picture)
    if kind == "area":
        pen.ellipse((80, 40, 200, 160), fill=255)
    elif kind == "small areas":
        pen.ellipse((80, 40, 110, 60), fill=255)
        pen.ellipse((180, 40, 220, 60), fill=255)
    else:
        for x in range(0, 300, 40):
            pen.line((x, 0, 300 - x, 200), fill=255, width=2)
    return picture


@every_case(
    ("kind", "said"), [("area", ""), ("small areas", "probably a"), ("strokes", "perhaps a")]
)
def test_a_doubtful_guess_is_said(tmp_path, kind, said):
    drawn(kind).save(tmp_path / "a.png")
    taken = ingest(tmp_path / "a.png", "a.png", tmp_path / "out")
    assert taken.type == "mask"
    resource = Resource("mask", "a.png", "1" * 64, "image/png", details=taken.details)
    html = tray(Session("s", resources=(resource,)), Media("h", lambda value: tmp_path / "a.png"))
    assert ('class="doubt"' in html) == bool(said) and said in html
