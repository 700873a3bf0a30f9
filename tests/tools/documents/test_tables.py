"""Tables sorted, filtered, added up, joined, tidied and saved, judged by what is in them then."""

from __future__ import annotations

import csv
import datetime as dt
import io
import json
import time

import openpyxl
import pytest

from controlllm.resources import Filed
from controlllm.toolbox import Context, ToolError
from tests.every_case import every_case
from tests.tools.documents.made_tables import BOOK, GERMAN, ORDERS, SPENDING, STAFF
from tools.documents.tables import (
    add_column,
    clean_table,
    convert_table,
    filter_table,
    group_table,
    join_tables,
    sort_table,
    table_question,
)


def rows_of(text: str, separator: str = ",") -> list[list[str]]:
    return list(csv.reader(io.StringIO(text), delimiter=separator))


def ids(text: str) -> list[str]:
    return [row[0] for row in rows_of(text)[1:]]


ANSWERS = {
    "What is the total amount?": "The total of Amount is €3,810.75, over 6 rows.",
    "How much did we earn in Berlin?": "€1,950.75, over 3 rows where City is Berlin",
    "What's the average amount?": "€635.13",
    "What is the median of units?": "The median of Units is 5,",
    "How many orders were there in March?": "There are 2 rows where Date is in March, of 6",
    "Which customer spent the most?": "Anna Smith has the highest total of Amount: €1,900.50",
    "Who bought the fewest units?": "Carla Ruiz has the lowest total of Units: 1,",
    "What is the highest amount?": "€1,440.00, over 6 rows. The row: Order ID 1005",
    "How many units did we sell in February 2024?": "The total of Units is 8, over 2 rows",
    "Top 2 products by amount": "1. Apple: €2,760.50\n2. Pear: €1,000.00",
    "What percentage of the amount is from Berlin?": "51.2 % of Amount",
    "What share of orders is paid?": "66.7 % of the rows, 4 of 6",
    "How many different customers are there?": "4 different values",
    "How many orders are over 500 euros?": "There are 3 rows where Amount is over 500",
    "How many orders were not paid?": "There are 2 rows where Paid is no",
    "How many unpaid orders are there?": "There are 2 rows where Paid is no",
    "Total units for apples": "The total of Units is 23,",
    "What is the amount of order 1004?": "Amount is € 120.00, in the 1 row",
    "When did Carla Ruiz order?": "Date is 20 February 2024",
    "Which city has the lowest total amount?": "Rome has the lowest total of Amount: €120.00",
    "Sum of amount between 1 February and 5 March": "€2,260.00, over 3 rows",
    "Average amount of orders with at least 5 units": "€1,113.50, over 3 rows",
    "How much in Rome or Paris?": "€1,860.00, over 3 rows",
    "Total amount excluding Berlin": "€1,860.00",
    "total amount before March": "€2,320.50, over 4 rows",
    "Which month had the highest sales?": "January 2024 has the highest total of Amount: €1,500.50",
    "How many apples and pears were sold?": "The total of Units is 33, over 5 rows",
    "What is the total amount per month?": "- February 2024: €820.00",
    "How many orders per customer?": "- Ben Jones: 2",
    "What is the latest order?": "The latest Date is 9 March 2024",
    "What is the average amount for Ben?": "€870.00, over 2 rows where Customer is Ben Jones",
    "How many orders of 3 units or less?": "There are 3 rows where Units is at most 3",
    "What is the total for Anna Smith in January?": "€1,200.50, over 1 row",
}


def test_questions_are_answered_with_the_rows_that_they_rest_on():
    wrong = {}
    for question, expected in ANSWERS.items():
        answer = table_question(ORDERS, question)
        if expected not in answer:
            wrong[question] = answer
    assert wrong == {}


STAFF_ANSWERS = {
    "How many people work in sales?": "There are 2 rows where Department is Sales",
    "What is the average salary in IT?": "59,750, over 2 rows where Department is IT",
    "average salary in it": "59,750, over 2 rows",
    "Show us the total salary": "218,500, over 4 rows",
    "Who earns the most?": "Bob has the highest Salary: 61,000",
    "Who has no email?": "First name is Bob",
    "What is Anna's salary?": "Salary is 52000",
    "When did Dirk start?": "30 November 2022",
    "Who started first?": "Anna has the earliest Start date",
    "How many employees started after 2020?": "There are 2 rows",
    "How many departments are there?": "2 different values",
    "What's the difference between the highest and lowest salary?": "14,000",
    "Which department has the highest average salary?": "IT has the highest average",
}


