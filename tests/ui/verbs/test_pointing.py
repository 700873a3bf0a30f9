"""What is pointed at, where it opens, and how it goes along with a message."""

from __future__ import annotations

import asyncio
import base64
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import PIL.Image
import pytest

from controlllm.pointing.regions import add_region, middle_of, overlay
from controlllm.resources import encode
from controlllm.resources.marks import Marks
from controlllm.resources.probing import BadInput
from controlllm.ui.outcome import CLOSED
from controlllm.ui.verbs import LOOKS
from tests.tools.made_videos import tone
from tests.ui.person import Person

CLICK = {"points": [{"x": 30, "y": 20, "positive": True}]}


@pytest.fixture
def person(person: Person, tmp_path: Path) -> Person:
    """Somebody in a conversation with a picture, a sound and a text, in this order."""
    PIL.Image.new("RGB", (60, 40), "teal").save(tmp_path / "teal.png")
    (tmp_path / "tone.wav").write_bytes(encode("audio", tone(2.0))[0])
    (tmp_path / "note.txt").write_text("Nothing to point at.")
    for name in ("teal.png", "tone.wav", "note.txt"):
        person.add(tmp_path / name)
    return person


def look(person: Person, name: str, **sent: Any) -> Any:
    return person.look(name, page="page", **sent)


def opened(outcome: Any) -> tuple[str, str]:
    assert outcome.panel == CLOSED and outcome.opens["handle"]
    return outcome.opens["what"], outcome.opens["value"]


def keep(person: Person) -> str:
    """Points at the left half of the picture; the number under which it is kept."""
    pixels = np.zeros((40, 60), bool)
    pixels[:, :30] = True
    return add_region(
        person.store, person.session_id, "teal.png", Marks.from_json(CLICK), pixels, "wall"
    ).value


def test_a_file_opens_what_can_point_at_it(person: Person) -> None:
    assert opened(person.do("pick", value="teal.png")) == ("picker", "teal.png")
    assert opened(person.do("pick", value="tone.wav")) == ("cutter", "tone.wav")
    with pytest.raises(BadInput):
        person.do("pick", value="note.txt")
    with pytest.raises(KeyError):
        person.do("pick", value="gone.png")
    # A thing in a picture is pointed at in the picture.
    assert opened(person.do("pick", value=keep(person))) == ("picker", "teal.png")


def test_the_button_points_at_what_was_attached_last_else_at_the_newest_picture(
    person: Person,
) -> None:
    assert opened(person.do("point")) == ("picker", "teal.png")
    attached = ("teal.png", "tone.wav", "note.txt")
    assert opened(person.do("point", attached)) == ("cutter", "tone.wav")
    number = keep(person)
    assert opened(person.do("point", ("tone.wav", number))) == ("picker", "teal.png")
    assert opened(person.do("point")) == ("picker", "teal.png")


def test_without_anything_to_point_at_it_is_said(person: Person) -> None:
    person.open()
    with pytest.raises(BadInput, match="Add a picture first"):
        person.do("point")


def test_words_and_boxes_open_with_what_they_mean(person: Person) -> None:
    outcome = person.do("point-at-word", value="tone.wav", transcript="note.txt")
    assert opened(outcome)[0] == "cutter" and outcome.opens["transcript"] == "note.txt"
    outcome = person.do("point-at-box", value="teal.png", box="1.0 2.0 30.5 20.0")
    assert outcome.opens["box"] == {"left": 1.0, "top": 2.0, "right": 30.5, "bottom": 20.0}
    for box in ("1 2 3", "left", ""):
        with pytest.raises(BadInput):
            person.do("point-at-box", value="teal.png", box=box)


def test_what_was_pointed_at_goes_along_with_its_picture(person: Person) -> None:
    number = keep(person)
    used = person.do("use-pointed", ("note.txt",), value=number, of="teal.png")
    assert used.attached == ("note.txt", "teal.png", "[1]")
    again = person.do("use-pointed", used.attached, value=number, of="teal.png")
    assert again.attached == used.attached
    with pytest.raises(KeyError):
        person.do("use-pointed", value="[9]", of="teal.png")


def test_pictures_come_with_what_was_pointed_at_in_them(person: Person) -> None:
    assert look(person, "pictures", image="teal.png")["next"] == 1
    keep(person)
    found = look(person, "pictures", image="teal.png")
    assert [item["value"] for item in found["pictures"]] == ["teal.png"]
    assert (found["pictures"][0]["width"], found["next"]) == (60, 2)
    (region,) = found["regions"]
    assert region["number"] == 1 and region["mask"].startswith("data:image/png;base64,")
    assert 0.2 < region["x"] < 0.3 and 0.45 < region["y"] < 0.55


@pytest.mark.parametrize(
    ("name", "sent"),
    [
        ("glance", {"image": "teal.png", "marks": CLICK, "number": 1, "turn": "x"}),
        ("glance", {"image": "gone.png", "marks": CLICK, "number": 1, "turn": 1}),
        ("regions", {"image": "teal.png", "marks": {"points": []}}),
        ("regions", {"image": "teal.png", "marks": {"points": "all"}}),
        ("parts", {"value": "tone.wav", "start": float("nan"), "end": 1.0}),
        ("parts", {"value": "tone.wav", "start": True, "end": 1.0}),
        ("parts", {"value": "teal.png", "start": 0.0, "end": 1.0}),
        ("parts", {"value": "tone.wav", "start": 1.0, "end": 1.0}),
        ("frames", {"value": "tone.wav", "at": 1.0}),
        ("spoken-words", {"value": "tone.wav", "transcript": "gone.txt"}),
        ("recording", {"value": "note.txt"}),
    ],
)
def test_what_makes_no_sense_is_refused_in_words(
    person: Person, name: str, sent: dict[str, Any]
) -> None:
    with pytest.raises(BadInput):
        look(person, name, **sent)


def test_a_part_is_kept_under_the_next_number(person: Person) -> None:
    keep(person)
    kept = look(person, "parts", value="tone.wav", start=0.5, end=1.5)
    assert kept == {"value": "[2]", "number": 2}
    assert look(person, "loudness", value="tone.wav")["seconds"] == 2.0
    # Of a part the whole recording is pointed at.
    assert opened(person.do("point", ("[2]",))) == ("cutter", "tone.wav")


def test_it_is_told_how_far_listening_is_until_nothing_was_heard(person: Person) -> None:
    asked: Callable[..., Any] = LOOKS["spoken-words"]

    async def listen() -> list[float]:
        shares: list[float] = []
        with pytest.raises(BadInput, match="No English words"):
            while True:
                found = await asked(person.call(page="page", value="tone.wav"))
                shares.append(found["share"])
        return shares

    shares = asyncio.run(listen())
    assert shares[0] == 0.0 and shares == sorted(shares)


def test_a_mask_is_drawn_with_a_line_around_it() -> None:
    pixels = np.zeros((30, 40), bool)
    pixels[10:20, 10:30] = True
    address = overlay(pixels, 2)
    content = base64.b64decode(address.partition(",")[2])
    drawn = np.asarray(PIL.Image.open(io.BytesIO(content)).convert("RGBA"))
    assert drawn[15, 20].tolist() == [230, 159, 0, 107]
    assert drawn[10, 20].tolist() == [255, 255, 255, 255]
    assert drawn[9, 20].tolist() == [10, 10, 10, 255]
    assert drawn[2, 2, 3] == 0
    assert middle_of(pixels) == pytest.approx((0.4875, 14.5 / 30))
    assert middle_of(np.zeros((3, 3), bool)) == (0.5, 0.5)
