"""What people leave out, add below, count and reckon of tables, in words of their own."""

from __future__ import annotations

from pathlib import Path

import openpyxl
import pytest

from controlllm.resources import Filed
from controlllm.toolbox import Context, GivenFile, ToolError
from tests.every_case import every_case
from tools.documents.embedded import changing, chart_wishes, grouping
from tools.documents.embedded.reading import sheets_in
from tools.documents.tables import (
    add_column,
    change_columns,
    clean_table,
    convert_table,
    filter_table,
    group_table,
    sort_table,
    table_question,
)

SALES = """Month,Product,Units,Price
January,Mug,35,8.50
January,Poster,20,12.00
February,Mug,10,8.50
February,Poster,36,12.00
March,Mug,7,8.50
March,Poster,30,12.00
"""
#: As a workbook is read.
BOOK = """## Sales

| Month | Product | Units | Price |
| --- | --- | --- | --- |
| January | Mug | 35 | 8.5 |
| January | Poster | 20 | 12 |
| February | Mug | 10 | 8.5 |

## Notes

| Name |
| --- |
| Ida |
"""
SPENT = """Date,Category,Amount
2026-01-10,Groceries,27.22
2026-01-13,Rent,850.00
2026-02-03,Transport,10.99
2026-02-10,Rent,850.00
2026-03-25,Groceries,40.00
2026-04-17,Rent,850.00
2026-04-25,Gifts,15.18
"""
MEMBERS = """Name,Team,Email,Points,Joined
Olivia Brown,Red,olivia@example.com,42,2020-06-15
Noah Singh,Blue,noah@example.com,57,2021-02-17
Emma Rossi,Red,emma@example.com,38,2020-07-13
Mia Jansen,Green,mia@example.com,70,2019-09-17
Zoe Papa,Green,zoe@example.com,66,2019-02-18
Liam Novak,Green,liam@example.com,61,2019-01-10
Lucas Dubois,Blue,lucas@example.com,29,2024-03-19
Noah Singh,Blue,noah@example.com,57,2021-07-13
"""
PEOPLE = """Name,Sex,Age,Class,Survived
Owen,male,22,3,no
Flora,female,38,1,yes
Laina,female,26,3,yes
Lily,female,35,1,yes
Jim,male,14,2,no
"""


def rows_in(table: str) -> list[list[str]]:
    return [line.split(",") for line in table.strip().split("\n")]


@every_case(
    ("words", "name", "first"),
    [
        ("Add a column Revenue (units times price)", "Revenue", "297.50"),
        ("add a column called revenue thats units x price", "Revenue", "297.50"),
        ("Make new column with name Sum, is Units multiplied with Price.", "Sum", "297.50"),
        ('add "Value" = Units * Price at the end', "Value", "297.50"),
        ("insert the turnover (Units x Price) as a new column", "Turnover", "297.50"),
        ("a column with units times price to the file", "Units × Price", "297.50"),
        ("what each line brought in (units times price)", "Units × Price", "297.50"),
        ("Add a column profit, which is price minus 4, times units", "Profit", "157.50"),
        ("Please write price minus 10 percent in new column Reduced.", "Reduced", "7.65"),
        ("new column: price without 20% vat", "Price / 1.2", "7.08"),
    ],
)
def test_formulas_are_worked_out_as_they_are_said(words: str, name: str, first: str):
    header, row, *_ = rows_in(add_column(SALES, words))
    assert header[4:] == [name]
    assert row[4] == first


@every_case(
    "words",
    [
        "Add a column Revenue (units times price) with a total at the bottom.",
        "Revenue = units times price, new column, grand total underneath",
        'I need a column "Revenue", that\'s units multiplied by price, and under it the sum',
    ],
)
def test_a_total_below_is_a_row_and_no_part_of_the_formula(words: str):
    *_, last = rows_in(add_column(SALES, words))
    assert last == ["Total", "", "", "", "1474.00"]
    assert rows_in(add_column(SALES, "put the sum of the units in the last row"))[-1][2] == "138"


