"""What the texts that stand for sizes, shapes, passages and pages mean for one file."""

from __future__ import annotations

import re

_PAPERS = {"a3": (29.7, 42.0), "a4": (21.0, 29.7), "a5": (14.8, 21.0), "a6": (10.5, 14.8)}
_INCH = 2.54


def size_in_pixels(
    text: str, size: tuple[int, int], dpi: int = 300, as_said: bool = False
) -> tuple[int, int, bool]:
    """Width and height in pixels that a size means for a picture of `size`, and whether both were
    said, so that its shape may differ from the picture's.

    Sizes for print are turned so that they lie as the picture does, unless they count `as_said`.
    Raises ValueError where the text is no size.
    """
    width, height = size
    lies = None if as_said else width > height
    told = text.strip().lower()
    if told in _PAPERS:
        return *_printed(_PAPERS[told], "cm", dpi, lies), True
    both = re.fullmatch(r"(\d+(?:\.\d+)?)x(\d+(?:\.\d+)?)(cm|mm|in)?", told)
    if both:
        first, second, unit = float(both[1]), float(both[2]), both[3]
        if unit:
            return *_printed((first, second), unit, dpi, lies), True
        return max(round(first), 1), max(round(second), 1), True
    share = re.fullmatch(r"(\d+(?:\.\d+)?)%", told)
    one = re.fullmatch(r"(?:(\d+(?:\.\d+)?)x|x(\d+(?:\.\d+)?)|(max|min)(\d+(?:\.\d+)?))", told)
    if share:
        factor = float(share[1]) / 100
    elif one is None:
        raise ValueError(f"{text!r} is no size.")
    elif one[1]:
        factor = float(one[1]) / width
    elif one[2]:
        factor = float(one[2]) / height
    else:
        side = max(size) if one[3] == "max" else min(size)
        factor = float(one[4]) / side
    return max(round(width * factor), 1), max(round(height * factor), 1), False


def _printed(size: tuple[float, float], unit: str, dpi: int, lies: bool | None) -> tuple[int, int]:
    """A size for print in pixels, lying or standing, or as it was said where that is not told."""
    inches = {"cm": 1 / _INCH, "mm": 0.1 / _INCH, "in": 1.0}[unit]
    first, second = (max(round(side * inches * dpi), 1) for side in size)
    if lies is None:
        return first, second
    longer, shorter = max(first, second), min(first, second)
    return (longer, shorter) if lies else (shorter, longer)


def ratio_of(text: str) -> float:
    """Width by height of a shape such as ``"16:9"``. Raises ValueError where it is none."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?):(\d+(?:\.\d+)?)", text.strip())
    if not found or not float(found[1]) or not float(found[2]):
        raise ValueError(f"{text!r} is no shape.")
    return float(found[1]) / float(found[2])


def passage_within(text: str, seconds: float) -> tuple[float, float]:
    """Start and end, in seconds, of a passage of a recording that is `seconds` long.

    An end behind the recording's is the recording's. Raises ValueError where the text is no passage
    or nothing of it lies inside.
    """
    first, dots, last = text.strip().partition("..")
    if not dots:
        raise ValueError(f"{text!r} is no passage.")
    start = _moment(first, seconds) if first else 0.0
    end = _moment(last, seconds) if last else seconds
    start, end = max(start, 0.0), min(end, seconds)
    if end <= start:
        raise ValueError(f"{text!r} lies outside of {seconds:.1f} seconds.")
    return start, end


def _moment(text: str, seconds: float) -> float:
    if text.endswith("%"):
        return float(text[:-1]) / 100 * seconds
    value = float(text)
    return seconds + value if text.startswith("-") else value


def pages_of(text: str, count: int) -> list[int]:
    """The places, from 0, of the pages that are named of a document with `count` pages, each once,
    in the order in which they are named.

    Raises ValueError where the text names no page or one that there is not.
    """
    found: list[int] = []
    for part in text.lower().replace(" ", "").split(","):
        # "7-" are all from the seventh on.
        span = re.fullmatch(r"(\d+)-(\d+)", f"{part}{count}" if re.match(r"\d+-$", part) else part)
        last = re.fullmatch(r"last(\d*)", part)
        if part == "all":
            pages = list(range(count))
        elif part in ("odd", "even"):
            pages = list(range(0 if part == "odd" else 1, count, 2))
        elif last:
            pages = list(range(max(count - int(last[1] or 1), 0), count))
        elif span:
            first, end = int(span[1]), int(span[2])
            pages = list(range(first - 1, end) if first <= end else range(first - 1, end - 2, -1))
        elif part.isdigit():
            pages = [int(part) - 1]
        else:
            raise ValueError(f"{text!r} names no pages.")
        is_beyond = part.endswith("-") and int(part[:-1]) > count
        if is_beyond or any(page < 0 or page >= count for page in pages):
            raise ValueError(f"There is no page {part}: the document has {count}.")
        found += [page for page in pages if page not in found]
    if not found:
        raise ValueError(f"{text!r} names no pages.")
    return found
