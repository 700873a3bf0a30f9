"""The trained networks as files that the program runs: ONNX with 8-bit weights."""

from __future__ import annotations

import tempfile
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn.functional import normalize

from controlllm.planning.wishes import ROLES
from controlllm.readers.wish_networks import WIDTH
from training.network import Decided, ReaderNetwork


class _Encoder(nn.Module):
    def __init__(self, network: ReaderNetwork) -> None:
        super().__init__()
        self.network = network

    def forward(self, input_ids: Tensor, attention_mask: Tensor) -> tuple[Tensor, Tensor]:
        hidden = self.network.hidden(input_ids, attention_mask)
        return hidden, self.network.tool_of(hidden, attention_mask)


class _Decoder(nn.Module):
    def __init__(self, network: ReaderNetwork) -> None:
        super().__init__()
        self.network = network

    def forward(
        self,
        hidden: Tensor,
        slots: Tensor,
        says_before: Tensor,
        tools_before: Tensor,
        files_before: Tensor,
        wishes_before: Tensor,
    ) -> tuple[Tensor, ...]:
        decided = Decided(says_before, tools_before, files_before, wishes_before)
        mask = torch.ones_like(hidden[..., 0])
        scores = self.network.decode(hidden, mask, slots, decided)
        return (
            scores.more, scores.says, scores.files, scores.wishes, scores.roles, scores.ends,
            scores.steps,
        )  # fmt: skip


def export(network: ReaderNetwork, folder: Path) -> tuple[Path, Path]:
    """Write ``wish-encoder.onnx`` and ``wishes.onnx`` (the decoder) into a folder.

    What the program needs beside the decoder's network stands in its metadata.
    """
    import onnx

    network = network.float().eval()
    encoder, decoder = folder / "wish-encoder.onnx", folder / "wishes.onnx"
    ids = torch.ones(1, 9, dtype=torch.long)
    write_quantised(
        _Encoder(network),
        {"input_ids": ids, "attention_mask": ids},
        {"hidden": {1: "tokens"}, "tool": {}},
        {"input_ids": {1: "tokens"}, "attention_mask": {1: "tokens"}},
        encoder,
    )
    tokens, wishes, files = 9, 3, 2
    write_quantised(
        _Decoder(network),
        {
            "hidden": torch.randn(1, tokens, WIDTH),
            "slots": torch.rand(1, files, tokens),
            "says_before": torch.rand(1, wishes, tokens),
            "tools_before": torch.randn(1, wishes, WIDTH),
            "files_before": torch.rand(1, wishes, files),
            "wishes_before": torch.rand(1, wishes, wishes),
        },
        {
            "more": {1: "wishes"},
            "says": {1: "wishes", 2: "tokens"},
            "files": {1: "wishes", 2: "files"},
            "wishes": {1: "wishes", 2: "wishes"},
            "roles": {1: "wishes", 3: "tokens"},
            "ends": {1: "wishes"},
            "steps": {1: "wishes"},
        },
        {
            "hidden": {1: "tokens"},
            "slots": {1: "files", 2: "tokens"},
            "says_before": {1: "wishes", 2: "tokens"},
            "tools_before": {1: "wishes"},
            "files_before": {1: "wishes", 2: "files"},
            "wishes_before": {1: "wishes", 2: "wishes"},
        },
        decoder,
    )
    nothing = normalize(network.nothing.detach(), dim=-1)
    written = onnx.load(str(decoder))
    onnx.helper.set_model_props(
        written,
        {
            "nothing": " ".join(f"{part:.6f}" for part in nothing.tolist()),
            "scale": f"{network.scale.exp().item():.6f}",
            "step_scale": f"{network.step_scale.exp().item():.6f}",
            "step_bias": f"{network.step_bias.item():.6f}",
            "roles": " ".join(ROLES),
        },
    )
    onnx.save(written, str(decoder))
    return encoder, decoder


def write_quantised(
    module: nn.Module,
    given: dict[str, Tensor],
    returned: dict[str, dict[int, str]],
    taken: dict[str, dict[int, str]],
    path: Path,
) -> None:
    """Write a module as ONNX with 8-bit weights.

    `given` are examples of its inputs by name; `returned` and `taken` name the axes of its outputs
    and inputs that vary.
    """
    from onnxruntime.quantization import QuantType, quantize_dynamic
    from onnxruntime.quantization.shape_inference import quant_pre_process

    with tempfile.TemporaryDirectory() as scratch:
        full, prepared = Path(scratch, "full.onnx"), Path(scratch, "prepared.onnx")
        torch.onnx.export(
            module.eval(),
            tuple(given.values()),
            str(full),
            input_names=list(given),
            output_names=list(returned),
            dynamic_axes={**taken, **{name: axes for name, axes in returned.items() if axes}},
            opset_version=17,
            dynamo=False,
        )
        quant_pre_process(str(full), str(prepared), skip_symbolic_shape=True)
        quantize_dynamic(
            str(prepared),
            str(path),
            weight_type=QuantType.QInt8,
            per_channel=True,
            reduce_range=True,
        )