@every_case(
    ("words", "right"),
    [
        ("per category but not the rent, thats my dads thing", "Gifts Groceries Transport"),
        ("so my parents want to know where it goes lol. total per category, no rent",
         "Gifts Groceries Transport"),
        ("sum up everything but the rent per category", "Gifts Groceries Transport"),
        ("totals per category jan - mar, leave the rent out", "Groceries Transport"),
        ("My accountant wants to know the total per category, but he isn't interested in rent",
         "Gifts Groceries Transport"),
        ("total per category, everything over 500 left out", "Gifts Groceries Transport"),
        ("total per category for only the first two months", "Groceries Rent Transport"),
    ],
)  # fmt: skip
def test_what_is_left_out_is_left_out(words: str, right: str):
    made = changing.of_sheet(SPENT, words, grouping.group)
    assert " ".join(row[0] for row in made[1:]) == right


@every_case(
    "words",
    [
        "totals per category but only the big ones",
        "total per category without the boring stuff",
        "total for bob from january to june",
        "total per category from january to june the rent",
    ],
)
def test_what_is_not_found_in_the_table_is_refused(words: str):
    with pytest.raises(ToolError):
        group_table(SPENT, words)


def test_what_may_mean_either_of_two_is_refused():
    for question in ("which month was the worst?", "which was the best category"):
        with pytest.raises(ToolError, match="highest or the lowest"):
            table_question(SPENT, question)
    with pytest.raises(ToolError, match="No row is both"):
        table_question(PEOPLE, "what share of the women survived, and of the men?")


def test_sums_per_kind_are_made_whichever_tool_the_words_came_to():
    made = filter_table(SALES, "sales per product, leave the mugs out")
    assert rows_in(made) == [["Product", "Total of Units × Price"], ["Poster", "1032.00"]]
    assert len(rows_in(clean_table(SALES, "Please remove all rows for the Poster."))) == 4
    summed = sort_table(SPENT, "Total by category, highest first, but please without rent")
    assert [row[0] for row in rows_in(summed)[1:]] == ["Groceries", "Gifts", "Transport"]
    assert rows_in(filter_table(MEMBERS, "average points without the blue team"))[1] == ["55.4"]
    ranked = rows_in(sort_table(SALES, "rank the products by revenue"))
    assert [row[0] for row in ranked[1:]] == ["Poster", "Mug"]


@every_case(
    ("table", "question", "right"),
    [
        (SALES, "What did we sell for in total, which month was best?",
         ["Units × Price is 1,474.00", "January has the highest total"]),
        (SALES, "Which product brought in the most money?", ["Poster", "1,032.00"]),
        (SALES, "what's the average monthly revenue?", ["491.33"]),
        (SALES, "did we make more in March or in January?", ["1. January: 537.50"]),
        (SALES, "How many units did we sell?", ["138"]),
        (SPENT, "how much have we spent in total, not counting the rent?", ["93.39"]),
        (SPENT, "what's the most expensive month without the rent", ["March 2026"]),
        (MEMBERS, "which team is ahead now?", ["Green has the highest total of Points: 197"]),
        (MEMBERS, "who has the most points?", ["Mia Jansen"]),
        (MEMBERS, "who's winning, red or blue?", ["1. Blue: 143"]),
        (PEOPLE, "average age of the women vs the men?", ["female: 33", "male: 18"]),
        (PEOPLE, "How many of those in first class survived?", ["There are 2 rows"]),
        (PEOPLE, "which class had the most people die", ["2", "3"]),
        (PEOPLE, "what share of the women survived", ["100 %", "3 of 3"]),
        (PEOPLE, "how many people under 25 were there and how many of them survived",
         ["There are 2 rows", "There are 0 rows"]),
        (SPENT, "Where did most of my money go in january, rent aside?", ["Groceries", "27.22"]),
        (PEOPLE, "how many died?", ["There are 2 rows where Survived is no"]),
    ],
)  # fmt: skip
def test_questions_about_what_is_derived(table: str, question: str, right: list[str]):
    answer = table_question(table, question)
    for words in right:
        assert words in answer, answer


