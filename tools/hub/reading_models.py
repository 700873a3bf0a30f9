"""Downloaded models that read a text and decide: what follows from it, and whom it names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from controlllm.toolbox import Context

from ..words.embedded.amounts_and_dates import amounts_and_dates
from ..words.embedded.language_requests import pieces_of
from .device import loaded, placement, pretrained

#: About 350 of the 512 tokens that the models read, so that a hypothesis has room.
_LONGEST_PIECE = 1_500
_MOST_PIECES = 60
_LONGEST_NAMED_PIECE = 1_200
#: What the model's classes of names are here; its "miscellaneous" is no kind that is promised.
_KINDS = {"PER": "person", "LOC": "place", "ORG": "organisation"}
_LEAST_CERTAINTY = 0.5


#: What tells whether a sentence follows from a text, and of each word whether it is part of a name.
load_judge = pretrained("AutoModelForSequenceClassification", "AutoTokenizer")
load_name_finder = pretrained("AutoModelForTokenClassification", "AutoTokenizer")


def shares_of(folder: Path, text: str, labels: Sequence[str], context: Context) -> np.ndarray:
    """How much each label suits a text, shape (len(labels),), together 1."""
    pieces = _read_pieces(text)
    shares = _shares(folder, pieces, [f"This text is about {label}." for label in labels], context)
    weights = np.array([len(piece) for piece in pieces], float)
    return np.asarray(weights @ shares / weights.sum())


def feelings_of(folder: Path, sentences: Sequence[str], context: Context) -> np.ndarray:
    """The feeling of each sentence, from -1 for bad to 1 for good, shape (len(sentences),)."""
    hypotheses = [
        f"The feeling of this text is {feeling}." for feeling in ("positive", "negative", "neutral")
    ]
    shares = _shares(folder, sentences, hypotheses, context)
    return np.asarray(shares[:, 0] - shares[:, 1])


def _shares(
    folder: Path, texts: Sequence[str], hypotheses: Sequence[str], context: Context
) -> np.ndarray:
    """How strongly each hypothesis follows from each text, together 1 for a text."""
    support = entailment(folder, texts, hypotheses, context)
    lead = np.exp(support - support.max(axis=1, keepdims=True))
    return np.asarray(lead / lead.sum(axis=1, keepdims=True))


def entailment(
    folder: Path, texts: Sequence[str], hypotheses: Sequence[str], context: Context
) -> np.ndarray:
    """How strongly each hypothesis follows from each text, as the model's unbounded score, shape
    (len(texts), len(hypotheses))."""
    import torch

    context.progress(0.0, "loading the model")
    tokenizer, model = loaded(load_judge, folder)
    follows = _class_of(model.config, "entail")
    scores = np.zeros((len(texts), len(hypotheses)))
    for number, text in enumerate(texts):
        context.progress(number / len(texts), f"reading {number + 1} of {len(texts)}")
        tokens = tokenizer(
            [text] * len(hypotheses),
            list(hypotheses),
            truncation="only_first",
            max_length=_room(model.config),
            padding=True,
            return_tensors="pt",
        ).to(placement().device)
        with torch.inference_mode():
            logits = model(**tokens).logits.float()
        scores[number] = logits[:, follows].cpu().numpy()
    context.progress(1.0, "read")
    return scores


def named_entities(folder: Path, text: str, context: Context) -> list[tuple[str, str]]:
    """The names, dates and amounts of a text with their kinds, in the order of the text."""
    context.progress(0.0, "loading the model")
    tokenizer, model = loaded(load_name_finder, folder)
    found: list[tuple[str, str]] = []
    pieces = pieces_of(text, _LONGEST_NAMED_PIECE)
    for number, piece in enumerate(pieces):
        context.progress(number / len(pieces), f"looking for names, {number + 1} of {len(pieces)}")
        names = _names(tokenizer, model, piece)
        taken = [(start, end) for start, end, _ in names]
        for amount in amounts_and_dates(piece):
            if all(amount.end <= start or amount.start >= end for start, end in taken):
                names.append((amount.start, amount.end, amount.kind))
        found += [(" ".join(piece[start:end].split()), kind) for start, end, kind in sorted(names)]
    context.progress(1.0, "read")
    return found


def _names(tokenizer: Any, model: Any, text: str) -> list[tuple[int, int, str]]:
    """Where names stand in a text, whole words, with their kinds."""
    import torch

    tokens = tokenizer(
        text,
        truncation=True,
        max_length=_room(model.config),
        return_offsets_mapping=True,
        return_tensors="pt",
    )
    places = tokens.pop("offset_mapping")[0].tolist()
    with torch.inference_mode():
        logits = model(**tokens.to(placement().device)).logits[0].float()
    certainty, classes = logits.softmax(dim=-1).max(dim=-1)
    names: list[tuple[int, int, str]] = []
    end_before = -1
    told = zip(places, certainty.tolist(), classes.tolist(), strict=True)
    for (start, end), score, number in told:
        name = str(model.config.id2label[number])
        kind = _KINDS.get(name.split("-")[-1])
        inside_word = 0 < start == end_before and text[start - 1 : start + 1].isalnum()
        if end > start and inside_word and names and names[-1][1] == start:
            # A word has the class of its first part, as the model was taught.
            names[-1] = (names[-1][0], end, names[-1][2])
        elif end > start and kind and score >= _LEAST_CERTAINTY and not inside_word:
            goes_on = name.startswith("I-") and names and names[-1][2] == kind
            if goes_on and not re.search(r"\w", text[names[-1][1] : start]):
                names[-1] = (names[-1][0], end, kind)
            else:
                names.append((start, end, kind))
        end_before = end
    return names


def _read_pieces(text: str) -> list[str]:
    pieces = [piece for piece in pieces_of(text, _LONGEST_PIECE) if piece.strip()]
    if len(pieces) > _MOST_PIECES:
        chosen = np.linspace(0, len(pieces) - 1, _MOST_PIECES).round().astype(int)
        pieces = [pieces[place] for place in chosen]
    return pieces


def _class_of(config: Any, begins: str) -> int:
    for number, name in config.id2label.items():
        if str(name).lower().startswith(begins):
            return int(number)
    raise ValueError(f"The model has no class that begins with {begins!r}.")


def _room(config: Any) -> int:
    return min(int(getattr(config, "max_position_embeddings", 512)), 512)
