"""Words that say little by themselves; they stand in `function_words.toml`."""

from __future__ import annotations

from .tables import table_beside

_WORDS = {kind: frozenset(words.split()) for kind, words in table_beside(__file__).items()}
#: Articles, pronouns, prepositions, conjunctions, auxiliaries, common adverbs.
FUNCTION_WORDS = _WORDS["function"]
#: Verbs and adjectives so common that they name no topic.
COMMON_WORDS = _WORDS["common"]


def stem(word: str) -> str:
    """A word without its regular ending, enough to see that two forms are of one word."""
    word = word.lower().removesuffix("'s").removesuffix("'")
    for ending, instead in (
        ("ies", "y"),
        ("sses", "ss"),
        ("ing", ""),
        ("ied", "y"),
        ("ed", ""),
        ("es", "e"),
        ("s", ""),
    ):
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith("ss"):
            word = word[: -len(ending)] + instead
            break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "ls":
        word = word[:-1]
    return word.removesuffix("e") if len(word) > 3 else word


#: Stems of verbs that are hardly ever nouns, so that they end no key phrase.
VERB_STEMS = frozenset(stem(word) for word in _WORDS["verbs"])
