"""Pictures by downloaded diffusion models: from words, from another one, along a map, or changed.

A map shows lines, edges, a scribble, poses, regions, depth or surfaces.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import PIL.Image

from controlllm.toolbox import Context, ToolError

from ..shared.pixels import bounds, rgb
from . import diffusion
from .device import Placement

#: How far a new picture goes from the one it follows, 0..1.
_FREEDOM = 0.65
_ALIKE = "a new picture with the same layout and the same look"
#: What a part is filled with that is to look as if nothing had been there.
NOTHING = "empty background that goes on as around it, nothing in front of it"
_NOT_WANTED = "person, animal, object, text, frame"
#: How much of its surroundings is shown with a part, in sides of that part.
_AROUND = 0.75
#: Over how much of a part its new pixels fade in, in its own size.
_FADE = 0.03
#: Which of its modes a network for every kind of map uses for one.
_MODES = {
    "pose": 0,
    "depth": 1,
    "hed": 2,
    "edge": 2,
    "scribble": 2,
    "canny": 3,
    "line": 3,
    "normal": 4,
    "segmentation": 5,
}


def draw(folder: Path, prompt: str, context: Context) -> PIL.Image.Image:
    """A picture of what a prompt says; raises ToolError."""
    words = diffusion.checked_words(prompt)
    painter = diffusion.painter(folder, context)
    side = painter.side
    output = diffusion.paint(painter, context, prompt=words, width=side, height=side)
    return output.images[0]


def redraw(
    folder: Path, image: PIL.Image.Image, prompt: str | None, context: Context
) -> PIL.Image.Image:
    """A new picture laid out like another one; raises ToolError."""
    words = " ".join((prompt or "").split()) or _ALIKE
    painter = diffusion.painter(folder, context)
    width, height = diffusion.fitted(image.size, painter.side)
    output = diffusion.paint(
        painter,
        context,
        pipeline=diffusion.derived(painter, "AutoPipelineForImage2Image"),
        prompt=words,
        image=diffusion.resized(rgb(image), (width, height)),
        strength=_FREEDOM,
        width=width,
        height=height,
    )
    return diffusion.reshaped(output.images[0], image.size)


def change(
    folder: Path, image: PIL.Image.Image, instruction: str, context: Context
) -> PIL.Image.Image:
    """A picture changed as an instruction says; raises ToolError."""
    words = diffusion.checked_words(instruction)
    painter = diffusion.painter(folder, context)
    width, height = diffusion.fitted(image.size, painter.side)
    output = diffusion.paint(
        painter,
        context,
        prompt=words,
        image=diffusion.resized(rgb(image), (width, height)),
        width=width,
        height=height,
    )
    return _with_alpha(diffusion.reshaped(output.images[0], image.size), image)


def remove(
    folder: Path, image: PIL.Image.Image, hole: np.ndarray, context: Context
) -> PIL.Image.Image:
    """A picture whose hole (bool, height x width) is filled with background; raises ToolError."""
    return repaint(folder, image, hole, NOTHING, context, unwanted=_NOT_WANTED)


def repaint(
    folder: Path,
    image: PIL.Image.Image,
    part: np.ndarray,
    prompt: str,
    context: Context,
    *,
    unwanted: str | None = None,
) -> PIL.Image.Image:
    """A picture with a part (bool, height x width) drawn anew as a prompt says; raises ToolError.

    All other pixels stay as they are.
    """
    words = diffusion.checked_words(prompt)
    if not part.any():
        raise ToolError("Nothing is marked in this picture. Mark what to change.")
    painter = diffusion.painter(folder, context)
    picture = rgb(image)
    left, top, right, bottom = _with_surroundings(part)
    shown, marked = picture[top:bottom, left:right], part[top:bottom, left:right]
    size = diffusion.fitted((right - left, bottom - top), painter.side)
    marked_image = PIL.Image.fromarray(marked.astype(np.uint8) * 255)
    output = diffusion.paint(
        painter,
        context,
        pipeline=diffusion.derived(painter, "AutoPipelineForInpainting"),
        prompt=words,
        negative_prompt=unwanted,
        image=diffusion.resized(shown, size),
        mask_image=marked_image.resize(size, PIL.Image.Resampling.BILINEAR),
        width=size[0],
        height=size[1],
    )
    drawn = (
        output.images[0]
        .convert("RGB")
        .resize((right - left, bottom - top), PIL.Image.Resampling.LANCZOS)
    )
    share = _fading_in(marked)[..., None]
    mixed = np.asarray(drawn) * share + shown * (1 - share)
    picture[top:bottom, left:right] = np.where(marked[..., None], mixed.round(), shown)
    result = _with_alpha(PIL.Image.fromarray(picture), image)
    if result.mode == "RGBA":
        alpha = np.asarray(result.getchannel("A")).copy()
        alpha[part] = 255
        result.putalpha(PIL.Image.fromarray(alpha))
    return result


#: What lies behind a subject is repainted like any other part.
repaint_behind = repaint


def _with_surroundings(part: np.ndarray) -> tuple[int, int, int, int]:
    """The box of a part with enough around it for a model to see what it lies in."""
    found = bounds(part)
    assert found is not None
    left, top, right, bottom = found
    margin = round(_AROUND * max(right - left, bottom - top)) + 8
    height, width = part.shape
    return (
        max(left - margin, 0),
        max(top - margin, 0),
        min(right + margin, width),
        min(bottom + margin, height),
    )


def _fading_in(part: np.ndarray) -> np.ndarray:
    """How much of each pixel is new, 0..1: less towards the rim of the part."""
    import cv2

    # What lies at the picture's own edge has no rim there.
    padded = np.pad(part.astype(np.uint8), 1, mode="edge")
    depth = cv2.distanceTransform(padded, cv2.DIST_L2, 3)[1:-1, 1:-1]
    reach = max(_FADE * min(depth.max() * 2, max(part.shape)), 1.0)
    return np.clip(depth / reach, 0, 1)


def _with_alpha(result: PIL.Image.Image, image: PIL.Image.Image) -> PIL.Image.Image:
    if image.mode == "RGBA":
        alpha = image.getchannel("A")
        result.putalpha(alpha.resize(result.size, PIL.Image.Resampling.BICUBIC))
    return result


def load_map_reader(folder: Path, placement: Placement) -> Any:
    """A loader for `loaded`: a network that reads one kind of map."""
    return _load("ControlNetModel", folder, placement)


def load_reader_of_every_map(folder: Path, placement: Placement) -> Any:
    """A loader for `loaded`: a network that reads every kind of map."""
    return _load("ControlNetUnionModel", folder, placement)


def draw_along(kind: str, given: PIL.Image.Image, prompt: str, context: Context) -> PIL.Image.Image:
    """A picture of what a prompt says along a map of a kind, with a network for that kind.

    The weights are those of the roles "model" and "map" of the context. Raises ToolError.
    """
    return _drawn(load_map_reader, kind, given, prompt, context)


def draw_along_any(
    kind: str, given: PIL.Image.Image, prompt: str, context: Context
) -> PIL.Image.Image:
    """The same with a network for every kind of map."""
    return _drawn(load_reader_of_every_map, kind, given, prompt, context)


def _drawn(
    load: Any, kind: str, given: PIL.Image.Image, prompt: str, context: Context
) -> PIL.Image.Image:
    words = diffusion.checked_words(prompt)
    painter = diffusion.painter(context.weights["model"], context)
    reader = diffusion.opened(load, context.weights["map"])
    pipeline, wishes = _pipeline(painter, reader, kind)
    size = diffusion.fitted(given.size, painter.side)
    # Colours of a map of regions stand for things, and a mixed one for another thing.
    way = PIL.Image.Resampling.NEAREST if kind == "segmentation" else PIL.Image.Resampling.LANCZOS
    shown = PIL.Image.fromarray(rgb(given)).resize(size, way)
    output = diffusion.paint(
        painter,
        context,
        pipeline=pipeline,
        prompt=words,
        width=size[0],
        height=size[1],
        # A network for one kind of map takes it as `image`, one for every kind as `control_image`.
        image=shown,
        control_image=[shown],
        **wishes,
    )
    return diffusion.reshaped(output.images[0], given.size)


def _pipeline(painter: diffusion.Painter, reader: Any, kind: str) -> tuple[Any, dict[str, Any]]:
    if type(reader).__name__ != "ControlNetUnionModel":
        return diffusion.derived(painter, "AutoPipelineForText2Image", controlnet=reader), {}
    pipeline = diffusion.derived(
        painter, "StableDiffusionXLControlNetUnionPipeline", controlnet=reader
    )
    return pipeline, {"control_mode": [_MODES[kind]]}


def _load(name: str, folder: Path, placement: Placement) -> Any:
    import diffusers

    reader = getattr(diffusers, name).from_pretrained(
        folder,
        dtype=placement.dtype,
        variant=diffusion.variant(folder),
        use_safetensors=True,
        local_files_only=True,
    )
    return reader.to(placement.device).eval()
