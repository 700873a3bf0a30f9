"""The measures of tool quality on cases whose answer is known, and the parts on real tools."""

from __future__ import annotations

import json

import numpy as np
import PIL.Image
import pytest

from benchmarks.__main__ import main
from benchmarks.quality import pictures, sheets, sounds, words
from benchmarks.quality.figures import Findings, on_scale, share, table
from benchmarks.quality.media import Media, Tools, outline_mask
from benchmarks.quality.music import key_of, tempo_of
from benchmarks.quality.references import Photo, References, mark_of, read_references
from benchmarks.quality.scores import (
    Counts,
    Errors,
    character_errors,
    counts_of,
    edits,
    intersection_over_union,
    signal_to_noise,
    with_noise,
    word_errors,
)
from controlllm.resources import Box, Region, Text
from controlllm.toolbox import Toolbox, ToolError, tool
from tests.every_case import every_case

RATE = 22050


@every_case(
    ("reference", "found", "expected"),
    [("", "", 0), ("abc", "abc", 0), ("abc", "", 3), ("", "ab", 2), ("kitten", "sitting", 3)],
)
def test_edits(reference, found, expected):
    assert edits(reference, found) == expected


def test_word_errors_ignore_case_and_punctuation():
    assert word_errors("He didn’t go, did he?", "he didn't GO did he") == Errors(0, 5)
    assert word_errors("one two three", "one too three four") == Errors(2, 3)
    assert word_errors("one two", "one two").rate == 0


def test_error_rates_may_exceed_one_and_bear_empty_references():
    assert Errors(3, 2).rate == 1.5
    assert Errors(1, 0).rate == 1.0
    assert Errors(0, 0).rate == 0.0
    assert Errors(1, 2) + Errors(2, 3) == Errors(3, 5)


def test_character_errors_keep_case_but_not_line_ends():
    assert character_errors("STOP here", "STOP\nhere") == Errors(0, 9)
    assert character_errors("STOP", "Stop") == Errors(3, 4)


def test_intersection_over_union():
    one, other = np.zeros((4, 4), bool), np.zeros((4, 4), bool)
    one[:, :2], other[:, 1:3] = True, True
    assert intersection_over_union(one, other) == pytest.approx(1 / 3)
    assert intersection_over_union(one, one) == 1
    assert intersection_over_union(one, ~one) == 0
    assert intersection_over_union(one & ~one, one & ~one) == 1


def test_counts_give_precision_and_recall():
    counts = counts_of({"dog": 2, "cat": 1}, {"dog": 1, "car": 3, "tree": 5}, frozenset({"tree"}))
    assert counts == Counts(right=1, extra=3, missed=2)
    assert counts.precision == 0.25
    assert counts.recall == pytest.approx(1 / 3)
    assert Counts().precision == Counts().recall == 1


def test_a_photo_with_a_crowd_counts_no_one_too_many():
    photo = Photo({"umbrella": 1}, {"person": 9}, ("balloon",), {"umbrella": ("parasol",)})
    assert photo.judged({"parasol": 1, "person": 30, "balloon": 4}) == Counts(10, 0, 0)
    assert photo.judged({"person": 4, "dog": 1}) == Counts(4, 1, 6)


@every_case("level", [0.0, 10.0, 20.0])
@every_case("kind", ["white", "hum"])
def test_noise_is_added_at_the_level_asked_for(level, kind):
    clean = np.sin(np.arange(RATE) * 0.07)
    noisy = with_noise(clean, sounds.noise_of(kind, len(clean), RATE), level)
    assert signal_to_noise(clean, noisy) == pytest.approx(level, abs=0.01)
    assert signal_to_noise(clean, 0.3 * noisy) == pytest.approx(level, abs=0.01)


@every_case("tempo", [63, 90, 128, 171])
def test_tempo_of_clicks(tempo):
    sound = np.zeros(20 * RATE)
    for beat in np.arange(0.2, 19.8, 60 / tempo):
        start = int(beat * RATE)
        sound[start : start + 800] = np.sin(np.arange(800) * 0.3) * np.linspace(1, 0, 800)
    heard = tempo_of(sound, RATE)
    assert min(abs(heard / tempo / factor - 1) for factor in (0.5, 1, 2)) < 0.02


@every_case(
    ("steps", "key"),
    [
        ((0, 4, 7, 5, 9, 0, 7, 11, 2, 0, 4, 7), "major"),
        ((0, 3, 7, 5, 8, 0, 7, 10, 2, 0, 3, 7), "minor"),
    ],
)
@every_case(("tonic", "name"), [(60, "C"), (57, "A")])
def test_key_of_chords(steps, key, tonic, name):
    time = np.arange(RATE) / RATE
    bars = [steps[place : place + 3] for place in range(0, len(steps), 3)]
    sound = np.concatenate(
        [
            sum(np.sin(2 * np.pi * 440 * 2 ** ((tonic + step - 69) / 12) * time) for step in bar)
            for bar in bars
        ]
    )
    assert key_of(sound, RATE) == (name, key)


