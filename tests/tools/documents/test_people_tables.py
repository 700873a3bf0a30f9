"""Jobs of ordinary people with their tables, each in the words of whoever wants it.

A treasurer, a teacher, a shop, a landlady, a coach, a librarian, a choir; right results by hand.
"""

from __future__ import annotations

import csv
import io
import re

import pytest

from controlllm.toolbox import ToolError
from tests.every_case import every_case
from tools.documents import tables
from tools.documents.tables import add_column, change_columns, compare_tables

ANS = """\
Email,Coming
leo@x.de,yes
MIA@x.de,no
"""

BOOKS = """\
Datum;Konto;Betrag
02.01.2026;Miete;-1.200,00
05.01.2026;Umsatz;3.450,50
09.01.2026;Porto;-34,80
03.02.2026;Miete;-1.200,00
11.02.2026;Umsatz;2.980,00
"""

BUDGET = """\
Item,Planned,Spent
Hall,400,380
Food,900,1010
Band,600,600
Deco,150,190
"""

CHOIR = """\
First name,Last name,Voice,Fee paid,Phone
Ann,Berg,soprano,yes,0151 22
Bo,Falk,bass,no,
Cleo,Dorn,alto,yes,0160 9
Dan,Ems,bass,yes,
Eve,Abt,soprano,no,0171 3
"""

CLUB = """\
Date,Member,Purpose,Amount
03.01.2026,Ines,Fees,"40,00 €"
17.01.2026,Omar,Ball pump,"-18,50 €"
02.02.2026,Pia,Fees,"40,00 €"
20.02.2026,Omar,Hall rent,"-120,00 €"
05.03.2026,Ines,Donation,"250,00 €"
28.03.2026,Till,Fees,"40,00 €"
"""

DOUBLES = """\
Email,City
a@x.de,Ulm
b@x.de,Kiel
a@x.de,Ulm
a@x.de,Ulm
c@x.de,Bonn
b@x.de,Kiel
"""

FARM = """\
Field,Hectares,Crop,Yield t
North,4.0,wheat,28
Hill,2.5,barley,15
Mill,6.0,wheat,45
Brook,3.0,oats,
"""

GUESTS1 = """\
Name,Town
Mia,Ulm
Leo,Kiel
Eva,Bonn
Tom,Ulm
"""

GUESTS2 = """\
Name,Town
Eva,Bonn
Tom,Trier
Zoe,Jena
"""

INV = """\
Guest,Email
Mia,mia@x.de
Leo,leo@x.de
Eva,eva@x.de
"""

LAB = """\
Sample,Day,Mass,Temp
s1,2026-04-01,10.0,20.5
s2,2026-04-02,12.5,21.0
s3,2026-04-03,11.0,
s4,2026-04-04,16.5,23.5
"""

LOANS = """\
Title,Borrower,Out,Back
Emma,Frey,2026-04-01,2026-04-20
Dune,Haas,2026-04-10,
It,Frey,2026-04-15,2026-05-30
Pan,Noor,2026-05-02,2026-05-09
"""

MARKS = """\
Name,Class,Maths,English,Science
Ada,7b,78,91,66
Ben,7a,45,52,49
Cy,7b,88,,73
Dee,7a,62,70,81
Eli,7b,49,64,50
"""

PATIENTS = """\
Patient,Weight kg,Height cm
P1,80,180
P2,54,160
P3,96,175
"""

RENT = """\
Flat;Tenant;Rent;Due;Paid
1a;Koch;650,00;01.05.2026;650,00
1b;Lang;720,50;01.05.2026;500,00
2a;;580,00;01.05.2026;
2b;Meyer;1.150,00;01.05.2026;1.150,00
"""

RUNS = """\
Runner,Date,Distance km,Time
Kai,12/04/2026,10.0,0:52
Lou,13/04/2026,5.0,0:27
Kai,19/04/2026,12.5,1:07
Max,20/04/2026,8.0,0:41
Lou,03/05/2026,6.0,0:31
"""

SALES = """\
Month,Units,Revenue
Jan,120,"1,200"
Feb,150,"1,650"
Mar,90,"1,080"
Apr,180,"2,070"
"""

SHOP = """\
Article,Price,Quantity,Supplier
Lamp,$24.50,4,Brill
Chair,$89.00,2,Oak & Co
Rug,$120.00,1,Weave
Vase,$15.25,10,Brill
Desk,$340.00,1,Oak & Co
"""

