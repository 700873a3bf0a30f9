"""Tiny pipelines with random weights, of the families that make, change and enlarge pictures."""

from __future__ import annotations

import string
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from tests.tools.tiny_models.parts import (
    THIN,
    clip_tokenizer,
    clip_words,
    diffusers,
    numbered,
    square,
    tokenizers,
    transformers,
)
from tools.hub import catalogue_images as catalogue

_WIDTH = 32


def _clip_tokenizer() -> Any:
    return clip_tokenizer(string.ascii_lowercase + string.digits + ".,:!?'-")


def _clip_settings(tokenizer: Any, **more: Any) -> Any:
    return transformers.CLIPTextConfig(
        **clip_words(tokenizer),
        hidden_size=_WIDTH,
        intermediate_size=37,
        num_attention_heads=4,
        num_hidden_layers=2,
        projection_dim=_WIDTH,
        **more,
    )


def _picture_coder() -> Any:
    return diffusers.AutoencoderKL(
        block_out_channels=[8, 8, 8, 8],
        latent_channels=4,
        norm_num_groups=4,
        sample_size=64,
        down_block_types=["DownEncoderBlock2D"] * 4,
        up_block_types=["UpDecoderBlock2D"] * 4,
    ).eval()


_LAYERS = {
    "block_out_channels": (16, 32),
    "layers_per_block": 1,
    "norm_num_groups": 4,
    "attention_head_dim": 4,
    "down_block_types": ("DownBlock2D", "CrossAttnDownBlock2D"),
}
_UP = ("CrossAttnUpBlock2D", "UpBlock2D")
#: What a network for Stable Diffusion XL reads besides the words.
_SIZES_AND_WORDS = {
    "cross_attention_dim": 2 * _WIDTH,
    "addition_embed_type": "text_time",
    "addition_time_embed_dim": 8,
    "projection_class_embeddings_input_dim": 6 * 8 + _WIDTH,
    "transformer_layers_per_block": (1, 1),
    "use_linear_projection": True,
}


def _checker() -> tuple[Any, Any]:
    """The part that looks whether a picture is decent, and what prepares pictures for it."""
    import torch
    from diffusers.pipelines.stable_diffusion import StableDiffusionSafetyChecker

    vision = {
        "hidden_size": _WIDTH,
        "intermediate_size": 37,
        "num_attention_heads": 4,
        "num_hidden_layers": 1,
        "image_size": 32,
        "patch_size": 16,
        "projection_dim": _WIDTH,
    }
    text = {"hidden_size": _WIDTH, "num_attention_heads": 4, "projection_dim": _WIDTH}
    checker = StableDiffusionSafetyChecker(
        transformers.CLIPConfig(vision_config=vision, text_config=text, projection_dim=_WIDTH)
    )
    for name, parameter in checker.named_parameters():
        if name.endswith("embeds_weights"):
            # Nothing comes so near to a concept, so every picture passes.
            torch.nn.init.constant_(parameter, 1.0)
    size = square(32)
    return checker, transformers.CLIPImageProcessor(size=size, crop_size=size)


def _stable_diffusion(folder: Path, kind: str = "StableDiffusionPipeline", channels: int = 4):
    tokenizer = _clip_tokenizer()
    checker, preparing = _checker()
    pipeline = getattr(diffusers, kind)(
        vae=_picture_coder(),
        text_encoder=transformers.CLIPTextModel(_clip_settings(tokenizer)).eval(),
        tokenizer=tokenizer,
        unet=diffusers.UNet2DConditionModel(
            sample_size=8,
            in_channels=channels,
            out_channels=4,
            cross_attention_dim=_WIDTH,
            up_block_types=_UP,
            **_LAYERS,
        ).eval(),
        scheduler=diffusers.PNDMScheduler(
            beta_start=0.00085,
            beta_end=0.012,
            beta_schedule="scaled_linear",
            skip_prk_steps=True,
            steps_offset=1,
        ),
        safety_checker=checker,
        feature_extractor=preparing,
    )
    pipeline.save_pretrained(folder, variant=None if channels == 8 else "fp16")


def _stable_diffusion_xl(
    folder: Path, kind: str = "StableDiffusionXLPipeline", channels: int = 4
) -> None:

    tokenizer = _clip_tokenizer()
    settings = _clip_settings(tokenizer)
    second = _clip_settings(tokenizer, hidden_act="gelu")
    pipeline = getattr(diffusers, kind)(
        vae=_picture_coder(),
        text_encoder=transformers.CLIPTextModel(settings).eval(),
        text_encoder_2=transformers.CLIPTextModelWithProjection(second).eval(),
        tokenizer=tokenizer,
        tokenizer_2=_clip_tokenizer(),
        unet=diffusers.UNet2DConditionModel(
            sample_size=8,
            in_channels=channels,
            out_channels=4,
            up_block_types=_UP,
            **_LAYERS,
            **_SIZES_AND_WORDS,
        ).eval(),
        scheduler=diffusers.EulerDiscreteScheduler(
            beta_start=0.00085,
            beta_end=0.012,
            beta_schedule="scaled_linear",
            steps_offset=1,
            timestep_spacing="leading",
        ),
    )
    pipeline.save_pretrained(folder, variant="fp16")


def _map_reader(folder: Path) -> None:
    diffusers.ControlNetModel(
        cross_attention_dim=_WIDTH, conditioning_embedding_out_channels=(8, 8, 8, 8), **_LAYERS
    ).save_pretrained(folder, variant="fp16")


