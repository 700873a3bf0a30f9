"""What tiny models of several kinds are made of."""

from __future__ import annotations

import importlib
from typing import Any


class _Late:
    """A library that is imported when something of it is first used: that takes seconds."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, part: str) -> Any:
        return getattr(importlib.import_module(self._name), part)


diffusers, tokenizers, transformers = map(_Late, ("diffusers", "tokenizers", "transformers"))

#: How wide and deep most networks are.
SHALLOW = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2}
THIN = {**SHALLOW, "intermediate_size": 16}
#: The same in the words of those with a part that reads and one that writes.
READS_AND_WRITES = {
    "d_model": 16,
    "encoder_layers": 1,
    "decoder_layers": 1,
    "encoder_attention_heads": 2,
    "decoder_attention_heads": 2,
    "encoder_ffn_dim": 16,
    "decoder_ffn_dim": 16,
}


def numbered(pieces: Any) -> dict[str, int]:
    """The vocabulary of these pieces."""
    return {piece: number for number, piece in enumerate(pieces)}


def clip_tokenizer(signs: Any) -> Any:
    """A tokenizer that knows each sign, inside and at the end of a word."""
    words = [*signs, *(f"{sign}</w>" for sign in signs), "<|startoftext|>", "<|endoftext|>"]
    return transformers.CLIPTokenizer(vocab=numbered(words), merges=[], model_max_length=77)


def clip_words(tokenizer: Any) -> dict[str, int]:
    """What a network for words is told of its tokenizer."""
    size = len(tokenizer)
    return {
        "vocab_size": size,
        "bos_token_id": size - 2,
        "eos_token_id": size - 1,
        "pad_token_id": size - 1,
    }


def word_pieces(signs: str, **more: Any) -> Any:
    """A tokenizer that knows each sign, at the beginning and inside of a word."""
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *signs, *(f"##{sign}" for sign in signs)]
    return transformers.BertTokenizer(vocab=numbered(words), **more)


def square(side: int) -> dict[str, int]:
    return {"height": side, "width": side}


def save(folder: Any, *parts: Any) -> None:
    for part in parts:
        part.save_pretrained(folder)
