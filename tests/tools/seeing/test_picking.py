"""One of several pictures picked by what it shows."""

from __future__ import annotations

import pytest

from controlllm.toolbox import Context, GivenFile, ToolError
from tests.every_case import every_case
from tests.tools.photos import FOLDER, looked_at_once, photo
from tools.seeing.picking import pick_picture

_NAMES = ("coffee.png", "chelsea.png", "rocket.jpg")


@pytest.fixture(scope="module", autouse=True)
def pictures():
    with looked_at_once():
        yield [photo(name) for name in _NAMES]


@every_case(("query", "place"), [("the cat", 1), ("our cat Minka", 1), ("a cup of coffee", 0)])
def test_the_picture_that_shows_it_is_given_and_told(pictures, query, place):
    files = [GivenFile(name, "image", FOLDER / name) for name in _NAMES]
    context = Context().given(lambda _: files)
    assert pick_picture(pictures, query, context=context) is pictures[place]
    assert context.remarks[0].startswith(f"{_NAMES[place]} is the one that shows {query}")


def test_what_is_as_like_is_told_too(pictures):
    context = Context().given(lambda _: [GivenFile("a.png", "image", FOLDER / _NAMES[1])])
    same = [pictures[1], pictures[1]]
    assert pick_picture(same, "the cat", context=context) is pictures[1]
    assert context.remarks[0].endswith("I see it on picture 2 as well.")


@every_case(("query", "told"), [("an elephant", "None of the 3"), ("the flurb", "by sight")])
def test_what_none_of_them_shows_or_nobody_knows_is_said(pictures, query, told):
    with pytest.raises(ToolError, match=told):
        pick_picture(pictures, query)
