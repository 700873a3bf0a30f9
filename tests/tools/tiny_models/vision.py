"""Tiny models with random weights, of the same classes as those that look at pictures and videos.

They prove that loading, feeding and reading work; what they see means nothing. Some have a bias set
so that they see anything at all.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from tests.tools.tiny_models.parts import (
    SHALLOW,
    THIN,
    clip_tokenizer,
    clip_words,
    numbered,
    save,
    square,
    transformers,
    word_pieces,
)

_COCO = 80
_LETTERS = "".join(chr(code) for code in range(33, 127))
_THINGS = {number: f"thing {number}, other name" for number in range(12)}
_WIDER = {**THIN, "hidden_size": 32, "intermediate_size": 32}
_DETECTING = {
    "d_model": 32,
    "encoder_ffn_dim": 32,
    "encoder_attention_heads": 2,
    "decoder_layers": 2,
    "decoder_ffn_dim": 32,
    "decoder_attention_heads": 2,
}
_STAGES = ["stage2", "stage3", "stage4"]


def _detector(folder: Path, family: str, backbone: Any, **more: Any) -> None:
    """A detector that calls everything a person."""
    import torch

    from tools.seeing.embedded.things import COCO_CLASSES

    names = {**dict(enumerate(COCO_CLASSES)), 0: "person", 3: "motorbike", 57: "sofa"}
    config = getattr(transformers, f"{family}Config")(
        backbone_config=backbone,
        encoder_hidden_dim=32,
        num_queries=10,
        decoder_in_channels=[32, 32, 32],
        num_denoising=0,
        id2label=names,
        anchor_image_size=None,
        **_DETECTING,
        **more,
    )
    model = getattr(transformers, f"{family}ForObjectDetection")(config)
    with torch.no_grad():
        for name, values in model.named_parameters():
            if "bbox" not in name and name.endswith("bias") and values.shape == (_COCO,):
                values.fill_(-8)
                values[0] = 4
    save(folder, model, transformers.RTDetrImageProcessorPil(size=square(64)))


def _rt_detr_v2(folder: Path) -> None:
    backbone = transformers.RTDetrResNetConfig(
        embedding_size=8,
        hidden_sizes=[8, 8, 16, 16],
        depths=[1, 1, 1, 1],
        layer_type="basic",
        out_features=_STAGES,
    )
    _detector(folder, "RTDetrV2", backbone, encoder_in_channels=[8, 16, 16])


def _d_fine(folder: Path) -> None:
    backbone = transformers.HGNetV2Config(
        embedding_size=8,
        stage_in_channels=[8, 8, 16, 16],
        stage_mid_channels=[8, 8, 8, 8],
        stage_out_channels=[8, 16, 16, 16],
        stage_num_blocks=[1, 1, 1, 1],
        stage_downsample=[False, True, True, True],
        stage_light_block=[False, False, True, True],
        stage_kernel_size=[3, 3, 3, 3],
        stage_numb_of_layers=[1, 1, 1, 1],
        stem_channels=[3, 8, 8],
        hidden_sizes=[8, 16, 16, 16],
        depths=[1, 1, 1, 1],
        out_features=_STAGES,
    )
    _detector(folder, "DFine", backbone, encoder_in_channels=[16, 16, 16], hidden_expansion=0.5)


def _grounding_dino(folder: Path) -> None:
    tokenizer = word_pieces(_LETTERS)
    config = transformers.GroundingDinoConfig(
        backbone_config=transformers.SwinConfig(
            embed_dim=8,
            depths=[1, 1, 1, 1],
            num_heads=[1, 1, 2, 2],
            window_size=4,
            image_size=64,
            out_features=_STAGES,
        ),
        text_config=transformers.BertConfig(vocab_size=len(tokenizer), **THIN),
        num_queries=5,
        encoder_layers=2,
        **_DETECTING,
    )
    size = {"shortest_edge": 128, "longest_edge": 160}
    pictures = transformers.GroundingDinoImageProcessorPil(size=size)
    save(folder, transformers.GroundingDinoForObjectDetection(config), pictures, tokenizer)


def _vit(folder: Path) -> None:
    config = transformers.ViTConfig(image_size=32, patch_size=16, id2label=_THINGS, **THIN)
    pictures = transformers.ViTImageProcessorPil(size=square(32))
    save(folder, transformers.ViTForImageClassification(config), pictures)


def _dinov2(folder: Path) -> None:
    config = transformers.Dinov2Config(image_size=28, patch_size=14, id2label=_THINGS, **SHALLOW)
    pictures = transformers.BitImageProcessorPil(size={"shortest_edge": 28}, crop_size=square(28))
    save(folder, transformers.Dinov2ForImageClassification(config), pictures)


def _sam2(folder: Path) -> None:
    """As on the hub: a model for videos, whose part for pictures is what is used."""
    config = transformers.Sam2VideoConfig(
        vision_config={
            "model_type": "sam2_vision_model",
            "backbone_config": {
                "model_type": "sam2_hiera_det_model",
                "hidden_size": 8,
                "image_size": [128, 128],
                "blocks_per_stage": [1, 1, 2, 1],
                "embed_dim_per_stage": [8, 16, 32, 64],
                "num_attention_heads_per_stage": [1, 1, 1, 1],
                "window_size_per_stage": [8, 8, 8, 8],
                "global_attention_blocks": [3],
            },
            "backbone_channel_list": [64, 32, 16, 8],
            "backbone_feature_sizes": [[32, 32], [16, 16], [8, 8]],
            "fpn_hidden_size": 32,
        },
        prompt_encoder_config={"hidden_size": 32, "image_size": 128, "patch_size": 16},
        mask_decoder_config={
            "hidden_size": 32,
            "mlp_dim": 32,
            "num_attention_heads": 2,
            "iou_head_hidden_dim": 32,
        },
        image_size=128,
        memory_attention_hidden_size=32,
        memory_attention_num_layers=1,
        memory_attention_num_attention_heads=1,
        memory_attention_feed_forward_hidden_size=32,
        memory_attention_rope_feat_sizes=[8, 8],
        memory_encoder_hidden_size=32,
        memory_encoder_output_channels=16,
        mask_downsampler_embed_dim=32,
        memory_fuser_embed_dim=32,
        memory_fuser_intermediate_dim=32,
    )
    save(folder, transformers.Sam2VideoModel(config))


def _depth_anything(folder: Path) -> None:
    backbone = transformers.Dinov2Config(
        **{**SHALLOW, "num_hidden_layers": 4},
        image_size=28,
        patch_size=14,
        out_features=["stage1", *_STAGES],
        reshape_hidden_states=False,
        apply_layernorm=True,
    )
    config = transformers.DepthAnythingConfig(
        backbone_config=backbone,
        reassemble_hidden_size=16,
        neck_hidden_sizes=[8, 8, 8, 8],
        fusion_hidden_size=8,
        head_hidden_size=8,
    )
    pictures = transformers.DPTImageProcessorPil(
        size=square(56), ensure_multiple_of=14, keep_aspect_ratio=True
    )
    save(folder, transformers.DepthAnythingForDepthEstimation(config), pictures)


def _vitpose(folder: Path, experts: int = 1) -> None:
    import torch

    backbone = transformers.VitPoseBackboneConfig(
        image_size=[64, 48], num_experts=experts, part_features=4, out_indices=[1], **SHALLOW
    )
    joints = {number: str(number) for number in range(17)}
    model = transformers.VitPoseForPoseEstimation(
        transformers.VitPoseConfig(backbone_config=backbone, id2label=joints)
    )
    with torch.no_grad():
        model.head.conv.bias.fill_(0.6)  # so that it is sure of its joints
    pictures = transformers.VitPoseImageProcessorPil(size={"height": 64, "width": 48})
    save(folder, model, pictures)


_vitpose_plus = functools.partial(_vitpose, experts=6)


def _xclip(folder: Path) -> None:
    tokenizer = clip_tokenizer(_LETTERS)
    config = transformers.XCLIPConfig(
        text_config={**clip_words(tokenizer), **THIN},
        vision_config={
            **THIN,
            **{f"mit_{name}": value for name, value in THIN.items()},
            "image_size": 32,
            "patch_size": 16,
            "num_frames": 4,
        },
        projection_dim=16,
        prompt_layers=1,
        prompt_num_attention_heads=2,
    )
    pictures = transformers.VideoMAEImageProcessorPil(
        size={"shortest_edge": 32}, crop_size=square(32)
    )
    save(folder, transformers.XCLIPModel(config), tokenizer, pictures)


_QWEN_WORDS = (
    *("<|endoftext|>", "<|im_start|>", "<|im_end|>", "<|vision_start|>", "<|vision_end|>"),
    *("<|vision_pad|>", "<|image_pad|>", "<|video_pad|>"),
)
_QWEN_TEMPLATE = (
    "{% for message in messages %}<|im_start|>{{ message['role'] }}\n"
    "{% for part in message['content'] %}{% if part['type'] == 'image' %}"
    "<|vision_start|><|image_pad|><|vision_end|>{% else %}{{ part['text'] }}{% endif %}"
    "{% endfor %}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


def _qwen3_vl(folder: Path) -> None:
    numbers = numbered([*_LETTERS, "Ġ", "Ċ", *_QWEN_WORDS])
    tokenizer = transformers.Qwen2Tokenizer(vocab=numbers, merges=[])
    tokenizer.add_special_tokens({"additional_special_tokens": list(_QWEN_WORDS)})
    tokenizer.chat_template = _QWEN_TEMPLATE
    rope = {"rope_type": "default", "rope_theta": 10_000.0}
    config = transformers.Qwen3VLConfig(
        text_config={
            **_WIDER,
            "vocab_size": len(tokenizer),
            "num_hidden_layers": 2,
            "num_key_value_heads": 1,
            "head_dim": 16,
            "rope_parameters": {**rope, "mrope_section": [4, 2, 2], "mrope_interleaved": True},
        },
        vision_config={
            "depth": 2,
            "hidden_size": 32,
            "intermediate_size": 32,
            "num_heads": 2,
            "out_hidden_size": 32,
            "num_position_embeddings": 16,
            "deepstack_visual_indexes": [0],
        },
        image_token_id=numbers["<|image_pad|>"],
        video_token_id=numbers["<|video_pad|>"],
        vision_start_token_id=numbers["<|vision_start|>"],
        vision_end_token_id=numbers["<|vision_end|>"],
    )
    pictures = transformers.Qwen2VLImageProcessorPil(
        patch_size=16, merge_size=2, size={"shortest_edge": 1024, "longest_edge": 4096}
    )
    save(folder, transformers.Qwen3VLForConditionalGeneration(config), tokenizer, pictures)


_IDEFICS_TEMPLATE = (
    "<|im_start|>{% for message in messages %}{{ message['role'] | capitalize }}:"
    "{% for part in message['content'] %}{% if part['type'] == 'image' %}<image>"
    "{% else %}{{ part['text'] }}{% endif %}{% endfor %}<end_of_utterance>\n{% endfor %}"
    "{% if add_generation_prompt %}Assistant:{% endif %}"
)


def _idefics3(folder: Path) -> None:
    tiles = [f"<row_{row + 1}_col_{column + 1}>" for row in range(6) for column in range(6)]
    words = ["<|endoftext|>", "<|im_start|>", "<fake_token_around_image>", "<image>"]
    words += ["<end_of_utterance>", "<global-img>", *tiles]
    tokenizer = transformers.GPT2Tokenizer(
        vocab=numbered([*_LETTERS, "Ġ", "Ċ", *words]), merges=[], pad_token="<|im_start|>"
    )
    tokenizer.add_special_tokens({"additional_special_tokens": words[1:]})
    config = transformers.Idefics3Config(
        vision_config={
            **_WIDER,
            "model_type": "idefics3_vision",
            "image_size": 64,
            "patch_size": 16,
        },
        text_config={
            **_WIDER,
            "model_type": "llama",
            "vocab_size": len(tokenizer),
            "num_key_value_heads": 2,
            "pad_token_id": tokenizer.pad_token_id,
        },
        scale_factor=2,
        image_token_id=tokenizer.convert_tokens_to_ids("<image>"),
        pad_token_id=tokenizer.pad_token_id,
    )
    pictures = transformers.Idefics3ImageProcessorPil(
        size={"longest_edge": 128}, max_image_size={"longest_edge": 64}
    )
    processor = transformers.Idefics3Processor(
        pictures, tokenizer, image_seq_len=4, chat_template=_IDEFICS_TEMPLATE
    )
    save(folder, transformers.Idefics3ForConditionalGeneration(config), processor)


#: How each repository's stand-in is built, into an empty folder.
BUILDERS: Mapping[str, Callable[[Path], None]] = {
    "HuggingFaceTB/SmolVLM-500M-Instruct": _idefics3,
    "Qwen/Qwen3-VL-2B-Instruct": _qwen3_vl,
    "Qwen/Qwen3-VL-8B-Instruct": _qwen3_vl,
    "PekingU/rtdetr_v2_r18vd": _rt_detr_v2,
    "PekingU/rtdetr_v2_r50vd": _rt_detr_v2,
    "ustc-community/dfine-xlarge-obj2coco": _d_fine,
    "IDEA-Research/grounding-dino-tiny": _grounding_dino,
    "IDEA-Research/grounding-dino-base": _grounding_dino,
    "google/vit-base-patch16-224": _vit,
    "facebook/dinov2-giant-imagenet1k-1-layer": _dinov2,
    "facebook/sam2.1-hiera-tiny": _sam2,
    "facebook/sam2.1-hiera-small": _sam2,
    "facebook/sam2.1-hiera-large": _sam2,
    "depth-anything/Depth-Anything-V2-Small-hf": _depth_anything,
    "LiheYoung/depth-anything-large-hf": _depth_anything,
    "usyd-community/vitpose-plus-small": _vitpose_plus,
    "usyd-community/vitpose-base-simple": _vitpose,
    "usyd-community/vitpose-plus-huge": _vitpose_plus,
    "microsoft/xclip-base-patch32": _xclip,
}
