"""What the page says: in one file a language, with plural forms, English where one has no text."""

from __future__ import annotations

import pytest

from controlllm.ui import texts
from tests.every_case import every_case


@pytest.fixture
def two_languages(tmp_path, monkeypatch):
    (tmp_path / "en.toml").write_text(
        '[files]\nadd = "Add {name}"\nfound = {one = "{count} file", other = "{count} files"}\n'
    )
    (tmp_path / "ar.toml").write_text('[files]\nfound = {two = "ملفان", other = "{count} ملف"}\n')
    monkeypatch.setattr(texts, "_FOLDER", tmp_path)
    for kept in (texts.languages, texts.texts_in):
        kept.cache_clear()
    yield
    for kept in (texts.languages, texts.texts_in):
        kept.cache_clear()


def test_fields_and_plural_forms_are_filled_in(two_languages):
    assert texts.say("files.add", name="a.png") == "Add a.png"
    assert texts.say("files.found", count=1) == "1 file"
    assert texts.say("files.found", count=3) == "3 files"
    assert texts.say("files.found", count=1200) == "1,200 files"


def test_a_language_has_its_own_plural_forms_and_else_english(two_languages):
    with texts.speaking("ar"):
        assert texts.say("files.found", count=2) == "ملفان"
        assert texts.say("files.found", count=11) == "11 ملف"
        assert texts.say("files.add", name="x") == "Add \u2068x\u2069", "kept apart from its words"
    assert texts.current_language() == "en"


def test_a_text_that_nobody_wrote_is_a_mistake(two_languages):
    with pytest.raises(KeyError):
        texts.say("files.nothing")


@every_case(
    ("chosen", "accepted", "spoken"),
    [
        ("ar", "en", "ar"),
        ("", "fr;q=0.9, ar-EG;q=0.8, en;q=0.1", "ar"),
        ("xx", "fr", "en"),
        ("", "ar;q=none", "en"),
        ("", "", "en"),
    ],
    anew=(two_languages,),
)
def test_what_somebody_chose_comes_before_what_their_browser_asks_for(
    two_languages, chosen, accepted, spoken
):
    assert texts.language_for(chosen, accepted) == spoken


def test_directions():
    assert texts.direction_of("ar") == "rtl" and texts.direction_of("en") == "ltr"
