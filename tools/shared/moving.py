"""Pictures that move, such as animated GIFs: their frames, and files of them."""

from __future__ import annotations

import functools
import inspect
import io
from collections.abc import Callable, Sequence
from typing import Any, TypeVar, cast

import numpy as np
import PIL.Image
import PIL.ImageSequence

from controlllm.resources import Filed
from controlllm.resources.animations import MOVING, MovingFile
from controlllm.toolbox import Context, ToolError

#: A frame, and for how many milliseconds it is shown.
Frame = tuple[PIL.Image.Image, float]

_Work = TypeVar("_Work", bound=Callable[..., Any])

_USUAL = 100.0  # milliseconds, where the file does not say
_LEAST = 20.0  # programs that show a GIF take their own time below it
_MOST_FRAMES, _MOST_PIXELS = 1000, 300_000_000
_CLEAR = 255


def frames_of(image: PIL.Image.Image) -> list[Frame]:
    """All frames of a picture that moves, each whole; none of one that stands still.

    Raises ToolError where they are too many.
    """
    file = image.info.get(MOVING)
    if not isinstance(file, MovingFile):
        return []
    with PIL.Image.open(file.path) as opened:
        count = int(getattr(opened, "n_frames", 1))
        if count < 2:
            return []
        if count > _MOST_FRAMES or count * opened.width * opened.height > _MOST_PIXELS:
            raise ToolError(
                f"The animation has {count} frames of {opened.width} x {opened.height} pixels, "
                "which is too much to work on at once. Hand over a shorter or smaller one."
            )
        frames = [
            (frame.convert("RGBA"), float(frame.info.get("duration") or _USUAL))
            for frame in PIL.ImageSequence.Iterator(opened)
        ]
    if all(picture.getchannel("A").getextrema()[0] == 255 for picture, _ in frames):
        return [(picture.convert("RGB"), time) for picture, time in frames]
    return frames


def kind_of(image: PIL.Image.Image) -> str:
    """What an animation is written as again: a WebP where it came as one, else a GIF."""
    file = image.info.get(MOVING)
    is_webp = isinstance(file, MovingFile) and _format(file) == "WEBP"
    return "webp" if is_webp else "gif"


def _format(file: MovingFile) -> str:
    with PIL.Image.open(file.path) as opened:
        return opened.format or ""


def on_every_frame(work: _Work) -> _Work:
    """A tool that works on the first picture that it is given, done on every frame of one that
    moves; what comes moves as it did."""
    first = next(iter(inspect.signature(work).parameters))
    has_context = "context" in inspect.signature(work).parameters

    @functools.wraps(work)
    def done(*given: Any, **named: Any) -> Any:
        image = given[0] if given else named.get(first)
        frames = frames_of(image) if isinstance(image, PIL.Image.Image) else []
        if image is None or not frames:
            return work(*given, **named)
        report = named.get("context") or Context()
        made: list[PIL.Image.Image] = []
        for number, (frame, _) in enumerate(frames):
            told = {"context": report.part(0.0, 1.0)} if has_context else {}
            others = {name: value for name, value in named.items() if name != first}
            result = work(frame, *given[1:], **(others | told))
            if not isinstance(result, PIL.Image.Image):
                return result
            made.append(result)
            report.progress((number + 1) / len(frames), f"Frame {number + 1} of {len(frames)}")
        size = made[0].size
        same = [picture if picture.size == size else picture.resize(size) for picture in made]
        return written(same, [time for _, time in frames], kind_of(image))

    return cast("_Work", done)


def played(
    pictures: Sequence[PIL.Image.Image], lasting: Sequence[float], kind: str
) -> PIL.Image.Image:
    """An animation of frames for their milliseconds; where these are shorter than a program can
    show, some frames are left out so that all of it lasts as long."""
    shown: list[PIL.Image.Image] = []
    times: list[float] = []
    for picture, time in zip(pictures, lasting, strict=True):
        if times and times[-1] < _LEAST - 1e-6:
            times[-1] += time
        else:
            shown.append(picture)
            times.append(time)
    return written(shown, times, kind)


def within(frames: Sequence[Frame], kind: str, limit: float) -> PIL.Image.Image:
    """The frames as a file of at most `limit` bytes, made smaller as far as it needs.

    Raises ToolError where even a very small one is larger.
    """
    for scale in (1.0, 0.85, 0.7, 0.55, 0.42, 0.32, 0.24, 0.18):
        width, height = (max(round(side * scale), 1) for side in frames[0][0].size)
        pictures = [
            frame if scale == 1.0 else frame.resize((width, height), PIL.Image.Resampling.LANCZOS)
            for frame, _ in frames
        ]
        made = written(pictures, [time for _, time in frames], kind)
        if len(cast("Filed", made).content) <= limit:
            return made
    raise ToolError(
        "Even a very small version of the animation is larger than that. Allow a larger file, or "
        "make a video of it."
    )


def written(
    frames: Sequence[PIL.Image.Image], lasting: Sequence[float], kind: str
) -> PIL.Image.Image:
    """Frames of one size, each for its milliseconds, as the file of an endless "gif" or "webp"."""
    is_clear = any(frame.mode == "RGBA" for frame in frames)
    frames = [frame.convert("RGBA" if is_clear else "RGB") for frame in frames]
    file = io.BytesIO()
    # A GIF counts hundredths of a second: what is rounded off one frame goes to the next.
    edges = np.round(np.cumsum(lasting) / (10 if kind == "gif" else 1)) * (
        10 if kind == "gif" else 1
    )
    stays = np.diff(edges, prepend=0).astype(int).tolist()
    saving: dict[str, Any] = {"save_all": True, "duration": stays, "loop": 0}
    if kind == "webp":
        saving |= {"quality": 82, "method": 4, "minimize_size": False}
        # Of frames that only tell what changed, some come out solid where they should be clear.
        if is_clear:
            saving |= {"kmin": 1, "kmax": 1}
    else:
        frames = [_few_colours(frame) for frame in frames]
        # Only what is clear needs the frame before to be wiped away.
        if images_are_clear := any("transparency" in frame.info for frame in frames):
            saving |= {"transparency": _CLEAR, "disposal": 2}
        saving |= {"optimize": not images_are_clear}
    frames[0].save(file, kind.upper(), append_images=frames[1:], **saving)
    return cast("PIL.Image.Image", Filed(file.getvalue(), f"image/{kind}"))


def _few_colours(frame: PIL.Image.Image) -> PIL.Image.Image:
    """A frame in the 255 colours that suit it, and one for what is clear."""
    colours = frame.convert("RGB")
    table = colours.quantize(_CLEAR, PIL.Image.Quantize.MEDIANCUT)
    few = colours.quantize(palette=table, dither=PIL.Image.Dither.FLOYDSTEINBERG)
    if frame.mode == "RGBA":
        alpha = frame.getchannel("A")
        if np.asarray(alpha).min() < 128:
            few.paste(_CLEAR, (0, 0), alpha.point(lambda value: 255 if value < 128 else 0))
            few.info["transparency"] = _CLEAR
    return few
