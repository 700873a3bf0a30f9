"""What is known of a table when it is taken in: how large it is and what its columns are called."""

from __future__ import annotations

import openpyxl

from controlllm.resources import details_of, ingest
from controlllm.resources.tables import MOST_NAMES, MOST_OF_NAME, table_details
from tests.every_case import every_case

SALES = "Month;Amount;2023\nJan;3,50;1\nFeb;2;4\n"


@every_case(
    ("text", "expected"),
    [
        (SALES, (2, 3, ["Month", "Amount", "2023"])),
        # Below a title and an empty line.
        ("Our club,,\n,,\nName,Town,Fee\nAnna,Bern,3\nBob,Basel,4\nCem,Chur,5\n", (3, 3, None)),
        ('"Name, first"\tfee\nAnna\t3\n', (1, 2, ["Name, first", "fee"])),
        ("sep=;\na;b\n1;2\n", (1, 2, ["a", "b"])),
        (
            "## Sheet\n\n| Day | Litres |\n| --- | --- |\n| Monday | 3 |\n",
            (1, 2, ["Day", "Litres"]),
        ),
    ],
)
def test_what_a_table_is_told_by(text, expected):
    details = table_details(text)
    rows, columns, header = expected
    assert (details["rows"], details["columns"]) == (rows, columns)
    assert details["header"] == (header or ["Name", "Town", "Fee"])


def test_a_row_is_told_as_no_header():
    for text in (
        "2024-01-02,3.5\n2024-01-03,4\n",
        "anna@here.org,Anna\nbob@here.org,Bob\n",
        "Anna,Berlin\nBob,Hamburg\nCem,Berlin\n",
        "Anna,+41 31 300 20 10\nBob,+41 31 300 20 11\n",
    ):
        assert "header" not in table_details(text), text
    assert table_details('[{"name": "Anna"}]') == {}


def test_long_headers_are_cut():
    text = ",".join(f"a column with a very long name, {i}".replace(",", "") for i in range(30))
    details = table_details(f"{text}\n{','.join('1' * 30)}\n")
    assert details["columns"] == 30 and len(details["header"]) == MOST_NAMES
    assert max(map(len, details["header"])) <= MOST_OF_NAME


def test_it_is_known_of_files_and_of_what_tools_write(tmp_path):
    (tmp_path / "sales.csv").write_bytes(SALES.encode("cp1252"))
    taken = ingest(tmp_path / "sales.csv", "sales.csv", tmp_path / "work")
    assert taken.details["header"] == ["Month", "Amount", "2023"]
    assert details_of("table", taken.path) == taken.details
    book = openpyxl.Workbook()
    book.active.append(["Day", "Litres"])
    book.active.append(["Monday", 3])
    book.save(tmp_path / "milk.xlsx")
    taken = ingest(tmp_path / "milk.xlsx", "milk.xlsx", tmp_path / "work")
    assert taken.details["header"] == ["Day", "Litres"]
    assert taken.details["rows"] == 1
