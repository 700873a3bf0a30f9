"""Names of files that a person writes with a sign, and names of several words."""

from __future__ import annotations

from controlllm.core.plans import Request
from controlllm.planning.mentions import read_mentions, without_marks
from controlllm.planning.wishes import shown_to_reader
from controlllm.resources import Resource, TypeLattice
from tests.every_case import every_case

FILES = (
    Resource("image", "dog cut out.png"),
    Resource("image", "dog cut out 2.png"),
    Resource("text", "report summary.txt", origin="summarization"),
)


@every_case(
    ("said", "plain"),
    [
        ("Blur @dog cut out.png", "Blur dog cut out.png"),
        ("Put @dog cut out 2.png on @dog cut out.png", "Put dog cut out 2.png on dog cut out.png"),
        ("write to me@dog cut out.png", "write to me@dog cut out.png"),
        ("Ask @nobody", "Ask @nobody"),
    ],
)
def test_the_sign_before_a_name_is_no_part_of_a_request(said, plain):
    assert without_marks(said, FILES) == plain


def test_names_of_several_words_are_read_as_one_file_each():
    text = "Put dog cut out 2.png beside dog cut out.png and read report summary.txt aloud"
    lattice = TypeLattice()
    named = [item.value for item in read_mentions(text, FILES).named]
    assert named == ["dog cut out 2.png", "dog cut out.png", "report summary.txt"]
    shown = shown_to_reader(Request(text, FILES, ()), lattice)
    assert shown.shown.text == "Put image2 beside image1 and read text1 aloud"
