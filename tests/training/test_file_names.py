"""Names of files in what the reader learns from."""

from __future__ import annotations

import random

from controlllm.planning.wishes import Slot
from training.examples import example_of
from training.file_names import moved, with_needless_names

ROW = {
    "request": "put Minka and the zoo on one sheet, Paris is for later",
    "files": ["image", "image", "image", "audio"],
    "called": {
        "image_1": "minka_sofa.jpg",
        "image_2": "Zoo 1.JPG",
        "image_3": "paris.jpg",
        "audio_1": "song.mp3",
    },
    "wishes": [
        {
            "says": ["put Minka and the zoo on one sheet"],
            "tools": ["make_collage"],
            "on": ["image_1", "image_2"],
        }
    ],
}


def called(example, wish):
    return {example.shown.slots[place].called for place in wish.files}


def test_what_is_meant_is_so_however_the_files_lie():
    example, orders = example_of(ROW, "own", "somebody"), set()
    for seed in range(30):
        found = moved(example, random.Random(seed))
        assert called(found, found.wishes[0]) == {"minka sofa", "zoo 1"}
        assert [slot.name for slot in found.shown.slots] == ["image1", "image2", "image3", "audio1"]
        assert found.shown.slots[3].called == "song"
        orders.add(tuple(slot.called for slot in found.shown.slots))
    assert len(orders) > 3


def test_files_lie_as_they_do_where_a_place_is_spoken_of_or_one_has_no_name():
    for changed in ({"request": ROW["request"] + ", not the last one"}, {"called": {}}):
        example = example_of({**ROW, **changed}, "own", "somebody")
        assert all(moved(example, random.Random(seed)) == example for seed in range(20))


def test_some_files_without_names_get_such_as_nobody_speaks_of():
    slots = (Slot("image1"), Slot("image2", note="made last"))
    found = [with_needless_names(slots, "the garden", random.Random(n)) for n in range(200)]
    named = [one for one in found if one[0].called]
    assert 40 < len(named) < 120
    assert not any(one[1].called for one in found)
    assert not any("garden" in one[0].called for one in found)


def test_names_that_were_given_stay():
    slots = (Slot("image1", called="minka"), Slot("image2"))
    assert with_needless_names(slots, "minka", random.Random(0)) == slots
