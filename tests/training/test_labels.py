"""Labels of tokens for a request whose clauses and words are known."""

from __future__ import annotations

import tokenizers

from controlllm.models import MODEL_FOLDER
from controlllm.planning.reading import BEGIN, INSIDE, OUTSIDE, ROLES
from training.generator import LabelledClause, LabelledRequest, Span
from training.labels import UNKNOWN, label

TEXT = "Hi. Find the brown dog, then read it."
REQUEST = LabelledRequest(
    TEXT,
    (
        LabelledClause(
            4, 22, "find", (Span(TEXT.index("brown"), TEXT.index("dog") + 3, "object"),)
        ),
        LabelledClause(TEXT.index("read"), len(TEXT) - 1, "read", None),
    ),
)


def labelled():
    tokenizer = tokenizers.Tokenizer.from_file(str(MODEL_FOLDER / "minilm-tokenizer.json"))
    tokenizer.no_padding()
    return label(REQUEST, tokenizer, ["read", "find"]), tokenizer.encode(TEXT).tokens


def test_each_clause_begins_once():
    labels, tokens = labelled()
    begins = [token for token, kind in zip(tokens, labels.boundary, strict=True) if kind == BEGIN]
    assert begins == ["find", "read"]
    assert labels.boundary[tokens.index("dog")] == INSIDE
    assert labels.boundary[tokens.index("then")] == OUTSIDE
    assert labels.intents == [1, 0]


def test_words_of_a_role_begin_and_go_on():
    labels, tokens = labelled()
    first = 1 + 2 * ROLES.index("object")
    assert labels.roles[tokens.index("brown")] == first
    assert labels.roles[tokens.index("dog")] == first + 1
    assert labels.roles[tokens.index("the")] == 0


def test_what_is_not_known_is_not_learnt():
    labels, tokens = labelled()
    assert labels.roles[tokens.index("read")] == UNKNOWN
    assert labels.boundary[0] == labels.boundary[-1] == UNKNOWN
