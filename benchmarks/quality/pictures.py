"""Figures of the tools that look at pictures and change them."""

from __future__ import annotations

import re
import statistics
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import PIL.Image
import PIL.ImageDraw
import PIL.ImageFont

from benchmarks.quality.figures import Findings, on_scale, percent, share
from benchmarks.quality.media import Media, Tools, numbers_of, outline_mask
from benchmarks.quality.references import (
    CAPTION_SCALE,
    REMOVAL_SCALE,
    References,
    mark_of,
)
from benchmarks.quality.scores import (
    Counts,
    character_errors,
    intersection_over_union,
    words_of,
)
from controlllm.resources import Box, ClickedPoint, Region

_ORIGINS = {True: "pictures of packages only", False: "pictures of the folder only"}
#: How the tool says that it cannot answer; what it saw stands before that.
_DECLINED = re.compile(r"cannot tell more than that|^I see no\b|\bAPI key\b")
#: Sizes of letters in pixels, and a tilt in degrees, of the rendered pages.
_PAGES = ((28, 0.0), (16, 0.0), (11, 0.0), (20, 4.0))


def detection(tools: Tools, media: Media, references: References) -> Findings:
    """How many of the things that a person counted are found, and how well they are counted."""
    findings = Findings()
    by_origin = {True: Counts(), False: Counts()}
    exact = near = kinds = photos = 0
    several: list[bool] = []
    for name, photo in references.photos().items():
        picture = media.picture(name)
        if picture is None:
            continue
        found = photo.named(numbers_of(tools.call("object_detection", image=picture)))
        judged = photo.judged(found)
        by_origin[media.is_packaged(name)] += judged
        photos += 1
        for thing, number in photo.objects.items():
            apart = abs(found.get(thing, 0) - number)
            kinds, exact, near = kinds + 1, exact + (apart == 0), near + (apart <= 1)
            several += [apart == 0] if number > 1 else []
        findings.tell(
            f"{name}: found {dict(found)}, there are {dict(photo.objects)} "
            f"and at least {dict(photo.at_least)}: {judged}"
        )
    total = by_origin[True] + by_origin[False]
    on = f"{photos} photos, {total.right + total.missed} things in them"
    findings.add("object_detection", "precision", percent(total.precision), on)
    findings.add("object_detection", "recall", percent(total.recall), on)
    for packaged, part in by_origin.items():
        if part != total and part != Counts():
            findings.add(
                "object_detection",
                f"the same, {_ORIGINS[packaged]}: precision, recall",
                f"{percent(part.precision)}, {percent(part.recall)}",
                f"{part.right + part.missed} things",
            )
    counted = f"{kinds} kinds of things counted by looking"
    findings.add("object_detection", "counted exactly", share(exact, kinds), counted)
    findings.add("object_detection", "counted within one", share(near, kinds), counted)
    findings.add(
        "object_detection",
        "two or more of a kind, counted exactly",
        share(sum(several), len(several)),
        "those of them that there are several of",
    )
    return findings


def reading(tools: Tools, media: Media, references: References) -> Findings:
    """Characters read wrong on photographed signs, on each by itself, and on rendered pages."""
    findings = Findings()
    found_words = words = 0
    for name, text in references.tables["printed"].items():
        picture = media.picture(name)
        if picture is None:
            continue
        read = tools.call("optical_character_recognition", image=picture)
        errors = character_errors(text, read)
        seen = words_of(read)
        held = sum(word in seen for word in words_of(text))
        found_words, words = found_words + held, words + len(words_of(text))
        findings.tell(f"{name}: {held} of {len(words_of(text))} words, {errors}: {read!r}")
        findings.add(
            "optical_character_recognition",
            f"character error rate, {name}",
            percent(errors.rate),
            f"{errors.length} characters",
        )
    findings.add(
        "optical_character_recognition",
        "words found in photos",
        share(found_words, words),
        "words that can be read in them, whatever else is read",
    )
    text = " ".join(references.lists["summaries"][0]["text"].split())
    for size, tilt in _PAGES:
        read = tools.call("optical_character_recognition", image=rendered_page(text, size, tilt))
        errors = character_errors(text, read)
        findings.add(
            "optical_character_recognition",
            "character error rate, rendered page",
            percent(errors.rate),
            f"{errors.length} characters of {size} pixels" + f", tilted {tilt:g}°" * bool(tilt),
        )
        findings.tell(f"page {size} px, {tilt}°: {errors}: {read!r}")
    return findings


