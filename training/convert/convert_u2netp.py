"""Store U²-Net-p with half-size weights and the one of its seven outputs that is used.

Used once to make ``assets/models/u2netp.onnx`` from ``rembg/u2netp.onnx`` of the package that
``docs/models/u2netp.md`` names; nothing here runs in the program. It needs ``onnx``::

    python -m training.convert.convert_u2netp SOURCE.onnx assets/models/u2netp.onnx

Weights are widened when the model loads, so the arithmetic stays float32.
"""

from __future__ import annotations

import sys

import onnx

from training.convert.half_weights import halve_weights


def convert(source: str, target: str) -> None:
    """Write the model at `target`; masks differ from the source's by rounding alone."""
    model = onnx.load(source)
    first = model.graph.output[0].name
    model = onnx.utils.Extractor(model).extract_model([model.graph.input[0].name], [first])
    halve_weights(model)
    onnx.checker.check_model(model)
    onnx.save(model, target)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: python -m training.convert.convert_u2netp SOURCE.onnx TARGET.onnx")
    convert(sys.argv[1], sys.argv[2])
