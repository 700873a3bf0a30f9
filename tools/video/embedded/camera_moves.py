"""A camera that moves over a still picture, as a request asks for: it zooms, pans and tilts, and
nothing else moves. The words are in ``camera.toml``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import PIL.Image

from controlllm.resources import Box
from controlllm.toolbox import ToolError

from ...seeing.embedded.phrases_to_boxes import ground
from ...seeing.embedded.questions import patterns
from ...seeing.embedded.scene import Scene
from ...shared import instructions, video_files
from ...shared.amounts import amounts
from ...shared.boxes import area, centre

RATE = 30
_LONGEST_SIDE = 1280
_SHAPES = {"wide": 16 / 9, "tall": 9 / 16, "square": 1.0}
_WIDEST, _TALLEST = 2.0, 0.5
#: A pan needs something beyond the edges of what is seen.
_PAN_VIEW = 0.74
_LEAST = 16


@dataclass(frozen=True)
class View:
    """What the camera sees: the middle in pixels of the picture and the width of the view."""

    x: float
    y: float
    width: float


def focus(image: PIL.Image.Image, target: str) -> tuple[float, float]:
    """What the camera looks at, in pixels: the named thing, else a face, the subject, the middle.

    Raises ToolError where the named thing is not found.
    """
    if min(image.size) < _LEAST:
        return image.width / 2, image.height / 2
    scene = Scene(image)
    if target:
        boxes = ground(scene, target)
        if not boxes:
            raise ToolError(
                f"I found {target} nowhere in the picture; name another thing to zoom in on, or "
                "none, and the camera looks at the main subject."
            )
        return _looked_at(boxes[0], image)
    main = max(scene.objects, key=lambda box: _weight(box, scene), default=None)
    found = [face for face in scene.faces if scene.share(face) > 0.0015]
    if found and (main is None or main.label == "person"):
        largest = max(map(area, found))
        x, y = np.mean([centre(face) for face in found if area(face) > 0.4 * largest], axis=0)
        return float(x), float(y)
    if main is None:
        return image.width / 2, image.height / 2
    return _looked_at(main, image)


def _looked_at(box: Box, image: PIL.Image.Image) -> tuple[float, float]:
    """Where people look at in a box: its middle, or the head of what stands high in the picture."""
    x, y = centre(box)
    height = box.bottom - box.top
    if height > 0.45 * image.height and height > 0.8 * (box.right - box.left):
        y = box.top + 0.3 * height
    return x, y


def _weight(box: Box, scene: Scene) -> float:
    """How much a box looks like the subject: large, sure and near the middle."""
    x, y = centre(box)
    away = float(np.hypot(x / scene.image.width - 0.5, y / scene.image.height - 0.5))
    return box.score * scene.share(box) ** 0.6 * (1 - 0.7 * away)


def frame_size(picture: np.ndarray, move: Move) -> tuple[int, int]:
    """Width and height of the video for a picture: its shape, within bounds, or the one wanted."""
    height, width = picture.shape[:2]
    aspect = _SHAPES.get(move.shape) or width / height
    if not move.shape and not _TALLEST <= aspect <= _WIDEST:
        aspect = 16 / 9 if aspect > 1 else 9 / 16
    view_width = min(width, height * aspect)
    # A tiny picture would make a video that players show as a dot.
    longest = float(np.clip(max(view_width, view_width / aspect), 480, _LONGEST_SIDE))
    if aspect >= 1:
        return video_files.even(longest), video_files.even(longest / aspect)
    return video_files.even(longest * aspect), video_files.even(longest)


def plan(
    picture: np.ndarray, size: tuple[int, int], move: Move, point: tuple[float, float]
) -> tuple[View, View]:
    """The first and the last view of a move; both lie within the picture."""
    height, width = picture.shape[:2]
    aspect = size[0] / size[1]
    widest = min(float(width), height * aspect)
    spare_across, spare_down = width / widest, height / (widest / aspect)
    across, down, zoom = move.across, move.down, move.zoom
    if move.usual and max(spare_across, spare_down) > 1.25:
        # A panorama is shown from one end to the other.
        across, down, zoom = (1, 0, 1.0) if spare_across > spare_down else (0, 1, 1.0)
    if across or down:
        roomy = (across and spare_across > 1.25) or (down and spare_down > 1.25)
        view_width = widest if roomy else widest * _PAN_VIEW
        nearer = view_width / min(max(zoom, 1 / zoom), 1.35)
        x, y = point
        first, last = (
            View(
                (0.5 + 0.5 * way * across) * width if across else x,
                (0.5 + 0.5 * way * down) * height if down else y,
                nearer if way * (zoom - 1) > 0 else view_width,
            )
            for way in (-1, 1)
        )
        return _inside(first, picture, aspect), _inside(last, picture, aspect)
    roomy = spare_across > 1.02 or spare_down > 1.02
    far = View(*point, widest) if roomy else View(width / 2, height / 2, widest)
    near = View(*point, widest / max(zoom, 1 / zoom))
    far, near = _inside(far, picture, aspect), _inside(near, picture, aspect)
    return (far, near) if zoom >= 1 else (near, far)


def _inside(view: View, picture: np.ndarray, aspect: float) -> View:
    """The view moved so that it shows nothing beyond the picture's edges."""
    height, width = picture.shape[:2]
    half_width, half_height = view.width / 2, view.width / aspect / 2
    return View(
        min(max(view.x, half_width), max(width - half_width, half_width)),
        min(max(view.y, half_height), max(height - half_height, half_height)),
        view.width,
    )


