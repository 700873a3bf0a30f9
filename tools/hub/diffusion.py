"""Diffusion models of whatever family: loading one, making a picture with it step by step.

Families differ in what they are asked with. Only what a pipeline takes is handed to it, so a choice
of another family loads and runs through the same code.
"""

from __future__ import annotations

import inspect
import random
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import PIL.Image

from controlllm.models import release_models
from controlllm.toolbox import Cancelled, Context, ToolError

from .device import Placement, loaded

#: What suits a family: by the beginning of its pipelines' names, the longest that fits.
_SETTINGS: Mapping[str, Mapping[str, Any]] = {
    "StableDiffusionXL": {"num_inference_steps": 25, "guidance_scale": 6.0},
    "StableDiffusionInstructPix2Pix": {
        "num_inference_steps": 20,
        "guidance_scale": 7.5,
        "image_guidance_scale": 1.5,
    },
    "StableDiffusion": {"num_inference_steps": 20, "guidance_scale": 7.5},
    "Flux2Klein": {"num_inference_steps": 4, "guidance_scale": 1.0},
    "Wan": {"num_inference_steps": 30, "guidance_scale": 5.0},
}
#: Families whose pictures are good after few steps with this scheduler, whichever they come with.
_QUICK_SCHEDULER = ("StableDiffusion",)
_USUAL_SIDE = 1024
#: How much more memory than for its weights a model needs while it works.
_WORKING_ROOM = 1.4
_SPARE_BYTES = 1_500_000_000


@dataclass(frozen=True, eq=False)
class Painter:
    """A loaded pipeline. It counts its own steps, so it makes one picture at a time."""

    pipeline: Any
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def side(self) -> int:
        """The side of the squares that the model learned from, in pixels."""
        unet = getattr(self.pipeline, "unet", None)
        if unet is None or not isinstance(unet.config.sample_size, int):
            return _USUAL_SIDE
        return int(unet.config.sample_size * self.pipeline.vae_scale_factor)


def opened(load: Callable[[Path, Placement], Any], folder: Path) -> Any:
    """What a loader makes of a folder; raises ToolError where the weights are not as they should
    be."""
    try:
        return loaded(load, folder)
    except (ToolError, Cancelled):
        raise
    except MemoryError as error:
        raise ToolError(_too_little_memory(folder)) from error
    # The libraries raise whatever the part that failed raises.
    except Exception as error:
        if _is_lack_of_memory(error):
            release_models()
            raise ToolError(_too_little_memory(folder)) from error
        why = (str(error).strip() or type(error).__name__).splitlines()[0][:200].rstrip(".")
        raise ToolError(
            f"The weights of {name_of(folder)} cannot be loaded ({why}). Fetch them again with "
            "`python -m controlllm models pull`."
        ) from error


def painter(folder: Path, context: Context) -> Painter:
    """The pipeline in a folder of weights, loaded; raises ToolError where it cannot be."""
    context.progress(0.0, "Loading the model")
    found = opened(load_pipeline, folder)
    context.progress(0.02, "Starting")
    return found


def load_pipeline(folder: Path, placement: Placement) -> Painter:
    """A loader for `loaded`: a pipeline of any family, on the GPU where there is one."""
    import diffusers
    import torch

    diffusers.utils.logging.set_verbosity_error()
    diffusers.utils.logging.disable_progress_bar()
    # A video's decoder in half precision gives flickering colours.
    precise = {"default": placement.dtype, "vae": torch.float32}
    pipeline = diffusers.DiffusionPipeline.from_pretrained(
        folder,
        dtype=precise if _is_for_videos(folder) else placement.dtype,
        variant=variant(folder),
        use_safetensors=True,
        local_files_only=True,
    )
    if type(pipeline).__name__.startswith(_QUICK_SCHEDULER):
        pipeline.scheduler = diffusers.DPMSolverMultistepScheduler.from_config(
            pipeline.scheduler.config, algorithm_type="dpmsolver++", final_sigmas_type="zero"
        )
    _place(pipeline, placement)
    pipeline.set_progress_bar_config(disable=True)
    return Painter(pipeline)


def variant(folder: Path) -> str | None:
    """The word that half precision files carry in their names, where there are such files."""
    return "fp16" if next(folder.rglob("*.fp16.safetensors"), None) is not None else None


def name_of(folder: Path) -> str:
    """The repository that a folder of weights came from."""
    return folder.name.replace("--", "/", 1)


def derived(painter: Painter, kind: str, **parts: Any) -> Any:
    """A pipeline for another task of the same loaded model, such as `AutoPipelineForImage2Image`.

    Raises ToolError where the model has no such task or the parts do not fit it.
    """
    import diffusers

    if not kind.startswith("AutoPipeline"):
        # This way of making one would turn all weights into single precision unless told.
        parts["dtype"] = painter.pipeline.dtype
    try:
        pipeline = getattr(diffusers, kind).from_pipe(painter.pipeline, **parts)
    except (ValueError, TypeError) as error:
        raise ToolError(
            f"The model {_model_of(painter)} cannot be used for this. Choose another size of "
            "weights in the settings."
        ) from error
    pipeline.set_progress_bar_config(disable=True)
    return pipeline


