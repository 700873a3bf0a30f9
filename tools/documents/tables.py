"""Tables: sorted, filtered, added up, joined, compared, tidied, given columns and asked about."""

from __future__ import annotations

import re
from typing import Annotated

from controlllm.resources import Document, Filed, Table, Text
from controlllm.toolbox import Context, ToolError, tool
from controlllm.values import Choice

_CHART = re.compile(r"\b(?:chart|graph|diagram|plot|pie|donut|doughnut|histogram)\b", re.IGNORECASE)


def _said(words: str, what: str) -> str:
    if not words.strip():
        raise ToolError(f"It is not said {what}. Say it in plain words.")
    return words


@tool(
    domain="natural-language-processing",
    examples=[
        "What is the total of the amount column?",
        "How much did we spend on travel in March?",
        "Which customer ordered the most?",
        "What's the average price in this spreadsheet?",
        "How many of the orders are over 500 euros?",
        "Look at the CSV: which month had the highest sales?",
        "What percentage of the revenue comes from Berlin?",
        "How many hours did Anna work altogether?",
    ],
    packages=("dateutil",),
)
def table_question(table: Table, question: Text) -> Text:
    """Answer a question about the numbers of a table or spreadsheet: sums, averages, counts, the
    largest or smallest, how much for one kind, with the rows that it rests on.

    Args:
        table: the table
        question: what shall be found out
        returns: the answer in a sentence
    """
    from .embedded import answering, changing

    words = _said(question, "what shall be found out")
    return changing.of_sheet(
        table,
        words,
        answering.answer,
    )


@tool(
    domain="natural-language-processing",
    examples=[
        "Sort the table by price, highest first.",
        "Order the list by last name.",
        "Put the newest entries on top.",
        "Arrange the rows by date.",
        "I want the spreadsheet sorted by city and then by age.",
        "Rank the products by how many were sold.",
        "Could you bring the guests into alphabetical order?",
    ],
    packages=("dateutil",),
)
def sort_table(table: Table, prompt: Text, context: Context | None = None) -> Table:
    """Sort the rows of a table by a column, up or down.

    Args:
        table: the table
        prompt: by which column, and which way round
        returns: the table with its rows in order
    """
    from .embedded import table_work

    words = _said(prompt, "by which column the table shall be sorted")
    return table_work.in_order(table, words, context)


@tool(
    domain="natural-language-processing",
    examples=[
        "Keep only the rows where the city is Berlin.",
        "Show me just the orders over 100 euros.",
        "Remove everyone under 18 from the list.",
        "I only need the columns name and email.",
        "Filter the spreadsheet for entries in March.",
        "Which rows have no phone number? Give me those.",
        "Drop all lines that are marked as cancelled.",
        "Only the ten most expensive products, please.",
    ],
    packages=("dateutil",),
)
def filter_table(table: Table, prompt: Text, context: Context | None = None) -> Table:
    """Keep only the rows of a table that meet a condition, or only some of its columns.

    Args:
        table: the table
        prompt: which rows or columns shall be kept, or taken out
        returns: what is left of the table
    """
    from .embedded import table_work

    return table_work.filtered(table, _said(prompt, "which rows or columns shall be kept"), context)


@tool(
    domain="natural-language-processing",
    examples=[
        "Add up the amounts per customer.",
        "Total sales by month.",
        "How many orders are there for each country? Make a table.",
        "Group the expenses by category.",
        "I need the average rating of every product in a table.",
        "Summarise the hours by employee.",
        "Make a summary of revenue for each region and year.",
    ],
    packages=("dateutil",),
)
def group_table(table: Table, prompt: Text, context: Context | None = None) -> Table:
    """Add up a table by a column: totals, averages or counts for each kind, month or person.

    Args:
        table: the table
        prompt: what shall be added up or averaged, and for each of what
        returns: a table with a row for each
    """
    from .embedded import grouping, table_work

    words = _said(prompt, "by which column the table shall be added up")
    return table_work.worked(table, words, grouping.group, context)