@every_case(
    ("words", "kept"),
    [
        ("someones in there twice, kick the double one out", "2021-02-17"),
        ("delete the second of the doubles", "2021-02-17"),
        ("remove the duplicate entry for Noah Singh and keep the newer one", "2021-07-13"),
        ("there's a repeat in there, take the first of the two out", "2021-07-13"),
    ],
)
def test_who_stands_there_twice_stands_there_once_then(words: str, kept: str):
    context = Context()
    for tool in (clean_table, change_columns):
        rows = rows_in(tool(MEMBERS, words, context=context))
        assert [row[4] for row in rows if row[0] == "Noah Singh"] == [kept]
    assert any(said.startswith("Taken out: Noah Singh") for said in context.remarks)


def test_what_cannot_be_told_to_be_the_same_is_not_taken_out():
    others = "Name,Email\nAnn Lee,a@x.de\nAnn Lee,b@x.de\nBo Falk,c@x.de\n"
    with pytest.raises(ToolError, match="twice"):
        clean_table(others, "take the double one out")
    context = Context()
    clean_table(MEMBERS, "tidy it up", context=context)
    assert "Noah Singh" in context.remarks[0]


def in_context(folder: Path, name: str) -> Context:
    return Context().given(lambda argument: [GivenFile(name, "table", folder / name)])


def test_a_workbook_stays_one_and_tabs_stay_tabs(tmp_path: Path):
    context = in_context(tmp_path, "sales.xlsx")
    made = add_column(BOOK, "Revenue: units times price, total at the bottom", context=context)
    assert isinstance(made, Filed)
    (tmp_path / "made.xlsx").write_bytes(made.content)
    sheet = openpyxl.load_workbook(tmp_path / "made.xlsx").active
    assert sheet.title == "Sales"
    assert [cell.value for cell in sheet[2]] == ["January", "Mug", 35, 8.5, 297.5]
    assert [cell.value for cell in sheet[5]] == ["Total", None, None, None, 622.5]
    assert "“Notes”" in context.remarks[0]
    tabs = SALES.replace(",", "\t")
    kept = filter_table(tabs, "only the mugs", context=in_context(tmp_path, "sales.tsv"))
    assert isinstance(kept, Filed)
    assert kept.content.decode().startswith("Month\tProduct\t")
    plain = in_context(tmp_path, "sales.csv")
    assert isinstance(filter_table(SALES, "only the mugs", context=plain), str)


@every_case(
    ("table", "words", "kind", "names"),
    [
        (SPENT, "pie of where the money went, leave the rent out", "pie",
         "Groceries Gifts Transport"),
        (SPENT, "pie chart but only groceries and gifts, with percentages", "pie",
         "Groceries Gifts"),
        (SPENT, "bar chart by category, rent doesn't count", "bar", "Groceries Gifts Transport"),
        (SPENT, "bars per category for only the first three months", "bar",
         "Rent Groceries Transport"),
        (SALES, "revenue per product without the posters", "bar", "Mug"),
        (MEMBERS, "bar chart of points per member, leave the blue team out", "scatter",
         "Mia Jansen Zoe Papa Liam Novak Olivia Brown Emma Rossi"),
    ],
)  # fmt: skip
def test_charts_leave_out_what_they_shall(table: str, words: str, kind: str, names: str):
    chart = changing.of_sheet(
        table, words, lambda sheet, said: chart_wishes.chart_of(sheet, said, kind)
    )
    assert " ".join(chart.names) == names