def paint(
    painter: Painter,
    context: Context,
    *,
    pipeline: Any = None,
    before: Callable[[], Mapping[str, Any]] | None = None,
    words: str = "",
    end: float = 0.97,
    **wishes: Any,
) -> Any:
    """Run a painter's pipeline, or another one derived from it, and return its output.

    `wishes` are arguments of the pipeline, and so is what `before` returns, which is called once it
    is this run's turn; what the pipeline does not take is left out. Progress is told, and the run
    can be stopped, after every step; `end` is the fraction told with the last one.
    """
    import torch

    pipeline = pipeline if pipeline is not None else painter.pipeline
    known = set(inspect.signature(pipeline.__call__).parameters)
    settings = {**_settings_of(pipeline), **wishes}
    # Torch's own chance begins alike in every process.
    settings["generator"] = torch.Generator().manual_seed(random.SystemRandom().getrandbits(48))
    asked = settings.get("num_inference_steps")

    def after_step(running: Any, step: int, _: Any, tensors: dict[str, Any]) -> dict[str, Any]:
        steps = getattr(running, "num_timesteps", None) or asked or step + 1
        told = f"{words}: step" if words else "Step"
        context.progress(0.02 + (end - 0.02) * (step + 1) / steps, f"{told} {step + 1} of {steps}")
        return tensors

    settings["callback_on_step_end"] = after_step
    with _turn(painter, context), torch.inference_mode():
        context.progress(0.02, "Reading the words")
        try:
            if before is not None:
                settings.update(before())
            output = pipeline(**{key: settings[key] for key in settings if key in known})
        except RuntimeError as error:
            if not _is_lack_of_memory(error):
                raise
            release_models()
            torch.cuda.empty_cache()
            raise ToolError(
                "The GPU's memory did not suffice. Close other programs that use it, or choose "
                "the small weights in the settings."
            ) from error
    if any(getattr(output, "nsfw_content_detected", None) or ()):
        raise ToolError(
            "The model held its picture back, since its own check took it for an indecent one. "
            "Try again, or say it in other words."
        )
    return output


def fitted(size: tuple[int, int], side: int) -> tuple[int, int]:
    """Width and height with the proportions of `size` and about the pixels of a square of `side`,
    in steps that models can draw in."""
    step = max(side // 16, 8)
    width, height = size
    scale = side / (width * height) ** 0.5
    return (
        max(round(width * scale / step), 1) * step,
        max(round(height * scale / step), 1) * step,
    )


def reshaped(drawn: PIL.Image.Image, size: tuple[int, int]) -> PIL.Image.Image:
    """A drawn picture with exactly the proportions of `size`, and no larger than that."""
    scale = min(1.0, max(drawn.size) / max(size))
    wanted = max(round(size[0] * scale), 1), max(round(size[1] * scale), 1)
    if wanted == drawn.size:
        return drawn
    return drawn.resize(wanted, PIL.Image.Resampling.LANCZOS)


def resized(picture: np.ndarray, size: tuple[int, int]) -> PIL.Image.Image:
    """A picture (uint8, height x width x 3) at another size."""
    return PIL.Image.fromarray(picture).resize(size, PIL.Image.Resampling.LANCZOS)


def checked_words(prompt: str) -> str:
    """A prompt without blanks around it; raises ToolError where there is none."""
    words = " ".join(prompt.split())
    if not words:
        raise ToolError("There are no words to go by. Say what the picture shall show.")
    return words


def _settings_of(pipeline: Any) -> Mapping[str, Any]:
    name = type(pipeline).__name__
    families = sorted(_SETTINGS, key=len, reverse=True)
    return next((_SETTINGS[family] for family in families if name.startswith(family)), {})


def _place(pipeline: Any, placement: Placement) -> None:
    """Put a pipeline on its device, or where the GPU is too small each part just while it works."""
    import torch

    if placement.device == "cuda":
        free, _ = torch.cuda.mem_get_info()
        if _size(pipeline) * _WORKING_ROOM + _SPARE_BYTES > free:
            pipeline.enable_model_cpu_offload()
            if hasattr(pipeline.vae, "enable_tiling"):
                pipeline.vae.enable_tiling()
            return
    pipeline.to(placement.device)


def _size(pipeline: Any) -> int:
    modules = [part for part in pipeline.components.values() if hasattr(part, "parameters")]
    return sum(
        parameter.numel() * parameter.element_size()
        for module in modules
        for parameter in module.parameters()
    )


def _is_for_videos(folder: Path) -> bool:
    index = folder / "model_index.json"
    return index.is_file() and '"Wan' in index.read_text("utf-8")


def _model_of(painter: Painter) -> str:
    return name_of(Path(str(painter.pipeline.config.get("_name_or_path", "that is here"))))


@contextmanager
def _turn(painter: Painter, context: Context) -> Iterator[None]:
    """Wait until the model is free; a run that waits can be stopped."""
    while not painter.lock.acquire(timeout=0.2):
        context.progress(0.02, "Waiting for another picture to be finished")
    try:
        yield
    finally:
        painter.lock.release()


def _is_lack_of_memory(error: BaseException) -> bool:
    return type(error).__name__ == "OutOfMemoryError" or "not enough memory" in str(error)


def _too_little_memory(folder: Path) -> str:
    return (
        f"There is too little memory to load {name_of(folder)}. Close other programs, or choose "
        "the small weights in the settings."
    )