def rendered_page(text: str, size: int, tilt: float = 0.0) -> PIL.Image.Image:
    """A text in black on white, in lines of about seventy characters; tilted as a scan may be."""
    font = PIL.ImageFont.load_default(size)
    lines: list[str] = []
    for word in text.split():
        if lines and len(lines[-1]) + len(word) < 70:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    margin = 3 * size
    width = int(max(font.getlength(line) for line in lines)) + 2 * margin
    page = PIL.Image.new("RGB", (width, round(1.5 * size * len(lines)) + 2 * margin), "white")
    draw = PIL.ImageDraw.Draw(page)
    for number, line in enumerate(lines):
        draw.text((margin, margin + 1.5 * size * number), line, fill="black", font=font)
    bicubic = PIL.Image.Resampling.BICUBIC
    return page.rotate(tilt, bicubic, expand=True, fillcolor="white") if tilt else page


def masks(tools: Tools, media: Media, references: References) -> Findings:
    """How alike the tools' masks are to outlines that a person drew."""
    findings = Findings()
    reached: dict[str, list[float]] = {}
    by_origin: dict[tuple[str, bool], list[float]] = {}
    for entry in references.lists["masks"]:
        picture = media.picture(entry["photo"])
        if picture is None:
            continue
        true = outline_mask(entry["polygon"], picture.size)
        for tool, pixels in found_masks(tools, picture, entry, true).items():
            likeness = intersection_over_union(true, pixels)
            reached.setdefault(tool, []).append(likeness)
            origin = media.is_packaged(entry["photo"])
            by_origin.setdefault((tool, origin), []).append(likeness)
            findings.tell(f"{tool}, {entry['photo']}, {entry['thing']}: {likeness:.2f}")
    for tool, values in reached.items():
        findings.add(
            tool,
            "intersection over union: mean, worst",
            f"{statistics.mean(values):.2f}, {min(values):.2f}",
            f"{len(values)} objects outlined by looking",
        )
        for packaged, words in _ORIGINS.items():
            part = by_origin.get((tool, packaged), [])
            if 0 < len(part) < len(values):
                findings.add(
                    tool, f"the same, {words}: mean", f"{statistics.mean(part):.2f}", f"{len(part)}"
                )
    for tool in ("instance_segmentation", "segment_by_points", "segment_by_box", "bbox_to_mask"):
        if tool not in reached:
            findings.leave_out(f"{tool}: it is not here, or no picture with an outline is.")
    return findings


def found_masks(
    tools: Tools, picture: PIL.Image.Image, entry: Mapping[str, Any], true: np.ndarray
) -> dict[str, np.ndarray]:
    """The pixels that each tool gives for an outlined thing: by name, by a click, by its box."""
    nothing = np.zeros(true.shape, bool)
    found: dict[str, np.ndarray] = {}
    if tools.has("instance_segmentation"):
        regions = tools.call("instance_segmentation", image=picture)
        named = [region.pixels for region in regions if region.label in entry["labels"]]
        found["instance_segmentation"] = max(
            named, key=lambda pixels: intersection_over_union(true, pixels), default=nothing
        )
    if tools.has("segment_by_points"):
        click = (ClickedPoint(*entry["click"]),)
        found["segment_by_points"] = _together(
            tools.call("segment_by_points", image=picture, points=click), true
        )
    for tool in ("segment_by_box", "bbox_to_mask"):
        if tools.has(tool):
            (name,) = (item.name for item in tools.toolbox[tool].args if item.type == "bbox")
            box = {name: (_box_around(true),)}
            found[tool] = _together(tools.call(tool, image=picture, **box), true)
    return found


def boxes(tools: Tools, media: Media, references: References) -> Findings:
    """How alike the boxes that tools find for a name are to those around outlined things."""
    findings = Findings()
    reached: dict[str, list[float]] = {}
    for entry in references.lists["masks"]:
        picture = media.picture(entry["photo"])
        if picture is None:
            continue
        true = _filled(_box_around(outline_mask(entry["polygon"], picture.size)), picture)
        for tool, found in found_boxes(tools, picture, entry).items():
            alike = [intersection_over_union(true, _filled(box, picture)) for box in found]
            # Of several boxes the best counts: which is meant is asked about.
            reached.setdefault(tool, []).append(max(alike, default=0.0))
            findings.tell(f"{tool}, {entry['photo']}, {entry['thing']}: {reached[tool][-1]:.2f}")
    for tool, values in reached.items():
        findings.add(
            tool,
            "boxes of what was named, intersection over union: mean, worst",
            f"{statistics.mean(values):.2f}, {min(values):.2f}",
            f"{len(values)} objects outlined by looking",
        )
    return findings


def found_boxes(
    tools: Tools, picture: PIL.Image.Image, entry: Mapping[str, Any]
) -> dict[str, tuple[Box, ...]]:
    """The boxes that each tool gives for an outlined thing by its name."""
    found: dict[str, tuple[Box, ...]] = {}
    if tools.has("object_detection"):
        seen = tools.call("object_detection", image=picture)
        found["object_detection"] = tuple(box for box in seen if box.label in entry["labels"])
    if tools.has("visual_grounding"):
        (name,) = (
            item.name for item in tools.toolbox["visual_grounding"].args if item.type == "text"
        )
        named = {name: f"the {entry['thing']}"}
        found["visual_grounding"] = tuple(tools.call("visual_grounding", image=picture, **named))
    return found