def test_a_chart_of_what_is_not_there_is_refused():
    for words in ("bars per category, without the big ones", "a pie of the sales for Bahamas"):
        with pytest.raises(ToolError):
            changing.of_sheet(SPENT, words, lambda sheet, said: chart_wishes.chart_of(
                sheet, said, "bar"))  # fmt: skip


BILLS = """Nr;Kunde;Datum;Betrag
1;Maier;3. Januar 2024;1.234,50 €
2;Schulz;17. Februar 2024;89,90 €
3;Maier;5. März 2024;410,00 €
4;Kunz;21. März 2024;75,25 €
5;Schulz;2. April 2024;1.000,00 €
"""
SHOPS = """Month,City,Revenue
January,Berlin,"€1,200.00"
January,Hamburg,€800.00
February,Berlin,"€1,500.00"
February,Hamburg,€950.50
March,Berlin,"€1,100.00"
March,Hamburg,"€1,249.50"
"""
OUT = """Date,Category,Amount
2024-01-05,Groceries,-54.20
2024-01-09,Gifts,-23.90
2024-02-11,Groceries,-61.35
2024-02-14,Gifts,-35.00
2024-03-28,Income,2450.00
"""


@every_case(
    "table, question, expected",
    [
        (SHOPS, "How much more did we take in March than in February?", "€101.00 less in March"),
        (SHOPS, "Did we sell more in February than in March?", "€101.00 more in February"),
        (
            SHOPS,
            "How much less did Berlin take in March than in February?",
            "€400.00 less in March",
        ),
        (SHOPS, "Compare January with March", "€349.50 less in January"),
        (SHOPS, "By how much did Hamburg grow from January to March?", "rose by €449.50"),
        (SHOPS, "What's the difference between January and March?", "rose by €349.50"),
        (OUT, "How much did we spend in January compared to February?", "18.25 less in January"),
        (OUT, "How much more went to gifts in February than in January?", "11.10 more in February"),
        (OUT, "all in all, how much went to gifts", "is -58.90, over 2 rows"),
        (OUT, "in total, how much did gifts cost?", "is -58.90, over 2 rows"),
        (SHOPS, "Which city has more revenue?", "Berlin has the highest total of Revenue"),
        (OUT, "what remains in the end?", "2,275.55, over 5 rows"),
        (OUT, "How much is left over?", "2,275.55, over 5 rows"),
        (BILLS, "What is the total of all invoices?", "2,809.65 €"),
        (BILLS, "How much was billed in March?", "485.25 €"),
        (BILLS, "What percentage of the total did Maier pay?", "58.5 % of Betrag"),
        (BILLS, "What share of the money did Schulz bring?", "38.8 % of Betrag"),
        (BILLS, "What share of the rows is from Schulz?", "40 % of the rows"),
        (BILLS, "How much more was invoiced in January than in April?", "234.50 € more in January"),
    ],
)
def test_one_time_or_share_is_held_against_another(table: str, question: str, expected: str):
    told = table_question(table, question)
    assert expected in told and "\n" not in told, told


@every_case(
    "table, words, expected",
    [
        (SHOPS, "the best 2 months by revenue", "Month February March"),
        (MEMBERS, "top 2 teams by points", "Team Green Blue"),
    ],
)
def test_the_best_kinds_are_added_up_first(table: str, words: str, expected: str):
    for tool in (sort_table, filter_table):
        rows = tool(table, words).strip().split("\n")
        assert " ".join(row.split(",")[0] for row in rows) == expected, tool


def test_dates_in_german_words_are_dates():
    rows = sort_table(BILLS, "Sort by date, newest first").strip().split("\n")
    assert [row[0] for row in rows] == ["N", "5", "4", "3", "2", "1"]


PRICES = "Article,Price\nA,3.25\nB,4.00\nC,1.99\nD,3.81\n"


