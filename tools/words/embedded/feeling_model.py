"""How a clause feels as a whole: a small network over its meaning, its words and their feelings.

It was trained by ``training/convert/train_feelings.py`` on sentences that people rated (Hutto and
Gilbert 2014) and on short everyday texts written for this project.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from controlllm.models import Model, ModelFile, resident
from controlllm.models.encoder import encode

from .feeling_words import word_feelings

FEELINGS_FILE = ModelFile(
    "feelings.npz",
    "4825f8f77895ebcfee0243d9dbd8a1f8742bd51a113602d197518e66cda2949b",
    Model(
        "Feelings of texts",
        "whether a clause is praise or blame; trained here",
        "Apache-2.0",
        "PyPI `vaderSentiment` 0.5, for the rated sentences",
    ),
)
_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?|\?|!")
_LONGEST_RUN = 3
#: Vectors have length 1; the network was trained with each of their numbers near 0.3.
MEANING_SCALE = 6.0


@dataclass(frozen=True)
class ClauseFeeling:
    """How likely it is that a clause is negative, neutral and positive."""

    negative: float
    neutral: float
    positive: float

    @property
    def score(self) -> float:
        """From -1 to +1."""
        return self.positive - self.negative


def clause_feelings(clauses: Sequence[str]) -> list[ClauseFeeling]:
    """The feeling of each clause, each judged by itself."""
    network, rows = _network()
    found = []
    for clause, meaning in zip(clauses, encode(clauses), strict=True):
        known = [rows[run] for run in word_runs(clause) if run in rows]
        hidden = np.maximum(MEANING_SCALE * meaning @ network["inner"] + network["inner_bias"], 0)
        values = (
            hidden @ network["outer"]
            + network["outer_bias"]
            + word_figures(clause) @ network["figures"]
            + network["run_weights"][known].sum(0)
        )
        likely = np.exp(values - values.max())
        found.append(ClauseFeeling(*(float(part) for part in likely / likely.sum())))
    return found


def word_runs(clause: str) -> list[str]:
    """The words of a clause and its runs of two and three, each once, in a fixed order."""
    words = _WORD.findall(clause.lower().replace("’", "'"))
    found = dict.fromkeys(words)
    opened = ["^", *words]
    for size in range(2, _LONGEST_RUN + 1):
        for start in range(len(opened) - size + 1):
            found[" ".join(opened[start : start + size])] = None
    return list(found)


def word_figures(clause: str) -> np.ndarray:
    """What the lexicon says about a clause, as the network takes it."""
    said = word_feelings(clause)
    return np.array(
        [said.balance, said.good / 4, said.bad / 4, said.turned, min(said.good, said.bad) / 4],
        np.float32,
    )


@resident
def _network() -> tuple[dict[str, np.ndarray], dict[str, int]]:
    """The weights, and the row of each run of words."""
    with np.load(FEELINGS_FILE.path()) as file:
        weights = {name: file[name].astype(np.float32) for name in file.files if name != "runs"}
        runs = bytes(file["runs"]).decode().split("\n")
    weights["run_weights"] *= weights.pop("run_scale")
    return weights, {run: row for row, run in enumerate(runs)}
