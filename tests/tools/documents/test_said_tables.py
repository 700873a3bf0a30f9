"""What people say of a table beside its columns: units, names of the table, people's own words."""

from __future__ import annotations

import pytest

from controlllm.toolbox import ToolError
from tests.every_case import every_case
from tools.documents.embedded import changing, chart_wishes
from tools.documents.tables import (
    add_column,
    change_columns,
    compare_tables,
    filter_table,
    group_table,
    sort_table,
    table_question,
)

PARCELS = """Parcel,Weight,Price,Sent,Size
A,2.5 kg,£4.00,2024-03-01,80 m2
B,12 kg,£9.50,2024-03-09,120 m2
C,7 kg,£6.00,2024-04-02,60 m2
"""
CREW = """Name,Age,Team,Fee,Paid
Ann,30,x,£20,£20
Bea,61,x,£35,£0
Cy,12,y,£35,£9
"""
STOCK = """Item,Price,In stock
Pen,1.20,3
Ink,6.00,40
Pad,2.10,9
"""
MARKS = """Pupil,English,French
Ada,95,91
Ben,88,94
Cy,92,70
"""
TIMES = """Runner,Time
Ada,4:12.9
Ben,3:59.4
Cy,4:02.0
"""
COSTS = """Project,Kind,Cost
P1,labour,100
P1,paper,20
P2,labour,50
"""
ROOMS = """Room,Warden,Beds
1,Kim,2
2,Lou,4
3,Kim,6
"""
GIFTS = """Donor,Country,Amount
Ann,UK,1500
Bo,DE,40
Cy,DE,2000
"""
ANSWERS = """Guest,Answer
Ann,yes
Bea,no
Cy,yes
"""
WARES = """Item,Price,Stock
Pen,1.20,3
Ink,6.00,0
Pad,2.10,9
"""
VOTES = """Name,Votes
Ann,120
Luis,87
Mei,143
"""
WEEKS = """Week,Visitors
1,40
2,25
3,61
"""
CENTRES = """Cost centre,Item,Amount
1000,Paper,€ 120.00
2000,Tea,€ 80.00
3000,Chairs,€ 900.00
"""
MONTHS = """Month,Income,Spending
January,300,250
February,120,180
April,90,200
"""
CLIENTS = """Client,Phone,Notes
A,1,
B,,late
"""
BOOKINGS = """Guest,Arrival,Nights,Rate
Mills,2024-08-02,3,80
Ng,2024-08-15,5,75
Ode,2024-07-20,2,95
"""


def first_cells(table: str) -> str:
    """The first cell of each row but the header, one behind the other."""
    return " ".join(line.split(",")[0] for line in table.strip().split("\n")[1:])


@every_case(
    ("table", "words", "kept"),
    [
        # A unit behind a number names no column, and tells which one is meant.
        (PARCELS, "keep everything heavier than 5 kilos", "B C"),
        (PARCELS, "Keep the rows where the weight was over 7 kg", "B"),
        (PARCELS, "only those over £5", "B C"),
        (PARCELS, "a size under 100 square metres", "A C"),
        (PARCELS, "with a size below 70 m2", "C"),
        (CENTRES, "throw out all cost centres under 100 €", "1000 3000"),
        (CENTRES, "only the cost centres over 100 euros", "1000 3000"),
        (CREW, "everyone over 29 years", "Ann Bea"),
        # What the table is called.
        (CREW, "from the youth club register take everyone under 18", "Cy"),
        (CREW, "Everyone over 20 from the ladies' gymnastics list", "Ann Bea"),
        (CREW, "Could the membership sheet tell who is older than 40? Just those rows.", "Bea"),
        # Fewer of something are counted.
        (STOCK, "what do we have fewer than 10 of", "Pen Pad"),
        (STOCK, "only things we've fewer than 5 of", "Pen"),
        # Several columns held against one number.
        (MARKS, "those with at least 90 in English and French", "Ada"),
        (MARKS, "who got 93 or more in both English and French", ""),
        (MARKS, "over 93 in English or French", "Ada Ben"),
        # Rows and not the column that they are called by.
        (CREW, "show me only the people who are older than 20", "Ann Bea"),
        (CREW, "only the members in the list who have a fee over £30", "Bea Cy"),
        (ROOMS, "rooms 1 to 2", "1 2"),
        (PARCELS, "sent between 1st and 15th March", "A B"),
        (PARCELS, "sent from 2 to 10 March", "B"),
        (CENTRES, "rows with an item beginning with T", "2000"),
        (MONTHS, "months where we spent more than we took in", "February April"),
        # Which list or name is meant is no end of the table.
        (CREW, "from the first list only everyone over 20 years", "Ann Bea"),
        (CREW, "everybody under 40 please, by last name", "Ann Cy"),
        (ANSWERS, "only the ones who said yes", "Ann Cy"),
        (ANSWERS, "those that answered no", "Bea"),
        (WARES, "only the ones in stock", "Pen Pad"),
        (WARES, "those that are out of stock", "Ink"),
    ],
)
def test_rows_that_are_kept(table: str, words: str, kept: str) -> None:
    if not kept:
        with pytest.raises(ToolError, match="No row would be left"):
            filter_table(table, words)
        return
    found = filter_table(table, words)
    assert first_cells(found) == kept
    assert found.split("\n")[0].strip() == table.split("\n")[0]