@every_case(
    "words, cells",
    [
        ('New column "New price": everything 5% dearer, and rounded UP to the next 10 pence',
         "3.50 4.20 2.10 4.10"),
        ('New column "New price": prices 5% more, rounded up to the next 10p (so 3.41 is 3.50). '
         "Leave the old price in.", "3.50 4.20 2.10 4.10"),
        ("a column with the price times 3, rounded to whole numbers", "10.00 12.00 6.00 11.00"),
        ("Add the price minus 10 % rounded down to full pounds", "2.00 3.00 1.00 3.00"),
        ("a column Net: price divided by 1.19, rounded to one decimal", "2.7 3.4 1.7 3.2"),
        ("a column of prices plus 7 %, rounded to the nearest 5 cents", "3.50 4.30 2.15 4.10"),
        ("new column Double: twice the price, rounded", "7.00 8.00 4.00 8.00"),
        ("add a column with the price times 1000, rounded to the nearest hundred",
         "3300.00 4000.00 2000.00 3800.00"),
        ("add a column with the price times 1000, rounded to the nearest 1,000",
         "3000.00 4000.00 2000.00 4000.00"),
        ("add a column with the price divided by 3, rounded to 0 decimals", "1 1 1 1"),
    ],
)  # fmt: skip
def test_what_is_reckoned_is_rounded_as_said(words: str, cells: str):
    rows = add_column(PRICES, words).strip().split("\n")[1:]
    assert " ".join(row.split(",")[-1] for row in rows) == cells


def test_a_column_called_round_rounds_nothing():
    made = add_column(
        "Player,Points,Round\nA,7,2\nB,3,4\n", "add a column: points divided by round"
    )
    assert [row.split(",")[-1] for row in made.strip().split("\n")[1:]] == ["3.50", "0.75"]


def test_only_names_of_months_in_full_make_dates():
    table = "Model,Sold\nOctavia 2021,3\nMarathon 2020,5\nDecathlon 2022,4\n"
    assert all(column.kind != "date" for column in sheets_in(table)[0].columns)


def test_a_date_that_brackets_explain_is_reckoned():
    table = "Invoice,Date\n1,05/01/2024\n2,20/02/2024\n"
    made = add_column(table, "add the date when each is due (30 days after its date, days first)")
    assert made.split("\n")[1:3] == ["1,05/01/2024,04/02/2024", "2,20/02/2024,21/03/2024"]


@every_case(
    "words, kept",
    [
        ("Show everything but the mugs as a table", "Poster"),
        ("all except mugs", "Poster"),
        ("Remove everything but the mugs", "Mug"),
        ("Delete all except the mugs", "Mug"),
        ("leave the mugs out", "Poster"),
        ("only the mugs", "Mug"),
    ],
)
def test_all_but_some_is_the_others(words: str, kept: str):
    rows = filter_table(SALES, words).strip().split("\n")[1:]
    assert [row.split(",")[1] for row in rows] == [kept] * 3


def test_all_but_the_last_rows_are_the_first():
    assert filter_table(SALES, "keep all but the last 4 rows").count("January") == 2


STOCK = "Item,Price,Stock\nJug,19,3\nTeapot,30,0\nVase,12,0\nMug,8,4\n"


@every_case(
    "words",
    [
        "take out everything that's sold out (0 in stock)",
        "remove everything with 0 in stock",
        "drop items with no stock",
        "Remove the sold out ones (stock is 0)",
        "take out what is sold out, stock 0",
    ],
)
def test_none_in_stock_is_a_condition_and_no_column(words: str):
    assert filter_table(STOCK, words) == "Item,Price,Stock\nJug,19,3\nMug,8,4\n"


IN_STOCK = "Article,In stock,Price\nJug,3,19\nBowl,0,27\nMug,4,8\n"
FLATS = "Flat,Rooms,Rent\nA,2,500\nB,3,700\nC,3,650\n"


