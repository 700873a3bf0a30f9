"""The picture between two of a video, drawn by RIFE (Huang et al. 2022, version 4.25).

Five blocks, from coarse to fine, find where each pixel of the middle comes from in both pictures,
and how much each of the two counts there. Only the network's numbers are downloaded; what is
reckoned with them stands here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from .device import Placement, loaded

_FILE = "flownet.pkl"
#: How many times smaller the picture is that each block sees.
_SCALES = (16, 8, 4, 2, 1)
#: Sides have to be a multiple of this, so that the coarsest block sees whole pixels.
_MULTIPLE = 128
_RESIDUALS = 8


def load_network(folder: Path, placement: Placement) -> dict[str, Any]:
    """A loader for `loaded`: the network's numbers by their names."""
    import torch

    # Numbers only: `weights_only` reads no other objects.
    numbers = torch.load(folder / _FILE, weights_only=True, map_location=placement.device)
    return {name.removeprefix("module."): values.float() for name, values in numbers.items()}


def between(
    folder: Path, first: np.ndarray, second: np.ndarray, shares: Iterable[float]
) -> Iterator[np.ndarray]:
    """The picture at each share, 0..1, of the way from the first to the second, all uint8 RGB."""
    import torch
    from torch.nn.functional import pad

    numbers = loaded(load_network, folder)
    device = next(iter(numbers.values())).device
    height, width = first.shape[:2]
    margins = (0, -width % _MULTIPLE, 0, -height % _MULTIPLE)
    with torch.inference_mode():
        pictures = [
            pad(torch.from_numpy(picture.copy()).to(device).permute(2, 0, 1)[None] / 255, margins)
            for picture in (first, second)
        ]
        features = [_features(numbers, picture) for picture in pictures]
        for share in shares:
            made = _merged(numbers, pictures, features, share)[0, :, :height, :width]
            yield (made.clamp(0, 1) * 255).round().byte().permute(1, 2, 0).cpu().numpy()


def _merged(numbers: dict[str, Any], pictures: list[Any], features: list[Any], share: float) -> Any:
    import torch

    first, second = pictures
    when = torch.full_like(first[:, :1], share)
    flow = mask = known = None
    for number, scale in enumerate(_SCALES):
        if flow is None:
            seen = torch.cat((first, second, *features, when), 1)
        else:
            moved = [_moved(picture, flow, side) for side, picture in enumerate(pictures)]
            marks = [_moved(feature, flow, side) for side, feature in enumerate(features)]
            seen = torch.cat((*moved, *marks, when, mask, known), 1)
        found = _block(numbers, f"block{number}", seen, flow, scale)
        flow = found[:, :4] * scale if flow is None else flow + found[:, :4] * scale
        mask, known = found[:, 4:5], found[:, 5:]
    weight = torch.sigmoid(mask)
    return _moved(first, flow, 0) * weight + _moved(second, flow, 1) * (1 - weight)


def _block(numbers: dict[str, Any], name: str, seen: Any, flow: Any, scale: int) -> Any:
    """What a block finds: a change of both flows, the mask, and what it tells the next one."""
    import torch
    from torch.nn.functional import conv2d, conv_transpose2d, leaky_relu, pixel_shuffle

    def convolved(values: Any, layer: str, stride: int = 1) -> Any:
        weight, bias = numbers[f"{name}.{layer}.weight"], numbers[f"{name}.{layer}.bias"]
        return conv2d(values, weight, bias, stride=stride, padding=1)

    values = _resized(seen, 1 / scale)
    if flow is not None:
        values = torch.cat((values, _resized(flow, 1 / scale) / scale), 1)
    for layer in ("conv0.0.0", "conv0.1.0"):
        values = leaky_relu(convolved(values, layer, stride=2), 0.2)
    for number in range(_RESIDUALS):
        layer = f"convblock.{number}"
        scaled = convolved(values, f"{layer}.conv") * numbers[f"{name}.{layer}.beta"]
        values = leaky_relu(scaled + values, 0.2)
    weight, bias = numbers[f"{name}.lastconv.0.weight"], numbers[f"{name}.lastconv.0.bias"]
    return _resized(pixel_shuffle(conv_transpose2d(values, weight, bias, 2, 1), 2), scale)


def _features(numbers: dict[str, Any], picture: Any) -> Any:
    """Four values for each pixel by which the blocks recognise it in the other picture."""
    from torch.nn.functional import conv2d, conv_transpose2d, leaky_relu

    values = picture
    for number, stride in enumerate((2, 1, 1)):
        weight, bias = (numbers[f"encode.cnn{number}.{part}"] for part in ("weight", "bias"))
        values = leaky_relu(conv2d(values, weight, bias, stride=stride, padding=1), 0.2)
    weight, bias = (numbers[f"encode.cnn3.{part}"] for part in ("weight", "bias"))
    return conv_transpose2d(values, weight, bias, 2, 1)


def _moved(picture: Any, flow: Any, side: int) -> Any:
    """A picture with every pixel taken from where its half of the flow leads."""
    import torch
    from torch.nn.functional import grid_sample

    height, width = picture.shape[2:]
    rows, columns = torch.meshgrid(
        torch.linspace(-1, 1, height, device=picture.device),
        torch.linspace(-1, 1, width, device=picture.device),
        indexing="ij",
    )
    across, down = flow[:, 2 * side], flow[:, 2 * side + 1]
    grid = torch.stack((columns + across * 2 / (width - 1), rows + down * 2 / (height - 1)), dim=-1)
    return grid_sample(picture, grid, padding_mode="border", align_corners=True)


def _resized(values: Any, scale: float) -> Any:
    from torch.nn.functional import interpolate

    return interpolate(values, scale_factor=scale, mode="bilinear", align_corners=False)
