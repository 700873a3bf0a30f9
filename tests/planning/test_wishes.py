"""What the reader is shown of a request: files by kind and number, both ends of a long text."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from controlllm.core.plans import Action, Plan, Request, Solution, Subtask, TypedValue
from controlllm.core.session import Turn
from controlllm.planning.wishes import (
    LONGEST_READ,
    OMITTED,
    Slot,
    kind_of_name,
    noted,
    shown_to_reader,
    told_of,
)
from controlllm.resources import Resource, TypeLattice

LATTICE = TypeLattice()


def shown(text: str, *files: Resource, attached: tuple[str, ...] | None = None, earlier=()):
    names = tuple(file.value for file in files) if attached is None else attached
    return shown_to_reader(Request(text, files, names, earlier), LATTICE)


def test_files_stand_by_kind_and_number():
    found = shown("Put a.png on B.PNG", Resource("image", "a.png"), Resource("image", "b.png"))
    assert found.shown.text == "Put image1 on image2"
    assert found.shown.slots == (Slot("image1"), Slot("image2"))


def test_a_place_in_the_shown_text_leads_back_to_the_original():
    found = shown("Crop holiday.jpg now", Resource("image", "holiday.jpg"))
    place = found.shown.text.index("now")
    start, end = found.original(place, place + 3)
    assert "Crop holiday.jpg now"[start:end] == "now"


def test_a_file_that_is_not_at_hand_is_no_slot():
    found = shown("Crop lost.png and a.png", Resource("image", "a.png"))
    assert found.shown.text == "Crop image2 and image1"
    assert found.shown.slots == (Slot("image1"),)


def test_kinds_of_text_are_all_text_and_results_are_marked():
    title = Resource("title", "headline.txt", origin="title generation")
    found = shown("Translate it", title, attached=())
    assert found.shown.slots == (Slot("text1", note="made"),)


def test_an_address_is_not_taken_for_a_file():
    text = "Get https://example.org/pics/cat.png and look"
    assert shown(text).shown.text == text


def test_files_that_came_with_the_request_are_shown_last_and_of_others_the_newest():
    files = [Resource("image", f"{number}.png") for number in range(20)]
    found = shown("Look", *files, attached=("3.png",))
    values = [resource.value for resource in found.resources]
    assert values == [*(f"{number}.png" for number in range(12, 20)), "3.png"]


def test_what_was_asked_before_is_told():
    before = Subtask(0, "Cut the dog out", (), (), TypedValue("image", "<GEN>-0"))
    assert shown("now the cat", earlier=(before,)).shown.earlier == "Cut the dog out"


def test_what_came_of_the_turns_before_is_told_last_turns_first_words():
    told = told_of([("brighten it", ["image2"]), ("what is on it?", ["text1"]), ("hi", ())])
    assert told == "brighten it -> image2 ; what is on it? -> text1 ; hi"
    long = "word " * 30 + "end"
    assert told_of([("gone", ()), *[(long, ["image2"])] * 3]).startswith("word word")
    assert told_of([(long, ["image2"])]).endswith("word ... -> image2")


def test_of_what_was_made_the_last_and_the_latest_of_another_kind_are_noted():
    kinds = dict.fromkeys(("a", "b", "c", "d"), "image") | {"x": "text", "y": "text", "z": "audio"}
    found = noted(kinds, [["b", "x"], ["c", "z", "gone"], ["y", "d"], ["taken back"]])
    assert found == {
        "b": "made",
        "c": "made",
        "d": "made last",
        "x": "made",
        "y": "made last",
        "z": "made latest",
    }
    assert noted(kinds, []) == {}


def test_in_a_conversation_the_reader_is_shown_what_each_turn_made():
    files = (Resource("image", "a.png"), Resource("image", "darker a.png", origin="darken"))
    action = Action("darken", {}, TypedValue("image", "<GEN>-0-0"))
    task = Subtask(0, "darker", (), (), TypedValue("image", "<GEN>-0"))
    plan = Plan((task,), {0: (Solution((action,), 4.0),)})
    first = Turn(0, "darker please", ("a.png",), plan, {"0.0.0": files[1]}, state="answered")
    said = Request("and the frame", files, (), turns=(first, Turn(1, "and the frame")))
    found = shown_to_reader(Request("and the frame", files, as_said=said), LATTICE).shown
    assert found.earlier == "darker please -> image2"
    assert found.slots == (Slot("image1"), Slot("image2", "made last"))


def test_of_a_long_text_both_ends_are_read():
    text = "Summarise this for me. " + "The meeting went on and on. " * 4000 + "Then read it out."
    found = shown(text)
    read = found.shown.text
    assert len(read) <= LONGEST_READ and OMITTED in read
    assert read.startswith("Summarise this") and read.endswith("Then read it out.")
    place = read.index("Then read")
    start, _ = found.original(place, place + 4)
    assert text[start:] == "Then read it out."


@settings(deadline=None)
@given(st.text(max_size=4000), st.lists(st.sampled_from(["a.png", "talk.wav", "x y.mp4"])))
def test_every_place_lies_in_the_original(text, names):
    kinds = {"a.png": "image", "talk.wav": "audio", "x y.mp4": "video"}
    found = shown(text, *(Resource(kinds[name], name) for name in dict.fromkeys(names)))
    assert len(found.places) == len(found.shown.text) + 1
    assert list(found.places) == sorted(found.places)
    assert all(0 <= place <= len(text) for place in found.places)
    assert found.places[-1] == len(text)


def test_kinds_are_told_by_endings():
    assert [kind_of_name(name) for name in ("a.PNG", "b.m4a", "c.webm", "d.md", "e.exe")] == [
        "image", "audio", "video", "text", "",
    ]  # fmt: skip
