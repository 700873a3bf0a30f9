"""Which reader gets which request: one reads all, the other what that one is not sure of."""

from __future__ import annotations

from controlllm.core.plans import Request, Subtask, TypedValue
from controlllm.planning.graph import ToolGraph
from controlllm.planning.two_readers import TwoReaders
from controlllm.planning.wish_decomposer import WishDecomposer
from controlllm.resources import Resource
from tests.every_case import every_case
from tests.planning.scripted_reader import TOOLBOX, Scripted, wish

GRAPH = ToolGraph(TOOLBOX)
ALL = frozenset(tool.name for tool in TOOLBOX)
STORY = (
    "My sister sent me this from her holiday and I am quite fond of it, so could you please "
    "describe it for my mother who can hardly see any more"
)


class Phrasings:
    """Hears a story of its own, so surely."""

    def __init__(self, confidence):
        self.confidence = confidence

    def decompose(self, request):
        returns = TypedValue("text", "<GEN>-0")
        return (Subtask(0, "phrasings", (), (), returns, confidence=self.confidence),)


def reader_of(text, says, certainty, other=0.8, taught=ALL):
    read = Scripted(wish(text, says, {"describe": 0.99}, files=[0], certainty=certainty))
    readers = TwoReaders(Phrasings(other), WishDecomposer(GRAPH, read), taught)
    photo = Resource("image", "a.jpg")
    (found, *_) = readers.decompose(Request(text, (photo,), ("a.jpg",)))
    return "phrasings" if found.description == "phrasings" else "wishes"


@every_case(
    ("text", "says", "certainty", "expected"),
    [
        ("Describe the picture", "Describe the picture", 0.95, "wishes"),
        ("Describe a.jpg", "Describe a.jpg", 0.5, "phrasings"),
        ("Describe the picture", "Describe the picture", 0.5, "wishes"),
        (STORY, "could you please describe it", 0.95, "wishes"),
        (STORY, "could you please describe it", 0.5, "wishes"),
        ("Describe it " * 40, "Describe it", 0.95, "phrasings"),
    ],
)
def test_who_is_sure_and_what_is_plain(text, says, certainty, expected):
    assert reader_of(text, says, certainty) == expected


@every_case(("other", "expected"), [(0.2, "wishes"), (0.4, "phrasings")])
def test_one_that_is_about_as_sure_is_believed(other, expected):
    assert reader_of("Describe a.jpg", "Describe a.jpg", 0.5, other=other) == expected


def test_a_tool_that_was_added_is_weighed_by_its_examples():
    told = ("Describe the picture", "Describe the picture", 0.5)
    assert reader_of(*told, taught=ALL - {"describe"}) == "phrasings"
    assert reader_of(*told, taught=ALL - {"describe"}, other=0.3) == "wishes"


def test_a_toolbox_that_one_was_not_taught_is_read_by_the_other_alone():
    assert (
        reader_of("Describe a.jpg", "Describe a.jpg", 0.5, taught=frozenset({"describe"}))
        == "wishes"
    )


def test_what_has_no_wish_is_left_to_the_phrasings():
    readers = TwoReaders(Phrasings(0.1), WishDecomposer(GRAPH, Scripted()), ALL)
    (found,) = readers.decompose(Request("hm, well"))
    assert found.description == "phrasings"
