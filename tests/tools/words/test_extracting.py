"""What is pulled out of a text, and what only looks like it."""

from __future__ import annotations

import pytest

from controlllm.toolbox import ToolError
from tests.every_case import every_case
from tools.words.extracting import extract_contacts

LETTER = """Dear all,

please write to Anna.Berg@example.co.uk (or anna.berg@EXAMPLE.co.uk) and o'neil+x@test.org.
Call +49 (0)30 1234-567, 0171/1234567 or (555) 123-4567; in France 06 12 34 56 78. Tel: 5551234.
Read https://en.wikipedia.org/wiki/Foo_(bar), (www.test.de/a?b=1) and shop.example.com!
Pay $12.50, 99 € or 1,200 euros by 12.05.2024, 2024-06-01 or 3 May 2025.
IBAN DE89 3704 0044 0532 0130 00, order 12345678, ISBN 978-3-16-148410-0, IP 192.168.100.200,
card 4111 1111 1111 1111, from 2019-2024, population 1 234 567.
"""


@every_case(
    "kind, expected",
    [
        ("emails", ["Anna.Berg@example.co.uk", "o'neil+x@test.org"]),
        ("phones", ["+49 (0)30 1234-567", "0171/1234567", "(555) 123-4567", "06 12 34 56 78",
                    "5551234"]),
        ("links", ["https://en.wikipedia.org/wiki/Foo_(bar)", "www.test.de/a?b=1",
                   "shop.example.com"]),
        ("amounts", ["$12.50", "99 €", "1,200 euros"]),
        ("dates", ["12.05.2024", "2024-06-01", "3 May 2025", "2019-2024"]),
    ],
)  # fmt: skip
def test_each_kind_once_and_in_order(kind: str, expected: list[str]) -> None:
    assert extract_contacts(LETTER, kind=kind).split("\n") == expected


def test_without_a_kind_it_is_what_reaches_somebody() -> None:
    found = extract_contacts(LETTER).split("\n")
    assert found[:3] == ["Anna.Berg@example.co.uk", "o'neil+x@test.org", "+49 (0)30 1234-567"]
    assert found[-1] == "shop.example.com" and "$12.50" not in found


@every_case(
    "kind, said",
    [
        ("emails", "There is no e-mail address in this text."),
        ("phones", "There is no phone number in this text."),
        ("links", "There is no link in this text."),
        ("amounts", "There is no sum of money in this text."),
        ("dates", "There is no date in this text."),
        ("", "There is no e-mail address, phone number or link in this text."),
    ],
)
def test_none_found(kind: str, said: str) -> None:
    with pytest.raises(ToolError) as error:
        extract_contacts("Nothing here: 3 cats, 12,345 dogs, a @ b and e.g. this.", kind=kind)
    assert str(error.value) == said


@every_case(
    "number, is_one",
    [
        ("+1 415 555 2671", True), ("+44 20 7946 0958", True), ("00 49 30 123456", True),
        ("555-123-4567", True), ("1-800-555-0199", True), ("030 / 123 45 67", True),
        ("07911 123456", True), ("089-1234567", True), ("0049301234567", True),
        ("4155552671", True), ("+4930123456", True), ("(030) 123 45 67", True),
        ("12.05.2024", False), ("1.234.567", False), ("3.14159265", False), ("12345", False),
        ("2024-05-12", False), ("4111 1111 1111 1111", False), ("10:30-12:45", False),
        ("1 000 000", False), ("2019-2024", False), ("100-200", False),
        ("12345678901234567", False),
    ],
)  # fmt: skip
def test_what_is_a_phone_number(number: str, is_one: bool) -> None:
    text = f"It says {number} on the paper."
    if is_one:
        assert extract_contacts(text, kind="phones") == number
    else:
        with pytest.raises(ToolError):
            extract_contacts(text, kind="phones")


def test_a_long_text_is_quickly_looked_through() -> None:
    text = "1-2-3 4.5 (6) / 7 a.b.c.d.e " * 10_000 + "x@y.org"
    assert extract_contacts(text, kind="emails") == "x@y.org"
    assert "x@y.org" in extract_contacts(text)