@every_case(
    ("table", "words", "order"),
    [
        (TIMES, "fastest first", "Ben Cy Ada"),
        (TIMES, "from slowest to fastest", "Ada Cy Ben"),
        (CREW, "could you sort the crew list by age, oldest on top", "Bea Ann Cy"),
        (CREW, "Put the oldest members on top and so on down", "Bea Ann Cy"),
        (CREW, "youngest first", "Cy Ann Bea"),
        (STOCK, "the dearest items first", "Ink Pad Pen"),
        (STOCK, "order by price, the cheapest item first", "Pen Pad Ink"),
        (BOOKINGS, "cheapest first", "Ng Mills Ode"),
        (VOTES, "best first", "Mei Ann Luis"),
        (VOTES, "the best one at the top", "Mei Ann Luis"),
    ],
)
def test_order_by_what_a_word_is_about(table: str, words: str, order: str) -> None:
    assert first_cells(sort_table(table, words)) == order


@every_case(
    ("table", "words", "said"),
    [
        (COSTS, "Project costs: what percentage went on labour?", "88.2 % of Cost"),
        (COSTS, "what share goes to paper", "11.8 % of Cost"),
        (GIFTS, "Tell me the sum of all donations over 1000", "total of Amount is 3,500"),
        (GIFTS, "average of the gifts", "average of Amount is 1,180"),
        (TIMES, "who ran the fastest?", "Ben has the lowest Time"),
        (TIMES, "what is the best time", "The lowest Time is 3:59"),
        (ROOMS, "how many rooms are there in total", "There are 3 rows"),
        (ROOMS, "the number of rows overall", "There are 3 rows"),
        (BOOKINGS, "What did we earn in August", "615.00"),
        (GIFTS, "which is the largest, and how much is it more than the smallest?", "is 1,960"),
        (VOTES, "who was last?", "Luis has the lowest Votes"),
        (VOTES, "who came second", "2. Ann: 120"),
        (WEEKS, "which week was the worst", "2 has the lowest Visitors: 25"),
        (ROOMS, "who looked after room 2", "Lou"),
        (WEEKS, "how many visitors did we have", "total of Visitors is 126"),
        (CREW, "the cookery class list: how many are in team x", "There are 2 rows"),
        (ROOMS, "How many beds does Kim look after over the whole season?", "is 8"),
    ],
)
def test_answers_to_what_people_say(table: str, words: str, said: str) -> None:
    assert said in table_question(table, words)


def test_what_is_held_against_nothing_is_told() -> None:
    with pytest.raises(ToolError, match="more than what"):
        table_question(COSTS, "Is the cost of paper more than that?")