@every_case(
    ("table", "words", "right"),
    [
        (IN_STOCK, "take out everything that's sold out (0 in stock)", ["Jug", "Mug"]),
        (IN_STOCK, "take out everything that's sold out", ["Jug", "Mug"]),
        (IN_STOCK, "keep what is not sold out", ["Jug", "Mug"]),
        (IN_STOCK, "only what has 0 in stock", ["Bowl"]),
        (FLATS, "only flats with 3 rooms", ["B", "C"]),
        (FLATS, "drop the flats that have 2 rooms", ["B", "C"]),
    ],
)
def test_so_many_of_something_stand_before_its_column(table: str, words: str, right: list[str]):
    kept = filter_table(table, words).splitlines()
    assert kept[0] == table.splitlines()[0]
    assert [line.split(",")[0] for line in kept[1:]] == right


STALL = """Date,Item,Qty,Price
2026-11-07,Cinnamon bun,30,2.1
2026-11-07,Rye loaf,6,4.8
2026-11-14,Cinnamon bun,41,2.1
2026-11-14,Jam jar,7,3.5
"""
BIRDS = "Bird,Count,Status\nRobin,3,Seen\nWren,1,Heard\nRobin,4,Heard\n"


@every_case(
    ("table", "words", "right"),
    [
        (STALL, "and how many cinnamon buns was that", "is 71, over 2 rows"),
        (STALL, "how many buns did we sell?", "is 71, over 2 rows"),
        (STALL, "How many jam jars and cinnamon buns are there?", "is 78, over 3 rows"),
        (STALL, "how many Cinnamon bun rows are there?", "There are 2 rows"),
        (STALL.replace("Qty", "Menge"), "how many cinnamon buns in total?", "is 71, over 2 rows"),
        (BIRDS, "how many robins were there?", "is 7, over 2 rows"),
        (BIRDS, "how many were heard?", "There are 2 rows"),
        (STOCK, "how many jugs do we have?", "is 3, over 1 row"),
        (SALES, "how many mugs are there in total?", "is 52, over 3 rows"),
    ],
)
def test_how_many_things_are_as_many_as_their_rows_say(table: str, words: str, right: str):
    assert right in table_question(table, words)


LETTER = """Name,E-Mail,Town
Mia Ford,mia.ford@example.com,Bath
Noah Beck,noah@example.com,Wells
M. Ford,Mia.Ford@Example.com,Bath
Noah Beck,noah@example.com,Wells
Noah B.,NOAH@example.com,Wells
"""


@every_case(
    ("words", "right"),
    [
        (
            "the same email = the same person, even if written in capitals. keep always the first",
            ["Mia Ford", "Noah Beck"],
        ),
        (
            "rows with the same e-mail address are the same one, keep the last",
            ["M. Ford", "Noah B."],
        ),
        (
            "remove duplicates, the same name and town counts as the same",
            ["Mia Ford", "Noah Beck", "M. Ford", "Noah B."],
        ),
        ("Delete the double entries", ["Mia Ford", "Noah Beck", "M. Ford", "Noah B."]),
    ],
)
def test_rows_are_one_by_what_people_call_the_same(words: str, right: list[str]):
    for tool in (change_columns, clean_table, filter_table):
        left = tool(LETTER, words).splitlines()[1:]
        assert [line.split(",")[0] for line in left] == right


def test_how_many_were_taken_out_is_no_question_to_what_is_left():
    for words in ("tell me how many you threw out", "how many rows did you remove?"):
        with pytest.raises(ToolError, match="no longer in this table"):
            table_question(LETTER, words)


DUE = "Invoice,Date,Due\nR1,31/01/2025,02/03/2025\nR2,14/02/2025,17/03/2025\n"


@every_case(
    ("words", "right"),
    [
        ("in another column the weekday of that", ["Sunday", "Monday"]),
        ("the month name of it in an extra column", ["March", "March"]),
        ("add the weekday of the invoice's date", ["Friday", "Friday"]),
        ("a column with the weekday of the due date", ["Sunday", "Monday"]),
    ],
)
def test_that_date_is_the_one_that_came_last(words: str, right: list[str]):
    assert [line.split(",")[-1] for line in add_column(DUE, words).splitlines()[1:]] == right