def _reader_of_every_map(folder: Path) -> None:
    diffusers.ControlNetUnionModel(
        conditioning_embedding_out_channels=(8, 8, 8, 8),
        num_control_type=6,
        num_trans_channel=16,
        num_trans_head=4,
        num_trans_layer=1,
        num_proj_channel=16,
        **_LAYERS,
        **_SIZES_AND_WORDS,
    ).save_pretrained(folder)


def _byte_tokenizer() -> Any:
    """A tokenizer of single letters with a template for conversations."""

    letters = sorted(tokenizers.pre_tokenizers.ByteLevel.alphabet())
    vocabulary = numbered(["<|endoftext|>", *letters])
    whole = tokenizers.Tokenizer(tokenizers.models.BPE(vocab=vocabulary, merges=[]))
    whole.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    whole.decoder = tokenizers.decoders.ByteLevel()
    return transformers.Qwen2TokenizerFast(
        tokenizer_object=whole,
        vocab=vocabulary,
        merges=[],
        pad_token="<|endoftext|>",
        eos_token="<|endoftext|>",
        unk_token="<|endoftext|>",
        chat_template=(
            "{% for message in messages %}{{ message['role'] }}: {{ message['content'] }}\n"
            "{% endfor %}"
        ),
    )


def _flux_klein(folder: Path) -> None:
    tokenizer = _byte_tokenizer()
    # The pipeline reads the 9th, 18th and 27th layer of its language model.
    language = transformers.Qwen3ForCausalLM(
        transformers.Qwen3Config(
            **{**THIN, "num_hidden_layers": 27},
            vocab_size=len(tokenizer),
            num_key_value_heads=1,
            head_dim=8,
        )
    )
    diffusers.Flux2KleinPipeline(
        scheduler=diffusers.FlowMatchEulerDiscreteScheduler(use_dynamic_shifting=True),
        vae=diffusers.AutoencoderKLFlux2(
            block_out_channels=(8, 8, 8, 8),
            layers_per_block=1,
            latent_channels=4,
            norm_num_groups=4,
            mid_block_add_attention=False,
        ).eval(),
        text_encoder=language.eval(),
        tokenizer=tokenizer,
        transformer=diffusers.Flux2Transformer2DModel(
            in_channels=16,
            num_layers=1,
            num_single_layers=1,
            attention_head_dim=16,
            num_attention_heads=2,
            joint_attention_dim=48,
            timestep_guidance_channels=8,
            axes_dims_rope=(4, 4, 4, 4),
            guidance_embeds=False,
        ).eval(),
        is_distilled=True,
    ).save_pretrained(folder)


def _wan(folder: Path) -> None:
    pieces = [("<pad>", 0.0), ("</s>", 0.0), ("<unk>", 0.0), ("▁", -1.0)]
    pieces += [(letter, -2.0) for letter in string.ascii_lowercase]
    tokenizer = transformers.T5Tokenizer(vocab=pieces, extra_ids=0)
    words = transformers.UMT5EncoderModel(
        transformers.UMT5Config(
            vocab_size=len(tokenizer), d_model=16, d_kv=8, d_ff=16, num_layers=1, num_heads=2
        )
    )
    depth = 12
    diffusers.WanPipeline(
        tokenizer=tokenizer,
        text_encoder=words.eval(),
        vae=diffusers.AutoencoderKLWan(
            base_dim=4,
            decoder_base_dim=4,
            z_dim=depth,
            dim_mult=[1, 1, 1, 1],
            num_res_blocks=1,
            temperal_downsample=[False, True, True],
            latents_mean=[0.0] * depth,
            latents_std=[1.0] * depth,
            is_residual=True,
            in_channels=12,
            out_channels=12,
            patch_size=2,
            scale_factor_spatial=16,
        ).eval(),
        scheduler=diffusers.UniPCMultistepScheduler(
            prediction_type="flow_prediction", use_flow_sigmas=True, flow_shift=5.0
        ),
        transformer=diffusers.WanTransformer3DModel(
            num_attention_heads=2,
            attention_head_dim=12,
            in_channels=depth,
            out_channels=depth,
            text_dim=16,
            freq_dim=16,
            ffn_dim=16,
            num_layers=1,
            rope_max_seq_len=64,
        ).eval(),
        expand_timesteps=True,
    ).save_pretrained(folder)


def _enlarging(folder: Path, factor: int) -> None:
    config = transformers.Swin2SRConfig(
        embed_dim=12, depths=[1], num_heads=[2], window_size=8, upscale=factor
    )
    transformers.Swin2SRForImageSuperResolution(config).save_pretrained(folder)


BUILDERS: dict[str, Callable[[Path], None]] = {
    catalogue.STABLE_DIFFUSION.repository: _stable_diffusion,
    catalogue.STABLE_DIFFUSION_XL.repository: _stable_diffusion_xl,
    catalogue.FLUX_KLEIN.repository: _flux_klein,
    catalogue.STABLE_DIFFUSION_FILLING.repository: partial(
        _stable_diffusion, kind="StableDiffusionInpaintPipeline", channels=9
    ),
    catalogue.STABLE_DIFFUSION_XL_FILLING.repository: partial(
        _stable_diffusion_xl, kind="StableDiffusionXLInpaintPipeline", channels=9
    ),
    catalogue.INSTRUCTED_EDITS.repository: partial(
        _stable_diffusion, kind="StableDiffusionInstructPix2PixPipeline", channels=8
    ),
    catalogue.WAN.repository: _wan,
    catalogue.ENLARGING["small"].repository: partial(_enlarging, factor=2),
    catalogue.ENLARGING["usual"].repository: partial(_enlarging, factor=4),
    catalogue.EVERY_MAP["usual"].repository: _reader_of_every_map,
    **{weights.repository: _map_reader for weights in catalogue.MAPS.values()},
}
