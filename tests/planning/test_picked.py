"""A picture that is named by what it shows is picked before anything is done to it."""

from __future__ import annotations

from controlllm.planning.graph import ToolGraph
from controlllm.planning.picked import reading_picked
from controlllm.planning.wishes import RequestText, Slot, Wish
from tests.every_case import every_case

PICTURES = (Slot("image1"), Slot("image2"))


def heard(toolbox, text: str, slots=PICTURES) -> tuple[list[str], tuple[Wish, ...]]:
    """What was read, and the wishes heard by a reader that wants all pictures mirrored."""
    shown: list[str] = []

    def read(given: RequestText) -> tuple[Wish, ...]:
        shown.append(given.text)
        every = tuple(range(len(given.slots)))
        return (Wish(((0, len(given.text)),), every, (), {"flip_image": 0.9}, 0.0, {}, {}, 1.0),)

    return shown, reading_picked(read, ToolGraph(toolbox))(RequestText(text, slots))


@every_case(
    ("text", "thing", "read"),
    [
        ("the one with the dog, mirror it", "the dog", "image1, mirror it"),
        ("mirror the photo of a boat please", "a boat", "mirror image1 please"),
        ("one of these is our cat. mirror that one", "our cat", "image1. mirror that one"),
        ("which one shows a dog?", "a dog", ""),
        ("give me only the picture where you see the bus", "the bus", ""),
    ],
)
def test_the_picture_is_picked_first(own_toolbox, text, thing, read):
    shown, wishes = heard(own_toolbox, text)
    start, end = wishes[0].words["object"]
    assert text[start:end] == thing and wishes[0].files == (0, 1)
    assert [" ".join(item.split()) for item in shown] == ([read] if read else [])
    # What is done goes on from the picture that was picked, and from no file.
    assert [(wish.files, wish.wishes) for wish in wishes[1:]] == [((), (0,))] * bool(read)


@every_case(
    ("text", "slots"),
    [
        ("mirror the one with the dog", PICTURES[:1]),
        ("mirror the first one", PICTURES),
        ("which one is sharper?", PICTURES),
        ("one of these is blurred, which?", PICTURES),
        ("put the picture of the dog beside the picture of the cat", PICTURES),
    ],
)
def test_one_picture_and_two_that_are_named_are_read_as_they_stand(own_toolbox, text, slots):
    shown, wishes = heard(own_toolbox, text, slots)
    assert shown == [text] and len(wishes) == 1
