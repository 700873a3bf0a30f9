"""Full dates as they are written on papers, and what is done with them."""

from __future__ import annotations

from tests.every_case import every_case
from tools.shared.written_dates import dates_in
from tools.words.embedded.contacts import FINDERS


@every_case(
    "text, day, said",
    [
        ("Invoice date: 3. Januar 2024", "2024-01-03", "3. Januar 2024"),
        ("Datum 05.03.2024", "2024-03-05", "05.03.2024"),
        ("Dated March 5, 2024", "2024-03-05", "March 5, 2024"),
        ("MARCH 5 2024", "2024-03-05", "MARCH 5 2024"),
        ("on 5. März 2024", "2024-03-05", "5. März 2024"),
        ("1. Okt. 2024", "2024-10-01", "1. Okt. 2024"),
        ("12-Mar-2024", "2024-03-12", "12-Mar-2024"),
        ("2024/03/05", "2024-03-05", "2024/03/05"),
        ("5.3.24", "2024-03-05", "5.3.24"),
        ("le 5 mars 2024", "2024-03-05", "5 mars 2024"),
        ("the 5th of March 2024", "2024-03-05", "5th of March 2024"),
        ("Sept. 3rd, 2024", "2024-09-03", "Sept. 3rd, 2024"),
        ("5th March '24", "2024-03-05", "5th March '24"),
        ("due 3/5/24, $20", "2024-03-05", ""),
        ("server 10.12.20.1, version 1.2.24.5", "", ""),
        ("31.02.2024 and version 1.2.345", "", ""),
    ],
)
def test_dates_are_read_as_they_are_written(text: str, day: str, said: str) -> None:
    assert [str(one.day) for one in dates_in(text)] == ([day] if day else [])
    if said:
        assert [one.said for one in dates_in(text)] == [said]
        assert FINDERS["dates"](text) == [said], "nothing of a date is left where dates are hidden"