@tool(
    domain="natural-language-processing",
    examples=[
        "Put these two tables together.",
        "Merge the spreadsheets by customer number.",
        "Append the February list to the January one.",
        "Combine the CSV files into one.",
        "Match the orders with the addresses.",
        "I have the names in one file and the phone numbers in another; join them.",
        "Stack these tables on top of each other.",
    ],
)
def join_tables(tables: list[Table]) -> Table:
    """Put two or more tables together: one below the other, or matched by a column that they share.

    Args:
        tables: the tables, in their order
        returns: one table
    """
    from .embedded import joining, writing

    if len(tables) < 2:
        raise ToolError(
            "There is only one table here, and joining takes at least two. Add another."
        )
    return writing.as_csv(joining.join(tables))


@tool(
    domain="natural-language-processing",
    examples=[
        "Add a column with price times amount.",
        "Add 19 % VAT to the prices in a new column.",
        "Make a column grade: pass from 50 points, otherwise fail.",
        "I need a running total next to the amounts.",
        "Show for each month what share of the revenue it is, as a column.",
        "Put the difference to the month before in a column of its own.",
        "Give every pupil the average of the three marks in an extra column.",
        "How many days lie between start and end? Write it behind each row.",
    ],
    packages=("dateutil", "pint"),
)
def add_column(table: Table, prompt: Text, context: Context | None = None) -> Table:
    """Add a column to a table, filled by a rule: a sum of other columns, a percentage more, a
    running total, a share, a rank, the change to the row before, or a label for each kind of row.

    Args:
        table: the table
        prompt: what shall stand in the column, and what it is called
        returns: the table with the column at its end
    """
    from .embedded import new_columns, table_work

    words = _said(prompt, "what shall stand in the new column")
    if _CHART.search(words) and "column" not in words.replace("column chart", "").lower():
        raise ToolError("This asks for a chart and not for a column.")
    return table_work.worked(table, words, new_columns.with_new_column, context)


@tool(
    domain="natural-language-processing",
    examples=[
        "Rename the column Maths to Mathematics.",
        "Put the supplier first and the price last.",
        "Move the date column to the front.",
        "Call the second column Town and drop the notes.",
        "Order the columns: name, town, phone.",
        "Fill the empty cells of amount with 0.",
        "Replace Munich by München in the city column.",
        "Round the prices to whole numbers.",
    ],
)
def change_columns(table: Table, prompt: Text, context: Context | None = None) -> Table:
    """Rename, move or take out columns of a table, fill their empty cells, replace or round what
    stands in them.

    Args:
        table: the table
        prompt: which columns, and what shall be done with them
        returns: the table with its columns changed
    """
    from .embedded import column_changes, csv_marks, reading, table_work

    words = _said(prompt, "which columns shall be changed")
    if (marks := csv_marks.marks_in(words)) != csv_marks.Marks():
        return csv_marks.with_marks(reading.sheets_in(table)[0], marks, words)
    single = table_work.kept_once(table, words, context)
    return single or table_work.worked(table, words, column_changes.changed, context)


@tool(
    domain="natural-language-processing",
    examples=[
        "Who is in the first list but not in the second?",
        "Which names are on both lists?",
        "Compare the two price lists: what has changed?",
        "What is new in the second table?",
        "Which of the invited guests have not answered yet?",
        "Find the customers that both files have in common.",
        "Which article numbers are missing in the new list?",
        "Show me the differences between these two spreadsheets.",
    ],
)
def compare_tables(table: Table, other: Table, prompt: Text) -> Table:
    """Compare two tables by a column that both have: the rows that only one of them has, those in
    both, or what has changed from one to the other.

    Args:
        table: the first table
        other: the second table
        prompt: what is looked for: what is in both, in one alone, or changed
        returns: the rows that were asked for
    """
    from .embedded import table_differences, writing

    words = _said(prompt, "what the tables shall be compared for")
    if table == other:
        raise ToolError("There is only one table here, and comparing takes two. Add another.")
    return writing.as_csv(table_differences.compared(table, other, words))


