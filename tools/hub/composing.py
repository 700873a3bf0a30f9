"""Music from words, by a downloaded diffusion model (ACE-Step 1.5)."""

from __future__ import annotations

import random
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from controlllm.resources import Sound
from controlllm.toolbox import Context, ToolError

from .device import Placement, loaded

_STEPS = 8
#: Between these lengths the model was taught.
_SHORTEST, _LONGEST = 10.0, 240.0
_LYRICS = "[Instrumental]"


def load_composer(folder: Path, placement: Placement) -> Any:
    """The pipeline in a folder."""
    import diffusers

    diffusers.utils.logging.disable_progress_bar()
    with warnings.catch_warnings():
        # A part of the pipeline is built in a way that torch will not offer for ever.
        warnings.simplefilter("ignore", FutureWarning)
        pipeline = diffusers.AceStepPipeline.from_pretrained(
            folder, local_files_only=True, dtype=placement.dtype
        )
    pipeline.to(placement.device)
    pipeline.set_progress_bar_config(disable=True)
    return pipeline


def compose(
    folder: Path, words: str, seconds: float, wishes: Mapping[str, Any], context: Context
) -> Sound:
    """Instrumental music that the words describe.

    `wishes` may name ``bpm``, ``keyscale`` ("D minor") and ``timesignature`` ("3"). What is
    shorter than the model can make is the beginning of something longer, faded out.
    """
    import torch

    if not words.strip():
        raise ToolError("There is nothing that the music shall be like; tell me in some words.")
    if seconds > _LONGEST:
        raise ToolError(
            f"I can compose at most {_LONGEST / 60:.0f} minutes of music at once; ask for less."
        )
    context.progress(0.0, "loading the music model")
    pipeline = loaded(load_composer, folder)

    def stepped(pipeline: Any, step: int, time: float, values: Mapping[str, Any]) -> dict[str, Any]:
        context.progress(0.05 + 0.85 * (step + 1) / _STEPS, f"Step {step + 1} of {_STEPS}")
        return {}

    context.progress(0.05, "reading the words")
    with torch.inference_mode():
        made = pipeline(
            prompt=words,
            lyrics=_LYRICS,
            audio_duration=max(seconds, _SHORTEST),
            num_inference_steps=_STEPS,
            generator=torch.Generator("cpu").manual_seed(random.getrandbits(32)),
            callback_on_step_end=stepped,
            **wishes,
            # The turbo kind has learnt it; another is told how closely to follow the words.
            guidance_scale=1.0 if pipeline.is_turbo else 7.0,
        ).audios
    rate = int(pipeline.sample_rate)
    samples = np.asarray(made[0].float().cpu().numpy(), np.float32).T
    samples = _ended(np.nan_to_num(samples[: round(seconds * rate)]), rate)
    if not np.abs(samples).max(initial=0.0):
        raise ToolError("The music model made only silence; try again or in other words.")
    context.progress(1.0, "composed")
    return Sound(np.ascontiguousarray(samples.clip(-1, 1)), rate)


def _ended(samples: np.ndarray, rate: int) -> np.ndarray:
    length = min(round(1.5 * rate), len(samples) // 3)
    if length:
        samples = samples.copy()
        samples[-length:] *= np.linspace(1, 0, length, dtype=np.float32)[:, None]
    return samples
