"""How English words sound, in the phonetic alphabet that the voice was trained on.

A dictionary of 180,000 American pronunciations; regular endings by rule; the letters of
abbreviations; and for what is left, a network of two gated recurrent units, one that reads the
letters and one that writes the sounds; its weights are those of g2p-en (Park and Kim 2019), trained
on the CMU dictionary, at half precision. ``training/convert/convert_pronunciation.py`` makes both
files.
"""

from __future__ import annotations

import gzip
import json
import re
import unicodedata
from functools import lru_cache
from typing import Any

import numpy as np

from controlllm.models import Model, ModelFile, resident

from ...shared.tables import table_beside

_TABLES = table_beside(__file__)
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
_VOWEL_SOUNDS, _CONSONANTS = _TABLES["vowels"], _TABLES["consonants"]


def _alphabet() -> tuple[str, ...]:
    """The network's output symbols in order: four marks, then every sound by name."""
    sounds: list[str] = []
    for name in sorted([*_VOWEL_SOUNDS, *_CONSONANTS]):
        if name == "UW":
            sounds.append("UW")
        sounds.extend([f"{name}{stress}" for stress in "012"] if name in _VOWEL_SOUNDS else [name])
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
    stressed, unstressed = _VOWEL_SOUNDS[name]
    return {"1": f"ˈ{stressed}", "2": f"ˌ{stressed}"}.get(stress, unstressed)


@resident
def _weights() -> dict[str, np.ndarray]:
    with np.load(NETWORK.path()) as stored:
        return {name: stored[name].astype(np.float32) for name in stored.files}


LEXICON = ModelFile(
    "english-lexicon.json.gz",
    "dec5512aa7584582df327512afb487dd962f80e9ffa3cd0e202719cd59370470",
    ENGLISH_PRONUNCIATION,
)

#: Small words as they sound inside a sentence, unstressed.
_WEAK = _TABLES["weak"]
_NAMES_OF_LETTERS = _TABLES["letters"]
#: After these a word of several pronunciations is a verb, a participle, a noun.
_BEFORE = {kind: frozenset(words.split()) for kind, words in _TABLES["before"].items()}
_VOWELS = "aeiouæɑɐəɚɛɜɪɔʊʌAIOWYᵊᵻ"
_TOKEN = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*|[.,;:!?]|-")


def phonemes(text: str) -> str:
    """The sounds of a text without digits and signs, words parted by spaces, punctuation kept.

    What is in no Latin letters is left out: the result may be empty.
    """
    sounds: list[str] = []
    before = ""
    for match in _TOKEN.finditer(_parted(_latin(text))):
        token = match[0]
        if token in ".,;:!?":
            if sounds:
                sounds[-1] += token
            before = ""
        elif token != "-":
            sound = _WEAK.get(token.lower()) if not _is_initials(token) else None
            sounds.append(sound or _for_voice(_sound(token, before)))
            before = token.lower()
    return _linked(sounds)


def _latin(text: str) -> str:
    """Letters with marks as plain letters, since no dictionary word has any."""
    plain = unicodedata.normalize("NFD", text.replace("ß", "ss").replace("æ", "ae"))
    return re.sub(r"[^\x00-\x7f]", "", plain.replace("ø", "o").replace("ł", "l"))


def _parted(text: str) -> str:
    """Names such as "ControlLLM" and "iPhone" as two words; a plural or possessive s stays."""
    text = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text)
    return re.sub(r"\b([A-Z]{2,5})'?s\b", r"\1's", text)


def _is_initials(token: str) -> bool:
    if token in ("I", "A") or not token.isupper():
        return False
    known = _lexicon().get(token)
    if isinstance(known, str):
        return False
    lower = token.lower()
    spoken = lower in _lexicon() and len(token) > 3
    return len(token) <= 5 and not spoken


def _sound(token: str, before: str) -> str:
    """The sounds of one word in the dictionary's alphabet; `before` is the word before it."""
    if token.endswith("'s") and _is_initials(token[:-2]):
        return _with_s(_sound(token[:-2], before))
    if _is_initials(token):
        letters = [_NAMES_OF_LETTERS[letter] for letter in token.lower() if letter.isalpha()]
        # Only the last letter's stress is a full one: "eff-bee-EYE".
        return "".join(letter.replace("ˈ", "ˌ") for letter in letters[:-1]) + letters[-1]
    for word in dict.fromkeys((token, token.lower(), token.capitalize())):
        found = _lexicon().get(word)
        if found:
            return _chosen(found, before)
    word = token.lower()
    return _inflected(word, before) or _joined(word) or guess(word)