STOCK_NEW = """\
SKU,Article,Price
A1,Pen,1.35
A2,Pad,3.50
A4,Clip,0.80
A5,Cap,11.00
"""

STOCK_OLD = """\
SKU,Article,Price
A1,Pen,1.20
A2,Pad,3.50
A3,Ink,7.90
A5,Cap,12.00
"""

TEMPS = """\
Day,Low,High
1 May 2026,8,19
2 May 2026,11,24
3 May 2026,9,17
4 May 2026,12,26
"""

TIPS = """\
Waiter,Shift,Tips
Roy,lunch,$12.00
Sue,dinner,$48.50
Roy,dinner,$39.50
Tim,lunch,$20.00
"""

VISITS = """\
Visitor,When
Mia,May 3 2026
Leo,04/05/2026
Mia,2026-05-09
Eva,9 June 2026
Mia,2026-06-11
"""

#: The table, what is asked, the title of the column more, * for any, and its cells.
ADDED = [
    (CLUB, "Add a running balance to the cash book.", "*", "40|21.50|61.50|-58.50|191.50|231.50"),
    (MARKS, "Add a column grade: pass from 50 points in maths, otherwise fail.", "Grade",
     "pass|fail|pass|pass|fail"),
    (MARKS, "Give me a column with the average of maths, english and science for every pupil.", "*",
     "78.33|48.67|80.5|71|54.33"),
    (MARKS, "Rank the pupils by science in a new column.", "*", "3|5|2|1|4"),
    (SHOP, "Add a column Total with price times quantity.", "Total", "98|178|120|152.5|340"),
    (SHOP, "Add 19 % VAT to the prices in a new column.", "*", "29.16|105.91|142.8|18.15|404.6"),
    (SALES, "Add the change in revenue compared with the month before.", "*", "|450|-570|990"),
    (SALES, "For each month, what share of total revenue is it? As a percent column.", "*",
     "20|27.5|18|34.5"),
    (SALES, "Revenue per unit in an extra column, please.", "*", "10|11|12|11.5"),
    (RENT, "Add a column Open: rent minus paid.", "Open", "0|220.50|580|0"),
    (RENT, "Raise all rents by 3 percent and put the new rent in a column beside.", "*",
     "669.50|742.12|597.40|1184.50"),
    (LAB, "Add the temperature in Fahrenheit.", "*", "68.9|69.8||74.3"),
    (RUNS, "Create a column named Speed that divides the distance by the time.", "Speed",
     "11.54|11.11|11.19|11.71|11.61"),
    (LOANS, "How many days was each book out? Put that in a new column called Days out.",
     "Days out", "19||45|7"),
    (LOANS, "Add the due date, which is 28 days after Out.", "*",
     "2026-04-29|2026-05-08|2026-05-13|2026-05-30"),
    (BOOKS,
     "I'd like the account balance after every entry in a further column; it starts at zero.", "*",
     "-1200|2250.50|2215.70|1015.70|3995.70"),
    (BOOKS, "Write income in a column kind if the amount is positive, else expense.", "Kind",
     "expense|income|expense|expense|income"),
    (CHOIR, "Make one column Full name out of first name and last name.", "Full name",
     "Ann Berg|Bo Falk|Cleo Dorn|Dan Ems|Eve Abt"),
    (FARM, "tonnes per hectare for every field", "*", "7|6|7.5|"),
    (TIPS, "What percent of all tips did each row bring in? New column.", "*",
     "10|40.42|32.92|16.67"),
    (TEMPS, "Show the difference between high and low as Range.", "Range", "11|13|8|14"),
    (PATIENTS, "Add weight in pounds", "*", "176.37|119.05|211.64"),
    (BUDGET, "Flag everything where spent is more than planned as over, the rest ok.", "*",
     "ok|over|ok|over"),
]  # fmt: skip
#: The tool, the table, what is asked, and which of its rows come then.
PICKED = [
    ("filter_table", CLUB, "Show me only the fees, newest first.", "6 3 1"),
    ("filter_table", MARKS,
     "Keep class 7b, sort by science from best to worst and give me the top 2.", "3 1"),
    ("filter_table", SHOP, "Which articles cost over $20? Show the 2 cheapest of them.", "1 2"),
    ("filter_table", RENT, "Which flats are empty? Those without a tenant.", "3"),
    ("filter_table", LAB, "Throw out the rows with missing values.", "1 2 4"),
    ("filter_table", LAB, "Only samples from 2 April on with a mass above 12, heaviest first.",
     "4 2"),
    ("filter_table", RUNS, "Kai's runs from the longest to the shortest", "3 1"),
    ("filter_table", LOANS, "Which books have not come back yet?", "2"),
    ("filter_table", TEMPS, "The 2 hottest days with the hottest on top", "4 2"),
    ("filter_table", BUDGET, "Where did we spend more than planned?", "2 4"),
    ("sort_table", SHOP, "Sort by supplier and within that by price, dearest first.", "1 4 5 2 3"),
]  # fmt: skip
#: The tool, its tables, what is asked, and the rows that are right; * stands for any title.
MADE = [
    ("change_columns", [MARKS], "Rename Maths to Mathematics and drop the Class column.",
     "Name,Mathematics,English,Science / Ada,78,91,66 / Ben,45,52,49 / Cy,88,,73 / "
     "Dee,62,70,81 / Eli,49,64,50"),
    ("change_columns", [SHOP], "Put the supplier first and the price last.",
     "Supplier,Article,Quantity,Price / Brill,Lamp,4,$24.50 / Oak & Co,Chair,2,$89.00 / "
     "Weave,Rug,1,$120.00 / Brill,Vase,10,$15.25 / Oak & Co,Desk,1,$340.00"),
    ("change_columns", [CHOIR], "Move phone right after last name and call Voice Part.",
     "First name,Last name,Phone,Part,Fee paid / Ann,Berg,0151 22,soprano,yes / "
     "Bo,Falk,,bass,no / Cleo,Dorn,0160 9,alto,yes / Dan,Ems,,bass,yes / "
     "Eve,Abt,0171 3,soprano,no"),
    ("change_columns", [CHOIR], "Put 'unknown' wherever the phone is missing.",
     "First name,Last name,Voice,Fee paid,Phone / Ann,Berg,soprano,yes,0151 22 / "
     "Bo,Falk,bass,no,unknown / Cleo,Dorn,alto,yes,0160 9 / Dan,Ems,bass,yes,unknown / "
     "Eve,Abt,soprano,no,0171 3"),
    ("compare_tables", [GUESTS1, GUESTS2], "Who is in the first list but not in the second?",
     "Name,Town / Mia,Ulm / Leo,Kiel"),
    ("compare_tables", [GUESTS1, GUESTS2], "Which names are on both lists?",
     "Name,Town / Eva,Bonn / Tom,Ulm"),
    ("compare_tables", [GUESTS1, GUESTS2], "Who is new in the second one?",
     "Name,Town / Zoe,Jena"),
    ("compare_tables", [STOCK_OLD, STOCK_NEW],
     "Which prices changed between the old and the new price list?",
     "SKU,Column,Before,After / A1,Price,1.20,1.35 / A5,Price,12.00,11.00"),
    ("compare_tables", [STOCK_OLD, STOCK_NEW], "Which articles were dropped in the new list?",
     "SKU,Article,Price / A3,Ink,7.90"),
    ("compare_tables", [INV, ANS], "Which of the invited guests have not replied?",
     "Guest,Email / Eva,eva@x.de"),
    ("group_table", [CLUB], "Add up the amounts per month.",
     "Month,* / 2026-01,21.5 / 2026-02,-80 / 2026-03,290"),
    ("group_table", [MARKS], "Average maths mark of each class and how many pupils are in it",
     "Class,*,* / 7a,53.5,2 / 7b,71.67,3"),
    ("group_table", [DOUBLES], "Keep every email once and count how often it occurs.",
     "Email,* / a@x.de,3 / b@x.de,2 / c@x.de,1"),
    ("group_table", [VISITS], "How many visits per month?",
     "Month,* / 2026-05,3 / 2026-06,2"),
    ("group_table", [RUNS], "How many kilometres did each runner do per month?",
     "*,*,* / Kai,2026-04,22.5 / Lou,2026-04,5 / Lou,2026-05,6 / Max,2026-04,8"),
    ("group_table", [CHOIR], "How many singers are in each voice? Largest first.",
     "Voice,* / bass,2 / soprano,2 / alto,1"),
]  # fmt: skip
#: What stands in the answers.
ANSWERED = [
    (CLUB, "How much did we take in altogether and how much went out?", ["370.00", "138.50"]),
    (CLUB, "What is our balance?", ["231.50"]),
    (CLUB, "Who donated in March?", ["Ines"]),
    (MARKS, "What's the median in maths?", ["62"]),
    (MARKS, "Who has no mark in English?", ["Cy"]),
    (SHOP, "What is the whole stock worth?", ["888.50"]),
    (DOUBLES, "How many duplicates are in there?", ["3"]),
    (VISITS, "Who came most often and who only once?", ["Mia", "Leo", "Eva"]),
    (RENT, "How much rent should come in, and how much has been paid?", ["3,100.50", "2,300.00"]),
    (RENT, "Who paid less than the rent?", ["Lang"]),
    (LAB, "What's the mean and the standard deviation of the mass?", ["12.50", "2.86"]),
    (LAB, "By how much did the mass grow from s1 to s4?", ["6.5"]),
    (LOANS, "Who has borrowed more than one book?", ["Frey"]),
    (BOOKS, "What were our income and our expenses?", ["6,430.50", "2,434.80"]),
    (FARM, "What percentage of the area is wheat?", ["64.5 %"]),
    (FARM, "Which field has no yield entered?", ["Brook"]),
]


