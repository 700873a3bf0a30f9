"""New pictures along a map: lines, edges, a scribble, poses, regions, depth or surfaces."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import PIL.Image

from controlllm.toolbox import Context

from ..shared.pixels import rgb
from . import diffusion
from .device import Placement

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
