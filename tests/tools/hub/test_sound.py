"""Downloaded models that hear, speak and compose, as tiny models of the same families."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from controlllm.resources import Label, Sound
from controlllm.toolbox import Cancelled, Context, ToolError
from tests.tools.made_videos import tone
from tests.tools.tiny_models import QUIETLY
from tools.hub import composing, listening, speaking
from tools.hub.catalogue_language_and_sound import (
    COMPOSERS,
    LISTENERS,
    SOUND_CLASSES,
    VOICES,
)
from tools.music.generation import text_to_music
from tools.speech.embedded import whisper
from tools.speech.synthesis import text_to_speech

pytest.importorskip("transformers")
pytestmark = QUIETLY
WEIGHTS = [choice["usual"] for choice in (LISTENERS, VOICES, COMPOSERS, SOUND_CLASSES)]
WEIGHTS += [VOICES["small"]]


def noise(seconds: float, rate: int = 16_000) -> Sound:
    chance = np.random.default_rng(3)
    return Sound(chance.normal(0, 0.1, (round(seconds * rate), 1)).astype(np.float32), rate)


def on_hub(definition, context=None, **inputs):
    (way,) = [way for way in definition.implementations if "torch" in way.packages]
    return way.run(inputs, context or Context())


def test_stretches_of_speech_are_put_together_up_to_a_length():
    spans = [(0.0, 5.0), (6.0, 12.0), (20.0, 27.0), (27.5, 70.0)]
    assert listening._gathered(spans, 28.0) == [(0.0, 27.0), (27.5, 70.0)]


def test_a_long_stretch_is_cut_where_it_is_quiet():
    samples = np.ones(50 * 100, np.float32)
    samples[2_500:2_520] = 0.0
    found = listening._cut(samples, 100, 0.0, 50.0, 28.0)
    assert [start for start, _ in found] == [0.0, pytest.approx(25.1, abs=0.1)]
    assert found[0][1] == found[1][0] and found[-1][1] == 50.0
    assert all(end - start <= 28.0 for start, end in found)


def test_speech_is_written_down_piece_by_piece(models, monkeypatch):
    """Pauses of more than a moment begin a paragraph; each piece fits what is heard at once."""
    monkeypatch.setattr(whisper, "speech_spans", lambda samples: [(0.0, 40.0), (50.0, 55.0)])
    heard: list[int] = []
    truly = listening._heard

    def hear(processor, model, samples, words, context):
        heard.append(len(samples))
        return truly(processor, model, samples, words, context)

    monkeypatch.setattr(listening, "_heard", hear)
    told: list[float] = []
    context = Context(lambda fraction, words: told.append(fraction))
    found = listening.write_down(LISTENERS["usual"].folder, noise(55.0), context)
    assert len(heard) == 3 and max(heard) <= 30 * whisper.RATE
    assert found.count("\n\n") == 1
    assert told == sorted(told) and told[-1] == 1.0


def test_listening_is_stopped_between_two_tokens(models, monkeypatch):
    monkeypatch.setattr(whisper, "speech_spans", lambda samples: [(0.0, 5.0)])
    stop = threading.Event()
    told: list[str] = []

    def report(fraction, words):
        told.append(words)
        if words.endswith("4 tokens"):
            stop.set()

    with pytest.raises(Cancelled):
        listening.write_down(LISTENERS["usual"].folder, noise(5.0), Context(report, stop))
    assert told[-1].endswith("4 tokens")


def test_a_tone_is_no_speech(models):
    with pytest.raises(ToolError, match="no speech"):
        listening.write_down(LISTENERS["usual"].folder, tone(2.0), Context())


def test_kinds_of_sound_are_sorted_and_at_most_one_together(models):
    found = listening.kinds_of(SOUND_CLASSES["usual"].folder, noise(25.0, 44_100), Context())
    scores = [label.score for label in found]
    assert {label.name for label in found} <= {"speech", "dog", "music", "siren"}
    assert scores == sorted(scores, reverse=True) and sum(scores) <= 1.0001
    silence = Sound(np.zeros((16_000, 1), np.float32), 16_000)
    assert listening.kinds_of(models, silence, Context()) == (Label("silence", 1.0),)


def test_the_small_voice_reads_the_sounds_of_english(models):
    voice = speaking.voice_in(VOICES["small"].folder, Context())
    assert voice.reads_sounds and not voice.tokenizer.phonemize
    kept = voice.tokenizer("ðə bˈoʊt", return_tensors="pt")["input_ids"][0].tolist()
    # Between all sounds there is one that is none.
    sounds = voice.tokenizer.convert_ids_to_tokens(kept[1::2])
    assert "".join(sounds) == "ðə bˈoʊt"
    assert len(speaking.say_sounds(voice, "ðə bˈoʊt.", Context()))


def test_each_language_has_its_own_voice(models):
    voice = speaking.voice_in(VOICES["usual"].folder, Context())
    german = speaking._manner(voice.folder, "de")
    english = speaking._manner(voice.folder, "en")
    assert not np.array_equal(german["semantic_prompt"], english["semantic_prompt"])
    with pytest.raises(ToolError, match="voice for French is missing"):
        speaking.say_words(voice, "Bonjour", "fr", Context())


def test_the_language_to_speak_is_told_from_the_text():
    assert speaking.language_to_speak("Das Boot liegt am See und es ist alt.") == "de"
    assert speaking.language_to_speak("Hello") == "en"
    with pytest.raises(ToolError, match="cannot read Greek aloud"):
        speaking.language_to_speak("Καλημέρα σας, τι κάνετε;")


def test_nothing_is_too_long_to_be_said_at_once():
    text = "One short. " * 40 + "word " * 100
    passages = speaking.passages_of(text)
    assert all(0 < len(passage) <= 170 for passage in passages)
    assert " ".join(passages).split() == text.split()


def test_speaking_is_stopped_between_two_tokens(models):
    stop = threading.Event()
    told: list[str] = []

    def report(fraction, words):
        told.append(words)
        if "2 tokens" in words:
            stop.set()

    with pytest.raises(Cancelled):
        on_hub(text_to_speech, Context(report, stop), text="The boat is old.")
    assert "2 tokens" in told[-1]


def test_music_has_the_length_asked_for_and_fades_out(models):
    found = on_hub(text_to_music, prompt="A calm piano piece of 12 seconds in D minor at 90 bpm")
    assert found.seconds == pytest.approx(12.0, abs=0.1)
    assert found.samples.shape[1] == 2 and found.samples.dtype == np.float32
    assert np.abs(found.samples[-3:]).max() < 0.02 * np.abs(found.samples).max()


def test_what_the_words_wish_reaches_the_model(models, monkeypatch):
    asked = {}
    monkeypatch.setattr(
        composing, "compose", lambda folder, words, seconds, wishes, context: asked.update(wishes)
    )
    on_hub(text_to_music, prompt="A waltz in 3/4 in E flat major at 140 bpm, 20 seconds")
    assert asked == {"bpm": 140, "keyscale": "Eb major", "timesignature": "3"}


def test_music_is_stopped_between_two_steps(models):
    stop = threading.Event()
    told: list[str] = []

    def report(fraction, words):
        told.append(words)
        if words.startswith("Step 2"):
            stop.set()

    with pytest.raises(Cancelled):
        on_hub(text_to_music, Context(report, stop), prompt="a calm piano piece")
    assert told[-1] == "Step 2 of 8"
