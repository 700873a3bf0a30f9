"""Rows put in order by when something was, in the words that people use for it."""

from __future__ import annotations

from tests.every_case import every_case
from tools.documents.tables import clean_table, sort_table

ORDERS = """\
order,customer,date,amount
1001,Ann,5 March 2026,10.00
1002,Bob,03.05.2026,20.00
1003,Ann,2025-12-31,5.00
1003,Ann,2025-12-31,5.00
1004,Bob,"Wed, April 1st 2026",7.00
1005,Eve,to be told,7.00
1006,Fay,,7.00
1007,Gus,2. Mai 2026,7.00
"""
UP, DOWN = "1003 1001 1004 1007 1002", "1002 1007 1004 1001 1003"


def orders(table: str) -> str:
    return " ".join(line.split(",")[0] for line in table.splitlines()[1:])


@every_case(
    ("words", "right"),
    [
        ("newest order at the top", DOWN),
        ("put the newest orders first", DOWN),
        ("newest first", DOWN),
        ("the newest order should be at the top", DOWN),
        ("sort the orders from newest to oldest", DOWN),
        ("the latest entries on top", DOWN),
        ("by date, most recent first", DOWN),
        ("oldest at the bottom", DOWN),
        ("oldest order at the top", UP),
        ("sort the orders by date", UP),
        ("the newest order last", UP),
    ],
)
def test_the_newest_order_goes_by_its_date_and_not_by_its_number(words, right):
    # What is no date comes behind all that are, and what is empty last.
    assert orders(sort_table(clean_table(ORDERS), words)) == f"{right} 1005 1006"


def test_of_each_customer_the_newest_comes_first():
    rows = orders(sort_table(clean_table(ORDERS), "by customer, newest first"))
    assert rows == "1001 1003 1002 1004 1005 1006 1007"