@every_case(
    ("table", "words", "name", "cells"),
    [
        (STOCK, "Add a column VAT that is 20 % of the price", "VAT", "0.24 1.20 0.42"),
        (STOCK, "a column Worth which is price times in stock", "Worth", "3.60 240.00 18.90"),
        (BOOKINGS, "we pay 2 per night. Please add a column Tax", "Tax", "6 10 4"),
        (COSTS, "share of the cost with one decimal", "Share of Cost", "58.8 % 11.8 % 29.4 %"),
        (COSTS, "Percentage of the cost, 1 decimal", "Share of Cost", "58.8 % 11.8 % 29.4 %"),
        (MARKS, "sum of both as a new column Points", "Points", "186 182 162"),
        (MARKS, "the difference of the two", "French minus English", "-4 6 -22"),
        (COSTS, "what each comes to with 19 percent on it", "Cost plus 19 %", "119.00 23.80 59.50"),
        (COSTS, "the cost with 20 % VAT on it", "Cost plus 20 %", "120 24 60"),
        (TIMES, "Give every runner a rank", "Rank by Time", "3 1 2"),
        (TIMES, "a ranking beside the times, 1 for the fastest", "Rank by Time", "3 1 2"),
        (CREW, "'minor' if Age is below 18, 'of age' otherwise", "Group", "of age of age minor"),
        (
            CREW,
            "Label everybody: 'junior' if Age under 18, 'senior' from 60 on, 'adult' otherwise.",
            "Group",
            "adult senior junior",
        ),
        (CREW, "Age group: 0-17 young, 18-59 middle, 60+ old", "Group", "middle old young"),
        (CREW, "by Age: child up to 17, adult 18-59, senior 60+", "Group", "adult senior child"),
        (
            MARKS,
            "English in letters: a column where 95+ is A, 90-94 B, anything below C",
            "Group",
            "A C B",
        ),
    ],
)  # fmt: skip
def test_new_columns(table: str, words: str, name: str, cells: str) -> None:
    header, *rows = (line.split(",") for line in add_column(table, words).strip().split("\n"))
    assert (header[-1].strip(), " ".join(row[-1].strip() for row in rows)) == (name, cells)


@every_case(
    ("words", "wanted"),
    [
        ("blank cells in Phone should say unknown", "Client,Phone,Notes A,1, B,unknown,late"),
        ("if the phone is missing put 'none'", "Client,Phone,Notes A,1, B,none,late"),
        ("fill the 3 blanks in column Notes with n/a", "Client,Phone,Notes A,1,n/a B,,late"),
        ("the notes can go", "Client,Phone A,1 B,"),
        ("omit the phone numbers", "Client,Notes A, B,late"),
        ("without the column Notes", "Client,Phone A,1 B,"),
        (
            "change the headers: Client -> Customer, Notes => Remarks",
            "Customer,Phone,Remarks A,1, B,,late",
        ),
        (
            'The heading "Client" should be "Firm" and the notes needn\'t be there any more',
            "Firm,Phone A,1 B,",
        ),
        ("the notes column is nobody's business, lose it", "Client,Phone A,1 B,"),
        ("the column Notes nobody needs", "Client,Phone A,1 B,"),
        ("'Phone' means nothing to us, call that one Tel", "Client,Tel,Notes A,1, B,,late"),
        ("swap Phone and Notes so that Notes comes first", "Client,Notes,Phone A,,1 B,late,"),
        ("swap the columns Client and Phone round", "Phone,Client,Notes 1,A, ,B,late"),
        ("call Phone Tel, and put it to the very front", "Tel,Client,Notes 1,A, ,B,late"),
    ],
)
def test_columns_changed(words: str, wanted: str) -> None:
    assert " ".join(change_columns(CLIENTS, words).split()) == wanted


@every_case(
    ("words", "prices"),
    [
        ("price column to full euros", "1 6 2"),
        ("Price with 1 decimal", "1.2 6.0 2.1"),
        ("one digit after the point everywhere", "1.2 6.0 2.1"),
        ("round it to one decimal", "1.2 6.0 2.1"),
        ("round everything to full euros", "1 6 2"),
    ],
)
def test_rounded_columns(words: str, prices: str) -> None:
    rows = change_columns(STOCK, words).strip().split("\n")[1:]
    assert " ".join(row.split(",")[1] for row in rows) == prices


