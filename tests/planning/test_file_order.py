"""In which order files are spoken of."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from controlllm.planning.file_order import order_spoken_of
from controlllm.planning.wishes import Slot, spoken_name
from tests.every_case import every_case


def ordered(names, text):
    slots = [Slot(f"document{n}", "", spoken_name(name)) for n, name in enumerate(names, 1)]
    return [names[place] for place in order_spoken_of(slots, text)]


@every_case(
    ("names", "text", "wanted"),
    [
        (
            ["price_list.pdf", "terms.pdf", "Cover.pdf"],
            "make one pdf out of it: first the cover, then the prices, terms at the very end",
            ["Cover.pdf", "price_list.pdf", "terms.pdf"],
        ),
        (
            ["report 2025.pdf", "report 2026.pdf"],
            "join them, 2026 before 2025",
            ["report 2026.pdf", "report 2025.pdf"],
        ),
        # Only one of them is spoken of, and none.
        (["a_letter.pdf", "bill.pdf"], "join the bill to it", ["a_letter.pdf", "bill.pdf"]),
        (["IMG_2.jpg", "IMG_1.jpg"], "join them", ["IMG_2.jpg", "IMG_1.jpg"]),
    ],
)
def test_files_come_as_they_are_spoken_of(names, text, wanted):
    assert ordered(names, text) == wanted


@given(st.lists(st.text(max_size=12), max_size=6, unique=True), st.text(max_size=60))
def test_no_file_is_lost(names, text):
    assert sorted(ordered(names, text)) == sorted(names)


@every_case(
    ("file_name", "wanted"),
    [
        ("minka_sofa.JPG", "minka sofa"),
        ("Members2026.xlsx", "members 2026"),
        ("MinkaOnTheSofa.png", "minka on the sofa"),
        ("scan0007.pdf", "scan 0007"),
        ("image_2.jpg", ""),
        ("Für Oma ❤.mp4", "für oma"),
        ("....", ""),
        ("a b c d e f g h i.txt", "a b c d e f g"),
    ],
)
def test_a_files_name_is_told_as_words(file_name, wanted):
    assert spoken_name(file_name) == wanted
