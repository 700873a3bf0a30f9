"""Store U²-Net-p with half-size weights and the one of its seven outputs that is used.

Used once to make ``assets/models/u2netp.onnx`` from ``rembg/u2netp.onnx`` of the package that
``docs/models/u2netp.md`` names; nothing here runs in the program. It needs ``onnx``::

    python scripts/convert_u2netp.py SOURCE.onnx assets/models/u2netp.onnx

Weights are widened when the model loads, so the arithmetic stays float32.
"""

from __future__ import annotations

import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper


def convert(source: str, target: str) -> None:
    """Write the model at `target`; masks differ from the source's by rounding alone."""
    model = onnx.load(source)
    first = model.graph.output[0].name
    model = onnx.utils.Extractor(model).extract_model([model.graph.input[0].name], [first])
    casts = []
    for tensor in model.graph.initializer:
        if tensor.data_type == TensorProto.FLOAT and np.prod(tensor.dims) >= 64:
            name = tensor.name
            half = numpy_helper.to_array(tensor).astype(np.float16)
            tensor.CopyFrom(numpy_helper.from_array(half, f"{name}/half"))
            casts.append(helper.make_node("Cast", [f"{name}/half"], [name], to=TensorProto.FLOAT))
    nodes = [*casts, *model.graph.node]
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    onnx.checker.check_model(model)
    onnx.save(model, target)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: python scripts/convert_u2netp.py SOURCE.onnx TARGET.onnx")
    convert(sys.argv[1], sys.argv[2])
