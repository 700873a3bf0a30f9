"""A guess at how an English word sounds from its spelling alone.

A network of two gated recurrent units, one that reads the letters and one that writes the sounds;
the weights are those of g2p-en (Park and Kim 2019), trained on the CMU dictionary, at half
precision; ``training/convert/convert_pronunciation.py`` makes the file.
"""

from __future__ import annotations

import re
from functools import lru_cache

import numpy as np

from controlllm.models import Model, ModelFile, resident

from ...shared.tables import table_beside

ENGLISH_PRONUNCIATION = Model(
    "English pronunciation",
    "how words sound",
    "Apache-2.0",
    "PyPI `misaki`, `g2p-en`",
    "0.9.4, 2.1.0",
    "english-pronunciation.md",
)
NETWORK = ModelFile(
    "english-spelling.npz",
    "1030de51d508304dfdd8e82faaf4e1ad4548f6dbc0b221c372d71b3fede899b4",
    ENGLISH_PRONUNCIATION,
)
_START, _END = 2, 3
_LETTERS_BEFORE_A = 3
_MOST_SOUNDS = 24

#: The network's sounds as the dictionary writes them; vowels stressed and unstressed.
_SOUNDS = table_beside(__file__)
_VOWELS, _CONSONANTS = _SOUNDS["vowels"], _SOUNDS["consonants"]


def _alphabet() -> tuple[str, ...]:
    """The network's output symbols in order: four marks, then every sound by name."""
    sounds: list[str] = []
    for name in sorted([*_VOWELS, *_CONSONANTS]):
        if name == "UW":
            sounds.append("UW")
        sounds.extend([f"{name}{stress}" for stress in "012"] if name in _VOWELS else [name])
    return ("<pad>", "<unk>", "<s>", "</s>", *sounds)


_SYMBOLS = _alphabet()


@lru_cache(maxsize=4096)
def guess(word: str) -> str:
    """The sounds of a word of the letters a-z; other characters are not read."""
    letters = [
        ord(letter) - ord("a") + _LETTERS_BEFORE_A
        for letter in word.lower()
        if "a" <= letter <= "z"
    ]
    if not letters:
        return ""
    weights = _weights()
    state = np.zeros(256, np.float32)
    for letter in [*letters, 2]:
        state = _step(weights, "enc", weights["enc_emb"][letter], state)
    symbol, sounds = _START, ""
    for _ in range(_MOST_SOUNDS):
        state = _step(weights, "dec", weights["dec_emb"][symbol], state)
        symbol = int(np.argmax(weights["fc_w"] @ state + weights["fc_b"]))
        if symbol == _END:
            break
        sounds += _written(_SYMBOLS[symbol])
    return sounds


def _step(
    weights: dict[str, np.ndarray], side: str, given: np.ndarray, state: np.ndarray
) -> np.ndarray:
    """One step of a gated recurrent unit (Cho et al. 2014)."""
    from_given = weights[f"{side}_w_ih"] @ given + weights[f"{side}_b_ih"]
    from_state = weights[f"{side}_w_hh"] @ state + weights[f"{side}_b_hh"]
    gates = 1 / (1 + np.exp(-(from_given[:512] + from_state[:512])))
    reset, update = gates[:256], gates[256:]
    candidate = np.tanh(from_given[512:] + reset * from_state[512:])
    return np.asarray((1 - update) * candidate + update * state)


def _written(symbol: str) -> str:
    match = re.fullmatch(r"([A-Z]+)([012]?)", symbol)
    if match is None:
        return ""
    name, stress = match[1], match[2]
    if name in _CONSONANTS:
        return _CONSONANTS[name]
    stressed, unstressed = _VOWELS[name]
    return {"1": f"ˈ{stressed}", "2": f"ˌ{stressed}"}.get(stress, unstressed)


@resident
def _weights() -> dict[str, np.ndarray]:
    with np.load(NETWORK.path()) as stored:
        return {name: stored[name].astype(np.float32) for name in stored.files}