def test_small_words_and_verbs_are_no_trap():
    wrong = {}
    for question, expected in STAFF_ANSWERS.items():
        answer = table_question(STAFF, question)
        if expected not in answer:
            wrong[question] = answer
    assert wrong == {}
    assert "-117.85, over 2 rows" in table_question(SPENDING, "How much did I spend on food?")
    assert "-245.50, over 2 rows" in table_question(SPENDING, "What did I spend in April 2024?")
    assert "-210.00" in table_question(SPENDING, "What was my biggest expense?")
    assert ids(filter_table(SPENDING, "top 2 amounts")) == ["03/15/2024", "04/02/2024"]
    assert len(ids(filter_table(SPENDING, "only negative amounts"))) == 4
    assert len(ids(filter_table(STAFF, "people with an email address"))) == 3


def test_what_the_table_has_not_is_told_with_the_columns():
    for question in (
        "What is the total for Munich?",
        "How many blue cars are there?",
        "What is the average temperature?",
        "What is the total for 'Quinces'?",
    ):
        with pytest.raises(ToolError, match="Its columns are “Order ID”, “Date”"):
            table_question(ORDERS, question)
    with pytest.raises(ToolError, match="not said what"):
        table_question(ORDERS, " ")
    with pytest.raises(ToolError, match="no table"):
        table_question("Dear Anna", "What is the total?")


def test_decimal_commas_and_a_row_of_totals_are_understood():
    assert "1,335.00 €, over 3 rows" in table_question(GERMAN, "What is the total price?")
    assert "1,334.50 €, over 2 rows" in table_question(GERMAN, "Sum of Preis for Brot")
    assert "over 2 rows" in table_question(GERMAN, "total Preis in April")
    assert "There are 3 rows" in table_question(GERMAN, "How many rows are there?")
    totals = rows_of(sort_table(GERMAN, "by price, highest first"), ";")
    assert [row[2] for row in totals] == ["Menge", "2", "1", "10", "13"]


def test_the_sheet_that_has_the_columns_is_asked():
    assert "104" in table_question(BOOK, "What is the total age?")
    assert "14:15" in table_question(BOOK, "How much did Ida work in total?")
    assert "22:30" in table_question(BOOK, "Total hours worked in the sheet Hours")
    assert "There are 3 rows" in table_question(BOOK, "How many people are there in People?")
    assert "2 rows" in table_question(BOOK, "How many entries on 1 March 2024?")


def test_days_and_months_are_told_from_the_whole_column():
    day_first = "when,n\n03/04/2024,1\n25/04/2024,2\n"
    month_first = "when,n\n03/04/2024,1\n03/25/2024,2\n"
    assert "The total of n is 3," in table_question(day_first, "total n in April")
    assert "The total of n is 3," in table_question(month_first, "total n in March")
    unsure = "when,n\n03/04/2024,1\n05/01/2024,2\n"
    assert "could be read in two ways" in table_question(unsure, "total n in March")


def test_kinds_of_numbers():
    table = "what\ta\tb\tc\td\nx\t(1,000.5)\t15 %\t1'200\t01234\ny\t2000\t5 %\t300\t00200\n"
    assert "999.5" in table_question(table, "total a")
    assert "10 %" in table_question(table, "average b")
    assert "1,500" in table_question(table, "total c")
    with pytest.raises(ToolError, match="no numbers"):
        table_question(table, "average d")


def test_sorting_goes_by_numbers_dates_months_and_names():
    by_amount = sort_table(ORDERS, "Sort the table by amount, highest first.")
    assert ids(by_amount) == ["1005", "1001", "1003", "1002", "1004", "1006"]
    assert ids(sort_table(ORDERS, "newest first"))[0] == "1006"
    assert ids(sort_table(ORDERS, "sort by date, oldest first"))[0] == "1001"
    both = sort_table(ORDERS, "Order it by city and then by amount descending")
    assert ids(both) == ["1001", "1003", "1006", "1005", "1002", "1004"]
    months = "m,n\nMarch,1\nJanuary,2\n,3\nFebruary,4\n"
    assert ids(sort_table(months, "by m")) == ["January", "February", "March", ""]
    items = "i\nitem 10\nitem 9\n"
    assert ids(sort_table(items, "sort by i")) == ["item 9", "item 10"]
    with pytest.raises(ToolError, match="not clear by which column"):
        sort_table(ORDERS, "sort by colour")


