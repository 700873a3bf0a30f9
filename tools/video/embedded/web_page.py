"""A page around a video, in one HTML file that asks nothing of the network."""

from __future__ import annotations

import base64
import hashlib
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import PIL.Image

from controlllm.layout import ASSETS

from ...shared.time_phrases import in_words
from ...shared.video_files import VideoFacts

_FOLDER = ASSETS / "video"


@dataclass(frozen=True)
class Told:
    """What a page tells of its video."""

    title: str
    tags: Sequence[str]
    description: str


def build(
    data: bytes,
    media_type: str,
    facts: VideoFacts,
    poster: PIL.Image.Image,
    told: Told,
) -> str:
    """The whole page. `data` are the bytes of the video file; texts are escaped here."""
    import jinja2

    templates = jinja2.Environment(loader=jinja2.FileSystemLoader(_FOLDER), autoescape=True)
    style = templates.get_template("page.css").render(_tone(poster))
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    rules = (
        f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:; media-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    paragraphs = re.split(r"\n\s*\n", told.description.replace("\r\n", "\n"))
    shown_tags = dict.fromkeys(tag.strip().lstrip("#").strip() for tag in told.tags)
    return templates.get_template("page.html").render(
        rules=rules,
        style=style,
        title=" ".join(told.title.split()) or "Video",
        summary=" ".join(told.description.split())[:300],
        tags=[tag for tag in shown_tags if tag],
        paragraphs=[part.strip().split("\n") for part in paragraphs if part.strip()],
        facts=facts,
        length=in_words(max(round(facts.seconds), 1)),
        poster=_data_url(_jpeg(poster), "image/jpeg"),
        source=_data_url(data, media_type),
        media_type=media_type,
    )


def _tone(poster: PIL.Image.Image) -> dict[str, int]:
    """The page's hue, that of the most colourful parts of the poster; grey where there are none."""
    small = poster.convert("RGB").resize((32, 32), PIL.Image.Resampling.BOX).convert("HSV")
    hue, saturation, value = np.asarray(small, float).reshape(-1, 3).T / 255
    middle = np.mean(saturation**2 * value * np.exp(2j * np.pi * hue))
    strength = round(min(float(np.abs(middle)) * 900, 60))
    turn = round(float(np.degrees(np.angle(middle)))) % 360
    return {"hue": turn, "strength": strength, "dark_strength": strength // 2}


def _jpeg(picture: PIL.Image.Image) -> bytes:
    small = picture.convert("RGB")
    small.thumbnail((1280, 1280))
    buffer = io.BytesIO()
    small.save(buffer, "JPEG", quality=82)
    return buffer.getvalue()


def _data_url(data: bytes, media_type: str) -> str:
    return f"data:{media_type};base64,{base64.b64encode(data).decode()}"
