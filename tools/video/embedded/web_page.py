"""A page around a video, in one HTML file that asks nothing of the network."""

from __future__ import annotations

import base64
import colorsys
import hashlib
import html
import io
import re
from collections.abc import Iterable, Sequence

import numpy as np
import PIL.Image

from tools.shared.video_files import VideoFacts

_STYLE = """
:root{color-scheme:light dark;--accent:hsl(%(hue)d %(strength)d%% 30%%);--ground:#f6f6f4;
--sheet:#fff;--ink:#1b1d21;--quiet:#5d636e;--line:#00000014;--chip:hsl(%(hue)d %(strength)d%% 94%%)}
@media(prefers-color-scheme:dark){:root{--accent:hsl(%(hue)d %(strength)d%% 72%%);--ground:#111317;
--sheet:#1a1d23;--ink:#eceef2;--quiet:#a0a7b4;--line:#ffffff1a;
--chip:hsl(%(hue)d %(dark_strength)d%% 20%%)}}
*{box-sizing:border-box;margin:0}
body{min-height:100vh;background:linear-gradient(var(--chip),var(--ground) 26rem) no-repeat
var(--ground);color:var(--ink);font:1.0625rem/1.65 system-ui,-apple-system,"Segoe UI",Roboto,
"Helvetica Neue",sans-serif;padding:clamp(0rem,4vw,3.5rem) clamp(0rem,3vw,2rem)}
article{max-width:60rem;margin:auto;background:var(--sheet);border:1px solid var(--line);
border-radius:1.25rem;overflow:hidden;box-shadow:0 1.5rem 4rem -2rem #0006}
.stage{background:#000;display:flex;justify-content:center}
video{display:block;width:100%%;height:auto;max-height:76vh;object-fit:contain}
video:focus-visible{outline:3px solid var(--accent);outline-offset:-3px}
.words{padding:clamp(1.25rem,4vw,2.5rem) clamp(1.25rem,5vw,3rem) clamp(1.5rem,5vw,3rem)}
h1{font-size:clamp(1.5rem,1.1rem + 2.4vw,2.5rem);line-height:1.15;letter-spacing:-.02em;
text-wrap:balance;overflow-wrap:anywhere}
.facts{color:var(--quiet);font-size:.9rem;margin-top:.6rem;font-variant-numeric:tabular-nums}
.description{margin-top:1.4rem;max-width:42rem;overflow-wrap:anywhere}
.description p+p{margin-top:.9rem}
ul{list-style:none;padding:0;margin-top:1.6rem;display:flex;flex-wrap:wrap;gap:.5rem}
li{background:var(--chip);color:var(--accent);border-radius:2rem;padding:.25rem .85rem;
font-size:.9rem;font-weight:600;overflow-wrap:anywhere}
@media(max-width:40rem){body{padding:0}article{border:0;border-radius:0;box-shadow:none}}
"""


def build(
    data: bytes,
    media_type: str,
    facts: VideoFacts,
    poster: PIL.Image.Image,
    title: str,
    tags: Sequence[str],
    description: str,
) -> str:
    """The whole page. `data` are the bytes of the video file; texts are escaped here."""
    style = _STYLE % _tone(poster)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    rules = (
        f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:; media-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    heading = html.escape(" ".join(title.split()) or "Video")
    summary = html.escape(" ".join(description.split())[:300])
    chips = "".join(
        f"<li>{html.escape(tag)}</li>"
        for tag in dict.fromkeys(tag.strip().lstrip("#").strip() for tag in tags)
        if tag
    )
    paragraphs = "".join(
        "<p>" + html.escape(part.strip()).replace("\n", "<br>") + "</p>"
        for part in re.split(r"\n\s*\n", description.replace("\r\n", "\n"))
        if part.strip()
    )
    return "\n".join(
        [
            "<!doctype html>",
            '<html lang="en">',
            "<head>",
            '<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{rules}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta name="referrer" content="no-referrer">',
            f'<meta name="description" content="{summary}">',
            '<link rel="icon" href="data:,">',
            f"<title>{heading}</title>",
            f"<style>{style}</style>",
            "</head>",
            "<body>",
            "<article>",
            f'<div class="stage"><video controls playsinline preload="metadata" '
            f'width="{facts.width}" height="{facts.height}" aria-label="{heading}" '
            f'poster="{_data_url(_jpeg(poster), "image/jpeg")}">',
            f'<source src="{_data_url(data, media_type)}" type="{media_type}">',
            "Your browser cannot play this video.</video></div>",
            '<div class="words">',
            f"<h1>{heading}</h1>",
            f'<p class="facts">{html.escape(_facts_line(facts))}</p>',
            f'<div class="description">{paragraphs}</div>' if paragraphs else "",
            f'<ul aria-label="Tags">{chips}</ul>' if chips else "",
            "</div>",
            "</article>",
            "</body>",
            "</html>",
            "",
        ]
    )


def choose_poster(frames: Iterable[PIL.Image.Image]) -> PIL.Image.Image:
    """The frame with the most to see: neither black nor a blur."""
    best, best_detail = None, -1.0
    for frame in frames:
        grey = frame.convert("L").copy()
        grey.thumbnail((256, 256))
        values = np.asarray(grey, np.float32)
        detail = float(values.std())
        if min(values.shape) > 1:
            detail += sum(float(np.abs(np.diff(values, axis=axis)).mean()) for axis in (0, 1))
        if detail > best_detail:
            best, best_detail = frame, detail
    assert best is not None  # every readable video has a frame
    return best


def _tone(poster: PIL.Image.Image) -> dict[str, int]:
    """The page's hue, that of the most colourful parts of the poster; grey where there are none."""
    small = poster.convert("RGB").resize((32, 32), PIL.Image.Resampling.BOX)
    points = np.zeros(2)
    for red, green, blue in np.asarray(small, float).reshape(-1, 3) / 255:
        hue, saturation, value = colorsys.rgb_to_hsv(red, green, blue)
        angle = 2 * np.pi * hue
        points += saturation**2 * value * np.array([np.cos(angle), np.sin(angle)])
    hue = round(float(np.degrees(np.arctan2(points[1], points[0])))) % 360
    strength = round(min(float(np.hypot(*points)) / 1024 * 900, 60))
    return {"hue": hue, "strength": strength, "dark_strength": strength // 2}


def _facts_line(facts: VideoFacts) -> str:
    whole = max(round(facts.seconds), 1)
    length = f"{whole // 3600}:{whole // 60 % 60:02}:{whole % 60:02}"
    length = length if whole >= 3600 else f"{whole // 60}:{whole % 60:02}"
    sound = "with sound" if facts.has_sound else "no sound"
    return f"{length} \N{MIDDLE DOT} {facts.width} \N{MULTIPLICATION SIGN} {facts.height} " + (
        f"\N{MIDDLE DOT} {sound}"
    )


def _jpeg(picture: PIL.Image.Image) -> bytes:
    small = picture.convert("RGB")
    small.thumbnail((1280, 1280))
    buffer = io.BytesIO()
    small.save(buffer, "JPEG", quality=82)
    return buffer.getvalue()


def _data_url(data: bytes, media_type: str) -> str:
    return f"data:{media_type};base64,{base64.b64encode(data).decode()}"
