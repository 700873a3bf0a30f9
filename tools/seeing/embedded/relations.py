"""How two found objects stand to each other, as far as their boxes tell."""

from __future__ import annotations

from controlllm.resources import Box
from tools.shared.boxes import area, centre, inside

#: What a person or an animal sits, lies or stands on.
SUPPORTS = frozenset(
    "couch bed chair bench surfboard skateboard snowboard skis boat toilet".split()
    + ["dining table"]
)
RIDDEN = frozenset("horse elephant motorcycle bicycle surfboard skateboard snowboard skis".split())
#: Small things that somebody who overlaps them has in the hands or wears.
CARRIED = frozenset(
    "umbrella handbag backpack suitcase tie frisbee kite bottle cup fork knife spoon banana apple "
    "sandwich orange donut cake pizza book scissors toothbrush remote".split()
    + ["tennis racket", "baseball bat", "baseball glove", "sports ball", "wine glass"]
    + ["hot dog", "cell phone", "teddy bear", "hair drier"]
)
#: Of these the hand is sure: nobody wears them, and they do not lie on a table before a person.
HELD = frozenset(["tennis racket", "baseball bat", "umbrella", "kite"])
LIVING = frozenset(
    "person dog cat horse cow sheep bird bear elephant zebra giraffe monkey lion tiger".split()
)


def distance(one: Box, other: Box) -> float:
    """The gap between two boxes in pixels; 0 where they touch or overlap."""
    across = max(one.left, other.left) - min(one.right, other.right)
    down = max(one.top, other.top) - min(one.bottom, other.bottom)
    return max(across, 0.0) + max(down, 0.0)


def rides(one: Box, other: Box) -> bool:
    """Whether `one`, a living thing, is on `other` as a rider is: above it and reaching into it."""
    if one.label != "person" or other.label not in RIDDEN:
        return False
    if other.label in ("surfboard", "skateboard", "snowboard", "skis"):
        height = one.bottom - one.top
        below = other.bottom > one.top + 0.65 * height and area(other) < area(one)
        return below and distance(one, other) < 0.1 * height
    height = other.bottom - other.top
    seated = one.top < other.top + 0.1 * height and centre(one)[1] < centre(other)[1]
    deep = one.bottom > other.top + 0.15 * height
    # One who stands before or behind it has the feet as low as it has its own.
    standing = one.bottom > other.bottom - 0.03 * height and other.label in ("horse", "elephant")
    return seated and deep and not standing and _across(one, other) > 0.6


def has(one: Box, other: Box) -> bool:
    """Whether `one`, a living thing, probably holds, wears or carries `other`."""
    if one.label not in LIVING or other.label not in CARRIED:
        return False
    if other.label == "umbrella":
        return _across(one, other) > 0.5 and other.top < centre(one)[1] and distance(one, other) < 1
    reach = 0.12 * (one.right - one.left)
    around = Box(one.left - reach, one.top - reach, one.right + reach, one.bottom)
    # What is swung reaches far from the body.
    return inside(other, around) > (0.15 if other.label in HELD else 0.6)


def rests_on(one: Box, other: Box) -> bool:
    """Whether `one` lies, stands or sits on `other`."""
    if other.label not in SUPPORTS or one.label in SUPPORTS:
        return False
    height = other.bottom - other.top
    if one.label not in LIVING and other.label == "dining table":
        foot = other.top <= one.bottom <= other.bottom + 0.05 * height
        return foot and _across(one, other) > 0.7
    if one.label == "person" and other.label == "dining table":
        return False
    low = one.bottom > other.top + 0.2 * height
    return low and _across(one, other) > 0.6 and centre(one)[1] <= centre(other)[1] + 0.1 * height


def relation(one: Box, other: Box) -> str:
    """Where `one` is, seen from `other`, as words that its name can follow: "on the", "left of"."""
    if rides(one, other) or rests_on(one, other):
        return "on"
    if has(other, one):
        return "with"
    if other.label == "umbrella" and has(one, other):
        return "under"
    (x, y), (other_x, other_y) = centre(one), centre(other)
    apart = distance(one, other)
    if apart == 0 and max(inside(one, other), inside(other, one)) > 0.3:
        nearer = one.bottom - other.bottom
        least = 0.05 * max(one.bottom - one.top, other.bottom - other.top)
        if abs(nearer) > least and not {one.label, other.label} & {"dining table"}:
            return "in front of" if nearer > 0 else "behind"
        return "beside"
    width = (one.right - one.left + other.right - other.left) / 2
    height = (one.bottom - one.top + other.bottom - other.top) / 2
    across, down = (x - other_x) / max(width, 1), (y - other_y) / max(height, 1)
    if abs(across) >= 0.8 * abs(down):
        return "to the left of" if across < 0 else "to the right of"
    return "above" if down < 0 else "below"


def _across(one: Box, other: Box) -> float:
    """How much of the narrower box's width lies over the other one."""
    shared = min(one.right, other.right) - max(one.left, other.left)
    narrower = min(one.right - one.left, other.right - other.left)
    return max(shared, 0.0) / max(narrower, 1e-6)
