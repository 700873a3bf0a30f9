"""The written networks read back, so that training can go on from what ships.

The files have 8-bit weights, a scale for each column. What is read back differs from what was
trained by half a step of them; the embeddings, which training leaves as they are, come from the
package that it starts from.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from pathlib import Path

import onnx
import torch
from onnx import numpy_helper
from torch import Tensor

from training.network import ReaderNetwork

#: How the exporter names a layer's product, and what is added to what is pointed at.
_PRODUCT = re.compile(r"/(.+?)(?:/Gemm)?(?:_|/)MatMul_quant$")
_POINTED = ("says", "file", "wish")
#: What training leaves as it is, and the encoder's own head for whole texts, which nothing runs.
_STAY = ("encoder.embeddings.", "encoder.pooler.")


def read_back(network: ReaderNetwork, folder: Path) -> None:
    """Give a network the weights whose files lie in a folder; its embeddings stay as they are.

    Raises ValueError with the names where some part of the network is not found in them.
    """
    decoder = onnx.load(str(folder / "wishes.onnx"))
    found = _weights(onnx.load(str(folder / "wish-encoder.onnx"))) | _weights(decoder)
    facts = {item.key: item.value for item in decoder.metadata_props}
    found["nothing"] = torch.tensor([float(part) for part in facts["nothing"].split()])
    for name in ("scale", "step_scale"):
        found[name] = torch.tensor(math.log(float(facts[name])))
    found["step_bias"] = torch.tensor(float(facts["step_bias"]))
    found["biases"] = _biases(decoder)
    state = network.state_dict()
    missing = [name for name in state if name not in found and not name.startswith(_STAY)]
    if missing:
        raise ValueError(f"these parts are not in the files of {folder}: {', '.join(missing)}")
    network.load_state_dict(
        {name: found.get(name, value).reshape(value.shape) for name, value in state.items()}
    )


def _weights(model: onnx.ModelProto) -> dict[str, Tensor]:
    """The weights of a written network by the names that they have in training."""
    kept: Mapping[str, Tensor] = {
        item.name: torch.from_numpy(numpy_helper.to_array(item).copy())
        for item in model.graph.initializer
    }
    found = {
        name.removeprefix("network."): value
        for name, value in kept.items()
        if name.startswith("network.") and value.is_floating_point()
    }
    for node in model.graph.node:
        if node.op_type != "MatMulInteger":
            continue
        place = _PRODUCT.match(node.name)
        name = node.input[1].removesuffix("_quantized")
        if place and name != node.input[1]:
            steps = kept[f"{name}_quantized"].float() - kept[f"{name}_zero_point"].float()
            layer = place.group(1).replace("/", ".")
            found[f"{layer}.weight"] = (steps * kept[f"{name}_scale"]).T.contiguous()
    return found


def _biases(decoder: onnx.ModelProto) -> Tensor:
    """What is added to the scores of what a wish points at, which the exporter keeps as numbers.

    They stand in the network in the order in which it points.
    """
    numbers = {
        item.name: float(numpy_helper.to_array(item))
        for item in decoder.graph.initializer
        if item.name.startswith("onnx::Add_") and not item.dims
    }
    added = [
        numbers[name] for node in decoder.graph.node if node.op_type == "Add"
        for name in node.input if name in numbers
    ]  # fmt: skip
    if len(added) != len(_POINTED):
        raise ValueError(f"{len(added)} numbers are added where {len(_POINTED)} were written")
    return torch.tensor(added)