def _box_around(mask: np.ndarray) -> Box:
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    return Box(columns[0], rows[0], columns[-1] + 1, rows[-1] + 1)


def _filled(box: Box, like: PIL.Image.Image) -> np.ndarray:
    filled = np.zeros((like.height, like.width), bool)
    filled[round(box.top) : round(box.bottom), round(box.left) : round(box.right)] = True
    return filled


def _together(regions: tuple[Region, ...], like: np.ndarray) -> np.ndarray:
    covered = np.zeros(like.shape, bool)
    for region in regions:
        covered |= region.pixels
    return covered


def removals(
    tools: Tools, media: Media, references: References, keep: Path | None = None
) -> Findings:
    """Things taken out of pictures, as a person judged them; `keep` is where to look at them."""
    findings = Findings()
    judged, changed, tried = [], 0, 0
    for number, entry in enumerate(references.lists["removals"]):
        picture = media.picture(entry["photo"])
        if picture is None:
            continue
        tried += 1
        filled = removed(tools, picture, entry)
        mark = mark_of(filled.tobytes())
        current = entry.get("mark") == mark and entry.get("judgement") in REMOVAL_SCALE
        judged += [entry["judgement"]] if current else []
        changed += not current
        findings.tell(
            f"{entry['photo']} without {entry['thing']} [{mark}]: "
            + (f"{entry['judgement']}: {entry.get('words', '')}" if current else "not judged yet")
        )
        if keep is not None:
            both = PIL.Image.new("RGB", (2 * picture.width, picture.height))
            both.paste(picture, (0, 0))
            both.paste(filled, (picture.width, 0))
            both.save(keep / f"removal-{number:02d}-{Path(entry['photo']).stem}.png")
    on = f"{len(judged)} removals looked at"
    findings.add("image_inpainting", "judged", on_scale(judged, REMOVAL_SCALE), on)
    if changed:
        findings.leave_out(
            f"image_inpainting: {changed} of {tried} results are not the ones that were looked at."
        )
    return findings


def removed(tools: Tools, picture: PIL.Image.Image, entry: Mapping[str, Any]) -> PIL.Image.Image:
    """The picture without the thing that the entry outlines."""
    pixels = outline_mask(entry["polygon"], picture.size)
    mask = (Region(pixels, entry["thing"]),)
    result: PIL.Image.Image = tools.call("image_inpainting", image=picture, mask=mask)
    return result


def captions(tools: Tools, media: Media, references: References) -> Findings:
    """Captions of all photos, as a person judged them."""
    findings = Findings()
    judged, changed = [], 0
    known = references.tables["captions"]
    for name in references.photos():
        picture = media.picture(name)
        if picture is None:
            continue
        caption = tools.call("image_captioning", image=picture)
        entry = known.get(name, {})
        current = entry.get("caption") == caption and entry.get("judgement") in CAPTION_SCALE
        judged += [entry["judgement"]] if current else []
        changed += not current
        words = f"{entry['judgement']} {entry.get('words', '')}" if current else "not judged yet"
        findings.tell(f"{name}: “{caption}”: {words}")
    on = f"{len(judged)} captions that were looked at"
    findings.add("image_captioning", "judged", on_scale(judged, CAPTION_SCALE), on)
    if changed:
        findings.leave_out(f"image_captioning: {changed} captions are not the ones judged.")
    return findings


def questions(tools: Tools, media: Media, references: References) -> Findings:
    """Questions on pictures: answered right, declined, or answered wrong, by kind."""
    findings = Findings()
    outcomes: dict[str, list[str]] = {}
    for entry in references.lists["questions"]:
        picture = media.picture(entry["photo"])
        if picture is None:
            continue
        given = tools.answer("image_question_answering", image=picture, question=entry["question"])
        outcome = judged_answer(given, entry["right"])
        outcomes.setdefault(entry["kind"], []).append(outcome)
        findings.tell(f"{outcome}: {entry['photo']}: {entry['question']} “{given}”")
    scale = ("right", "declined", "wrong")
    every = [outcome for found in outcomes.values() for outcome in found]
    findings.add(
        "image_question_answering", "all questions", on_scale(every, scale), f"{len(every)} asked"
    )
    for kind, found in outcomes.items():
        findings.add(
            "image_question_answering", f"“{kind}”", on_scale(found, scale), f"{len(found)} asked"
        )
    return findings


def judged_answer(answer: str, right: list[str]) -> str:
    """Declined where it says that it cannot tell, right where one of the patterns is in it."""
    if _DECLINED.search(answer):
        return "declined"
    found = any(re.search(pattern, answer, re.IGNORECASE) for pattern in right)
    return "right" if found else "wrong"