def plain(cell: str) -> str | float:
    """A cell as it is compared: numbers without their units, words in small letters."""
    bare = re.sub(r"[€$£%\s]", "", cell)
    if re.fullmatch(r"-?[\d.]*,\d\d", bare):
        bare = bare.replace(".", "").replace(",", ".")
    try:
        return round(float(bare.replace(",", "")), 2)
    except ValueError:
        return cell.strip().casefold()


def cells_of(text: str) -> list[list[str | float]]:
    separator = ";" if ";" in text.split("\n")[0] else ","
    rows = csv.reader(io.StringIO(text.strip()), delimiter=separator)
    return [[plain(cell) for cell in row] for row in rows]


@every_case(("table", "words", "title", "cells"), ADDED)
def test_a_column_more_has_what_was_asked_for(table: str, words: str, title: str, cells: str):
    made, given = cells_of(add_column(table, words)), cells_of(table)
    assert [row[:-1] for row in made] == given
    assert title == "*" or made[0][-1] == title.casefold()
    assert [row[-1] for row in made[1:]] == [plain(cell) for cell in cells.split("|")]


@every_case(("name", "table", "words", "right"), PICKED)
def test_the_rows_come_that_are_meant(name: str, table: str, words: str, right: str):
    made, given = cells_of(getattr(tables, name)(table, words)), cells_of(table)
    assert made == [given[0], *(given[int(place)] for place in right.split())]


