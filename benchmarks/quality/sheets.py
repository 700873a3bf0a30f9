"""Contact sheets of what the tools make of the pictures that scikit-image ships.

Only these pictures are shown: their licences allow it.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import PIL.Image
import PIL.ImageDraw
import PIL.ImageFont

from benchmarks.quality.media import Media, Tools, outline_mask
from benchmarks.quality.pictures import found_masks, removed
from benchmarks.quality.references import read_references
from benchmarks.quality.scores import intersection_over_union
from controlllm.resources import Box

SHOWN = (
    *("astronaut.png", "chelsea.png", "coffee.png"),
    *("rocket.jpg", "camera.png", "motorcycle_left.png"),
)
_WIDTH, _HEIGHT, _WORDS, _GAP = 300, 260, 64, 8
_LARGEST_BYTES = 380_000
_PAPER, _INK = (255, 255, 255), (30, 30, 30)
_FOUND, _DRAWN = (255, 0, 160), (0, 200, 255)

Tile = tuple[PIL.Image.Image, str]


def write(folder: Path, tools: Tools | None = None) -> list[Path]:
    """Write the sheets to a folder as PNG files and return their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    with_tools, media = tools or Tools(), Media()
    sheets = {
        "objects-and-captions.png": (_perceived(with_tools, media), 3),
        "masks.png": (_outlined(with_tools, media), 3),
        "removals.png": (_removals(with_tools, media), 4),
    }
    paths = []
    for name, (tiles, columns) in sheets.items():
        save_small(sheet(tiles, columns), folder / name)
        paths.append(folder / name)
    return paths


def sheet(tiles: Iterable[Tile], columns: int) -> PIL.Image.Image:
    """Pictures in rows with words below each."""
    placed = list(tiles)
    rows = -(-len(placed) // columns)
    size = (columns * (_WIDTH + _GAP) + _GAP, rows * (_HEIGHT + _WORDS + _GAP) + _GAP)
    whole = PIL.Image.new("RGB", size, _PAPER)
    draw = PIL.ImageDraw.Draw(whole)
    font = PIL.ImageFont.load_default(13)
    for number, (picture, words) in enumerate(placed):
        shown = picture.copy()
        shown.thumbnail((_WIDTH, _HEIGHT))
        left = _GAP + number % columns * (_WIDTH + _GAP)
        top = _GAP + number // columns * (_HEIGHT + _WORDS + _GAP)
        whole.paste(shown, (left, top + _HEIGHT - shown.height))
        lines = textwrap.wrap(words, 44)[:4]
        draw.text((left, top + _HEIGHT + 2), "\n".join(lines), fill=_INK, font=font, spacing=1)
    return whole


def save_small(picture: PIL.Image.Image, path: Path) -> None:
    """Save as PNG with as many colours as keep it under 380 kB."""
    for colours in (256, 255, 128, 64, 32, 16):
        palette = picture.quantize(colours, PIL.Image.Quantize.MAXCOVERAGE)
        dither = PIL.Image.Dither.FLOYDSTEINBERG if colours == 256 else PIL.Image.Dither.NONE
        picture.quantize(palette=palette, dither=dither).save(path, optimize=True)
        if path.stat().st_size <= _LARGEST_BYTES:
            return


def framed(picture: PIL.Image.Image, boxes: Iterable[Box]) -> PIL.Image.Image:
    """The picture with a frame and a name for each box."""
    shown = picture.copy()
    draw = PIL.ImageDraw.Draw(shown)
    thick = max(2, picture.width // 150)
    font = PIL.ImageFont.load_default(picture.width / 22)
    for box in boxes:
        draw.rectangle((box.left, box.top, box.right, box.bottom), outline=_FOUND, width=thick)
        corner = (box.left + 2 * thick, box.top + thick)
        draw.rectangle(draw.textbbox(corner, box.label, font=font), fill=_FOUND)
        draw.text(corner, box.label, fill=_PAPER, font=font)
    return shown


def tinted(picture: PIL.Image.Image, pixels: np.ndarray) -> PIL.Image.Image:
    """The picture with everything grey and pale that the mask leaves out."""
    colours = np.asarray(picture, float)
    pale = 200 + 0.2 * (colours.mean(axis=2, keepdims=True) - 128)
    return PIL.Image.fromarray(np.where(pixels[..., None], colours, pale).astype(np.uint8))


def _perceived(tools: Tools, media: Media) -> Iterable[Tile]:
    for picture in _shown(media).values():
        boxes = tools.call("object_detection", image=picture)
        yield framed(picture, boxes), tools.call("image_captioning", image=picture)


def _outlined(tools: Tools, media: Media) -> Iterable[Tile]:
    outlines = {entry["photo"]: entry for entry in read_references(None).lists["masks"]}
    for name, picture in _shown(media).items():
        if name in outlines:
            yield _compared(tools, picture, outlines[name])
            continue
        regions = tools.call("instance_segmentation", image=picture)
        pixels = np.zeros((picture.height, picture.width), bool)
        for region in regions:
            pixels |= region.pixels
        names = ", ".join(region.label for region in regions)
        yield tinted(picture, pixels), f"instance_segmentation: {names or 'nothing'}"


def _compared(tools: Tools, picture: PIL.Image.Image, entry: Mapping[str, Any]) -> Tile:
    true = outline_mask(entry["polygon"], picture.size)
    pixels = found_masks(tools, picture, entry, true)["instance_segmentation"]
    shown = tinted(picture, pixels)
    corners = [(x, y) for x, y in entry["polygon"]]
    PIL.ImageDraw.Draw(shown).line([*corners, corners[0]], fill=_DRAWN, width=3)
    likeness = intersection_over_union(true, pixels)
    return shown, f"{entry['thing']}: {likeness:.2f} like the outline drawn by hand (blue)"


def _removals(tools: Tools, media: Media) -> Iterable[Tile]:
    for entry in read_references(None).lists["removals"]:
        picture = media.picture(entry["photo"])
        if picture is None or entry["photo"] not in SHOWN:
            continue
        corners = [(x, y) for x, y in entry["polygon"]]
        marked = picture.copy()
        PIL.ImageDraw.Draw(marked).line([*corners, corners[0]], fill=_FOUND, width=3)
        yield marked, f"{entry['photo']}: {entry['thing']}"
        yield removed(tools, picture, entry), "removed"


def _shown(media: Media) -> dict[str, PIL.Image.Image]:
    found = {name: media.picture(name) for name in SHOWN}
    return {name: picture for name, picture in found.items() if picture is not None}
