"""Speech: what is said, and that it can be understood again."""

from __future__ import annotations

import re
import threading

import numpy as np
import pytest

from controlllm.toolbox import Cancelled, Context, ToolError
from tests.every_case import every_case
from tools.shared.sentences import split_sentences
from tools.shared.spoken_numbers import cardinal, ordinal, year
from tools.speech.embedded.pronunciation import guess, phonemes
from tools.speech.embedded.spoken_text import spoken_text
from tools.speech.recognition import speech_to_text
from tools.speech.synthesis import text_to_speech


@every_case(
    ("written", "spoken"),
    [
        ("$1,250.50", "one thousand two hundred fifty dollars and fifty cents"),
        ("£1", "one pound"),
        ("3:45 p.m.", "three forty-five PM"),
        ("2024-03-05", "March fifth, twenty twenty-four"),
        ("12/25/1905", "December twenty-fifth, nineteen oh five"),
        ("3 May 2001", "May third, two thousand one"),
        ("the 1990s", "the nineteen nineties"),
        ("-5°C", "minus five degrees Celsius"),
        ("2½ miles", "two and one half miles"),
        ("3/8 inch", "three eighths inch"),
        ("(212) 555-0199", "two one two five five five zero one nine nine"),
        ("Dr. Lee lives on Oak St.", "Doctor Lee lives on Oak Street"),
        ("e.g. cats & dogs", "for example cats and dogs"),
        ("joe@example.org", "joe at example dot org"),
        ("version 2.10.3", "version two point ten point three"),
        ("“Well…” (he said)", "Well. he said"),
        ("007", "zero zero seven"),
        ("+1 212 555 0199", "one two one two five five five zero one nine nine"),
        ("3€ or 5 £", "three euros or five pounds"),
        ("<b>bold</b> & plain", "bold and plain"),
        ("Henry VIII", "Henry the eighth"),
        ("World War II, Chapter XIV", "World War two, Chapter fourteen"),
    ],
)
def test_writing_to_speaking(written: str, spoken: str) -> None:
    assert spoken_text(written).rstrip(".") == spoken


@every_case(
    ("number", "words"),
    [
        (0, "zero"),
        (13, "thirteen"),
        (1_000_001, "one million one"),
        (-7, "minus seven"),
    ],
)
def test_cardinals(number: int, words: str) -> None:
    assert cardinal(number) == words


def test_ordinals_and_years() -> None:
    assert [ordinal(n) for n in (1, 2, 3, 8, 12, 20, 21, 100)] == [
        "first",
        "second",
        "third",
        "eighth",
        "twelfth",
        "twentieth",
        "twenty-first",
        "one hundredth",
    ]
    assert [year(n) for n in (1900, 1905, 2000, 2009, 2031)] == [
        "nineteen hundred",
        "nineteen oh five",
        "two thousand",
        "two thousand nine",
        "twenty thirty-one",
    ]


@every_case(
    ("text", "sounds"),
    [
        ("Hello world.", "həlˈoʊ wˈɜːld."),
        ("the apple, the pear", "ðɪ ˈæpəl, ðə pˈɛɹ"),
        ("dogs, cats, boxes", "dˈɔːɡz, kˈæts, bˈɑːksᵻz"),
        ("to record a record", "tə ɹəkˈɔːɹd ɐ ɹˈɛkɚd"),
        ("the FBI", "ðɪ ˌɛfbˌiːˈaɪ"),
        ("日本", ""),
    ],
)
def test_pronunciation(text: str, sounds: str) -> None:
    assert phonemes(text) == sounds


def test_unknown_words_are_guessed_from_their_spelling() -> None:
    assert guess("zuckerberg") == "zˈʌkəɹbəɹɡ"
    assert guess("") == ""


def test_sentences() -> None:
    text = "Dr. Lee met J. Smith at 3 p.m. on Monday. They left! Did they? See fig. 2 for more."
    assert split_sentences(text) == [
        "Dr. Lee met J. Smith at 3 p.m. on Monday.",
        "They left!",
        "Did they?",
        "See fig. 2 for more.",
    ]
    unmarked = split_sentences("and so on " * 60)
    assert len(unmarked) > 1
    assert " ".join(unmarked).split() == ("and so on " * 60).split()


@pytest.mark.few(1)
@pytest.mark.parametrize(
    "text",
    [
        "A black cat sits before a laptop, and there is a mouse on the desk.",
        "Could you please tell me what time the museum opens on Sundays?",
        "NASA and the FBI met with engineers in San Francisco.",
    ],
)
def test_speech_can_be_understood(text: str) -> None:
    sound = text_to_speech(text)
    heard = re.findall(r"[a-z]+", speech_to_text(sound).lower())
    said = re.findall(r"[a-z]+", text.lower())
    # The voice varies and the listener errs, so one or two words may be lost.
    assert len(set(said) - set(heard)) <= 2
    assert sound.rate == 22050
    assert sound.samples.shape[1] == 1
    assert 0.5 < np.abs(sound.samples).max() <= 1
    assert 0.2 < sound.seconds / len(said) < 0.7


def test_long_text_is_spoken_piece_by_piece_and_can_be_stopped() -> None:
    text = "The lamp is on the table. " * 6
    told: list[float] = []
    sound = text_to_speech(text, context=Context(lambda fraction, said: told.append(fraction)))
    assert len(told) == 6
    assert sound.seconds > 6
    stop = threading.Event()

    def report(fraction: float, said: str) -> None:
        stop.set()

    with pytest.raises(Cancelled):
        text_to_speech(text, context=Context(report, stop))


@every_case("text", ["", "  \n", "🙂 …", "word " * 9000])
def test_what_cannot_be_said_is_refused(text: str) -> None:
    with pytest.raises(ToolError):
        text_to_speech(text)


@every_case(
    "text",
    [
        "Der Hund läuft schnell und die Katze schläft auf dem Sofa.",
        "Le chat est dans la maison avec les enfants.",
        "Собака бежит быстро.",
        "犬が走っています。",
    ],
)
def test_other_languages_are_refused_plainly(text: str) -> None:
    with pytest.raises(ToolError, match="only English"):
        text_to_speech(text)


def test_foreign_names_in_english_are_no_other_language() -> None:
    assert text_to_speech("Zoë met José at the café.").seconds > 1


def test_numbers_read_out_in_english_are_no_other_language() -> None:
    assert text_to_speech("zero zero six zero five nine two").seconds > 1