def test_the_fastest_has_the_shortest_time_and_the_highest_speed():
    times = "runner,time\nA,1:02:11\nB,45:30\nC,38:05\nD,59:59\n"
    assert ids(sort_table(times, "by their time, fastest first")) == ["C", "B", "D", "A"]
    assert ids(sort_table(times, "the slowest first, by time")) == ["A", "D", "B", "C"]
    hours = "day,begin\nA,7:30\nB,12:15\nC,9:00\n"
    assert ids(sort_table(hours, "sort by begin")) == ["A", "C", "B"]
    speeds = "car,speed\nA,120\nB,180\nC,95\n"
    assert ids(sort_table(speeds, "by speed, fastest first")) == ["B", "A", "C"]


FILTERS = {
    "Keep only the rows where the city is Berlin.": "1001 1003 1006",
    "Show me just the orders over 500 euros": "1001 1003 1005",
    "Remove all rows from Paris": "1001 1003 1004 1006",
    "only the 2 most expensive orders": "1001 1005",
    "Keep the first 2 rows": "1001 1002",
    "Everything that was not paid": "1002 1004",
    "Rows of Berlin in January": "1001",
    "Keep apples or anything over 600": "1001 1003 1004 1005",
    "Delete orders under 200": "1001 1002 1003 1005",
    "Only rows whose customer contains Klein": "1006",
    "Remove unpaid orders": "1001 1003 1005 1006",
    "Only orders from Berlin or Rome with more than 5 units": "1001 1003",
    "Only orders after 20 February": "1005 1006",
    "units between 2 and 7": "1002 1003 1006",
    "Orders that are not from Berlin": "1002 1004 1005",
}


def test_filters_keep_the_rows_that_are_meant():
    wrong = {}
    for prompt, expected in FILTERS.items():
        kept = filter_table(ORDERS, prompt)
        if ids(kept) != expected.split() or rows_of(kept)[0] != rows_of(ORDERS)[0]:
            wrong[prompt] = kept
    assert wrong == {}


def test_filters_keep_columns_and_sheets():
    named = rows_of(filter_table(ORDERS, "I only need the columns customer and amount"))
    assert named[1] == ["Anna Smith", "€ 1,200.50"]
    assert rows_of(filter_table(ORDERS, "Drop the column Paid"))[0][-1] == "Amount"
    assert rows_of(filter_table(BOOK, "Keep only the sheet Hours"))[0] == ["Name", "Day", "Worked"]
    without = rows_of(filter_table(BOOK, "people without a town"))
    assert without == [["Name", "Age", "Town"], ["Jan", "28", ""]]


def test_filters_that_leave_nothing_or_say_nothing_are_refused():
    for prompt, told in {
        "only orders over 99999": "No row would be left",
        "where product is Banana": "“Banana”",
        "filter it": "not clear which rows",
    }.items():
        with pytest.raises(ToolError, match=told):
            filter_table(ORDERS, prompt)


def test_groups_are_added_up():
    by_customer = rows_of(group_table(ORDERS, "Add up the amounts per customer"))
    assert by_customer == [
        ["Customer", "Total of Amount (€)"],
        ["Anna Smith", "1900.50"],
        ["Ben Jones", "1740.00"],
        ["Carla Ruiz", "120.00"],
        ["Dora Klein", "50.25"],
    ]
    by_month = rows_of(group_table(ORDERS, "Total amount by month"))
    assert by_month[1:] == [["2024-01", "1500.50"], ["2024-02", "820.00"], ["2024-03", "1490.25"]]
    counted = rows_of(
        group_table(ORDERS, "How many orders for each city? Make a table, most first")
    )
    assert counted == [["City", "Count"], ["Berlin", "3"], ["Paris", "2"], ["Rome", "1"]]
    average = rows_of(group_table(ORDERS, "Average units of every product"))
    assert average[1] == ["Apple", "7.67"]
    both = rows_of(group_table(ORDERS, "total amount by city and product"))
    assert both[0] == ["City", "Product", "Total of Amount (€)"] and len(both) == 7
    with pytest.raises(ToolError, match="not clear by what"):
        group_table(ORDERS, "add it up")


