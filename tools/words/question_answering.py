"""Tools that answer questions from a text."""

from __future__ import annotations

import re

import numpy as np

from controlllm.models.encoder import encode
from controlllm.resources import Text
from controlllm.toolbox import Context, ToolError, tool

from ..shared.function_words import COMMON_WORDS, FUNCTION_WORDS, stem
from ..shared.sentences import split_sentences
from .embedded import language_requests, paper_answers
from .embedded.answer_spans import Kind, kind_of, spans
from .embedded.given_text import check_length
from .embedded.language_requests import LanguageModel
from .embedded.summary import capital, vectors_of
from .language_models import by_language_model

_MOST_SENTENCES = 1500
_PRICE = re.compile(r"\b(?:costs?|pay|price)\b", re.IGNORECASE)
#: Under this likeness of question and sentence the text is taken to be silent on the matter.
_LEAST_LIKENESS = 0.38
#: Above this the sentence is given as the answer even where no word of the right kind is in it.
_CERTAIN = 0.7


@tool(
    domain="question-answering",
    examples=[
        "Answer my question about the text.",
        "According to the article, who won the prize?",
        "When does the meeting start? Look in this e-mail.",
        "Where was she born, does the text say?",
        "How many people live there, according to the report?",
        "What does the passage say about the bridge?",
        "Find the answer to this question in the transcript.",
        "Why was the train late? It is in the document.",
        "Who wrote the letter?",
    ],
    aliases=["text_question_answering"],
)
def question_answering(text: Text, question: Text, context: Context | None = None) -> Text:
    """Answer a question from a given text, with the words of the text that hold the answer.

    Args:
        text: the passage, article or transcript in which the answer is looked for
        question: the question about the text
    """
    _check(text, question)
    parts = paper_answers.parts_of(question)
    held = [paper_answers.answered(text, part) for part in parts]
    if any(held):
        pairs = zip(parts, held, strict=True)
        answers = [answer or _from_sentences(text, part, context) for part, answer in pairs]
        return "\n".join(dict.fromkeys(answers))
    return paper_answers.answered(text, question) or _from_sentences(text, question, context)


def _from_sentences(text: str, question: str, context: Context | None) -> str:
    """The sentence that answers a question, and the words of it that do."""
    sentences = split_sentences(text)
    if len(sentences) > _MOST_SENTENCES:
        raise ToolError(
            f"The text has {len(sentences):,} sentences and I read at most {_MOST_SENTENCES:,} at "
            "once; give me the part that matters."
        )
    context = context or Context()
    vectors = vectors_of(sentences, lambda part: context.progress(part, "reading the text"))
    kind = kind_of(question)
    likeness = _likeness(question, sentences, vectors)
    held = [spans(kind, sentence, question) for sentence in sentences]
    ranked = likeness + 0.16 * np.array([bool(found) for found in held])
    best = int(np.argmax(ranked))
    if likeness[best] < _LEAST_LIKENESS - (0.05 if held[best] else 0):
        only = [place for place, found in enumerate(held) if len(found) == 1]
        # "How much does it cost" asks for the one price that there is.
        words = _telling_stems(question) - _COMMON_STEMS - {"cost", "price"}
        asks_for_price = _PRICE.search(question) and not words
        if kind.name == "money" and len(only) == 1 and asks_for_price:
            return f"{capital(held[only[0]][0])}. The text says: “{capital(sentences[only[0]])}”"
        return language_requests.SILENT
    sentence = capital(sentences[best])
    if not _is_direct(kind, question, sentence, held[best]) and likeness[best] < _CERTAIN:
        return f"The text does not say so directly. The nearest it says is: “{sentence}”"
    if held[best]:
        return f"{capital(held[best][0])}. The text says: “{sentence}”"
    return sentence


@by_language_model(question_answering)
def _answered(text: str, question: str, model: LanguageModel, context: Context) -> str:
    _check(text, question)
    return language_requests.answered(text, question, model, context)


def _check(text: str, question: str) -> None:
    if not re.search(r"\w", question):
        raise ToolError("There is no question to answer; ask one about the text.")
    if not re.search(r"\w", text):
        raise ToolError("There is no text to look for the answer in; give me one.")
    check_length(text)


def _is_direct(kind: Kind, question: str, sentence: str, held: list[str]) -> bool:
    """Whether a sentence that is about the matter can hold what is asked for."""
    if kind.name in ("count", "money", "time", "clock", "color", "measure", "duration", "place"):
        return bool(held)
    did = re.search(r"\bwho(?:m|se)?\s(\w+)", question.lower())
    if kind.name == "person" and did and did[1] not in FUNCTION_WORDS:
        return stem(did[1]) in {stem(word) for word in re.findall(r"\w+", sentence)}
    return True


def _likeness(question: str, sentences: list[str], vectors: np.ndarray) -> np.ndarray:
    """How much each sentence is about what is asked, about 0..1: by meaning and by its words.

    A sentence is also read together with the one before it, which may name what it calls "it".
    """
    (asked,) = encode([question])
    meaning = vectors @ asked
    if len(sentences) > 1:
        pairs = vectors[1:] + vectors[:-1]
        pairs /= np.maximum(np.linalg.norm(pairs, axis=1, keepdims=True), 1e-9)
        meaning[1:] = np.maximum(meaning[1:], 0.85 * (pairs @ asked))
    words = _telling_stems(question)
    shared = np.array(
        [sum(_weight(word) for word in words & _telling_stems(sentence)) for sentence in sentences]
    ) / max(sum(_weight(word) for word in words), 1e-9)
    return 0.65 * meaning + 0.35 * shared


_COMMON_STEMS = frozenset(stem(word) for word in COMMON_WORDS)


def _weight(word: str) -> float:
    return 0.5 if word in _COMMON_STEMS else 1.0


def _telling_stems(text: str) -> set[str]:
    return {
        stem(word)
        for word in re.findall(r"[\w']+", text.lower())
        if word not in FUNCTION_WORDS and len(word) > 1
    }