def frames(
    picture: np.ndarray,
    size: tuple[int, int],
    views: tuple[View, View],
    seconds: float,
    rate: int = RATE,
) -> Iterator[tuple[float, np.ndarray]]:
    """Times and frames of the move from the first view to the last; it starts and ends softly."""
    count = max(round(seconds * rate), 2)
    first, last = views
    # More pixels than are shown would only cost time.
    scale = min(1.2 * size[0] / min(first.width, last.width), 1.0)
    source = PIL.Image.fromarray(picture)
    if scale < 1:
        smaller = (round(source.width * scale), round(source.height * scale))
        source = source.resize(smaller, PIL.Image.Resampling.LANCZOS)
    scale = source.width / picture.shape[1]
    for number in range(count):
        share = done = _eased(number / (count - 1))
        # Zooming by equal ratios looks even, and so does panning along with the zoom.
        width = first.width * (last.width / first.width) ** done
        if abs(last.width - first.width) > 1e-6:
            share = (width - first.width) / (last.width - first.width)
        across = scale * width / 2
        down = across * size[1] / size[0]
        x = scale * (first.x + share * (last.x - first.x))
        y = scale * (first.y + share * (last.y - first.y))
        box = (
            max(x - across, 0.0),
            max(y - down, 0.0),
            min(x + across, float(source.width)),
            min(y + down, float(source.height)),
        )
        frame = source.resize(size, PIL.Image.Resampling.LANCZOS, box=box)
        yield number / rate, np.asarray(frame)


def _eased(share: float) -> float:
    """Slow at both ends: the camera neither jerks nor stops at once."""
    return share * share * (3 - 2 * share)


USUAL_SECONDS = 6.0
LONGEST = 120.0
SHORTEST = 0.5

_SAID = patterns(Path(__file__).with_suffix(".toml"))


@dataclass(frozen=True)
class Move:
    """A camera move. `zoom` is above 1 towards the subject, below 1 away from it; `across` and
    `down` are -1, 0 or 1; `target` names what the camera looks at, empty for the main subject."""

    seconds: float = USUAL_SECONDS
    zoom: float = 1.0
    across: int = 0
    down: int = 0
    target: str = ""
    shape: str = ""
    usual: bool = False


def read_move(prompt: str | None) -> Move:
    """The move that a request names, the usual one where it names none.

    Raises ToolError where it asks that something in the picture itself moves, or for a length that
    no camera move can have.
    """
    table = instructions.table(Path(__file__).with_name("camera.toml"))
    edits = [edit for edit in table.read(prompt or "") if isinstance(edit, instructions.Edit)]
    names = [edit.name for edit in edits]
    if "acts" in names and not set(names) - {"acts", *_SHAPES}:
        raise ToolError(
            "Only the camera can move over a still picture here; what is shown in it cannot be "
            "made to move. Ask for a camera move, such as “zoom in slowly” or “pan left”."
        )
    shape = next((name for name in names if name in _SHAPES), "")
    plain = table.plain(prompt or "")
    seconds = _seconds(plain)
    if "still" in names:
        return Move(seconds, shape=shape)
    across = {"left": -1, "right": 1}.get(_last(names, "left", "right"), 0)
    down = {"up": -1, "down": 1}.get(_last(names, "up", "down"), 0)
    strength = 1.7 if table.pattern("<strong>").search(plain) else 1.4
    if table.pattern("<gentle>").search(plain):
        strength = 1.22
    zoom = 1.0
    if "out" in names:
        zoom = 1 / strength
    elif "in" in names or ("zoom" in names and not across and not down):
        zoom = strength
    if not across and not down and zoom == 1.0:
        if "sideways" in names:
            across = 1
        elif "tilt" in names:
            down = -1
        else:
            return Move(seconds, shape=shape, usual=True, target=_target(plain), zoom=1.28)
    return Move(seconds, zoom, across, down, _target(plain), shape)


def _last(names: list[str], *of: str) -> str:
    """The last of some names: where "from left to right" ends is where the camera goes."""
    return next((name for name in reversed(names) if name in of), "")


def _seconds(plain: str) -> float:
    lengths = [amount.value for amount in amounts(plain) if amount.kind == "seconds"]
    seconds = lengths[0] if lengths else USUAL_SECONDS
    if not SHORTEST <= seconds <= LONGEST:
        raise ToolError(
            f"A camera move over a picture can last from {SHORTEST:g} to {LONGEST:.0f} seconds; "
            "ask for a length between them."
        )
    return seconds


def _target(plain: str) -> str:
    found = _SAID["target"].search(plain)
    thing = _SAID["behind_it"].split(found["thing"])[0].strip() if found else ""
    return "" if _SAID["no_target"].search(thing) else thing