def test_tables_are_joined_below_each_other_and_by_what_they_share():
    mails = "Name,Mail\nAnna,a@x\nBen,b@x\n"
    assert rows_of(join_tables([mails, "mail;name\nc@x;Carl\n"])) == [
        ["Name", "Mail"],
        ["Anna", "a@x"],
        ["Ben", "b@x"],
        ["Carl", "c@x"],
    ]
    assert rows_of(join_tables([mails, "Name,Phone\nBEN,1\nCarl,2\n"])) == [
        ["Name", "Mail", "Phone"],
        ["Anna", "a@x", ""],
        ["Ben", "b@x", "1"],
        ["Carl", "", "2"],
    ]
    other_name = rows_of(join_tables([ORDERS, "Client,Since\nAnna Smith,2019\nBen Jones,2020\n"]))
    assert other_name[3][-1] == "2019" and other_name[0][-1] == "Since"
    with pytest.raises(ToolError, match="share no column"):
        join_tables([mails, "Colour,Weight\nred,3\n"])
    with pytest.raises(ToolError, match="only one table"):
        join_tables([mails])


def test_a_table_is_tidied():
    messy = "Name, City \n Anna , Berlin\n\nAnna,Berlin\n,,\nBen,New\u00a0  York\n"
    assert clean_table(messy) == "Name,City\nAnna,Berlin\nBen,New York\n"
    assert clean_table(BOOK).count("##") == 2
    with pytest.raises(ToolError, match="no table"):
        clean_table("\n\n")


def test_tables_are_saved_in_formats_that_open():
    def saved(table: str, name: str) -> Filed:
        made = convert_table(table, format=name)
        assert isinstance(made, Filed)
        return made

    book = openpyxl.load_workbook(io.BytesIO(saved(ORDERS, "xlsx").content))
    sheet = book.active
    assert sheet["G2"].value == 1200.5 and "€" in sheet["G2"].number_format
    assert sheet["B2"].value == dt.datetime(2024, 1, 5) and sheet["A1"].font.bold
    records = json.loads(saved(ORDERS, "json").content)
    assert records[0]["Units"] == 10 and records[0]["Date"] == "2024-01-05"
    assert saved(ORDERS, "markdown").content.decode().split("\n")[1].startswith("| ----")
    assert saved(ORDERS, "tsv").content.decode().split("\n")[1].split("\t")[6] == "€ 1,200.50"
    assert rows_of(saved(GERMAN, "csv").content.decode("utf-8-sig"))[1][3] == "1.234,50 €"
    german = openpyxl.load_workbook(io.BytesIO(saved(GERMAN, "").content)).active
    assert german["D2"].value == 1234.5 and german["D5"].value == 1335
    sheets = openpyxl.load_workbook(io.BytesIO(saved(BOOK, "xlsx").content))
    assert sheets.sheetnames == ["People", "Hours"]
    for name, text in (("json", None), ("markdown", None), ("csv", None)):
        again = saved(ORDERS, name).content.decode("utf-8-sig")
        assert "€3,810.75" in table_question(again, "total amount"), (name, text)
    with pytest.raises(ToolError, match="2 sheets"):
        convert_table(BOOK, format="csv")


#: A wish for another form, the rows of PLAIN that are meant, and what stands in the first column.
MEANT_ROWS = [
    ("Export the mugs only as CSV", "1 3"),
    ("Save only the orders from Berlin as an Excel file", "1 2"),
    ("Give me a JSON with just the candles.", "2 4"),
    ("xlsx of the unpaid ones please", "2 3"),
    ("I need the March rows as a separate CSV", "4"),
    ("Download everything except the mugs as tsv", "2 4"),
    ("Make an Excel file of the orders above 10 euros", "2 4"),
    ("Convert this to Excel for Berlin", "1 2 3 4"),
    ("Convert it to the latest Excel format", "1 2 3 4"),
    ("Add a column price times two and export as csv", "1 2 3 4"),
    ("Export the zebras only as CSV", "1 2 3 4"),
]
PLAIN = """Id,Date,Product,City,Price,Paid
1,2024-01-05,Mug,Berlin,8.50,yes
2,2024-02-19,Candle,Berlin,12.00,no
3,2024-02-20,Mug,Munich,8.50,no
4,2024-03-03,Candle,Hamburg,12.00,yes
"""