def test_of_which_date_has_to_be_said():
    with pytest.raises(ToolError, match="of which date"):
        add_column(DUE, "add a column with the weekday")


FEES = "Name;Betrag;Tel\nJörg;1.234,50;0171\nUte;99,00;0172\n"


@every_case(
    ("words", "right"),
    [
        (
            "with commas between the columns, a point in the numbers instead of the comma",
            "Name,Betrag,Tel\nJörg,1234.50,0171\nUte,99.00,0172\n",
        ),
        (
            "Replace the commas by points in the Betrag",
            "Name,Betrag,Tel\nJörg,1234.50,0171\nUte,99.00,0172\n",
        ),
        (
            "I need it comma-separated please",
            'Name,Betrag,Tel\nJörg,"1.234,50",0171\nUte,"99,00",0172\n',
        ),
    ],
)
def test_the_marks_of_a_file_are_as_they_are_wished(words: str, right: str):
    assert change_columns(FEES, words) == right
    assert convert_table(FEES, words) == right


def test_a_file_with_tabs_is_one_of_tabs():
    for made in (
        change_columns(FEES, "tabs as the separator"),
        convert_table(FEES, "use tabs as the separator"),
    ):
        assert isinstance(made, Filed) and made.media_type == "text/tab-separated-values"
        assert made.content.decode().splitlines()[1] == "Jörg\t1.234,50\t0171"


def test_commas_in_numbers_stand_between_semicolons():
    table = 'Item,Price\nJug,"1,234.50 £"\nMug,8.00 £\n'
    right = "Item;Price\nJug;1234,50 £\nMug;8,00 £\n"
    assert convert_table(table, "with a decimal comma, for our German office") == right


KITTY = (
    "Who paid,For what,Amount\nAnna,Food,84.20\nBen,Power,61\nCara,Paper,11.70\nAnna,Web,23.10\n"
)


@every_case(
    "words",
    [
        "We are three and share everything. Who has to give how much to whom so that it is even?",
        "who owes whom how much?",
        "Who owes who?",
        "How do we settle up?",
        "Who must pay what to whom, we're 3 people",
    ],
)
def test_who_gives_how_much_to_whom(words: str):
    told = table_question(KITTY, words)
    assert "180.00" in told and "60.00 for each of 3" in told
    assert told.splitlines()[1:] == ["- Cara gives Anna 47.30", "- Cara gives Ben 1.00"]


def test_who_owes_how_much_is_asked_of_a_table_of_debts():
    assert "gives" not in table_question("Name,Owes\nAnna,3\nBen,5\n", "who owes the most?")


def test_who_paid_nothing_has_to_stand_in_the_table():
    with pytest.raises(ToolError, match="3 names"):
        table_question(KITTY, "There are four of us. We are 4. Who owes whom how much?")


SHIP = """Id,Survived,Pclass,Name,Sex
1,0,3,Bob,male
2,1,3,Ann,female
3,0,3,Eve,female
4,1,1,Sue,female
"""


@every_case(
    ("words", "right"),
    [
        ("how many women were there in 3rd class", "There are 2 rows where Sex is female"),
        ("how many women in class 3 survived?", "There is 1 row where"),
        (
            "how many women were in third class, and how many of them survived?",
            "There is 1 row where Sex is female and Survived is yes and Pclass is 3",
        ),
        ("what percentage of the women in 3rd class survived", "50 % of the rows where"),
        ("what percentage of the women survived", "66.7 % of the rows where Sex is female"),
    ],
)
def test_a_class_is_known_by_the_name_of_its_column(words: str, right: str):
    assert right in table_question(SHIP, words)


def test_a_number_and_a_share_are_asked_for_one_after_the_other():
    with pytest.raises(ToolError, match="share by itself"):
        table_question(SHIP, "how many women were in class 3, how many of them, what percentage")