@every_case(("name", "given", "words", "right"), MADE)
def test_tables_become_what_was_asked_for(name: str, given: list[str], words: str, right: str):
    made = cells_of(getattr(tables, name)(*given, words))
    wanted = [[plain(cell) for cell in row.split(",")] for row in right.split(" / ")]
    assert [len(row) for row in made] == [len(row) for row in wanted]
    assert made == [
        [cell if want == "*" else want for cell, want in zip(row, expected, strict=True)]
        for row, expected in zip(made, wanted, strict=True)
    ]


@every_case(("table", "question", "right"), ANSWERED)
def test_questions_are_answered(table: str, question: str, right: list[str]):
    answer = tables.table_question(table, question)
    for words in right:
        assert re.search(rf"(?<![\w.]){re.escape(words)}(?!\w|[.,]\d)", answer), answer


def test_what_is_not_there_is_said():
    for work in (
        lambda: add_column(CHOIR, "Add the weight times the height."),
        lambda: change_columns(CHOIR, "Rename the pixels to dots."),
        lambda: change_columns(CHOIR, "Sing louder."),
        lambda: compare_tables(CHOIR, CHOIR, "Who is only in the first list?"),
        lambda: add_column(SHOP, "Add the colour of each article."),
    ):
        with pytest.raises(ToolError):
            work()


def test_a_row_of_totals_stays_last():
    made = add_column("Item,Cost\nA,2\nB,3\nC,4\nTotal,9\n", "Add a column Double: cost times 2")
    assert made.endswith("C,4,8\nTotal,9,\n")


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("a column new, the price 5% dearer", ["105", "210"]),
        ("new: price 10 % cheaper", ["90", "180"]),
        ("new: the price plus 5 %", ["105", "210"]),
    ],
)
def test_a_share_more_is_a_share_of_the_number(words, expected):
    rows = add_column("item,price\nA,100\nB,200\n", words).splitlines()
    assert [row.rsplit(",", 1)[1] for row in rows[1:]] == expected