@every_case(
    ("words", "codes"),
    [
        ("which fees went up?", "y"),
        ("what got dearer", "y"),
        ("what is cheaper now", "x"),
        ("which codes have another fee now", "x y"),
        ("codes with a different fee", "x y"),
        ("the ones in the first sheet that arent in the second", "q"),
        ("what's different from last week's list", "x y q"),
        ("the second is the new one. what is different?", "x y q"),
    ],
)
def test_tables_compared(words: str, codes: str) -> None:
    old, new = "Code,Fee\nx,10\ny,12\nz,9\nq,1\n", "Code,Fee\nx,9\ny,15\nz,9\n"
    assert first_cells(compare_tables(old, new, words)) == codes


def test_groups_with_their_own_names() -> None:
    assert first_cells(group_table(CENTRES, "Totals per cost centre")) == "1000 2000 3000"
    looked_after = group_table(ROOMS, "how many rooms does each warden look after")
    assert looked_after.split() == ["Warden,Count", "Kim,2", "Lou,1"]


@every_case(
    ("table", "words", "kind", "step"),
    [
        (CREW, "ages in steps of 10", "histogram", 10.0),
        (CREW, "histogram of Age with 5-year bins", "histogram", 5.0),
        (GIFTS, "histogram of the donation sizes", "histogram", 0.0),
        (ROOMS, "one bar per warden, beds", "bar", 0.0),
    ],
)
def test_charts(table: str, words: str, kind: str, step: float) -> None:
    chart = changing.of_sheet(
        table, words, lambda one, said: chart_wishes.chart_of(one, said, kind)
    )
    assert (chart.kind, chart.step, len(chart.series)) == (kind, step, 1)
    assert chart.way != "count"


@every_case(
    ("words", "upright", "lying"),
    [
        ("a dot for each, hours to the right and the mark upwards", "Mark", "Hours"),
        ("points, hours along the bottom, marks on the y axis", "Mark", "Hours"),
        ("marks against hours as points", "Mark", "Hours"),
        ("dots with mark across and hours upright", "Hours", "Mark"),
    ],
)
def test_axes(words: str, upright: str, lying: str) -> None:
    table = "Student,Hours,Mark\nA,2,40\nB,5,60\nC,9,90\n"
    chart = changing.of_sheet(
        table, words, lambda one, said: chart_wishes.chart_of(one, said, "scatter")
    )
    assert (chart.series[0].name, chart.x_title) == (upright, lying)


def test_a_table_of_counts_is_drawn_as_it_is() -> None:
    for words in ("a diagram of the counts, grade 1 first", "how many of each grade, as bars"):
        chart = changing.of_sheet(
            "Grade,Count\n1,3\n2,7\n3,9\n",
            words,
            lambda one, said: chart_wishes.chart_of(one, said, "bar"),
        )
        assert chart.series[0].values == [3.0, 7.0, 9.0]


def test_what_does_not_matter_is_left_out() -> None:
    words = "Only those with a fee over £30. Some say Ann and that doesn't matter."
    assert first_cells(filter_table(CREW, words)) == "Bea Cy"


def test_two_spellings_become_the_more_frequent() -> None:
    table = "Name,Country\nAnn,UK\nBea,United Kingdom\nCy,UK\n"
    found = change_columns(table, "'UK' and 'United Kingdom' are the same. Make them one.")
    assert found.split() == "Name,Country Ann,UK Bea,UK Cy,UK".split()


def test_how_far_something_went_up_is_told_only_where_it_stands() -> None:
    with pytest.raises(ToolError, match="difference"):
        table_question("No,Before,After\n1,2,5\n2,9,10\n", "Which went up the most?")
    assert "is 3" in table_question("No,Price,Change\n1,5,3\n2,9,1\n", "Which went up the most?")


def test_means_are_averages() -> None:
    table = "Date,Heat\n2024-01-01,4\n2024-01-02,6\n2024-01-09,1\n"
    assert "week 01,5" in group_table(table, "a table with the weekly means")
