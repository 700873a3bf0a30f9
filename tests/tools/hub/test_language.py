"""Downloaded models for texts, as tiny models of the same families: loading, pieces and stops."""

from __future__ import annotations

import shutil
import threading

import numpy as np
import pytest

from controlllm.toolbox import Cancelled, Context, ToolError
from tests.tools.tiny_models import QUIETLY
from tests.tools.tiny_models.language import REPLY
from tools.hub import reading_models, translating, writing_models
from tools.hub.catalogue_language_and_sound import (
    NAME_FINDERS,
    READERS,
    TRANSLATORS,
    WRITERS,
)
from tools.words.generation import text_to_text_generation, translation
from tools.words.summarization import sentiment_analysis, summarization, text_to_tags

pytest.importorskip("transformers")
pytestmark = QUIETLY
WEIGHTS = [choice["usual"] for choice in (WRITERS, TRANSLATORS, READERS, NAME_FINDERS)]
WEIGHTS += [TRANSLATORS["small"]]

TEXT = (
    "Anna Miller paints the boats on the lake every morning. Visitors buy her pictures. The oldest "
    "boat belonged to her grandfather, who paid 300 dollars for it in 1931. She is glad."
)


def on_hub(definition, context=None, place=0, **inputs):
    """Run a tool's way with downloaded weights."""
    ways = [way for way in definition.implementations if way.runtime == "hub"]
    return ways[place].run(inputs, context or Context())


def test_the_model_is_asked_in_its_own_form_of_a_conversation(models):
    model = writing_models.language_model(WRITERS["usual"].folder)
    reply = model.ask("Be short.", "Hello.", 400, Context())
    assert reply.text == REPLY and reply.complete


def test_a_reply_that_does_not_end_is_cut_and_says_so(models):
    model = writing_models.language_model(WRITERS["usual"].folder)
    _, writer = writing_models.loaded(writing_models.load_writer, WRITERS["usual"].folder)
    end = writer.generation_config.eos_token_id
    writer.generation_config.eos_token_id = None
    try:
        reply = model.ask("Be short.", "Hello.", 200, Context())
    finally:
        writer.generation_config.eos_token_id = end
    assert not reply.complete


def test_writing_is_stopped_between_two_tokens(models):
    stop = threading.Event()
    told = []

    def report(fraction, words):
        told.append(words)
        if "3 tokens" in words:
            stop.set()

    with pytest.raises(Cancelled):
        on_hub(text_to_tags, Context(report, stop), text=TEXT)
    assert told[-1] == "writing, 3 tokens"


def test_a_short_text_is_its_own_summary_and_needs_no_model():
    assert on_hub(summarization, text="It rained. We stayed.") == "It rained. We stayed."


def test_edits_by_rule_stay_exact(models):
    shout = on_hub(text_to_text_generation, prompt="Write it in upper case", text="Good day")
    assert shout == "GOOD DAY"
    both = "Write a sentence about boats and put it in upper case"
    assert on_hub(text_to_text_generation, prompt=both, text=None) == REPLY.upper()


def test_another_tone_is_left_to_the_model(models):
    asked = on_hub(text_to_text_generation, prompt="Make this more formal", text="I can't come.")
    assert asked == REPLY


@pytest.mark.parametrize("size", ["small", "usual"])
def test_a_translation_keeps_its_lines(models, size):
    found = translating.translate(
        TRANSLATORS[size].folder, "the boat\n\nthe lake\n", "French", Context()
    )
    lines = found.split("\n")
    assert len(lines) == 4 and lines[0] and not lines[1] and lines[2] and not lines[3]
    assert "__fr__" not in found and "<2fr>" not in found


def test_a_language_nobody_knows_is_told_before_a_model_is_loaded(tmp_path):
    with pytest.raises(ToolError, match="do not know the language “Klingon”"):
        translating.translate(tmp_path, "Hello", "Klingon", Context())


def test_a_language_that_the_model_cannot_write_is_told(models):
    with pytest.raises(ToolError, match="cannot write Welsh"):
        translating.translate(TRANSLATORS["usual"].folder, "Hello", "Welsh", Context())