@every_case(
    ("answer", "right", "judged"),
    [
        ("Yes, there is a cat.", ["^yes"], "right"),
        ("No, I see no spoon in the picture.", ["^yes"], "wrong"),
        ("I see a cup. The models at work here cannot tell more than that.", ["cup"], "declined"),
        ("I see no saucer in the picture. I see a red cup.", ["red"], "declined"),
        ("There are three chairs.", [r"\b4\b", "four"], "wrong"),
    ],
)
def test_answers_are_judged(answer, right, judged):
    assert pictures.judged_answer(answer, right) == judged


@every_case(
    ("answer", "feeling"),
    [
        ("The feeling of this text is very positive (+0.90 between -1 and +1).", "positive"),
        ("The feeling of this text is mixed. Most positive: “Good.”", "mixed"),
        ("No idea.", ""),
    ],
)
def test_the_named_feeling_is_read(answer, feeling):
    assert words.named_feeling(answer) == feeling


def test_the_shipped_references_hold_together():
    references = read_references(None)
    media = Media()
    for entry in (*references.lists["masks"], *references.lists["removals"]):
        picture = media.picture(entry["photo"])
        assert picture is not None, entry["photo"]
        assert 0.001 < outline_mask(entry["polygon"], picture.size).mean() < 0.9
    assert {feeling for _, feeling in references.lists["feelings"]} == set(words.FEELINGS)
    assert all(media.picture(name) is not None for name in references.photos())
    assert not media.missing


def test_references_of_ones_own_are_added(tmp_path):
    file = tmp_path / "mine.json"
    file.write_text(
        json.dumps({"photos": {"a.jpg": {"objects": {"dog": 1}}}, "spoken": ["Hello."]})
    )
    references = read_references(file)
    assert references.photos()["a.jpg"] == Photo({"dog": 1})
    assert "chelsea.png" in references.photos()
    assert references.lists["spoken"][-1] == "Hello."


@every_case(
    ("content", "words"),
    [
        ("[1]", "holds no references"),
        ('{"pictures": {}}', "section 'pictures'"),
        ('{"masks": {}}', "must be a list"),
        ('{"photos": []}', "an object by file name"),
        ("no json", "could not be read"),
    ],
)
def test_references_that_are_none_are_refused(tmp_path, content, words):
    file = tmp_path / "mine.json"
    file.write_text(content)
    with pytest.raises(ValueError, match=words):
        read_references(file)


def test_a_folder_comes_before_the_packages(tmp_path):
    PIL.Image.new("RGB", (5, 4)).save(tmp_path / "chelsea.png")
    media = Media(tmp_path)
    mine, theirs = media.picture("chelsea.png"), media.picture("coffee.png")
    assert mine is not None and mine.size == (5, 4)
    assert theirs is not None and theirs.size == (600, 400)
    assert media.picture("nowhere.jpg") is None
    assert media.missing == {"nowhere.jpg"}


def test_the_table_has_the_figures_and_what_was_left_out():
    findings = Findings()
    findings.add("a_tool", "hits", share(3, 4), "4 things")
    findings.leave_out("another_tool: it is not here.")
    assert "| a_tool | hits | 3 of 4 (75%) | 4 things |" in table(findings)
    assert "Left out: another_tool: it is not here." in table(findings)
    assert on_scale(["good", "bad", "good"], ("good", "fair", "bad")) == "2 good, 0 fair, 1 bad"


def _references(**sections) -> References:
    known = read_references(None)
    tables = {name: sections.get(name, {}) for name in known.tables}
    return References(tables, {name: tuple(sections.get(name, ())) for name in known.lists})


@pytest.fixture(scope="module")
def tools() -> Tools:
    return Tools()


def test_judgements_count_only_for_the_results_that_were_judged(tools):
    text = read_references(None).lists["summaries"][0]["text"]
    summary = tools.call("summarization", text=text)
    entries = [
        {"name": "now", "text": text, "summary": summary, "judgement": "good"},
        {"name": "then", "text": text, "summary": "Something else.", "judgement": "good"},
    ]
    found = words.summaries(tools, _references(summaries=entries))
    assert found.figures[0].value == "1 good, 0 fair, 0 bad"
    assert found.left_out == ["summarization: 1 summaries are not the ones judged."]


@pytest.mark.long
def test_detection_and_reading_on_real_pictures(tools):
    references = _references(
        photos={"chelsea.png": {"objects": {"cat": 1}}, "coffee.png": {"objects": {"zebra": 1}}},
    )
    found = pictures.detection(tools, Media(), references)
    values = {figure.what: figure.value for figure in found.figures}
    assert values["recall"] == "50.0%"
    assert values["counted exactly"] == "1 of 2 (50%)"
    page = pictures.rendered_page("The quick brown fox jumps over the lazy dog.", 24)
    read = tools.call("optical_character_recognition", image=page)
    assert character_errors("The quick brown fox jumps over the lazy dog.", read).rate < 0.05


