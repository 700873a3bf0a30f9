"""Orders of files that are said by their names."""

from __future__ import annotations

from typing import get_args

from controlllm.values.filling import values_in
from tests.every_case import every_case
from tools.shared.said_order import SaidOrder, places

ORDER = get_args(SaidOrder)[1]
PAPERS = ["certificate.pdf", "cv Anna Berg.pdf", "cover letter.pdf"]
TRIP = ["Hotel_Lisbon.jpg", "taxi lisbon.png", "IMG 2.jpg", "IMG 10.jpg"]


@every_case(
    ("words", "names", "expected"),
    [
        ("cover letter first, then the CV, certificate at the end", PAPERS, [2, 1, 0]),
        ("Merge these. At the beginning the letter, finally the certificate", PAPERS, [2, 1, 0]),
        ("join them in this order: Anna's CV, the certificate and the letter", PAPERS, [1, 0, 2]),
        ("the letter goes first", PAPERS, [2, 0, 1]),
        ("certificate last please", PAPERS, [1, 2, 0]),
        ("letter first, certificate second, cv third", PAPERS, [2, 0, 1]),
        ("put the certificate behind the cv", PAPERS, [1, 0, 2]),
        ("the letter before the certificate", PAPERS, [2, 0, 1]),
        ("taxi first, then img 10", TRIP, [1, 3, 0, 2]),
        ("first lisbon", TRIP, [0, 1, 2, 3]),
        ("first rome, then paris", TRIP, [0, 1, 2, 3]),
    ],
)
def test_an_order_by_names(words: str, names: list[str], expected: list[int]) -> None:
    said = values_in(words, {"order": ORDER})["order"]
    assert places(said, names) == expected
    assert ORDER.read(said) == said


@every_case("words", ["join these three", "of the cv only the first page", "the letter, the cv"])
def test_no_order_is_said(words: str) -> None:
    assert values_in(words, {"order": ORDER}) == {}
