"""What the feeling words of a clause add up to, with what turns them round.

The words and their strengths are VADER's (Hutto and Gilbert 2014); what a "not" reaches, and which
words say nothing about a feeling in plain statements, was written for this project.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from ...shared.tables import filled, table_beside

_TOKEN = re.compile(r"[a-z]+(?:['-][a-z]+)*|[:;=][-']?[()dp/|\\]|[^\w\s,.;:!?\"'()\[\]-]")

_TABLE = table_beside(__file__)
_NOT = re.compile(filled(_TABLE["not"], {}))


@dataclass(frozen=True)
class WordFeelings:
    """The strength of the good words and of the bad words in a clause, each 0 or more."""

    good: float
    bad: float
    #: How many of them a "not" turned round.
    turned: int

    @property
    def balance(self) -> float:
        """From -1, all bad, to +1, all good; a single word of middling strength gives about 0.4."""
        total = self.good - self.bad
        return float(total / (total * total + 15) ** 0.5)


def word_feelings(clause: str) -> WordFeelings:
    """What the words of a clause say when each is taken with the "not" before it."""
    text = clause.lower().replace("’", "'")
    for pattern, instead in _TABLE["otherwise"]:
        text = re.sub(pattern, instead, text)
    known = strengths()
    good = bad = 0.0
    turned = 0
    for part in re.split(r"[,;:.!?()]| (?:but|because) ", text):
        words = _TOKEN.findall(part)
        denied = 0
        for word in words:
            if _NOT.fullmatch(word) or word.endswith("n't"):
                denied = 1 if word == "nor" else denied + 1
                continue
            strength = known.get(word, 0.0)
            if not strength:
                continue
            if denied % 2:
                turned += 1
                # "Not bad" is weaker praise than "good", "not good" is nearly "bad".
                strength *= -0.8 if strength > 0 else -0.65
            if strength > 0:
                good += strength
            else:
                bad -= strength
    return WordFeelings(good, bad, turned)


@cache
def strengths() -> dict[str, float]:
    """How good or bad each word is, from -4 to 4."""
    from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

    plain = set(_TABLE["plain"].split())
    known = {
        word: float(strength)
        for word, strength in SentimentIntensityAnalyzer().lexicon.items()
        if word not in plain
    }
    for more in _TABLE["more"]:
        known.update(dict.fromkeys(more["words"].split(), more["strength"]))
    return known