@pytest.mark.long
def test_masks_are_compared_with_outlines(tools):
    (entry,) = [
        entry for entry in read_references(None).lists["masks"] if entry["photo"] == "astronaut.png"
    ]
    found = pictures.masks(tools, Media(), _references(masks=[entry]))
    (by_name,) = [one for one in found.figures if one.tool == "instance_segmentation"]
    assert float(by_name.value.split(",")[0]) > 0.8


@pytest.mark.long
def test_boxes_of_a_name_are_compared_with_outlines(tools):
    entries = [
        entry for entry in read_references(None).lists["masks"] if entry["photo"] == "chelsea.png"
    ]
    nowhere = {**entries[0], "thing": "zebra", "labels": ["zebra"]}
    found = pictures.boxes(tools, Media(), _references(masks=[*entries, nowhere]))
    (detected,) = [one for one in found.figures if one.tool == "object_detection"]
    mean, worst = map(float, detected.value.split(","))
    assert worst == 0.0 and 0.4 < mean < 0.5


def test_refusals_are_answers_and_missing_tools_are_told():
    @tool(domain="general")
    def refuse() -> Text:
        """Refuse whatever is asked."""
        raise ToolError("I do nothing today.")

    with_tools = Tools(Toolbox.of([refuse]))
    assert with_tools.answer("refuse") == "I do nothing today."
    assert with_tools.has("refuse") and not with_tools.has("segment_by_box")
    found = pictures.masks(with_tools, Media(), _references())
    told = [words.partition(":")[0] for words in found.left_out]
    assert told == ["instance_segmentation", "segment_by_points", "segment_by_box", "bbox_to_mask"]


def test_sheets_are_small_and_show_what_was_found(tmp_path):
    picture = PIL.Image.effect_noise((900, 700), 80).convert("RGB")
    whole = sheets.sheet([(picture, "many words " * 30)] * 4, 2)
    sheets.save_small(whole, tmp_path / "sheet.png")
    assert (tmp_path / "sheet.png").stat().st_size < 400_000
    plain = PIL.Image.new("RGB", (200, 100), (10, 120, 10))
    framed = sheets.framed(plain, [Box(20, 10, 90, 80, "frog")])
    assert framed.getpixel((20, 70)) != (10, 120, 10) and framed.getpixel((150, 50)) == (
        10,
        120,
        10,
    )
    pixels = np.zeros((100, 200), bool)
    pixels[:, :100] = True
    tinted = sheets.tinted(plain, pixels)
    assert tinted.getpixel((50, 50)) == (10, 120, 10) and tinted.getpixel((150, 50))[0] > 150


def test_removal_takes_the_outlined_region():
    given = {}

    class Recorder(Tools):
        def __init__(self) -> None:
            pass

        def call(self, name, **inputs):
            given.update(inputs, name=name)
            return inputs["image"]

    picture = PIL.Image.new("RGB", (40, 30))
    entry = {"thing": "the box", "polygon": [[5, 5], [15, 5], [15, 10], [5, 10]]}
    pictures.removed(Recorder(), picture, entry)
    (region,) = given["mask"]
    assert isinstance(region, Region)
    assert region.pixels[7, 10] and not region.pixels[20, 30]
    assert mark_of(b"a") == mark_of("a") != mark_of("b")


def test_sentences_with_mistakes_and_correct_ones_count_apart():
    class Mending(Tools):
        def __init__(self) -> None:
            pass

        def call(self, name, **inputs):
            return inputs["text"].replace("is home", "are home")

    pairs = [["They is home.", "They are home."], ["A umbrella.", "An umbrella."], ["Yes.", "Yes."]]
    values = [
        figure.value for figure in words.grammar(Mending(), _references(grammar=pairs)).figures
    ]
    assert values == ["1 of 2 (50%)", "1 of 1 (100%)"]


def test_the_command_prints_a_table(capsys):
    assert main(["quality", "--only", "feelings", "--details"]) == 0
    printed = capsys.readouterr().out
    assert "| sentiment_analysis | named as labelled |" in printed
    assert "## feelings" in printed


def test_figures_of_the_folder_and_of_packages_stand_apart(tools, tmp_path):
    source = Media().path("chelsea.png")
    assert source is not None
    (tmp_path / "mine.png").write_bytes(source.read_bytes())
    cat = {"objects": {"cat": 1}}
    references = _references(photos={"mine.png": cat, "coffee.png": {"objects": {"zebra": 1}}})
    media = Media(tmp_path)
    assert media.is_packaged("coffee.png") and not media.is_packaged("mine.png")
    found = pictures.detection(tools, media, references)
    values = {figure.what: figure.value for figure in found.figures}
    assert values["the same, pictures of the folder only: precision, recall"] == "100.0%, 100.0%"
    assert values["the same, pictures of packages only: precision, recall"] == "0.0%, 0.0%"
