"""Videos from words, and from a picture that comes to life."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import PIL.Image

from controlllm.resources import Clip
from controlllm.toolbox import Context, ToolError

from ..shared import video_files
from ..shared.pixels import rgb
from . import diffusion

#: Width and height of a video that a large GPU makes, and of one that a smaller GPU makes.
_LARGE, _SMALL = (1280, 704), (832, 480)
_LARGE_GPU_BYTES = 30_000_000_000
_SECONDS = 3.4
_LONGEST = 2000  # letters of a prompt
_UNWANTED = (
    "blurred, flickering, distorted, overexposed, washed-out colours, text, subtitles, watermark, "
    "still picture"
)
_ALIVE = "the scene comes to life with calm, natural motion"
#: The model that makes videos of words, used for making one of a picture.
_OF_WORDS, _OF_A_PICTURE = "WanPipeline", "WanImageToVideoPipeline"


def film(folder: Path, prompt: str, context: Context) -> Clip:
    """A short video of what a prompt says; raises ToolError."""
    words = diffusion.checked_words(prompt[:_LONGEST])
    painter = diffusion.painter(folder, context)
    wishes = {"prompt": words, "negative_prompt": _UNWANTED}
    return _filmed(painter, painter.pipeline, _frame_size(), context, **wishes)


def animate(folder: Path, image: PIL.Image.Image, prompt: str | None, context: Context) -> Clip:
    """A short video that begins with a picture; raises ToolError."""
    import diffusers

    words = " ".join((prompt or "").split())[:_LONGEST] or _ALIVE
    painter = diffusion.painter(folder, context)
    if type(painter.pipeline).__name__ != _OF_WORDS:
        raise ToolError(
            f"The model {diffusion.name_of(folder)} cannot make a video of a picture. Choose "
            "another size of weights in the settings."
        )
    settings = {
        key: painter.pipeline.config[key]
        for key in ("boundary_ratio", "expand_timesteps")
        if key in painter.pipeline.config
    }
    pipeline = getattr(diffusers, _OF_A_PICTURE)(**painter.pipeline.components, **settings)
    pipeline.set_progress_bar_config(disable=True)

    def read_words() -> dict[str, Any]:
        # The pipeline for pictures reads words only where yet another package is installed.
        wanted, unwanted = painter.pipeline.encode_prompt(words, _UNWANTED)
        return {"prompt_embeds": wanted, "negative_prompt_embeds": unwanted}

    width, height = _frame_size()
    size = diffusion.fitted(image.size, round((width * height) ** 0.5))
    step = _step(pipeline)
    size = max(size[0] // step, 1) * step, max(size[1] // step, 1) * step
    shown = diffusion.resized(rgb(image), size)
    return _filmed(painter, pipeline, size, context, before=read_words, image=shown)


def _filmed(
    painter: diffusion.Painter,
    pipeline: Any,
    size: tuple[int, int],
    context: Context,
    **wishes: Any,
) -> Clip:
    rate = _frame_rate(pipeline)
    # Four frames are made as one after the first.
    count = round(_SECONDS * rate / 4) * 4 + 1
    output = diffusion.paint(
        painter,
        context,
        pipeline=pipeline,
        words="Filming",
        end=0.9,
        width=size[0],
        height=size[1],
        num_frames=count,
        output_type="np",
        **wishes,
    )
    frames = [(np.clip(frame, 0, 1) * 255).round().astype(np.uint8) for frame in output.frames[0]]
    if not frames:
        raise ToolError("The model made no frames. Try again in other words.")
    context.progress(0.92, "Writing the video")
    quiet = Context(folder=context.folder)
    return video_files.write_video(
        video_files.Film(
            ((number / rate, frame) for number, frame in enumerate(frames)),
            len(frames) / rate,
            (video_files.even(frames[0].shape[1]), video_files.even(frames[0].shape[0])),
        ),
        quiet,
        video_files.Coding(quality=18),
    )


def _frame_size() -> tuple[int, int]:
    import torch

    if not torch.cuda.is_available():
        return _SMALL
    _, whole = torch.cuda.mem_get_info()
    return _LARGE if whole >= _LARGE_GPU_BYTES else _SMALL


def _frame_rate(pipeline: Any) -> int:
    """The frames a second that a model learned from: the one that makes videos of both words and
    pictures from faster ones."""
    return 24 if pipeline.config.get("expand_timesteps") else 16


def _step(pipeline: Any) -> int:
    """What the sides of a frame have to be multiples of."""
    patch = getattr(pipeline.transformer.config, "patch_size", 1)
    across = patch[-1] if isinstance(patch, list | tuple) else patch
    return int(getattr(pipeline, "vae_scale_factor_spatial", 16)) * int(across)
