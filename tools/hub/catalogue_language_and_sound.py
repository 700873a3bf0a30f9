"""Weights for writing, reading, translating, listening, speaking and composing."""

from __future__ import annotations

from controlllm.models.weights import Weights
from controlllm.toolbox import Choice

#: What a model of one file needs, and what others need.
_PLAIN = ("*.json", "model.safetensors")
_WHISPER = ("*.json", "*.txt", "model.safetensors")
_MODEL = ("*.json", "*.safetensors", "*.txt", "*.model", "*.jinja")

#: Language models that follow instructions, in about a hundred languages.
WRITERS: Choice = {
    "small": Weights("Qwen/Qwen3-0.6B", "Apache-2.0", 1_520_000_000, _MODEL),
    "usual": Weights("Qwen/Qwen3-1.7B", "Apache-2.0", 4_080_000_000, _MODEL),
    "large": Weights("Qwen/Qwen3-4B-Instruct-2507", "Apache-2.0", 8_060_000_000, _MODEL),
}

#: The first one has its safetensors in a branch that the hub's own converter made.
TRANSLATORS: Choice = {
    "small": Weights(
        *("facebook/m2m100_418M", "MIT", 1_950_000_000),
        (*_PLAIN, "sentencepiece.bpe.model"),
        "refs/pr/19",
    ),
    "usual": Weights(
        "google/madlad400-3b-mt", "Apache-2.0", 11_800_000_000, (*_PLAIN, "spiece.model")
    ),
}

#: They tell whether a sentence follows from a text (natural language inference).
READERS: Choice = {
    "usual": Weights("MoritzLaurer/deberta-v3-base-zeroshot-v2.0-c", "MIT", 380_000_000, _MODEL),
    "large": Weights("MoritzLaurer/deberta-v3-large-zeroshot-v2.0-c", "MIT", 880_000_000, _MODEL),
}

_NAMES = (*_PLAIN, "vocab.txt")
NAME_FINDERS: Choice = {
    "small": Weights("dslim/distilbert-NER", "Apache-2.0", 262_000_000, _NAMES),
    "usual": Weights("dslim/bert-large-NER", "MIT", 1_335_000_000, _NAMES),
}

LISTENERS: Choice = {
    "small": Weights("openai/whisper-small", "Apache-2.0", 970_000_000, _WHISPER),
    "usual": Weights("openai/whisper-large-v3-turbo", "MIT", 1_625_000_000, _WHISPER),
    "large": Weights("openai/whisper-large-v3", "Apache-2.0", 3_095_000_000, _WHISPER),
}

#: The small one speaks English; the others thirteen languages. Its safetensors lie in a branch
#: that the hub's own converter made. Of its voices one for each language is fetched.
VOICES: Choice = {
    "small": Weights("kakao-enterprise/vits-ljs", "MIT", 146_000_000, _PLAIN),
    "usual": Weights(
        *("suno/bark-small", "MIT", 1_690_000_000),
        ("*.json", "vocab.txt", "model.safetensors", "speaker_embeddings/v2/*_speaker_6_*.npy"),
        "refs/pr/5",
    ),
}

COMPOSERS: Choice = {
    "usual": Weights(
        *("ACE-Step/acestep-v15-xl-turbo-diffusers", "Apache-2.0", 12_800_000_000),
        ("*.json", "*.safetensors", "*.txt", "*.jinja"),
    ),
}

SOUND_CLASSES: Choice = {
    "usual": Weights(
        "MIT/ast-finetuned-audioset-10-10-0.4593", "BSD-3-Clause", 347_000_000, _PLAIN
    ),
}
