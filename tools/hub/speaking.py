"""Voices that are downloaded: VITS, which reads English sounds, and Bark, which reads thirteen
languages."""

from __future__ import annotations

import re
import warnings
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from controlllm.toolbox import Context, ToolError

from ..shared.sentences import split_sentences
from ..words.embedded.language_requests import pieces_of
from ..words.embedded.languages import language_of, name_of
from .device import Placement, loaded, watched

#: Bark speaks for about thirteen seconds at once; of what is longer it leaves out the end.
_WORDS_AT_ONCE = 170
_BARK_LANGUAGES = ("de", "en", "es", "fr", "hi", "it", "ja", "ko", "pl", "pt", "ru", "tr", "zh")
_PARTS = {"semantic_prompt": 1, "coarse_prompt": 2, "fine_prompt": 2}


@dataclass(frozen=True)
class Voice:
    """A voice, what makes its tokens, and where its files are.

    `reads_sounds` says that it is given phonemes instead of words.
    """

    model: Any
    tokenizer: Any
    folder: Path
    device: str
    rate: int
    reads_sounds: bool


def load_voice(folder: Path, placement: Placement) -> Voice:
    """The voice in a folder."""
    import torch
    from transformers import AutoConfig, AutoModelForTextToWaveform, AutoTokenizer

    config = AutoConfig.from_pretrained(folder, local_files_only=True)
    sounds = config.model_type == "vits"
    # Its own way to phonemes needs a program that is not part of this one.
    extra = {"phonemize": False} if sounds else {}
    tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True, **extra)
    # They are small, and half precision makes a voice hoarse.
    dtype = torch.float32
    with warnings.catch_warnings():
        # A part of these models is built in a way that torch will not offer for ever.
        warnings.simplefilter("ignore", FutureWarning)
        model = AutoModelForTextToWaveform.from_pretrained(
            folder, local_files_only=True, dtype=dtype
        )
    rate = config.sampling_rate if sounds else model.generation_config.sample_rate
    model = model.to(placement.device).eval()
    return Voice(model, tokenizer, folder, placement.device, int(rate), sounds)


def voice_in(folder: Path, context: Context) -> Voice:
    """The voice in a folder, loaded."""
    context.progress(0.0, "loading the voice")
    voice: Voice = loaded(load_voice, folder)
    return voice


def say_sounds(voice: Voice, sounds: str, context: Context) -> np.ndarray:
    """Phonemes spoken, shape (frames,)."""
    import torch

    tokens = voice.tokenizer(sounds, return_tensors="pt").to(voice.device)
    if not tokens["input_ids"].shape[1]:
        return np.zeros(0, np.float32)
    context.progress(0.0, "speaking")
    with torch.inference_mode():
        wave = voice.model(**tokens).waveform[0]
    return np.asarray(wave.float().cpu().numpy(), np.float32)


def say_words(voice: Voice, words: str, language: str, context: Context) -> np.ndarray:
    """A sentence or two spoken, shape (frames,)."""
    import torch

    prompt = _manner(voice.folder, language)
    settings = voice.model.generation_config.semantic_config
    most = int(settings.get("max_new_tokens") or 768)
    tokens = voice.tokenizer(
        words,
        add_special_tokens=False,
        padding="max_length",
        truncation=True,
        max_length=int(settings.get("max_input_semantic_length") or 256),
        return_attention_mask=True,
        return_token_type_ids=False,
        return_tensors="pt",
    ).to(voice.device)
    history = {name: torch.tensor(part, device=voice.device) for name, part in prompt.items()}
    with torch.inference_mode():
        wave = voice.model.generate(
            **tokens,
            history_prompt=history,
            semantic_stopping_criteria=watched(
                context.part(0.0, 0.4), most, "thinking how to say it"
            ),
            # Three of these tokens make as much sound as one of the others.
            coarse_stopping_criteria=watched(context.part(0.4, 0.9), 3 * most, "speaking"),
        )
    return np.asarray(wave[0].float().cpu().numpy(), np.float32)


def language_to_speak(text: str) -> str:
    """The code of the language of a text; raises ToolError where the voice cannot speak it."""
    code = language_of(text) or "en"
    if code not in _BARK_LANGUAGES and len(text.split()) < 4 and text.isascii():
        return "en"
    if code not in _BARK_LANGUAGES:
        named = ", ".join(name_of(one) for one in _BARK_LANGUAGES[:-1])
        raise ToolError(
            f"The voice that is here cannot read {name_of(code)} aloud; it reads {named} and "
            f"{name_of(_BARK_LANGUAGES[-1])}. Translate the text first."
        )
    return code


def passages_of(text: str) -> list[str]:
    """The text in what is said at once: sentences, and parts of a long one."""
    found: list[str] = []
    for sentence in split_sentences(text):
        for piece in pieces_of(sentence, _WORDS_AT_ONCE):
            fits = found and len(found[-1]) + len(piece) < _WORDS_AT_ONCE
            if fits and re.search(r"[.!?…]$", found[-1]):
                found[-1] += f" {piece.strip()}"
            elif piece.strip():
                found.append(piece.strip())
    return found


@lru_cache(maxsize=32)
def _manner(folder: Path, language: str) -> dict[str, np.ndarray]:
    """How one speaker of a language sounds, as Bark wants it."""
    prompt = {}
    for part, dimensions in _PARTS.items():
        path = folder / "speaker_embeddings" / "v2" / f"{language}_speaker_6_{part}.npy"
        try:
            prompt[part] = np.load(path, allow_pickle=False)
        except (OSError, ValueError) as error:
            raise ToolError(
                f"The voice for {name_of(language)} is missing from the downloaded model; "
                "download it again."
            ) from error
        if prompt[part].ndim != dimensions:
            raise ToolError(
                f"The voice for {name_of(language)} is damaged; download the model again."
            )
    return prompt
