"""The shared reader of instructions: its own rules, and requests as people type them, room by room.

``instructions.json`` holds what is typed and what shall be done. In it "+" and "-" stand for any
amount above and below 0 and null for any at all; recordings last a minute.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from controlllm.toolbox import Context, ToolError
from tests.every_case import every_case
from tools.pictures.embedded import edit_instructions
from tools.shared.amounts import in_figures, ratio
from tools.shared.cut_words import kept_passages
from tools.shared.instructions import Edit, Table, Unread
from tools.sound.embedded import sound_wishes
from tools.video.embedded.camera_moves import read_move
from tools.video.embedded.speed_words import read_speed
from tools.words.generation import text_to_text_generation

TYPED = json.loads(Path(__file__).with_name("instructions.json").read_text("utf-8"))
SECONDS = 60.0

TABLE = """
fillers = "sound picture"
[words]
thing = "hat | coat"
[edits]
nothing = "do not (change|touch) ..."
robot = "robot*"
echo = "echo* | reverb"
tempo.more = "fast*"
tempo.less = "slow*"
tempo.asks = "speed"
tempo.takes = ["share"]
volume.more = "loud | louder"
volume.less = "quiet | quieter"
volume.asks = "volume | bass"
volume.unclear = "Which way?"
dress = "(wear|put on) [the|a] {thing}"
say = "say {quoted}"
volume_alone.edit = "volume"
volume_alone.weak = true
volume_alone.asks = "turn"
"""


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    path = tmp_path_factory.mktemp("tables") / "table.toml"
    path.write_text(TABLE, "utf-8")
    return Table(path)


def told(table: Table, words: str, whole: bool = False) -> list[tuple[object, ...]]:
    return [
        (part.name, part.direction, part.degree) if isinstance(part, Edit) else (part.said,)
        for part in table.read(words, whole)
    ]


@every_case(
    ("words", "edits"),
    [
        ("a bit louder, then much slower", [("volume", 1, -1), ("tempo", -1, 1)]),
        ("it is too loud and not fast enough", [("volume", -1, 0), ("tempo", 1, 0)]),
        ("turn the volume up and the bass", [("volume", 1, 0)]),
        ("robot voice, but don't touch the speed", [("robot", 0, 0)]),
        ("echo, but first make it a robot", [("robot", 0, 0), ("echo", 0, 0)]),
        ("louder, just a touch", [("volume", 1, -1)]),
        ("turn it up", [("volume", 1, 0)]),
        ("make it fatser", [("tempo", 1, 0)]),
        ("paint a cow, then louder", [("paint a cow",), ("volume", 1, 0)]),
        ("please", []),
    ],
)
def test_an_instruction_is_read_in_its_order(table, words, edits):
    assert told(table, words) == edits


def test_what_is_not_understood_is_returned_as_it_was_typed(table):
    words = "Louder, and paint the Cow blue; slower"
    cow = next(part for part in table.read(words) if isinstance(part, Unread))
    assert words[cow.start : cow.end] == cow.said == "paint the Cow blue"
    assert told(table, "a loud cow") == [("volume", 1, 0)]
    assert told(table, "a loud cow", whole=True) == [("a loud cow",)]
    assert told(table, "20 % slower", whole=True) == [("tempo", -1, 0)]
    assert told(table, "louder by 20 %", whole=True) == [("louder by 20 %",)]


def test_amounts_and_parts_of_an_edit(table):
    (edit,) = table.read("make it two and a half times as fast, by 6 dB")
    assert (edit.amount("times"), edit.amount("decibels"), edit.amount("hertz")) == (2.5, 6, None)
    assert [part.parts for part in table.read("Put on a Hat and say 'Stop, Thief'")] == [
        {"thing": "Hat"},
        {"quoted": "'Stop, Thief'"},
    ]


@every_case(
    ("words", "direction", "factor"),
    [
        ("twice as fast", 1, 2),
        ("twice as long", -1, 0.5),
        ("half the length", 0, 2),
        ("by a fifth", 1, 1.2),
        ("by a quarter", -1, 0.75),
        ("to 80 %", -1, 0.8),
        ("by 80 %", -1, 0.2),
        ("120% speed", 1, 1.2),
        ("3 times", -1, 1 / 3),
        ("from 100 to 120 bpm", 0, 1.2),
        ("1.25 speed", 0, 1.25),
        ("a bit", 1, None),
    ],
)
def test_how_many_times_as_much(words, direction, factor):
    found = ratio(in_figures(words), direction, of_speed=True)
    assert found == (None if factor is None else pytest.approx(factor))


def test_numbers_in_words():
    words = "One hundred and twenty, twenty-five, one of them, half a minute, a couple of, 2 ½"
    assert in_figures(words) == "120, 25, one of them, 0.5 minute, 2, 2 0.5"
    assert in_figures("from one fifty-five to two ten") == "from 1:55 to 2:10"
    assert in_figures("the other one, up by one, that one second") == (
        "the other ones, up by 1, that 1 second"
    )


def _fits(found: object, wanted: object) -> bool:
    if wanted is None or (wanted in ("+", "-") and isinstance(found, (int, float))):
        return wanted is None or (found > 0) == (wanted == "+")  # type: ignore[operator]
    if isinstance(wanted, (list, tuple)):
        return len(found) >= len(wanted) and all(map(_fits, found, wanted))  # type: ignore[arg-type]
    return found == (pytest.approx(wanted, rel=0.02) if isinstance(wanted, float) else wanted)


def _sound(words: str) -> object:
    try:
        wishes = sound_wishes.read(words, SECONDS)
    except sound_wishes.UnclearWishError:
        return "refused"
    return [
        ("keep", [(wish.amount, wish.second), *wish.further])
        if wish.action == "part"
        else (wish.action, wish.amount, wish.second)
        for wish in wishes
    ]


def _picture(words: str) -> object:
    try:
        steps = edit_instructions.read(words)
    except ToolError:
        return "refused"
    told = []
    for step in steps:
        detail = step.detail.removeprefix("the ")
        told.append((step.action, list(step.size) if any(step.size) else detail or step.amount))
    return told


@every_case(
    ("read", "words", "wanted"),
    [
        (read, words, wanted)
        for read, room in ((_sound, "sound"), (_picture, "pictures"))
        for words, wanted in TYPED[room]
    ],
)
def test_wishes_for_sounds_and_pictures(read, words, wanted):
    found = read(words)
    assert found == wanted or (len(found) == len(wanted) and _fits(found, wanted)), found


@every_case(("prompt", "text", "wanted"), TYPED["words"])
def test_wishes_for_texts(prompt, text, wanted):
    _, rules = (
        item for item in text_to_text_generation.implementations if item.runtime == "embedded"
    )
    try:
        found = rules.run({"prompt": prompt, "text": text or None}, Context())
    except ToolError as error:
        found = "model" if "xllamacpp" in str(error) else str(error)
    assert found == wanted


@every_case(("words", "kept"), TYPED["cut"])
def test_wishes_for_passages(words, kept):
    assert kept_passages(words, SECONDS) == [pytest.approx(span) for span in kept]


@every_case(("words", "factor", "backwards", "spans"), TYPED["speed"])
def test_wishes_for_speeds(words, factor, backwards, spans):
    speed = read_speed(words, SECONDS, 25.0)
    assert (speed.factor, speed.backwards) == (pytest.approx(factor), backwards)
    assert list(speed.spans) == [pytest.approx(span) for span in spans]


@every_case(("words", "wanted"), TYPED["camera"])
def test_wishes_for_cameras(words, wanted):
    if wanted == "refused":
        with pytest.raises(ToolError, match="Only the camera"):
            read_move(words)
        return
    move = read_move(words)
    sign = {"+": move.zoom > 1, "-": move.zoom < 1, 0: move.zoom == 1}
    assert sign[wanted["zoom"]]
    for name, value in wanted.items():
        assert name == "zoom" or getattr(move, name) == value


def test_a_passage_of_a_sound_may_be_cut_from_its_middle():
    wishes = sound_wishes.read("twice as fast, then cut out seconds 5 to 10", 40.0)
    assert wishes == [
        sound_wishes.Wish("tempo", 2.0),
        sound_wishes.Wish("part", 0.0, 5.0, ((10.0, 20.0),)),
    ]
    with pytest.raises(ToolError, match="Nothing would be left of the sound"):
        sound_wishes.read("cut off the first minute", 40.0)


@every_case(
    ("words", "factor"),
    [
        ("Make the wizard one slower, 75% speed, but the voice must not go deep", 0.75),
        ("25 % slower", 0.75),
        ("slower, about 75% of the original speed", 0.75),
        ("a speed of 75%", 0.75),
        ("three quarters of the normal tempo", 0.75),
        ("faster, 125%", 1.25),
        ("speed it up some more, 1.3", 1.3),
        ("1.25x please", 1.25),
    ],
)
def test_speeds_mean_the_same_for_sound_and_video(words, factor):
    assert sound_wishes.read(words, SECONDS) == [sound_wishes.Wish("tempo", pytest.approx(factor))]
    assert read_speed(words, SECONDS, 25.0).factor == pytest.approx(factor)


@pytest.mark.parametrize(
    "words",
    [
        "Cut the part from second 5 to second 9 out and keep only that.",
        "cut the piece between 5 and 9 s out and save it as a clip of its own",
        "take out 0:05 to 0:09 and send me that",
    ],
)
def test_a_part_that_is_cut_out_to_be_had_is_kept(words):
    assert kept_passages(words, 14.0) == [(5.0, 9.0)]


@pytest.mark.parametrize(
    "words",
    [
        "Cut 5 s to 9 s out, I don't need it",
        "Cut out seconds 5 to 9 and give me the video",
        "take the part from 0:05 to 0:09 out",
    ],
)
def test_a_part_that_is_cut_out_goes(words):
    assert kept_passages(words, 14.0) == [(0.0, 5.0), (9.0, 14.0)]


@pytest.mark.parametrize(
    "words",
    [
        "the first 2 seconds of this clip are only the warm up, pls cut them off",
        "It is the first two seconds that must go, the end has to stay",
    ],
)
def test_what_is_cut_off_or_must_go_goes(words):
    assert kept_passages(words, 6.0) == [(2.0, 6.0)]


@pytest.mark.parametrize(
    "words",
    [
        "8 seconds of the song starting at second 5",
        "an 8 second piece that starts at 5 seconds",
    ],
)
def test_a_length_may_say_where_it_starts(words):
    assert kept_passages(words, 60.0) == [(5.0, 13.0)]
