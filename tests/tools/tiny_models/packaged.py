"""Tiny stand-ins for the weights that packages carry: the same files, layers and inputs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper

#: Samples that the stand-in for the voice makes for each sign.
SAMPLES_A_SIGN = 600


def _frames_between(folder: Path) -> None:
    """RIFE with every number zero: no pixel moves, and both pictures count the same."""
    folder.mkdir(parents=True)
    numbers: dict[str, torch.Tensor] = {}

    def layer(name: str, *shape: int, out: int | None = None) -> None:
        numbers[f"{name}.weight"] = torch.zeros(shape)
        numbers[f"{name}.bias"] = torch.zeros(out or shape[0])

    for number in range(3):
        layer(f"encode.cnn{number}", 4, 3 if number == 0 else 4, 3, 3)
    layer("encode.cnn3", 4, 4, 4, 4)
    for number in range(5):
        block, seen = f"block{number}", 15 if number == 0 else 28
        layer(f"{block}.conv0.0.0", 4, seen, 3, 3)
        layer(f"{block}.conv0.1.0", 8, 4, 3, 3)
        for part in range(8):
            layer(f"{block}.convblock.{part}.conv", 8, 8, 3, 3)
            numbers[f"{block}.convblock.{part}.beta"] = torch.zeros(1, 8, 1, 1)
        layer(f"{block}.lastconv.0", 8, 52, 4, 4, out=52)
    torch.save(numbers, folder / "flownet.pkl")


def _details(folder: Path) -> None:
    """An ncnn network of one layer that makes pixels four times as wide and high."""
    folder.mkdir(parents=True)
    layers = ["Input data 0 1 data", "Interp up 1 1 data output 0=1 1=4.000000 2=4.000000"]
    (folder / "x4plus.param").write_text("\n".join(["7767517", "2 2", *layers, ""]))
    (folder / "x4plus.bin").write_bytes(b"")


def _voice(folder: Path) -> None:
    """A network with Kokoro's inputs whose sound is as long as there are signs, a tone by style."""
    (folder / "onnx").mkdir(parents=True)
    (folder / "voices").mkdir()
    styles = np.full((510, 1, 256), 0.25, "<f4")
    (folder / "voices/am_michael.bin").write_bytes(styles.tobytes())
    tone = np.sin(np.arange(SAMPLES_A_SIGN, dtype=np.float32) / 8)
    graph = helper.make_graph(
        [
            helper.make_node("Cast", ["tokens"], ["signs"], to=TensorProto.FLOAT),
            helper.make_node("Reshape", ["signs", "column"], ["rows"]),
            helper.make_node("Mul", ["rows", "nothing"], ["silent"]),
            helper.make_node("Add", ["silent", "tone"], ["waves"]),
            helper.make_node("ReduceMean", ["style"], ["loudness"], keepdims=0),
            helper.make_node("Mul", ["waves", "loudness"], ["loud"]),
            helper.make_node("Div", ["loud", "speed"], ["paced"]),
            helper.make_node("Reshape", ["paced", "flat"], ["audio"]),
        ],
        "voice",
        [
            helper.make_tensor_value_info("tokens", TensorProto.INT64, [1, "length"]),
            helper.make_tensor_value_info("style", TensorProto.FLOAT, [1, 256]),
            helper.make_tensor_value_info("speed", TensorProto.FLOAT, [1]),
        ],
        [helper.make_tensor_value_info("audio", TensorProto.FLOAT, ["samples"])],
        [
            helper.make_tensor("column", TensorProto.INT64, [2], [-1, 1]),
            helper.make_tensor("flat", TensorProto.INT64, [1], [-1]),
            helper.make_tensor("nothing", TensorProto.FLOAT, [1], [0.0]),
            helper.make_tensor("tone", TensorProto.FLOAT, [1, SAMPLES_A_SIGN], tone),
        ],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    onnx.save(model, folder / "onnx/model_quantized.onnx")


def _subject(folder: Path) -> None:
    """A network with U²-Net's input that takes what is bright for the subject."""
    folder.mkdir(parents=True)
    graph = helper.make_graph(
        [
            helper.make_node("ReduceMean", ["input"], ["grey"], axes=[1], keepdims=1),
            helper.make_node("Sigmoid", ["grey"], ["subject"]),
        ],
        "subject",
        [helper.make_tensor_value_info("input", TensorProto.FLOAT, [1, 3, 320, 320])],
        [helper.make_tensor_value_info("subject", TensorProto.FLOAT, [1, 1, 320, 320])],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=9)
    onnx.save(model, folder / "u2net.onnx")


BUILDERS: dict[str, Callable[[Path], None]] = {
    "hzwer/Practical-RIFE": _frames_between,
    "onnx-community/Kokoro-82M-v1.0-ONNX": _voice,
    "xinntao/Real-ESRGAN": _details,
    "xuebinqin/U-2-Net": _subject,
}