@every_case("words, orders", MEANT_ROWS)
def test_only_the_rows_that_are_meant_are_saved(words: str, orders: str):
    context = Context()
    made = convert_table(PLAIN, words, "csv", context=context)
    assert isinstance(made, Filed)
    rows = rows_of(made.content.decode("utf-8-sig"))
    assert " ".join(row[0] for row in rows[1:]) == orders
    assert bool(context.remarks) == ("zebras" in words)


def test_rows_that_are_saved_mean_what_they_meant_among_all():
    table = "Name;Sum;Day\nMaier;1,234;03/04/2024\nBerg;12,5;25/04/2024\nCohn;7,25;13/05/2024\n"
    made = convert_table(table, "only Maier as JSON", "json")
    assert isinstance(made, Filed)
    assert json.loads(made.content) == [{"Name": "Maier", "Sum": 1.234, "Day": "2024-04-03"}]


def test_formulas_in_a_table_stay_words():
    made = convert_table("a,b\n=1+1,2\n", format="xlsx")
    assert openpyxl.load_workbook(io.BytesIO(made.content)).active["A2"].data_type == "s"


def test_odd_tables():
    titled = "Report 2024\n\nTown;Sold\nBonn;3\nKöln;4\n"
    assert "7, over 2 rows" in table_question(titled, "total sold")
    headless = "Anna,3\nBen,4\nCarla,5\n"
    assert "12" in table_question(headless, "What is the total?")
    quoted = 'a,b\n"x, y",1\n"z ""q""",2\n'
    assert rows_of(sort_table(quoted, "by b, highest first"))[1] == ['z "q"', "2"]
    years = "Region,2022,2023\nNorth,1,5\nSouth,2,6\n"
    assert "11" in table_question(years, "What is the total of 2023?")
    assert "1, over 1 row" in table_question("a\n1\n", "total a")


def test_fifty_thousand_rows():
    lines = ["day,city,units,price"]
    for number in range(50_000):
        day = dt.date(2023, 1, 1) + dt.timedelta(days=number % 700)
        lines.append(f"{day:%d.%m.%Y},Town {number % 40},{number % 7},{number % 90}.50")
    table = "\n".join(lines)
    begun = time.process_time()
    answer = table_question(table, "What is the total of units in Town 3?")
    expected = sum(number % 7 for number in range(50_000) if number % 40 == 3)
    assert f"{expected:,}" in answer
    assert len(rows_of(group_table(table, "total units per city"))) == 41
    # Not a measure of speed: only that nothing grows with the square of the rows.
    assert time.process_time() - begun < 60


MARKS = "Pupil,Test 1,Test 2\nAmira,78,85\nBen,55,\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            "this is the export of our sports club (german, sorry). What is the total of Test 1?",
            "133",
        ),
        ("For my history class: how many pupils have a Test 1 over 60?", "1 row"),
        ("Hi there, what's the average of Test 1 pls", "66.5"),
    ],
)
def test_what_is_said_beside_the_wish_is_passed_over(words, said):
    assert said in table_question(MARKS, words)


def test_a_word_of_the_wish_itself_is_not_passed_over():
    with pytest.raises(ToolError, match="bonus"):
        table_question(MARKS, "this is our school. What is the total of the bonus?")


@pytest.mark.parametrize(
    ("words", "first", "second"),
    [
        ("put a column with the place (1, 2, 3 ...) in front", "1", "2"),
        ("number the rows in a first column called Place", "1", "2"),
    ],
)
def test_a_column_is_put_in_front(words, first, second):
    lines = add_column(MARKS, words).splitlines()
    assert [line.split(",")[0] for line in lines[1:]] == [first, second]


def test_the_average_of_each_row_needs_no_names_of_columns():
    words = "add a column at the end with every pupil's average. Empty boxes: they were ill."
    lines = add_column(MARKS, words).splitlines()
    assert [line.split(",")[-1] for line in lines] == ["Average", "81.50", "55.00"]