def _chosen(found: str | dict[str, str], before: str) -> str:
    if isinstance(found, str):
        return found
    kinds: tuple[str, ...] = ()
    if before in _BEFORE["verbs"]:
        kinds = ("VERB", "VBP")
        if "VBP" in found and "VERB" not in found:
            kinds = ()
    elif before in _BEFORE["participles"]:
        kinds = ("VBN", "ADJ")
    elif before in _BEFORE["nouns"]:
        kinds = ("NOUN",)
    return next((found[kind] for kind in kinds if kind in found), found.get("DEFAULT", ""))


def _inflected(word: str, before: str) -> str:
    """The sounds of a regular form of a word in the dictionary, "" where it is none."""
    if word.endswith("'s") or word.endswith("s'"):
        stem = _stem(word[:-2] if word.endswith("'s") else word[:-1], before) or _joined(word[:-2])
        stem = stem or guess(word.replace("'", "").removesuffix("s"))
        return stem if word.endswith("s'") and stem[-1] in "sz" else _with_s(stem)
    word = word.replace("'", "")
    for ending, instead, sound in _TABLES["endings"]:
        if not word.endswith(ending) or len(word) <= len(ending) + 1:
            continue
        if ending == "s" and word.endswith("ss"):
            continue
        base = word[: -len(ending)]
        candidates = [base + instead]
        doubled = len(base) > 3 and base[-1] == base[-2]
        if doubled and not instead and ending in ("ed", "ing", "er", "est"):
            candidates.append(base[:-1])
        for candidate in candidates:
            if stem := _stem(candidate, before):
                return _with_ending(stem, sound)
    return ""


def _stem(word: str, before: str) -> str:
    found = _lexicon().get(word) or _lexicon().get(word.capitalize())
    return _chosen(found, before) if found else ""


def _with_s(stem: str) -> str:
    if stem[-1] in "szʃʒʧʤ":
        return f"{stem}ᵻz"
    return stem + ("s" if stem[-1] in "ptkfθ" else "z")


def _with_ed(stem: str) -> str:
    if stem[-1] in "td":
        return f"{stem}ᵻd"
    return stem + ("t" if stem[-1] in "pkfθsʃʧ" else "d")


def _with_ending(stem: str, sound: str) -> str:
    return {"s": _with_s, "d": _with_ed}.get(sound, lambda stem: stem + sound)(stem)


def _joined(word: str) -> str:
    """Two dictionary words written as one ("screwcap"), "" where there are none."""
    for cut in range(len(word) - 3, 3, -1):
        first, second = _lexicon().get(word[:cut]), _lexicon().get(word[cut:])
        if first and second:
            return _chosen(first, "") + _chosen(second, "").replace("ˈ", "ˌ")
    return ""


def _for_voice(sound: str) -> str:
    """From the dictionary's alphabet, one letter for a diphthong, to the voice's."""
    for letter, written in (("A", "eɪ"), ("O", "oʊ"), ("W", "aʊ"), ("Y", "ɔY"), ("I", "aɪ")):
        sound = sound.replace(letter, written)
    sound = re.sub(r"ɜɹ", "ɜː", sound)
    sound = sound.replace("əɹ", "ɚ").replace("ʔn", "ʔn̩").replace("ᵊ", "ə")
    sound = re.sub(r"(?<!a)ɔ(?!Y)", "ɔː", sound).replace("ɔY", "ɔɪ")
    sound = sound.replace("ɑ", "ɑː").replace("u", "uː")
    sound = re.sub(r"([ˈˌ])((?:[jw]?))i", r"\1\2iː", sound)
    if not re.search(r"[ˈˌ]", sound):
        sound = re.sub(r"i$", "iː", sound)
    return sound.replace("ʤ", "dʒ").replace("ʧ", "tʃ").replace("ʒʒ", "ʒ")


def _linked(sounds: list[str]) -> str:
    """Sentence sounds: "the" and a final r as they are before a vowel."""
    linked = list(sounds)
    for position, sound in enumerate(sounds[:-1]):
        follows = sounds[position + 1].lstrip("ˈˌ")[:1]
        if follows and follows in _VOWELS:
            if sound == "ðə":
                linked[position] = "ðɪ"
            elif sound.endswith(("ɚ", "ɜː")):
                linked[position] = f"{sound}ɹ"
    return " ".join(linked)


@resident
def _lexicon() -> dict[str, Any]:
    return json.loads(gzip.decompress(LEXICON.path().read_bytes()))
