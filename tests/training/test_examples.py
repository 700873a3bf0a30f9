"""Written requests as examples: what is said of them stands where it is said to."""

from __future__ import annotations

import random

import pytest

from controlllm.planning.wishes import RequestText
from training.examples import (
    Example,
    WantedWish,
    cut,
    example_of,
    joined,
    lacking,
    read_examples,
    varied,
)
from training.toolboxes import DATA, OWN


@pytest.fixture(scope="module")
def data():
    return read_examples()


@pytest.fixture(scope="module")
def some(tmp_path_factory):
    """What some of the authors wrote."""
    folder = tmp_path_factory.mktemp("requests")
    (folder / "tools.txt").symlink_to(DATA / "requests" / "tools.txt")
    for path in sorted((DATA / "requests").glob("*.json"))[::10]:
        (folder / path.name).symlink_to(path)
    return read_examples(folder)


ROW = {
    "request": "It is my aunt's song. Clean up SONG.wav, then write it down in Danish please.",
    "files": ["image", "audio"],
    "file_names": {"audio_1": "SONG.wav"},
    "context": ["It is my aunt's song."],
    "wishes": [
        {"says": ["Clean up SONG.wav"], "tools": ["a"], "on": ["audio_1"], "words": {}},
        {
            "says": ["write it down in Danish"],
            "tools": ["b", "c"],
            "on": ["wish 1"],
            "words": {"language": "Danish", "prompt": "not in it"},
        },
    ],
}


def stretches(example, spans):
    return [example.shown.text[start:end] for start, end in spans]


@pytest.mark.long
def test_there_are_at_least_8_000_over_many_toolboxes(data):
    boxes, examples = data
    assert len(examples) >= 8_000
    # A later turn may be one word that others say, too, of other files and after other turns.
    assert len({example.shown for example in examples}) >= 0.999 * len(examples)
    assert len(boxes) >= 100 and sum(len(tools) for tools in boxes.values()) >= 2_000
    assert len({example.author for example in examples}) >= 50


def test_every_tool_is_known_and_every_wish_stands_somewhere(some):
    are_sound(*some)


@pytest.mark.long
def test_so_it_is_for_all_authors(data):
    are_sound(*data)


def are_sound(boxes, examples):
    assert examples
    for example in examples:
        assert all(0 <= s < e <= len(example.shown.text) for s, e in example.context)
        for place, wish in enumerate(example.wishes):
            assert wish.spans and set(wish.tools) <= set(boxes[example.box])
            assert all(0 <= s < e <= len(example.shown.text) for s, e in wish.spans)
            assert all(0 <= file < len(example.shown.slots) for file in wish.files)
            assert all(0 <= earlier < place for earlier in wish.wishes)


def test_an_entry_becomes_an_example():
    example = example_of(ROW, OWN, "somebody")
    assert [slot.name for slot in example.shown.slots] == ["image1", "audio1"]
    assert "Clean up audio1" in example.shown.text
    clean, write = example.wishes
    assert stretches(example, clean.spans) == ["Clean up audio1"]
    assert (clean.files, clean.wishes) == ((1,), ()) and (write.files, write.wishes) == ((), (0,))
    assert stretches(example, write.words["language"]) == ["Danish"]
    assert write.words["prompt"] is None and write.words["object"] == ()


def test_without_its_context_the_wishes_are_the_same():
    example = example_of(ROW, OWN, "somebody")
    alone = cut(example, [(0, len(example.shown.text))], example.context)
    assert "aunt" not in alone.shown.text
    assert [stretches(alone, wish.spans) for wish in alone.wishes] == [
        stretches(example, wish.spans) for wish in example.wishes
    ]


def test_two_requests_as_one_keep_their_files_apart():
    example = example_of(ROW, OWN, "somebody")
    both = joined(example, example, " ")
    assert [slot.name for slot in both.shown.slots] == ["image1", "audio1", "image2", "audio2"]
    assert both.wishes[2].files == (3,) and both.wishes[3].wishes == (2,)
    assert stretches(both, both.wishes[2].spans) == ["Clean up audio2"]


def test_variants_are_sound(some):
    _, examples = some
    draw = random.Random(1)
    own = [example for example in examples if example.box == OWN]
    for example in draw.sample(own, 300):
        other = varied(example, own, draw)
        text = other.shown.text
        for wish in other.wishes:
            assert all(0 <= s < e <= len(text) for s, e in wish.spans)
            assert all(0 <= file < len(other.shown.slots) for file in wish.files or ())


def test_a_toolbox_may_lack_a_tool_that_ends_a_wish():
    on_the_way = WantedWish(((0, 1),), ("find", "crop"), (0,), (), {})
    ending = WantedWish(((2, 3),), ("describe",), (0,), (), {})
    example = Example(RequestText("a b"), (on_the_way, ending), OWN, "x")
    found, name = lacking([example, example], random.Random(0))
    assert name in ("crop", "describe")
    for item in found:
        for before, after in zip(example.wishes, item.wishes, strict=True):
            assert after.tools == (() if before.tools[-1] == name else before.tools)


def test_a_tool_that_helps_on_the_way_is_never_lacking():
    wishes = (
        WantedWish(((0, 1),), ("crop",), (0,), (), {}),
        WantedWish(((2, 3),), ("crop", "describe", "crop"), (0,), (), {}),
    )
    example = Example(RequestText("a b"), wishes, OWN, "x")
    assert lacking([example], random.Random(0)) == ([example], None)
