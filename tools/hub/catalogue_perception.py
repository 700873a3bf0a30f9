"""Weights that look at pictures and videos: which repositories there are to choose from.

All are free for any use (Apache 2.0 or MIT) and need no account. Sizes are what is fetched, about.
"""

from __future__ import annotations

from controlllm.models.weights import Weights
from controlllm.toolbox import Choice

_SETTINGS = ("*.json", "*.txt", "*.jinja")
#: Whole models in one file: others beside it are the same weights for other programs.
_ONE_FILE = ("model.safetensors", *_SETTINGS)
_SEVERAL_FILES = ("model*.safetensors", *_SETTINGS)

_APACHE = "Apache-2.0"

#: Vision-language models: they describe, answer and read.
SEEING: Choice = {
    "small": Weights("HuggingFaceTB/SmolVLM-500M-Instruct", _APACHE, 1_020_000_000, _ONE_FILE),
    "usual": Weights("Qwen/Qwen3-VL-2B-Instruct", _APACHE, 4_270_000_000, _ONE_FILE),
    "large": Weights("Qwen/Qwen3-VL-8B-Instruct", _APACHE, 17_550_000_000, _SEVERAL_FILES),
}
#: The small one makes words up where it cannot read, so there is none to read with.
READING: Choice = {"usual": SEEING["usual"], "large": SEEING["large"]}

#: Detectors of the 80 COCO classes.
OBJECTS: Choice = {
    "small": Weights("PekingU/rtdetr_v2_r18vd", _APACHE, 81_000_000, _ONE_FILE),
    "usual": Weights("PekingU/rtdetr_v2_r50vd", _APACHE, 172_000_000, _ONE_FILE),
    "large": Weights("ustc-community/dfine-xlarge-obj2coco", _APACHE, 252_000_000, _ONE_FILE),
}

#: Detectors of whatever a phrase names.
PHRASES: Choice = {
    "usual": Weights("IDEA-Research/grounding-dino-tiny", _APACHE, 690_000_000, _ONE_FILE),
    "large": Weights("IDEA-Research/grounding-dino-base", _APACHE, 934_000_000, _ONE_FILE),
}

#: Classifiers of the 1000 classes of ImageNet.
KINDS: Choice = {
    "usual": Weights("google/vit-base-patch16-224", _APACHE, 346_000_000, _ONE_FILE),
    "large": Weights("facebook/dinov2-giant-imagenet1k-1-layer", _APACHE, 4_560_000_000, _ONE_FILE),
}

#: Models that cut out what a click, a box or a rough mask points at.
MASKS: Choice = {
    "small": Weights("facebook/sam2.1-hiera-tiny", _APACHE, 156_000_000, _ONE_FILE),
    "usual": Weights("facebook/sam2.1-hiera-small", _APACHE, 184_000_000, _ONE_FILE),
    "large": Weights("facebook/sam2.1-hiera-large", _APACHE, 898_000_000, _ONE_FILE),
}

#: Depth from one picture. The larger ones of version 2 may not be used commercially.
DEPTH: Choice = {
    "usual": Weights("depth-anything/Depth-Anything-V2-Small-hf", _APACHE, 99_000_000, _ONE_FILE),
    "large": Weights("LiheYoung/depth-anything-large-hf", _APACHE, 1_340_000_000, _ONE_FILE),
}

#: The joints of a person in a box.
JOINTS: Choice = {
    "small": Weights("usyd-community/vitpose-plus-small", _APACHE, 133_000_000, _ONE_FILE),
    "usual": Weights("usyd-community/vitpose-base-simple", _APACHE, 344_000_000, _ONE_FILE),
    "large": Weights("usyd-community/vitpose-plus-huge", _APACHE, 3_600_000_000, _ONE_FILE),
}

#: How well a sentence describes a short video.
ACTIVITIES: Choice = {
    "usual": Weights("microsoft/xclip-base-patch32", "MIT", 786_000_000, _ONE_FILE),
}
