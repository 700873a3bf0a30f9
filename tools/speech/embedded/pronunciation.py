"""How English words sound, in the phonetic alphabet that the voice was trained on.

A dictionary of 180,000 American pronunciations; regular endings by rule; the letters of
abbreviations; and for what is left, a small recurrent network that reads the spelling
(`english_spelling`). The dictionary is made by ``training/convert/convert_pronunciation.py``.
"""

from __future__ import annotations

import gzip
import json
import re
import unicodedata
from typing import Any

from controlllm.models import ModelFile, resident

from ...shared.tables import table_beside
from .english_spelling import ENGLISH_PRONUNCIATION, guess

LEXICON = ModelFile(
    "english-lexicon.json.gz",
    "dec5512aa7584582df327512afb487dd962f80e9ffa3cd0e202719cd59370470",
    ENGLISH_PRONUNCIATION,
)

_TABLES = table_beside(__file__)
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