def test_where_only_the_language_model_is_here_it_translates(models):
    assert on_hub(translation, text=TEXT, language="German") == REPLY


def test_the_target_language_begins_what_the_translator_reads(models):
    madlad, _ = translating.loaded(translating.load_translator, TRANSLATORS["usual"].folder)
    tokens, first = translating._tokens(madlad, "the boat", "en", "he")
    assert madlad.convert_ids_to_tokens(tokens)[0] == "<2iw>" and first is None
    assert tokens[-1] == madlad.eos_token_id
    m2m, _ = translating.loaded(translating.load_translator, TRANSLATORS["small"].folder)
    tokens, first = translating._tokens(m2m, "the boat", "de", "fr")
    assert tokens[0] == m2m.get_lang_id("de")
    assert first == m2m.get_lang_id("fr")


def test_what_follows_is_the_model_s_own_judgement(models):
    """The scores are those of the class that says that something follows, for each pair."""
    folder = READERS["usual"].folder
    found = reading_models.entailment(folder, ["the boat", "the lake"], ["a", "b"], Context())
    tokenizer, judge = reading_models.loaded(reading_models.load_judge, folder)
    tokens = tokenizer("the lake", "b", return_tensors="pt")
    assert found.shape == (2, 2)
    assert found[1, 1] == pytest.approx(judge(**tokens).logits[0, 0].item(), abs=1e-4)


def test_shares_of_a_long_text_are_one_together(models):
    shares = reading_models.shares_of(
        READERS["usual"].folder, TEXT * 30, ["art", "food"], Context()
    )
    assert shares.sum() == pytest.approx(1.0) and (shares >= 0).all()


def test_the_feeling_is_said_as_ever(models, monkeypatch):
    def felt(folder, sentences, context):
        return np.array([0.5 if "glad" in sentence else 0.4 for sentence in sentences])

    monkeypatch.setattr(reading_models, "feelings_of", felt)
    found = on_hub(sentiment_analysis, text="I was well all day long. Now I am glad.")
    assert found == (
        "The feeling of this text is positive (+0.50 between -1 and +1). Most positive: “Now I am "
        "glad.”"
    )


def test_names_are_joined_from_their_parts(models, monkeypatch):
    """Parts of words have the class of the word's beginning; the next word goes on with I-."""
    import torch

    folder = NAME_FINDERS["usual"].folder
    tokenizer, finder = reading_models.loaded(reading_models.load_name_finder, folder)
    classes = {name: number for number, name in finder.config.id2label.items()}
    text = "Anna Miller saw Bonn and the IBM."
    wanted = {0: "B-PER", 5: "I-PER", 16: "B-LOC", 29: "B-ORG"}

    def judged(**tokens):
        places = tokenizer(text, return_offsets_mapping=True)["offset_mapping"]
        logits = torch.zeros(1, len(places), len(classes))
        for number, (start, end) in enumerate(places):
            name = wanted.get(start, "O") if end > start else "O"
            logits[0, number, classes[name]] = 9.0
        return type("Output", (), {"logits": logits})

    class Judging:
        config = finder.config

        def __call__(self, **tokens):
            return judged(**tokens)

    told = reading_models._names(tokenizer, Judging(), text)
    found = [(text[start:end], kind) for start, end, kind in told]
    assert found == [("Anna Miller", "person"), ("Bonn", "place"), ("IBM", "organisation")]


def test_amounts_and_dates_are_found_with_the_names(models):
    found = reading_models.named_entities(NAME_FINDERS["usual"].folder, TEXT, Context())
    assert ("300 dollars", "money") in found and ("1931", "date") in found


def test_damaged_weights_are_no_secret(models, tmp_path):
    """A folder without its model is an error, not a download."""
    broken = tmp_path / "broken"
    shutil.copytree(READERS["usual"].folder, broken)
    (broken / "model.safetensors").unlink()
    with pytest.raises(OSError):
        reading_models.entailment(broken, ["a"], ["b"], Context())
