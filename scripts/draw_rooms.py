"""Draw the rooms of tools and what they take from each other: what writes docs/rooms.svg.

A room stands above all rooms that it takes from; an arrow that follows from others is left out.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PICTURE = ROOT / "docs" / "rooms.svg"
_WIDTH, _HEIGHT, _ACROSS, _DOWN, _EDGE = 118, 34, 26, 52, 16
_PLUMBING = ("cloud", "hub", "shared")


def rooms(root: Path = ROOT) -> dict[str, set[str]]:
    """Each room of tools with the rooms that its modules import."""
    found: dict[str, set[str]] = {}
    for path in sorted((root / "tools").rglob("*.py")):
        room = _room(path.relative_to(root).with_suffix("").parts)
        if room is None:
            continue
        taken = found.setdefault(room, set())
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom):
                # Tools import each other from where they stand.
                around = path.relative_to(root).parts[: -node.level] if node.level else ()
                for alias in node.names:
                    named = str(node.module).split(".") if node.module else []
                    other = _room((*around, *named, alias.name, ""))
                    taken |= {other} - {None, room}
    return found


def _room(parts: tuple[str, ...]) -> str | None:
    """The room of a module's name, "pictures" or "pictures, embedded"; None outside of rooms."""
    if len(parts) < 3 or parts[0] != "tools":
        return None
    return f"{parts[1]}, embedded" if parts[2] == "embedded" else parts[1]


def floors(takes: Mapping[str, set[str]]) -> list[list[str]]:
    """The rooms floor by floor, the lowest first; raises ValueError where there is a circle."""
    done: set[str] = set()
    found = []
    while len(done) < len(takes):
        ready = sorted(room for room in takes if room not in done and takes[room] <= done)
        if not ready:
            raise ValueError(f"these rooms import each other: {sorted(set(takes) - done)}")
        found.append(ready)
        done |= set(ready)
    return found


def _direct(takes: Mapping[str, set[str]]) -> list[tuple[str, str]]:
    """The arrows that do not follow from others."""
    below: dict[str, set[str]] = {}
    for floor in floors(takes):
        for room in floor:
            below[room] = takes[room].union(*(below[other] for other in takes[room]))
    return [
        (room, other)
        for room in takes
        for other in sorted(takes[room])
        if not any(other in below[between] for between in takes[room])
    ]


def drawing(takes: Mapping[str, set[str]]) -> str:
    """The rooms as an SVG picture, readable on light and dark."""
    layers = floors(takes)[::-1]
    across = max(len(layer) for layer in layers)
    width = across * (_WIDTH + _ACROSS) - _ACROSS + 2 * _EDGE
    height = len(layers) * (_HEIGHT + _DOWN) - _DOWN + 2 * _EDGE
    places = {}
    for number, layer in enumerate(layers):
        left = (width - len(layer) * (_WIDTH + _ACROSS) + _ACROSS) / 2
        for place, room in enumerate(layer):
            places[room] = (left + place * (_WIDTH + _ACROSS), _EDGE + number * (_HEIGHT + _DOWN))
    arrows = "".join(_arrow(places[room], places[other]) for room, other in _direct(takes))
    boxes = "".join(_box(room, *place) for room, place in places.items())
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" role="img" '
        'aria-label="The rooms of tools; an arrow leads to what a room takes from" '
        'font-family="sans-serif" font-size="11">'
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="6" '
        'markerHeight="6" orient="auto"><path d="M0 0 8 4 0 8z" fill="#7a8699"/></marker></defs>'
        f"{arrows}{boxes}</svg>\n"
    )


def _arrow(room: tuple[float, float], other: tuple[float, float]) -> str:
    start, end = room[0] + _WIDTH / 2, other[0] + _WIDTH / 2
    top, bottom = room[1] + _HEIGHT, other[1]
    bend = min((bottom - top) / 2, _DOWN)
    return (
        f'<path d="M{start:g} {top:g}C{start:g} {top + bend:g} {end:g} {bottom - bend:g} {end:g} '
        f'{bottom:g}" fill="none" stroke="#7a8699" marker-end="url(#tip)"/>'
    )


def _box(room: str, left: float, top: float) -> str:
    fill = "#e6edf7" if "embedded" in room else "#fdf3dc" if room in _PLUMBING else "#dcefe2"
    return (
        f'<rect x="{left:g}" y="{top:g}" width="{_WIDTH}" height="{_HEIGHT}" rx="6" fill="{fill}" '
        f'stroke="#7a8699"/><text x="{left + _WIDTH / 2:g}" y="{top + _HEIGHT / 2 + 4:g}" '
        f'text-anchor="middle" fill="#1b2430">{room}</text>'
    )


if __name__ == "__main__":
    PICTURE.write_text(drawing(rooms()), "utf-8")
