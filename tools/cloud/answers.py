"""What programs answer, in their usual forms, as the values that a tool returns."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import PIL.Image

from controlllm.resources import PARENTS, Box, Label, Region
from controlllm.toolbox import Context, ToolError

from .payloads import read_clip, read_picture, read_sound

#: Where JSON answers keep their words, by task.
_WORDS = (
    *("generated_text", "translation_text", "summary_text", "answer", "text", "caption"),
    *("output", "result", "label", "content"),
)
#: What commonly wraps a list of labels or boxes, and what the sides of a box are called.
_WRAPPED = ("confidences", "predictions", "labels", "boxes", "objects", "detections")
_SIDES = (
    ("xmin", "ymin", "xmax", "ymax"),
    ("left", "top", "right", "bottom"),
    ("x1", "y1", "x2", "y2"),
)
_MOST_ITEMS = 1000
_DEPTH = 6


def kind_of(type_name: str) -> str:
    """What a value of a type travels as. A mask is no picture, though it travels as one."""
    if type_name != "mask" and "image" in (type_name, PARENTS.get(type_name)):
        return "picture"
    known = ("mask", "audio", "video", "number", "bbox", "point", "category")
    return type_name if type_name in known else "words"


def is_file(type_name: str) -> bool:
    """Whether values of a type travel as files."""
    return kind_of(type_name) in ("picture", "mask", "audio", "video")


def file_value(
    type_name: str,
    content: bytes,
    media_type: str,
    size: tuple[int, int] | None,
    source: str,
    context: Context,
) -> Any:
    """The bytes of a file as a value of a type; raises ToolError where they are none."""
    match kind_of(type_name):
        case "audio":
            return read_sound(content, media_type, source, context)
        case "video":
            return read_clip(content, source, context)
    picture = read_picture(content, source)
    return region_of(picture, size) if type_name == "mask" else picture


def told_value(type_name: str, told: Any, size: tuple[int, int] | None, source: str) -> Any:
    """JSON or words as a value of a type that is no file; raises ToolError where they are none."""
    if type_name == "category" and isinstance(told, dict | list):
        return labels_in(told, source)
    if type_name == "bbox":
        return boxes_in(told, size or (1 << 20, 1 << 20), source)
    if type_name == "tags" and isinstance(told, list) and all(isinstance(i, str) for i in told):
        told = ", ".join(told)
    return value_of_words(type_name, words_in(told, source), source)


def words_in(answer: Any, source: str) -> str:
    """The words of a JSON answer; raises ToolError where there are none."""
    found = _words(answer, _DEPTH)
    if found is None or not found.strip():
        raise ToolError(f"{source} sent no words that can be read. Try again.")
    return found.strip()


def value_of_words(type_name: str, words: str, source: str) -> Any:
    """Words as a value of a textual type; raises ToolError where they are none."""
    if type_name == "tags":
        tags = tuple(filter(None, (tag.strip() for tag in words.split(","))))
        return tags[:_MOST_ITEMS]
    if type_name == "category":
        return (Label(words),)
    if type_name == "number":
        try:
            number = float(words)
        except ValueError:
            number = math.nan
        if not math.isfinite(number):
            raise ToolError(f"{source} sent no number. Try again.")
        return int(number) if number.is_integer() and abs(number) < 1e15 else number
    return words


def labels_in(answer: Any, source: str) -> tuple[Label, ...]:
    """The labels of a JSON answer, the surest first; raises ToolError where there are none."""
    found = [
        Label(item["label"].strip(), _share(item.get("score", item.get("confidence", 1.0))))
        for item in _items(answer)
        if isinstance(item.get("label"), str) and item["label"].strip()
    ]
    if not found:
        raise ToolError(f"{source} sent no labels that can be read. Try again.")
    return tuple(sorted(found, key=lambda label: -label.score)[:_MOST_ITEMS])


def boxes_in(answer: Any, size: tuple[int, int], source: str) -> tuple[Box, ...]:
    """The boxes of a JSON answer within a picture's size; raises ToolError where it is none."""
    if not isinstance(answer, Sequence | Mapping) or isinstance(answer, str):
        raise ToolError(f"{source} sent no boxes that can be read. Try again.")
    found = []
    for item in _items(answer):
        corners = _corners(item.get("box", item.get("bbox", item)))
        if corners is None:
            continue
        left, right = (min(max(corners[side], 0), size[0]) for side in (0, 2))
        top, bottom = (min(max(corners[side], 0), size[1]) for side in (1, 3))
        if right > left and bottom > top:
            label = item.get("label")
            name = label.strip() if isinstance(label, str) else ""
            found.append(Box(left, top, right, bottom, name, _share(item.get("score", 1.0))))
    return tuple(found[:_MOST_ITEMS])


def region_of(picture: PIL.Image.Image, size: tuple[int, int] | None) -> tuple[Region, ...]:
    """The region that a picture in black and white shows, in the size of the picture marked.

    Where it is see-through and of one colour, what is not see-through is the region.
    """
    if size is not None and picture.size != size:
        picture = picture.resize(size, PIL.Image.Resampling.BILINEAR)
    levels = np.asarray(picture.convert("L"))
    if picture.mode == "RGBA" and np.asarray(picture)[..., 3].min() < 128:
        levels = np.asarray(picture)[..., 3]
    return (Region(levels > 127),)


def _words(answer: Any, depth: int) -> str | None:
    if isinstance(answer, str):
        return answer
    if isinstance(answer, int | float) and not isinstance(answer, bool):
        return str(answer)
    if depth == 0:
        return None
    if isinstance(answer, list):
        return next((words for item in answer if (words := _words(item, depth - 1))), None)
    if isinstance(answer, dict):
        for name in _WORDS:
            if name in answer and (words := _words(answer[name], depth - 1)):
                return words
    return None


def _items(answer: Any, depth: int = 3) -> Iterator[Mapping[str, Any]]:
    """The objects of an answer, out of lists and of what commonly wraps them."""
    if isinstance(answer, Mapping):
        lists = (answer[name] for name in _WRAPPED if isinstance(answer.get(name), list))
        inner = next(lists, None)
        if inner is None:
            yield answer
        elif depth:
            yield from _items(inner, depth - 1)
    elif isinstance(answer, list) and depth:
        for item in answer:
            yield from _items(item, depth - 1)


def _corners(box: Any) -> tuple[float, float, float, float] | None:
    if isinstance(box, Mapping):
        names = next((names for names in _SIDES if all(name in box for name in names)), None)
        box = [box[name] for name in names] if names else None
    if not isinstance(box, list) or len(box) != 4:
        return None
    if not all(isinstance(item, int | float) and math.isfinite(item) for item in box):
        return None
    return float(box[0]), float(box[1]), float(box[2]), float(box[3])


def _share(score: Any) -> float:
    if isinstance(score, bool) or not isinstance(score, int | float) or not math.isfinite(score):
        return 1.0
    return min(max(float(score), 0.0), 1.0)
