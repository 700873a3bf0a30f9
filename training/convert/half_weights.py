"""Weights of half the size in an ONNX model; shared by what converts models, needs ``onnx``."""

from __future__ import annotations

from typing import Any

import numpy as np

#: Tensors with fewer numbers stay as they are.
_LEAST = 64


def halve_weights(model: Any) -> None:
    """Store every large float32 weight as float16 with a cast in front of its use, so that the
    arithmetic stays float32."""
    from onnx import TensorProto, helper, numpy_helper

    casts = []
    for tensor in model.graph.initializer:
        if tensor.data_type == TensorProto.FLOAT and np.prod(tensor.dims) >= _LEAST:
            name = tensor.name
            half = numpy_helper.to_array(tensor).astype(np.float16)
            tensor.CopyFrom(numpy_helper.from_array(half, f"{name}/half"))
            casts.append(helper.make_node("Cast", [f"{name}/half"], [name], to=TensorProto.FLOAT))
    nodes = [*casts, *model.graph.node]
    del model.graph.node[:]
    model.graph.node.extend(nodes)
