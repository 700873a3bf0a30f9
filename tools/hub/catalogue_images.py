"""Weights that make, change and enlarge pictures and make videos: which, from where, how large."""

from __future__ import annotations

from controlllm.models.weights import Weights
from controlllm.toolbox import Choice

_INDEX = "model_index.json"
#: The parts of a Stable Diffusion 1 pipeline, in half precision.
_HALF = (_INDEX, "*/*.json", "tokenizer/*", "*.fp16.safetensors")
_STABLE_DIFFUSION_XL = (
    *(_INDEX, "scheduler/*", "tokenizer/*", "tokenizer_2/*"),
    *(
        f"{part}/{file}"
        for part in ("text_encoder", "text_encoder_2", "unet", "vae")
        for file in ("config.json", "*.fp16.safetensors")
    ),
)
_WHOLE_FOLDERS = (
    *(_INDEX, "scheduler/*", "text_encoder/*", "tokenizer/*", "transformer/*", "vae/*"),
)
_EDITS = (
    *(_INDEX, "*/*.json", "tokenizer/*", "*/model.safetensors"),
    "*/diffusion_pytorch_model.safetensors",
)
_RAIL, _RAIL_XL = "CreativeML OpenRAIL-M", "CreativeML OpenRAIL++-M"

STABLE_DIFFUSION = Weights(
    "stable-diffusion-v1-5/stable-diffusion-v1-5", _RAIL, 2_750_000_000, _HALF
)
STABLE_DIFFUSION_XL = Weights(
    "stabilityai/stable-diffusion-xl-base-1.0", _RAIL_XL, 6_950_000_000, _STABLE_DIFFUSION_XL
)
FLUX_KLEIN = Weights(
    "black-forest-labs/FLUX.2-klein-4B", "Apache-2.0", 16_000_000_000, _WHOLE_FOLDERS
)
STABLE_DIFFUSION_FILLING = Weights(
    "stable-diffusion-v1-5/stable-diffusion-inpainting", _RAIL, 2_750_000_000, _HALF
)
STABLE_DIFFUSION_XL_FILLING = Weights(
    *("diffusers/stable-diffusion-xl-1.0-inpainting-0.1", _RAIL_XL, 6_950_000_000),
    _STABLE_DIFFUSION_XL,
)
INSTRUCTED_EDITS = Weights("timbrooks/instruct-pix2pix", "MIT", 5_500_000_000, _EDITS)
WAN = Weights("Wan-AI/Wan2.2-TI2V-5B-Diffusers", "Apache-2.0", 24_300_000_000, _WHOLE_FOLDERS)

#: New pictures. What needs a GPU comes first; the second is bearable without one.
PICTURES: Choice = {"small": STABLE_DIFFUSION, "usual": STABLE_DIFFUSION_XL, "large": FLUX_KLEIN}
PICTURES_WITHOUT_GPU: Choice = {"usual": STABLE_DIFFUSION}

#: Parts of pictures drawn anew.
FILLING: Choice = {"small": STABLE_DIFFUSION_FILLING, "usual": STABLE_DIFFUSION_XL_FILLING}
FILLING_WITHOUT_GPU: Choice = {"usual": STABLE_DIFFUSION_FILLING}

#: Pictures changed as an instruction says.
EDITING: Choice = {"small": INSTRUCTED_EDITS, "usual": FLUX_KLEIN}
EDITING_WITHOUT_GPU: Choice = {"usual": INSTRUCTED_EDITS}

#: Both videos from words and videos from a picture.
VIDEOS: Choice = {"usual": WAN}

_SWIN = ("*.json", "model.safetensors")
ENLARGING: Choice = {
    "small": Weights("caidas/swin2SR-classical-sr-x2-64", "Apache-2.0", 48_500_000, _SWIN),
    "usual": Weights("caidas/swin2SR-classical-sr-x4-64", "Apache-2.0", 49_100_000, _SWIN),
}

#: One network for every kind of map, for Stable Diffusion XL.
EVERY_MAP: Choice = {
    "usual": Weights(
        *("xinsir/controlnet-union-sdxl-1.0", "Apache-2.0", 2_510_000_000),
        ("config.json", "diffusion_pytorch_model.safetensors"),
    )
}


def _one_map(name: str) -> Weights:
    files = ("config.json", "diffusion_pytorch_model.fp16.safetensors")
    return Weights(f"lllyasviel/{name}", "OpenRAIL", 723_000_000, files)


_SOFT_EDGES = _one_map("control_v11p_sd15_softedge")

#: A network for each kind of map, for Stable Diffusion 1.5.
MAPS = {
    "canny": _one_map("control_v11p_sd15_canny"),
    "depth": _one_map("control_v11f1p_sd15_depth"),
    "edge": _SOFT_EDGES,
    "hed": _SOFT_EDGES,
    "line": _one_map("control_v11p_sd15_mlsd"),
    "normal": _one_map("control_v11p_sd15_normalbae"),
    "pose": _one_map("control_v11p_sd15_openpose"),
    "scribble": _one_map("control_v11p_sd15_scribble"),
    "segmentation": _one_map("control_v11p_sd15_seg"),
}
