"""Enlarged pictures, piece by piece, by a network that draws detail: Swin2SR or Real-ESRGAN."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import PIL.Image

from controlllm.models import resident
from controlllm.toolbox import Context, ToolError

from ..shared.pixels import MOST_ENLARGED, check_enlarging, in_size, rgb
from . import diffusion
from .device import pretrained

_PIECE = 192
#: What pieces share at their borders, where a network sees too little.
_SHARED = 16


@dataclass(frozen=True)
class Enlarger:
    """A network: what it makes of a piece (uint8, height x width x 3), and how much larger."""

    draw: Callable[[np.ndarray], np.ndarray]
    factor: int


#: Half precision would show as bands in smooth skies, and the network is small.
load_enlarger = pretrained("AutoModelForImageToImage", precise=True)


def swin2sr(folder: Path) -> Enlarger:
    """Swin2SR, which keeps to what is there (Conde et al. 2022)."""
    (network,) = diffusion.opened(load_enlarger, folder)
    factor = int(network.config.upscale)
    return Enlarger(lambda piece: _drawn_by_swin2sr(network, piece, factor), factor)


def real_esrgan(folder: Path) -> Enlarger:
    """Real-ESRGAN x4plus, which takes away noise and blocks as well (Wang et al. 2021)."""
    network = _real_esrgan(folder)
    return Enlarger(lambda piece: _drawn_by_real_esrgan(network, piece), 4)


@resident
def _real_esrgan(folder: Path) -> Any:
    import ncnn

    network = ncnn.Net()
    network.opt.num_threads = int(os.environ.get("OMP_NUM_THREADS", "0")) or os.cpu_count() or 1
    if network.load_param(str(folder / "x4plus.param")) or network.load_model(
        str(folder / "x4plus.bin")
    ):
        raise ToolError("The weights of Real-ESRGAN cannot be read. Remove them and get them anew.")
    return network


def enlarge(
    open_enlarger: Callable[[Path], Enlarger],
    folder: Path,
    image: PIL.Image.Image,
    context: Context,
) -> PIL.Image.Image:
    """A picture at the factor of the network, at most in the size that is allowed here.

    Raises ToolError where it is large already.
    """
    width, height = image.size
    check_enlarging(image.size)
    context.progress(0.0, "Loading the model")
    enlarger = open_enlarger(folder)
    factor = max(times for times in (2, 3, 4) if times**2 * width * height <= MOST_ENLARGED)
    factor = min(factor, enlarger.factor)
    picture = rgb(image)
    result = np.zeros((height * factor, width * factor, 3), np.uint8)
    pieces = list(_pieces(width, height))
    for number, (outer, inner) in enumerate(pieces):
        context.progress(number / len(pieces), f"Enlarging part {number + 1} of {len(pieces)}")
        large = enlarger.draw(picture[outer[1] : outer[3], outer[0] : outer[2]])
        if factor != enlarger.factor:
            size = (outer[2] - outer[0]) * factor, (outer[3] - outer[1]) * factor
            large = np.asarray(diffusion.resized(large, size))
        left, top = (inner[0] - outer[0]) * factor, (inner[1] - outer[1]) * factor
        wide, tall = (inner[2] - inner[0]) * factor, (inner[3] - inner[1]) * factor
        result[inner[1] * factor : inner[3] * factor, inner[0] * factor : inner[2] * factor] = (
            large[top : top + tall, left : left + wide]
        )
    shown = PIL.Image.fromarray(result)
    if image.mode == "RGBA":
        shown.putalpha(image.getchannel("A").resize(shown.size, PIL.Image.Resampling.BICUBIC))
    return shown.convert("L") if image.mode == "L" else shown


def by_swin2sr(
    folder: Path, image: PIL.Image.Image, size: str, context: Context
) -> PIL.Image.Image:
    """A picture enlarged by Swin2SR, in the size that was said."""
    return in_size(enlarge(swin2sr, folder, image, context), size, image.size)


def by_real_esrgan(
    folder: Path, image: PIL.Image.Image, size: str, context: Context
) -> PIL.Image.Image:
    """A picture enlarged by Real-ESRGAN, in the size that was said."""
    return in_size(enlarge(real_esrgan, folder, image, context), size, image.size)


_Area = tuple[int, int, int, int]


def _pieces(width: int, height: int) -> Iterator[tuple[_Area, _Area]]:
    """Pieces of a picture: what the network sees, and what is taken of its result."""
    for top in range(0, height, _PIECE):
        for left in range(0, width, _PIECE):
            right, bottom = min(left + _PIECE, width), min(top + _PIECE, height)
            outer = (
                max(left - _SHARED, 0),
                max(top - _SHARED, 0),
                min(right + _SHARED, width),
                min(bottom + _SHARED, height),
            )
            yield outer, (left, top, right, bottom)


def _drawn_by_swin2sr(network: Any, piece: np.ndarray, factor: int) -> np.ndarray:
    """A piece (uint8, height x width x 3) enlarged; the network itself pads what is too small."""
    import torch

    height, width = piece.shape[:2]
    window = 8
    below, beside = -height % window, -width % window
    padded = np.pad(piece, ((0, below), (0, beside), (0, 0)), mode="symmetric")
    values = torch.from_numpy(padded).permute(2, 0, 1)[None].to(network.device).float() / 255
    with torch.inference_mode():
        drawn = network(pixel_values=values).reconstruction
    pixels = (drawn[0].float().clamp(0, 1) * 255).round().byte().permute(1, 2, 0).cpu().numpy()
    return pixels[: height * factor, : width * factor]


def _drawn_by_real_esrgan(network: Any, piece: np.ndarray) -> np.ndarray:
    """A piece (uint8, height x width x 3) four times as large."""
    import ncnn

    values = np.ascontiguousarray(piece.transpose(2, 0, 1).astype(np.float32) / 255)
    extractor = network.create_extractor()
    # The library reads an array's memory without keeping it alive; a clone is its own.
    extractor.input("data", ncnn.Mat(values).clone())
    _, drawn = extractor.extract("output")
    pixels = np.array(drawn).clip(0, 1) * 255
    return pixels.round().astype(np.uint8).transpose(1, 2, 0)