@tool(
    domain="natural-language-processing",
    examples=[
        "Clean up this table.",
        "Remove the duplicate rows from the list.",
        "There are empty lines in my CSV, take them out.",
        "Tidy the spreadsheet: stray spaces and double entries.",
        "Deduplicate the contacts.",
        "Get rid of blank rows and extra blanks.",
        "The export is messy, could you clean it?",
    ],
)
def clean_table(table: Table, prompt: Text | None = None, context: Context | None = None) -> Table:
    """Tidy a table: take out rows that occur twice, empty rows and stray blanks.

    Args:
        table: the table
        prompt: what stands there twice, and which of both shall be kept
        returns: the tidy table
    """
    from .embedded import table_work

    return table_work.tidied(table, prompt or "", context)


@tool(
    domain="natural-language-processing",
    sets_form=("format",),
    examples=[
        "Make an Excel file of the unpaid orders.",
        "Save the table as an Excel file.",
        "Convert this spreadsheet to CSV.",
        "I need the list as JSON.",
        "Turn the CSV into an xlsx.",
        "Make a Markdown table of it.",
        "Could I have it tab-separated?",
        "Export the data so that I can open it in Excel.",
    ],
    packages=("openpyxl", "dateutil"),
)
def convert_table(
    table: Table,
    prompt: Text | None = None,
    format: Annotated[
        str,
        Choice(
            csv="csv comma_separated",
            tsv="tsv tab_separated tabs",
            xlsx="xlsx excel spreadsheet",
            json="json",
            markdown="markdown md",
        ),
    ] = "",
    context: Context | None = None,
) -> Table:
    """Save a table in another format: CSV, TSV, Excel, JSON, Markdown.

    Args:
        table: the table
        prompt: which rows are wanted; all where nothing is said
        format: which format; Excel for CSV and CSV for anything else where nothing is said
        returns: the table in that format
    """
    from .embedded import csv_marks, reading, table_work, writing

    sheets = table_work.rows_meant(table, prompt or "", context)
    marks = csv_marks.marks_in(prompt or "")
    if marks != csv_marks.Marks() and format in ("", "csv", "tsv") and len(sheets) == 1:
        return csv_marks.with_marks(sheets[0], marks, prompt or "")
    is_separated = reading.grids_in(table)[0][2] in (",", ";", "\t")
    wanted = format or ("xlsx" if is_separated else "csv")
    if wanted in ("csv", "tsv") and len(sheets) > 1:
        names = ", ".join(f"“{sheet.name}”" for sheet in sheets)
        raise ToolError(
            f"This has {len(sheets)} sheets, {names}, and a {wanted.upper()} file holds one table. "
            "Filter out one of them first (“keep the sheet …”), or save it as Excel."
        )
    content = writing.written(sheets, wanted)
    return Filed(content, writing.MEDIA_TYPES[wanted])  # type: ignore[return-value]


@tool(
    domain="general",
    examples=[
        "Make a PDF of the table so that I can print it.",
        "I need this list as a PDF on A4, with the title Summer fair on top.",
        "Save the spreadsheet as a PDF.",
        "The price list as a PDF to hang up.",
        "Put the CSV on paper, letter size.",
        "Can you export the sheet to PDF for the committee?",
        "A printable PDF of the results, please.",
    ],
    packages=("dateutil", "fpdf", "markdown_it", "matplotlib"),
)
def table_to_pdf(
    table: Table,
    title: Text | None = None,
    page: Annotated[str, Choice(a4="a4", letter="letter us_letter")] = "",
) -> Document:
    """Make a PDF of a table or spreadsheet, set on pages to be printed, with a title above it.

    Args:
        table: the table
        title: the words of the title; none where nothing is said
        page: the paper, A4 where nothing is said
        returns: the PDF
    """
    from .embedded import reading, text_pages, writing

    above = f"# {title.strip()}\n\n" if title and title.strip() else ""
    content = writing.written(reading.sheets_in(table), "markdown").decode()
    return Filed(text_pages.pdf_of(above + content, page or "a4"), "application/pdf")  # type: ignore[return-value]
