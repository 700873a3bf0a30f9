"""The sentence encoder."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from controlllm.models.encoder import DIMENSIONS, encode
from tests.every_case import every_case


def test_vectors_have_length_one() -> None:
    vectors = encode(["Blur the background.", "", "x" * 20_000, "naïve café 🙂 \ud800 日本"])
    assert vectors.shape == (4, DIMENSIONS)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


def test_no_texts_give_no_vectors() -> None:
    assert encode([]).shape == (0, DIMENSIONS)


def test_one_text_is_refused() -> None:
    with pytest.raises(TypeError):
        encode("a text")


@every_case(
    ("text", "near", "far"),
    [
        (
            "Remove the dog from the photo.",
            "Erase the puppy in this picture.",
            "Compose music.",
        ),
        (
            "What is written on the sign?",
            "Read the words on the sign.",
            "Brighten the sky.",
        ),
        (
            "The ferry leaves at noon.",
            "The boat departs at 12 o'clock.",
            "Bread needs flour.",
        ),
        (
            "I am delighted with it.",
            "It makes me very happy.",
            "The engine has six cylinders.",
        ),
    ],
)
def test_meaning_decides_what_is_near(text: str, near: str, far: str) -> None:
    vectors = encode([text, near, far])
    assert vectors[0] @ vectors[1] > vectors[0] @ vectors[2] + 0.25


def test_a_vector_does_not_depend_on_its_neighbours() -> None:
    together = encode(["short", "a much longer text " * 30, "short"])
    np.testing.assert_array_equal(together[0], encode(["short"])[0])
    np.testing.assert_array_equal(together[0], together[2])


def test_a_remembered_vector_cannot_be_changed_by_its_reader() -> None:
    first = encode(["a text to remember"])
    first[:] = 0
    assert np.linalg.norm(encode(["a text to remember"])) == pytest.approx(1, abs=1e-5)


def test_spelling_of_the_same_characters_does_not_matter() -> None:
    composed, decomposed, wide = encode(["café", "cafe\u0301", "ｃａｆé"])
    np.testing.assert_array_equal(composed, decomposed)
    np.testing.assert_array_equal(composed, wide)


def test_only_the_beginning_of_a_long_text_is_read() -> None:
    beginning = "The river rose for three days. " * 40
    vectors = encode([beginning, beginning + "Then a circus came to town."])
    np.testing.assert_array_equal(vectors[0], vectors[1])


def test_many_threads_agree() -> None:
    texts = [f"Sentence number {number % 7} of this test" for number in range(40)]
    expected = encode(texts)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda text: encode([text])[0], texts))
    np.testing.assert_array_equal(expected, np.stack(found))
