"""Tiny models with random weights, of the same classes as those that look at pictures and videos.

They prove that loading, feeding and reading work; what they see means nothing. Some have a bias set
so that they see anything at all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

_COCO = 80
_LETTERS = [chr(code) for code in range(33, 127)]


def _detector_parts(folder: Path) -> None:
    from transformers import RTDetrImageProcessorPil

    RTDetrImageProcessorPil(size={"height": 64, "width": 64}).save_pretrained(folder)


def _coco_names() -> dict[int, str]:
    from tools.seeing.embedded.things import COCO_CLASSES

    names = dict(enumerate(COCO_CLASSES))
    names.update({0: "person", 3: "motorbike", 57: "sofa"})
    return names


def _sees_people(model: Any) -> None:
    """Let a detector call everything a person."""
    import torch

    with torch.no_grad():
        for name, values in model.named_parameters():
            if "bbox" not in name and name.endswith("bias") and values.shape == (_COCO,):
                values.fill_(-8)
                values[0] = 4


def _rt_detr_v2(folder: Path) -> None:
    import torch
    from transformers import RTDetrResNetConfig, RTDetrV2Config, RTDetrV2ForObjectDetection

    torch.manual_seed(1)
    backbone = RTDetrResNetConfig(
        embedding_size=8,
        hidden_sizes=[8, 8, 16, 16],
        depths=[1, 1, 1, 1],
        layer_type="basic",
        out_features=["stage2", "stage3", "stage4"],
    )
    config = RTDetrV2Config(
        backbone_config=backbone,
        encoder_hidden_dim=32,
        encoder_in_channels=[8, 16, 16],
        encoder_ffn_dim=32,
        encoder_attention_heads=2,
        d_model=32,
        num_queries=10,
        decoder_in_channels=[32, 32, 32],
        decoder_ffn_dim=32,
        decoder_layers=2,
        decoder_attention_heads=2,
        num_denoising=0,
        id2label=_coco_names(),
        anchor_image_size=None,
    )
    model = RTDetrV2ForObjectDetection(config)
    _sees_people(model)
    model.save_pretrained(folder)
    _detector_parts(folder)


def _d_fine(folder: Path) -> None:
    import torch
    from transformers import DFineConfig, DFineForObjectDetection, HGNetV2Config

    torch.manual_seed(1)
    backbone = HGNetV2Config(
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
        out_features=["stage2", "stage3", "stage4"],
    )
    config = DFineConfig(
        backbone_config=backbone,
        encoder_hidden_dim=32,
        encoder_in_channels=[16, 16, 16],
        encoder_ffn_dim=32,
        encoder_attention_heads=2,
        hidden_expansion=0.5,
        d_model=32,
        num_queries=10,
        decoder_in_channels=[32, 32, 32],
        decoder_ffn_dim=32,
        decoder_layers=2,
        decoder_attention_heads=2,
        num_denoising=0,
        id2label=_coco_names(),
        anchor_image_size=None,
    )
    model = DFineForObjectDetection(config)
    _sees_people(model)
    model.save_pretrained(folder)
    _detector_parts(folder)


def _grounding_dino(folder: Path) -> None:
    import torch
    from transformers import (
        BertConfig,
        BertTokenizer,
        GroundingDinoConfig,
        GroundingDinoForObjectDetection,
        GroundingDinoImageProcessorPil,
        SwinConfig,
    )

    torch.manual_seed(1)
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *_LETTERS]
    pieces += [f"##{letter}" for letter in _LETTERS]
    tokenizer = BertTokenizer(vocab={piece: number for number, piece in enumerate(pieces)})
    config = GroundingDinoConfig(
        backbone_config=SwinConfig(
            embed_dim=8,
            depths=[1, 1, 1, 1],
            num_heads=[1, 1, 2, 2],
            window_size=4,
            image_size=64,
            out_features=["stage2", "stage3", "stage4"],
        ),
        text_config=BertConfig(
            vocab_size=len(pieces),
            hidden_size=16,
            num_hidden_layers=1,
            num_attention_heads=2,
            intermediate_size=16,
        ),
        d_model=32,
        num_queries=5,
        encoder_layers=2,
        encoder_ffn_dim=32,
        encoder_attention_heads=2,
        decoder_layers=2,
        decoder_ffn_dim=32,
        decoder_attention_heads=2,
    )
    GroundingDinoForObjectDetection(config).save_pretrained(folder)
    size = {"shortest_edge": 128, "longest_edge": 160}
    GroundingDinoImageProcessorPil(size=size).save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def _vit(folder: Path) -> None:
    import torch
    from transformers import ViTConfig, ViTForImageClassification, ViTImageProcessorPil

    torch.manual_seed(1)
    config = ViTConfig(
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
        image_size=32,
        patch_size=16,
        id2label={number: f"thing {number}, other name" for number in range(12)},
    )
    ViTForImageClassification(config).save_pretrained(folder)
    ViTImageProcessorPil(size={"height": 32, "width": 32}).save_pretrained(folder)


def _dinov2(folder: Path) -> None:
    import torch
    from transformers import BitImageProcessorPil, Dinov2Config, Dinov2ForImageClassification

    torch.manual_seed(1)
    config = Dinov2Config(
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        image_size=28,
        patch_size=14,
        id2label={number: f"thing {number}, other name" for number in range(12)},
    )
    Dinov2ForImageClassification(config).save_pretrained(folder)
    BitImageProcessorPil(
        size={"shortest_edge": 28}, crop_size={"height": 28, "width": 28}
    ).save_pretrained(folder)


def _sam2(folder: Path) -> None:
    """As on the hub: a model for videos, whose part for pictures is what is used."""
    import torch
    from transformers import Sam2VideoConfig, Sam2VideoModel

    torch.manual_seed(1)
    config = Sam2VideoConfig(
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
    Sam2VideoModel(config).save_pretrained(folder)


def _depth_anything(folder: Path) -> None:
    import torch
    from transformers import (
        DepthAnythingConfig,
        DepthAnythingForDepthEstimation,
        Dinov2Config,
        DPTImageProcessorPil,
    )

    torch.manual_seed(1)
    backbone = Dinov2Config(
        hidden_size=16,
        num_hidden_layers=4,
        num_attention_heads=2,
        image_size=28,
        patch_size=14,
        out_features=["stage1", "stage2", "stage3", "stage4"],
        reshape_hidden_states=False,
        apply_layernorm=True,
    )
    config = DepthAnythingConfig(
        backbone_config=backbone,
        reassemble_hidden_size=16,
        neck_hidden_sizes=[8, 8, 8, 8],
        fusion_hidden_size=8,
        head_hidden_size=8,
    )
    DepthAnythingForDepthEstimation(config).save_pretrained(folder)
    DPTImageProcessorPil(
        size={"height": 56, "width": 56}, ensure_multiple_of=14, keep_aspect_ratio=True
    ).save_pretrained(folder)


def _vitpose(folder: Path, experts: int = 1) -> None:
    import torch
    from transformers import (
        VitPoseBackboneConfig,
        VitPoseConfig,
        VitPoseForPoseEstimation,
        VitPoseImageProcessorPil,
    )

    torch.manual_seed(1)
    backbone = VitPoseBackboneConfig(
        image_size=[64, 48],
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        num_experts=experts,
        part_features=4,
        out_indices=[1],
    )
    config = VitPoseConfig(
        backbone_config=backbone, id2label={number: str(number) for number in range(17)}
    )
    model = VitPoseForPoseEstimation(config)
    with torch.no_grad():
        model.head.conv.bias.fill_(0.6)  # so that it is sure of its joints
    model.save_pretrained(folder)
    VitPoseImageProcessorPil(size={"height": 64, "width": 48}).save_pretrained(folder)


def _vitpose_plus(folder: Path) -> None:
    _vitpose(folder, experts=6)


def _xclip(folder: Path) -> None:
    import torch
    from transformers import (
        CLIPTokenizer,
        VideoMAEImageProcessorPil,
        XCLIPConfig,
        XCLIPModel,
    )

    torch.manual_seed(1)
    pieces = [*_LETTERS, *(f"{letter}</w>" for letter in _LETTERS)]
    pieces += ["<|startoftext|>", "<|endoftext|>"]
    tokenizer = CLIPTokenizer(
        vocab={piece: number for number, piece in enumerate(pieces)},
        merges=[],
        model_max_length=77,
    )
    count = len(pieces)
    config = XCLIPConfig(
        text_config={
            "vocab_size": count,
            "bos_token_id": count - 2,
            "eos_token_id": count - 1,
            "pad_token_id": count - 1,
            "hidden_size": 16,
            "intermediate_size": 16,
            "num_hidden_layers": 1,
            "num_attention_heads": 2,
        },
        vision_config={
            "hidden_size": 16,
            "intermediate_size": 16,
            "num_hidden_layers": 1,
            "num_attention_heads": 2,
            "mit_hidden_size": 16,
            "mit_intermediate_size": 16,
            "mit_num_hidden_layers": 1,
            "mit_num_attention_heads": 2,
            "image_size": 32,
            "patch_size": 16,
            "num_frames": 4,
        },
        projection_dim=16,
        prompt_layers=1,
        prompt_num_attention_heads=2,
    )
    XCLIPModel(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    VideoMAEImageProcessorPil(
        size={"shortest_edge": 32}, crop_size={"height": 32, "width": 32}
    ).save_pretrained(folder)


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
    import torch
    from transformers import (
        Qwen2Tokenizer,
        Qwen2VLImageProcessorPil,
        Qwen3VLConfig,
        Qwen3VLForConditionalGeneration,
    )

    torch.manual_seed(1)
    pieces = [*_LETTERS, "Ġ", "Ċ", *_QWEN_WORDS]
    numbers = {piece: number for number, piece in enumerate(pieces)}
    tokenizer = Qwen2Tokenizer(vocab=numbers, merges=[])
    tokenizer.add_special_tokens({"additional_special_tokens": list(_QWEN_WORDS)})
    tokenizer.chat_template = _QWEN_TEMPLATE
    config = Qwen3VLConfig(
        text_config={
            "vocab_size": len(tokenizer),
            "hidden_size": 32,
            "intermediate_size": 32,
            "num_hidden_layers": 2,
            "num_attention_heads": 2,
            "num_key_value_heads": 1,
            "head_dim": 16,
            "rope_parameters": {
                "rope_type": "default",
                "rope_theta": 10_000.0,
                "mrope_section": [4, 2, 2],
                "mrope_interleaved": True,
            },
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
    Qwen3VLForConditionalGeneration(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    Qwen2VLImageProcessorPil(
        patch_size=16, merge_size=2, size={"shortest_edge": 1024, "longest_edge": 4096}
    ).save_pretrained(folder)


_IDEFICS_TEMPLATE = (
    "<|im_start|>{% for message in messages %}{{ message['role'] | capitalize }}:"
    "{% for part in message['content'] %}{% if part['type'] == 'image' %}<image>"
    "{% else %}{{ part['text'] }}{% endif %}{% endfor %}<end_of_utterance>\n{% endfor %}"
    "{% if add_generation_prompt %}Assistant:{% endif %}"
)


def _idefics3(folder: Path) -> None:
    import torch
    from transformers import (
        GPT2Tokenizer,
        Idefics3Config,
        Idefics3ForConditionalGeneration,
        Idefics3ImageProcessorPil,
        Idefics3Processor,
    )

    torch.manual_seed(1)
    tiles = [f"<row_{row + 1}_col_{column + 1}>" for row in range(6) for column in range(6)]
    words = ["<|endoftext|>", "<|im_start|>", "<fake_token_around_image>", "<image>"]
    words += ["<end_of_utterance>", "<global-img>", *tiles]
    pieces = [*_LETTERS, "Ġ", "Ċ", *words]
    tokenizer = GPT2Tokenizer(
        vocab={piece: number for number, piece in enumerate(pieces)},
        merges=[],
        pad_token="<|im_start|>",
    )
    tokenizer.add_special_tokens({"additional_special_tokens": words[1:]})
    config = Idefics3Config(
        vision_config={
            "model_type": "idefics3_vision",
            "hidden_size": 32,
            "intermediate_size": 32,
            "num_hidden_layers": 1,
            "num_attention_heads": 2,
            "image_size": 64,
            "patch_size": 16,
        },
        text_config={
            "model_type": "llama",
            "vocab_size": len(tokenizer),
            "hidden_size": 32,
            "intermediate_size": 32,
            "num_hidden_layers": 1,
            "num_attention_heads": 2,
            "num_key_value_heads": 2,
            "pad_token_id": tokenizer.pad_token_id,
        },
        scale_factor=2,
        image_token_id=tokenizer.convert_tokens_to_ids("<image>"),
        pad_token_id=tokenizer.pad_token_id,
    )
    Idefics3ForConditionalGeneration(config).save_pretrained(folder)
    pictures = Idefics3ImageProcessorPil(
        size={"longest_edge": 128}, max_image_size={"longest_edge": 64}
    )
    Idefics3Processor(
        pictures, tokenizer, image_seq_len=4, chat_template=_IDEFICS_TEMPLATE
    ).save_pretrained(folder)


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
