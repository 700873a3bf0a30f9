"""Which reader gets which request: plain instructions one, stories and new toolboxes the other."""

from __future__ import annotations

import pytest

from controlllm.graph import ToolGraph
from controlllm.plan import Request
from controlllm.planning.two_readers import TwoReaders
from controlllm.planning.wish_decomposer import WishDecomposer
from controlllm.resources import Resource
from tests.planning.scripted_reader import TOOLBOX, Scripted, wish

GRAPH = ToolGraph(TOOLBOX)
STORY = (
    "My sister sent me this from her holiday and I am quite fond of it, so could you please "
    "describe it for my mother who can hardly see any more"
)


class Phrasings:
    """Says that it was asked."""

    def decompose(self, request):
        return ("phrasings",)


def reader_of(text, says, known=0.9):
    read = Scripted(wish(text, says, {"describe": 0.9}, files=[0]))
    readers = TwoReaders(Phrasings(), WishDecomposer(GRAPH, read), known)
    photo = Resource("image", "a.jpg")
    found = readers.decompose(Request(text, (photo,), ("a.jpg",)))
    return "phrasings" if found == ("phrasings",) else "wishes"


@pytest.mark.parametrize(
    ("text", "says", "expected"),
    [
        ("Describe the picture", "Describe the picture", "phrasings"),
        (STORY, "could you please describe it", "wishes"),
        ("It is my aunt's. Describe it", "Describe it", "wishes"),
        (f"Describe a.jpg {'and be thorough ' * 5}", f"Describe a.jpg {'and be thorough ' * 5}",
         "phrasings"),
    ],
)  # fmt: skip
def test_plain_instructions_and_stories(text, says, expected):
    assert reader_of(text, says) == expected


def test_a_toolbox_that_one_was_not_taught_goes_to_the_other():
    assert reader_of("Describe the picture", "Describe the picture", known=0.3) == "wishes"


def test_what_has_no_wish_is_left_to_the_phrasings():
    readers = TwoReaders(Phrasings(), WishDecomposer(GRAPH, Scripted()), 0.9)
    assert readers.decompose(Request("hm, well")) == ("phrasings",)
