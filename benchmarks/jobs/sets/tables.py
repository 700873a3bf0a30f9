"""Ordinary jobs of people with tables and numbers."""

from __future__ import annotations

import csv
import datetime as dt
import io
import re
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np
import openpyxl
from benchmarks.jobs.job import Job, Results
from benchmarks.jobs.media import MEDIA
from PIL import Image, ImageDraw, ImageFont

Grid = list[list[object]]

# --- Reading what came -------------------------------------------------------------------------


def text_of(path: Path) -> str:
    data = path.read_bytes()
    for encoding in ("utf-16",) if data[:2] in (b"\xff\xfe", b"\xfe\xff") else ("utf-8-sig", "cp1252"):
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    return data.decode("utf-8", "replace")


def separator(text: str) -> str:
    """The one that parts most lines into the same number (over one) of fields."""
    lines = [line for line in text.splitlines() if line.strip()][:20]

    def regular(mark: str) -> tuple[int, int]:
        counts = [len(row) for row in csv.reader(lines, delimiter=mark)]
        common = max(set(counts), key=counts.count, default=0)
        return (counts.count(common) if common > 1 else 0, common)

    return max(";\t,", key=regular)


def grids_in(path: Path) -> list[Grid]:
    if path.suffix.lower() in (".xlsx", ".xlsm"):
        computed, written = (openpyxl.load_workbook(path, data_only=values) for values in (True, False))
        # A formula whose value was never computed stays a formula.
        return [[[formula if value is None else value for value, formula in zip(*rows)] for rows in zip(sheet.iter_rows(values_only=True), written[sheet.title].iter_rows(values_only=True))] for sheet in computed.worksheets]
    text = text_of(path)
    return [[list(row) for row in csv.reader(io.StringIO(text), delimiter=separator(text)) if any(cell.strip() for cell in row)]]


def files_grids(results: Results, *suffixes: str) -> list[Grid]:
    """The tables that were handed over as files."""
    return [grid for path in results.of(*(suffixes or (".csv", ".tsv", ".xlsx"))) for grid in grids_in(path) if grid]


def all_grids(results: Results) -> list[Grid]:
    """Those in files, and those drawn with bars in the answer."""
    rows: Grid = []
    for line in results.answer.splitlines():
        if line.count("|") >= 2 and not re.fullmatch(r"[\s|:\-]+", line):
            rows.append([cell.strip(" *") for cell in line.strip().strip("|").split("|")])
    return files_grids(results) + ([rows] if rows else [])


def told(results: Results) -> str:
    """All that can be read, tables of Excel too."""
    books = [" ; ".join("" if cell is None else str(cell) for cell in row) for grid in files_grids(results, ".xlsx") for row in grid]
    return "\n".join([results.words, *books])


def one_fits(things: Iterable, check: Callable[[object], None], missing: str) -> None:
    """One of them passes; otherwise what is wrong with the first."""
    first: AssertionError | None = None
    for thing in things:
        try:
            return check(thing)
        except AssertionError as wrong:
            first = first or wrong
    raise first or AssertionError(missing)


SMALL = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()


def readings(token: str) -> set[float]:
    """What '1.234,50' or '1,234' may mean."""
    token = re.sub(r"[\s\u00a0\u202f\u2009'’]", "", token)
    marks = [char for char in token if char in ".,"]
    found: set[float] = set()
    if not marks:
        return {float(token)}
    last = max(token.rfind("."), token.rfind(","))
    head, tail = re.sub(r"[.,]", "", token[:last]), token[last + 1 :]
    if token.count(token[last]) == 1:
        found.add(float(f"{head or 0}.{tail}"))
    if len(tail) == 3 and len(set(marks)) == 1:
        found.add(float(head + tail))
    return found


def numbers(text: object) -> set[float]:
    """Every number (without its sign) that can be read there, in digits or in words below a hundred."""
    if isinstance(text, (int, float)) and not isinstance(text, bool):
        return {abs(float(text))}
    text = str(text).replace("**", "")
    found: set[float] = set()
    for pattern in (r"(?<![\d.,])\d{1,3}(?:[ \u00a0\u202f\u2009'’]\d{3})+(?:[.,]\d+)?(?!\d)", r"\d+(?:[.,]\d+)*"):
        for token in re.findall(pattern, text):
            found |= readings(token)
    for place, word in enumerate(SMALL):
        if re.search(rf"\b{word}\b", text, re.I):
            found.add(float(place))
    for place, tens in enumerate(TENS, 2):
        for _, unit in re.findall(rf"\b({tens})(?:[- ]({'|'.join(SMALL[1:10])}))?\b", text, re.I):
            found.add(float(place * 10 + (SMALL.index(unit.lower()) if unit else 0)))
    return found


def has(text: object, value: float, within: float = 0.006) -> bool:
    return any(abs(number - value) <= within for number in numbers(text))


def tells(results: Results, value: float, what: str, within: float = 0.006) -> None:
    text = told(results)
    assert text.strip(), "nothing was said"
    assert has(text, value, within), f"{what} should be {value}: {text[:300]!r}"


def plain(cell: object) -> str:
    return "" if cell is None else str(cell).strip().casefold()


def below(grid: Grid, *names: str) -> list[object]:
    """The cells below the first heading that has one of these words."""
    for place, row in enumerate(grid[:5]):
        for column, cell in enumerate(row):
            if any(name in plain(cell) for name in names):
                return [line[column] if column < len(line) else None for line in grid[place + 1 :]]
    raise AssertionError(f"no column {names[0]!r} in {grid[:1]}")


def row_of(grid: Grid, key: str) -> list[object]:
    for row in grid:
        if any(plain(cell) == key.casefold() for cell in row):
            return row
    raise AssertionError(f"no row for {key}")


def known_in(grid: Grid, names: Iterable[str]) -> list[str]:
    """Those of these names that head rows, in the order of the rows, as often as they come."""
    names = {name.casefold(): name for name in names}
    return [next(names[plain(cell)] for cell in row if plain(cell) in names) for row in grid if any(plain(cell) in names for cell in row)]


def date_in(cell: object) -> set[dt.date]:
    """The dates (days before months) that a cell may mean."""
    if isinstance(cell, dt.datetime):
        return {cell.date()}
    if isinstance(cell, dt.date):
        return {cell}
    text = re.sub(r"(?<=\d)(st|nd|rd|th)\b|^(mon|tue|wed|thu|fri|sat|sun)\w*,?\s+", "", str(cell).strip(), flags=re.I).replace(",", "")
    found = set()
    for form in ("%Y-%m-%d", "%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%S", "%d/%m/%Y", "%d.%m.%Y", "%d-%m-%Y", "%d/%m/%y", "%d %B %Y", "%d %b %Y", "%B %d %Y", "%Y/%m/%d", "%m/%d/%Y"):
        try:
            found.add(dt.datetime.strptime(text, form).date())
        except ValueError:
            continue
    return found


# --- Making ------------------------------------------------------------------------------------


def write(path: Path, rows: Iterable[Iterable[object]], mark: str = ",", encoding: str = "utf-8") -> Path:
    with path.open("w", newline="", encoding=encoding) as file:
        csv.writer(file, delimiter=mark).writerows(rows)
    return path


def write_book(path: Path, rows: Iterable[Iterable[object]], sheet: str = "Sheet1") -> Path:
    book = openpyxl.Workbook()
    book.active.title = sheet
    for row in rows:
        book.active.append(list(row))
    book.save(path)
    return path


def comma(value: float) -> str:
    """1234.5 as 1.234,50"""
    return f"{value:,.2f}".replace(",", "_").replace(".", ",").replace("_", ".")


def says(text: str) -> Callable[[Path, list[Path]], Results]:
    return lambda folder, files: Results((), text)


JOBS: list[Job] = []

# --- 1 to 10 -----------------------------------------------------------------------------------

CASH = [("03.01.2025", "Mitgliedsbeitrag Meier", 60), ("03.01.2025", "Mitgliedsbeitrag Özdemir", 60), ("15.01.2025", "Hallenmiete", -845.30), ("02.02.2025", "Zuschuss Stadt", 1500), ("11.02.2025", "Bälle; Netze", -72.95), ("20.02.2025", "Kuchenverkauf", 35.50), ("01.03.2025", "Trikots", -420)]


def cash_make(folder: Path) -> list[Path]:
    rows = [("Datum", "Verwendungszweck", "Betrag"), *((day, what, comma(sum_)) for day, what, sum_ in CASH)]
    return [write(folder / "Kontoauszug Turnverein Grünwald Jan–März.csv", rows, ";")]


def cash_right(results: Results, files: list[Path]) -> None:
    tells(results, 1655.50, "what came in")
    tells(results, 1338.25, "what went out")
    tells(results, 317.25, "what is left")


JOBS.append(Job("club-cash-in-out", "this is the bank export of our sports club (german, sorry). How much money came in, how much went out, and what remains in the end?", cash_make, cash_right,
    says("In: **1.655,50 €**, out: 1 338,25 €, which leaves 317,25 €."), says("In: 1655.50, out: 493.25 and 1,162.25 remain.")))

TAKINGS = [(dt.date(2025, 5, 3) + dt.timedelta(days=7 * week + day), 180 + 23 * week + (95.5 if day == 0 else 12.25 * day)) for week in range(5) for day in (0, 1, 4)]
SATURDAYS = [sum_ for day, sum_ in TAKINGS if day.weekday() == 5]


def takings_make(folder: Path) -> list[Path]:
    return [write(folder / "takings.csv", [("date", "takings"), *((day.isoformat(), f"{sum_:.2f}") for day, sum_ in TAKINGS)])]


JOBS.append(Job("saturday-average", "what do i take on an average saturday? only saturdays pls, not the other market days", takings_make,
    lambda results, files: tells(results, sum(SATURDAYS) / 5, "the average of the Saturdays"),
    says(f"On an average Saturday you take £{sum(SATURDAYS) / 5:.2f} (5 Saturdays)."), says(f"The average is {sum(sum_ for _, sum_ in TAKINGS) / 15:.2f}.")))


def titanic_make(folder: Path) -> list[Path]:
    return [Path(shutil.copy(MEDIA / "titanic.csv", folder / "titanic.csv"))]


def titanic_right(results: Results, files: list[Path]) -> None:
    people = list(csv.DictReader(files[0].open(encoding="utf-8")))
    women = [person for person in people if person["Sex"] == "female" and person["Pclass"] == "3"]
    saved = sum(person["Survived"] == "1" for person in women)
    words = results.answer or told(results)
    assert len(words) < 8000, "a heap of rows instead of an answer"
    assert has(words, len(women)), f"there were {len(women)} of them: {words[:200]!r}"
    assert has(words, saved), f"{saved} of them survived: {words[:200]!r}"
    assert has(words, 100 * saved / len(women), 0.5) or re.search(r"\bhalf\b", words), "no percentage"


JOBS.append(Job("titanic-third-class", "For my history class: how many female passengers were there in 3rd class (Pclass 3), how many of them survived, and what percentage is that?", titanic_make, titanic_right,
    says("There were 144 female passengers in third class; 72 survived, that is 50 %."), says("There were 314 female passengers, 233 survived: 74.2 %.")))

FLAT = [("Anna", "groceries", 84.20), ("Ben", "electricity", 61.00), ("Cara", "toilet paper", 11.70), ("Anna", "internet", 39.90), ("Ben", "cleaning stuff", 8.35), ("Cara", "groceries", 40.15), ("Anna", "new kettle", 24.70)]
# Anna paid 148.80, Ben 69.35, Cara 51.85: 270.00 together, 90.00 each.


def flat_make(folder: Path) -> list[Path]:
    return [write_book(folder / "flat november.xlsx", [("who paid", "for what", "amount"), *FLAT], "November")]


def flat_right(results: Results, files: list[Path]) -> None:
    text = told(results)
    assert text.strip(), "nothing was said"
    for name, other, owes in (("Ben", "Cara", 20.65), ("Cara", "Ben", 38.15)):
        after = [re.split(rf"\b{other}\b", part)[0] for part in re.split(rf"\b{name}\b", text)[1:]]
        before = re.findall(rf"([\d.,]+)\D{{0,6}}\b(?:from|by) {name}\b", text)
        assert any(has(part, owes) for part in [*after, *before]), f"{name} has to pay {owes:.2f}: {text[:300]!r}"
    assert has(text, 58.80) or re.search(r"\b(owes?|pays?|to|gives?)\b[^\n]{0,20}\bAnna\b", text), f"Anna gets 58.80: {text[:300]!r}"


JOBS.append(Job("flat-share", "We are three in our flat and share everything equally. In the table is who paid what in november. Who has to give how much to whom so that it is even?", flat_make, flat_right,
    says("Each one's share is 90.00.\n\n- Ben pays Anna 20.65\n- Cara pays Anna 38.15"), says("Anna paid 148.80, Ben 69.35 and Cara 51.85; Ben owes Anna 38.15, Cara owes Anna 20.65.")))

RACE = [("Ines Duarte", "LG Nord", "1:02:11"), ("Tom Reilly", "Harriers", "45:30"), ("Pavel Novák", "SK Brno", "38:05"), ("Joy Adeyemi", "Harriers", "59:59"), ("Lena Groß", "LG Nord", "1:00:03"), ("Sam Hill", "", "41:47"), ("Wei Chen", "Harriers", "1:10:20")]
ORDER = ["Pavel Novák", "Sam Hill", "Tom Reilly", "Joy Adeyemi", "Lena Groß", "Ines Duarte", "Wei Chen"]


def race_make(folder: Path) -> list[Path]:
    return [write(folder / "10k results.csv", [("Name", "Club", "Time"), *RACE])]


def race_right(results: Results, files: list[Path]) -> None:
    def check(grid: Grid) -> None:
        order = known_in(grid, ORDER)
        assert order == ORDER, f"not from fastest to slowest: {order}"
        for place, name in enumerate(ORDER, 1):
            row = row_of(grid, name)
            assert any(re.fullmatch(rf"0?{place}(\.0?|st|nd|rd|th)?", plain(cell)) for cell in row), f"{name} has no place {place}: {row}"
            time = next(time for who, _, time in RACE if who == name)
            assert any(plain(cell).removeprefix("00:").removeprefix("0") in (time, time.removeprefix("0")) or plain(cell) == "0" + time for cell in row), f"the time of {name} is lost: {row}"

    one_fits(files_grids(results, ".csv"), check, "no CSV came")


def race_table(order: list[str]) -> Callable[[Path, list[Path]], Results]:
    by_name = {row[0]: row for row in RACE}
    return lambda folder, files: Results((write(folder / f"out{order[0][0]}.csv", [("Place", "Name", "Club", "Time"), *((place, *by_name[name]) for place, name in enumerate(order, 1))]),), "Sorted.")


JOBS.append(Job("race-sorted", "Sort the runners by their time, fastest first, and put a column with the place (1, 2, 3 ...) in front. csv again please", race_make, race_right,
    race_table(ORDER), race_table([row[0] for row in sorted(RACE, key=lambda row: row[2])])))

MARKS = [("Amira", 78, 85, None, 91), ("Björn", 55, None, None, 62), ("Chloe", 90, 88, 93, 97), ("Dev", 0, 71, 64, 70), ("Ewan", 66, 72, 80, None)]


def average(marks: Iterable[int | None], of: int | None = None) -> float:
    given = [mark for mark in marks if mark is not None]
    return sum(given) / (of or len(given))


def marks_make(folder: Path) -> list[Path]:
    return [write_book(folder / "Class 7b maths.xlsx", [("Pupil", "Test 1", "Test 2", "Test 3", "Test 4"), *MARKS], "7b")]


def marks_right(results: Results, files: list[Path]) -> None:
    def check(grid: Grid) -> None:
        for name, *marks in MARKS:
            row = row_of(grid, name)
            assert [mark for mark in marks if mark is not None and not any(has(cell, mark) for cell in row)] == [], f"marks of {name} were lost: {row}"
            last = [cell for cell in row if cell is not None][-1]
            assert has(last, average(marks), 0.051) or re.match(r"=\W*(IFERROR\(|ROUND\()*AVERAGE\(", str(last)), f"the average of {name} should be {average(marks):.2f}: {row}"

    one_fits(files_grids(results, ".xlsx"), check, "no Excel file came")


def marks_table(of: int | None) -> Callable[[Path, list[Path]], Results]:
    rows = [("Pupil", "Test 1", "Test 2", "Test 3", "Test 4", "Average"), *((name, *marks, round(average(marks, of), 2)) for name, *marks in MARKS)]
    return lambda folder, files: Results((write_book(folder / f"averages{of}.xlsx", rows),), "Done.")


JOBS.append(Job("marks-average", "Dear computer, please add a column at the end with every pupil's average. Where a box is empty the child was ill, so this test must not count (but the 0 of Dev counts!). I need it as an Excel file again. Thank you",
    marks_make, marks_right, marks_table(None), marks_table(4)))

MEMBERS = [("Aoife Byrne", "01234 567890", "0042", 12.5), ("Kofi Mensah", "07700 900123", "0107", 25), ("Ruth Stein", "+44 20 7946 0958", "0008", 12.5), ("Zoë Wax", "07700900456", "1300", 100)]


def phones_make(folder: Path) -> list[Path]:
    return [write(folder / "members.csv", [("name", "phone", "member no", "fee"), *MEMBERS])]


def phones_right(results: Results, files: list[Path]) -> None:
    books = results.of(".xlsx")
    assert books, "no .xlsx came"
    sheet = openpyxl.load_workbook(books[0]).worksheets[0]
    cells = {cell.value if not isinstance(cell.value, int) else str(cell.value).zfill(len(cell.number_format) if set(cell.number_format) == {"0"} else 0): cell for row in sheet.iter_rows() for cell in row}
    for name, phone, number, fee in MEMBERS:
        assert name in cells, f"{name} is missing"
        assert phone in cells, f"the phone number {phone} is not as it was"
        assert number in cells, f"the member number {number} has lost its zeros"
        row = [cell.value for cell in sheet[cells[name].row]]
        assert any(isinstance(value, (int, float)) and value == fee for value in row), f"the fee of {name} is no number: {row}"


JOBS.append(Job("csv-to-excel-zeros", "make an excel file (xlsx) from this. important!! the zeros at the start of the phone and member numbers have to stay. The fees should be real numbers so i can sum them", phones_make, phones_right,
    lambda folder, files: Results((write_book(folder / "ok.xlsx", [("name", "phone", "member no", "fee"), *MEMBERS]),)),
    lambda folder, files: Results((write_book(folder / "bad.xlsx", [("name", "phone", "member no", "fee"), *((name, phone, int(number), fee) for name, phone, number, fee in MEMBERS)]),))))

CHOIR = [("M01", "Grace Okafor", "grace@example.org"), ("M02", "Liam Doyle", "liam@example.org"), ("M03", "Petra Vogel", "petra@example.org"), ("M04", "Hugo Martin", "hugo@example.org"), ("M05", "Nia Rees", "nia@example.org"), ("M06", "Omar Haddad", "omar@example.org")]
PAID = {"M05": "2025-02-01", "M01": "2025-01-12", "M04": "2025-03-09"}


def choir_make(folder: Path) -> list[Path]:
    return [write(folder / "members.csv", [("member", "name", "email"), *CHOIR]), write(folder / "payments 2025.csv", [("date", "member", "amount"), *((day, member, "40.00") for member, day in PAID.items())])]


def choir_right(results: Results, files: list[Path]) -> None:
    def check(text: str) -> None:
        for member, name, email in CHOIR:
            if member in PAID:
                assert name not in text and email not in text, f"{name} has paid, but is in the list"
            else:
                assert name in text, f"{name} has not paid, but is not in the list"
                assert email in text, f"the address of {name} is missing"

    one_fits([results.answer, *(text_of(path) for path in results.of(".csv", ".tsv", ".txt", ".md")), *(str(grid) for grid in files_grids(results, ".xlsx"))], check, "nothing came")


JOBS.append(Job("who-has-not-paid", "First file = members of our choir, second = payments. Who has NOT paid yet? I need the names with the email addresses so I can nag them", choir_make, choir_right,
    says("\n".join(f"- {name}, {email}" for member, name, email in CHOIR if member not in PAID)), says("\n".join(f"- {name}, {email}" for member, name, email in CHOIR if member in PAID))))

SENIORS = [("Edith Shaw", 72, "Leeds"), ("Frank Cole", 59, "Leeds"), ("Gita Rao", 60, "leeds"), ("Harold Pym", 81, "York"), ("Ivy Bloom", 64, "Leeds "), ("Jack Ash", 33, "Leeds"), ("Kay Winter", 60, "Bradford"), ("Leo Marsh", 95, "Leeds")]
KEPT = ["Edith Shaw", "Gita Rao", "Ivy Bloom", "Leo Marsh"]


def seniors_make(folder: Path) -> list[Path]:
    return [write(folder / "lunch club.tsv", [("Name", "Age", "Town"), *SENIORS], "\t")]


def seniors_right(results: Results, files: list[Path]) -> None:
    def check(grid: Grid) -> None:
        assert sorted(known_in(grid, [row[0] for row in SENIORS])) == KEPT, f"the wrong people: {known_in(grid, [row[0] for row in SENIORS])}"
        assert all(any(has(cell, age) for cell in row_of(grid, name)) for name, age, _ in SENIORS if name in KEPT), "the ages are lost"

    one_fits(all_grids(results), check, "no table came")


def seniors_table(keep: Callable[[tuple], bool]) -> Callable[[Path, list[Path]], Results]:
    return lambda folder, files: Results((write(folder / f"kept{sum(map(keep, SENIORS))}.csv", [("Name", "Age", "Town"), *filter(keep, SENIORS)]),), "Here they are.")


JOBS.append(Job("sixty-and-over", "Only the ones from Leeds who are 60 or older, as a list. Some people typed leeds small, doesn't matter", seniors_make, seniors_right,
    seniors_table(lambda row: row[0] in KEPT), seniors_table(lambda row: row[1] > 60 and row[2] == "Leeds")))

ADDRESSES = [("Mia Ford", "mia.ford@example.com", "Bath"), ("Noah Beck", "noah@example.com", "Wells"), ("M. Ford", "Mia.Ford@Example.com", "Bath"), ("Olga Petrov", "olga@example.com", "Frome"), ("Noah Beck", "noah@example.com", "Wells"), ("Paul Íñigo", "paul@example.com", "Bath"), ("Noah B.", "NOAH@example.com", "Wells")]


def doubles_make(folder: Path) -> list[Path]:
    return [write(folder / "newsletter.tsv", [("Name", "E-Mail", "Town"), *ADDRESSES], "\t")]


def doubles_right(results: Results, files: list[Path]) -> None:
    def check(grid: Grid) -> None:
        mails = [plain(cell) for row in grid for cell in row if "@" in plain(cell)]
        assert mails == ["mia.ford@example.com", "noah@example.com", "olga@example.com", "paul@example.com"], f"the wrong addresses: {mails}"
        names = known_in(grid, [row[0] for row in ADDRESSES])
        assert names == ["Mia Ford", "Noah Beck", "Olga Petrov", "Paul Íñigo"], f"not the first ones: {names}"

    one_fits(files_grids(results), check, "no table came")
    assert has(results.answer, 3), f"three were thrown out; it says {results.answer!r}"


JOBS.append(Job("doubles-out", "there are doubles in my newsletter list. the same email = the same person, even if written in capitals. keep always the first one, and tell me how many you threw out", doubles_make, doubles_right,
    lambda folder, files: Results((write(folder / "clean.tsv", [("Name", "E-Mail", "Town"), *(ADDRESSES[place] for place in (0, 1, 3, 5))], "\t"),), "Three doubles were removed."),
    lambda folder, files: Results((write(folder / "half.tsv", [("Name", "E-Mail", "Town"), *dict.fromkeys(ADDRESSES)], "\t"),), "1 double was removed.")))

# --- 11 to 20 ----------------------------------------------------------------------------------

MONTHS = {"january": [("05.01", "Raffle", 112.40), ("19.01", "Tea stall", 63.15)], "february": [("02.02", "Raffle", 98.00), ("14.02", "Valentine dance", 410.75), ("23.02", "Tea stall", 57.35)], "march": [("08.03", "Jumble sale", 268.90)]}
GAINS = [row for rows in MONTHS.values() for row in rows]


def months_make(folder: Path) -> list[Path]:
    return [write(folder / f"{month}.csv", [("day", "what", "pounds"), *((day, what, f"{sum_:.2f}") for day, what, sum_ in rows)]) for month, rows in MONTHS.items()]


def months_right(results: Results, files: list[Path]) -> None:
    def check(grid: Grid) -> None:
        rows = [next(iter(found)) for row in grid if (found := [gain for gain in GAINS if plain(gain[1]) in map(plain, row) and any(has(cell, gain[2]) for cell in row)])]
        assert rows == GAINS, f"not the six lines in order: {grid}"
        assert sum("pounds" in map(plain, row) for row in grid) == 1, "the heading is missing or comes more than once"

    one_fits(files_grids(results), check, "no table came")
    assert has(told(results), 1010.55), f"the total of 1010.55 is not told: {results.answer!r}"


def months_table(months: tuple[str, ...], total: float) -> Callable[[Path, list[Path]], Results]:
    return lambda folder, files: Results((write(folder / f"all{len(months)}.csv", [("day", "what", "pounds"), *(row for month in months for row in MONTHS[month])]),), f"Together {total:,.2f} pounds.")


JOBS.append(Job("three-months-in-one", "Please put the three months below each other into one table (one heading only) and then tell me the total of the pounds in it", months_make, months_right,
    months_table(("january", "february", "march"), 1010.55), months_table(("january", "february"), 741.65)))

SALES = [("2025-04-05", "Leeds", 120.5), ("2025-04-12", "York", 88), ("2025-04-19", "Leeds", 99.25), ("2025-05-03", "York", 143.1), ("2025-05-10", "Leeds", 75), ("2025-05-17", "Hull", 210.4), ("2025-05-24", "York", 61.9), ("2025-06-07", "Hull", 180), ("2025-06-14", "Leeds", 131.2), ("2025-06-21", "Hull", 95.6)]
CELLS = {("Leeds", 4): 219.75, ("Leeds", 5): 75.0, ("Leeds", 6): 131.2, ("York", 4): 88.0, ("York", 5): 205.0, ("Hull", 5): 210.4, ("Hull", 6): 275.6}
MONTH = {4: r"\bapr|2025-0?4|\b0?4[/.]2025|^0?4$", 5: r"\bmay|2025-0?5|\b0?5[/.]2025|^0?5$", 6: r"\bjun|2025-0?6|\b0?6[/.]2025|^0?6$"}


def pivot_make(folder: Path) -> list[Path]:
    return [write(folder / "market sales.csv", [("date", "market", "sales"), *SALES])]


def pivot_right(results: Results, files: list[Path]) -> None:
    def month_of(cell: object) -> int | None:
        return next((month for month, pattern in MONTH.items() if re.search(pattern, plain(cell))), None)

    def check(grid: Grid) -> None:
        head = grid[0]
        found = {}
        for row in grid[1:]:
            for column, cell in enumerate(row):
                where = [*row, head[column] if column < len(head) else ""]
                if numbers(cell) and month_of(cell) is None and not re.match(r"20\d\d-", str(cell).strip()):
                    market = next((market for market in ("Leeds", "York", "Hull") if market.casefold() in map(plain, where)), None)
                    month = month_of(head[column]) if column < len(head) and month_of(head[column]) else next(filter(None, map(month_of, row)), None)
                    if market and month:
                        found.setdefault((market, month), cell)
        for key, sum_ in CELLS.items():
            assert key in found and has(found[key], sum_), f"{key} should be {sum_}: {found.get(key)}"
        assert all(has(found.get(key, 0), 0) or not str(found[key]).strip("-–") for key in (("York", 6), ("Hull", 4)) if found.get(key) is not None), "there were no sales there"

    one_fits(all_grids(results), check, "no table came")


JOBS.append(Job("sales-by-market-and-month", "I want a table which shows how much I sold at each market in each month", pivot_make, pivot_right,
    says("| market | April | May | June |\n|---|---|---|---|\n| Leeds | 219.75 | 75.00 | 131.20 |\n| York | 88.00 | 205.00 | |\n| Hull | | 210.40 | 275.60 |"),
    lambda folder, files: Results((write(folder / "totals.csv", [("market", "sales"), ("Leeds", 425.95), ("York", 293), ("Hull", 486)]),))))

LEGACY = [("Müller, Jörg", "Straßenfest", 1234.5), ("Kästner, Änne", "Gemüse", 0.75), ("Öztürk, Gül", "Spende", 80), ("Weiß, Uwe", "Getränke", 19.99)]


def umlaut_make(folder: Path) -> list[Path]:
    return [write(folder / "Jörg Müller – Übersicht der Beiträge und Ausgaben 2025 (final, neu).csv", [("Name", "Zweck", "Betrag"), *((name, what, comma(sum_).replace(".", "")) for name, what, sum_ in LEGACY)], ";", "cp1252")]


def umlaut_right(results: Results, files: list[Path]) -> None:
    found = results.of(".csv")
    assert found, "no CSV came"
    data = found[0].read_bytes()
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise AssertionError("it is not in UTF-8") from None
    rows = list(csv.reader(io.StringIO(text)))
    assert rows and all(len(row) == 3 for row in rows if row), f"not three columns parted by commas: {rows[:2]}"
    for name, what, sum_ in LEGACY:
        row = next((row for row in rows if row and row[0] == name), None)
        assert row, f"{name} is missing or its umlauts are broken: {rows}"
        assert row[1] == what, f"{what} is broken: {row}"
        assert re.fullmatch(r"\d+(\.\d+)?", row[2]) and float(row[2]) == sum_, f"{sum_} is not written with a point: {row}"


def umlaut_bad(folder: Path, files: list[Path]) -> Results:
    broken = files[0].read_bytes().decode("utf-8", "replace")
    return Results((write(folder / "bad.csv", csv.reader(io.StringIO(broken), delimiter=";")),))


JOBS.append(Job("umlauts-and-commas", "My new program wants the CSV with commas between the columns, a point in the numbers instead of the comma (1234.50) and UTF-8. At the moment the umlauts come out as rubbish there. Can you convert it?", umlaut_make, umlaut_right,
    lambda folder, files: Results((write(folder / "good.csv", [("Name", "Zweck", "Betrag"), *((name, what, f"{sum_:.2f}") for name, what, sum_ in LEGACY)]),)), umlaut_bad))

PRICES = {"Honey 500g": (750, 790), "Candle": (400, 420), "Soap": (325, 350), "Wax wrap": (1190, 1250), "Lip balm": (280, 300), "Gift box": (2400, 2520)}  # pence: old, 5 % more rounded up to 10


def prices_make(folder: Path) -> list[Path]:
    return [write(folder / "price list.csv", [("Article", "Price"), *((what, f"{old / 100:.2f}") for what, (old, _) in PRICES.items())])]


def prices_right(results: Results, files: list[Path]) -> None:
    def check(grid: Grid) -> None:
        for what, (old, new) in PRICES.items():
            row = row_of(grid, what)
            assert any(has(cell, old / 100) for cell in row), f"the old price of {what} is gone: {row}"
            assert any(has(cell, new / 100) for cell in row), f"the new price of {what} should be {new / 100:.2f}: {row}"

    one_fits(all_grids(results), check, "no table came")


def prices_table(price: Callable[[int, int], float], name: str) -> Callable[[Path, list[Path]], Results]:
    return lambda folder, files: Results((write(folder / f"{name}.csv", [("Article", "Price", "New price"), *((what, f"{old / 100:.2f}", f"{price(old, new):.2f}") for what, (old, new) in PRICES.items())]),))


JOBS.append(Job("prices-up", "New column \"New price\": everything 5% dearer, and rounded UP to the next 10 pence (so 3.41 becomes 3.50, but 4.20 stays 4.20). Leave the old price in.", prices_make, prices_right,
    prices_table(lambda old, new: new / 100, "new"), prices_table(lambda old, new: old * 1.05 / 100, "exact")))

INVOICES = [("R-101", "31/01/2025", 240.0), ("R-102", "14/02/2025", 99.5), ("R-103", "29/11/2024", 1310.0), ("R-104", "25/12/2025", 45.0)]


def due(day: str, days: int = 30) -> dt.date:
    return dt.datetime.strptime(day, "%d/%m/%Y").date() + dt.timedelta(days=days)


def invoices_make(folder: Path) -> list[Path]:
    return [write_book(folder / "invoices.xlsx", [("Invoice", "Date", "Amount"), *INVOICES])]


def invoices_right(results: Results, files: list[Path]) -> None:
    def check(grid: Grid) -> None:
        for number, day, _ in INVOICES:
            row = row_of(grid, number)
            dates = [date_in(cell) for cell in row]
            assert any(due(day) in found for found in dates), f"{number} is due on {due(day)}: {row}"
            assert any(due(day, 0) in found for found in dates), f"the date of {number} is lost: {row}"
            words = " ".join(map(plain, row))
            assert re.search(rf"\b{due(day):%a}".lower(), words), f"{number} is due on a {due(day):%A}: {row}"

    one_fits(all_grids(results), check, "no table came")


def invoices_table(days: int) -> Callable[[Path, list[Path]], Results]:
    return lambda folder, files: Results((write_book(folder / f"due{days}.xlsx", [("Invoice", "Date", "Amount", "Due", "Weekday"), *((number, day, sum_, f"{due(day, days):%d/%m/%Y}", f"{due(day, days):%A}") for number, day, sum_ in INVOICES)]),))


JOBS.append(Job("invoices-due", "add the date when each invoice is due (30 days after its date, dates are day/month/year) and in another column the weekday of that", invoices_make, invoices_right, invoices_table(30), invoices_table(31)))

KIDS = ["Ada", "Bruno", "Chidi", "Daisy", "Elif", "Finn", "Greta", "Hana", "Igor", "Juno", "Karim", "Lotte"]


def kids_make(folder: Path) -> list[Path]:
    return [write(folder / "kids.csv", [("first name", "age"), *((kid, 8 + place % 3) for place, kid in enumerate(KIDS))])]


def kids_right(results: Results, files: list[Path]) -> None:
    def named(text: str) -> list[str]:
        return sorted((kid for kid in KIDS if re.search(rf"\b{kid}\b", text)), key=lambda kid: text.index(kid))

    splits: list[list[list[str]]] = []
    for grid in all_grids(results):
        width = max(map(len, grid))
        splits.append([named("\n".join(str(row[column]) for row in grid if column < len(row))) for column in range(width)])
        splits.append([named(" ; ".join(map(str, row))) for row in grid])
        for column in range(width):
            by_label: dict[str, list[str]] = {}
            for row in grid:
                if len(names := named(" ; ".join(map(str, row)))) == 1 and column < len(row):
                    by_label.setdefault(plain(row[column]), []).extend(names)
            if grid[0] and plain(grid[0][column] if column < len(grid[0]) else "") != "age":
                splits.append(list(by_label.values()))
    text = told(results)
    splits += [[named(part) for part in re.split(r"(?i)\b(?:team|group)s?\b", text)], [named(line) for line in text.splitlines()], [named(part) for part in re.split(r"\n\s*\n", text)]]
    splits += [[named(path.read_text("utf-8")) for path in results.of(".csv", ".txt")]]
    teams = [[team for team in split if team] for split in splits]
    good = [split for split in teams if [len(team) for team in split] == [4, 4, 4] and sorted(sum(split, [])) == KIDS]
    assert good, f"no three teams of four: {text[:300]!r}"
    assert all(sorted(map(sorted, split)) != [KIDS[:4], KIDS[4:8], KIDS[8:]] for split in good), "this is not mixed, but the order of the list"


JOBS.append(Job("three-teams", "Mix the kids by chance into 3 teams of 4", kids_make, kids_right,
    says("**Team 1**: Chidi, Lotte, Ada, Hana\n**Team 2**: Finn, Igor, Bruno, Karim\n**Team 3**: Daisy, Juno, Greta, Elif"),
    says("Team 1: Ada, Bruno, Chidi, Daisy\nTeam 2: Elif, Finn, Greta, Hana\nTeam 3: Igor, Juno, Karim, Lotte")))

STOCK = [("Blue mug", 12, 8.5), ("Teapot", 0, 32), ("Egg cup", 40, 3.2), ("Big plate", 7, 14), ("Tiny vase", 0, 11), ("Salad bowl", 3, 27.5), ("Jug", 10, 100)]
LEFT = ["Jug", "Salad bowl", "Big plate", "Blue mug", "Egg cup"]


def stock_make(folder: Path) -> list[Path]:
    return [write(folder / "pottery stock.csv", [("article", "in stock", "price"), *((what, number, f"{price:.2f} £") for what, number, price in STOCK)])]


def stock_right(results: Results, files: list[Path]) -> None:
    def check(grid: Grid) -> None:
        order = known_in(grid, [row[0] for row in STOCK])
        assert order == LEFT, f"should be {LEFT}, is {order}"
        assert all(any(has(cell, price) for cell in row_of(grid, what)) for what, _, price in STOCK if what in LEFT), "the prices are lost"

    one_fits(files_grids(results, ".xlsx"), check, "no Excel file came")


JOBS.append(Job("stock-then-sorted", ("take out everything that's sold out (0 in stock)", "Good. Now sort what's left by price, the dearest on top, and give me that as Excel"), stock_make, stock_right,
    lambda folder, files: Results((write_book(folder / "left.xlsx", [("article", "in stock", "price"), *sorted((row for row in STOCK if row[1]), key=lambda row: -row[2])]),)),
    lambda folder, files: Results((write_book(folder / "all.xlsx", [("article", "in stock", "price"), *sorted(STOCK, key=lambda row: f"{row[2]:.2f}", reverse=True)]),))))


def write_pdf(path: Path, lines: list[str], size: tuple[int, int] = (595, 842)) -> Path:
    """A page with these lines in Helvetica."""
    shown = b"BT /F1 14 Tf 60 780 Td 20 TL " + b" ".join(b"(" + line.encode("cp1252") + b") Tj T*" for line in lines) + b" ET"
    parts = [b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 %d %d]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>" % size,
        b"<</Length %d>>stream\n%s\nendstream" % (len(shown), shown), b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>"]
    data, places = b"%PDF-1.4\n", []
    for number, part in enumerate(parts, 1):
        places.append(len(data))
        data += b"%d 0 obj%s endobj\n" % (number, part)
    table = b"xref\n0 6\n0000000000 65535 f \n" + b"".join(b"%010d 00000 n \n" % place for place in places)
    path.write_bytes(data + table + b"trailer<</Size 6/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % len(data))
    return path


MENU = [("Coffee", 2.4), ("Carrot cake", 3.75), ("Scone with jam", 2.95), ("Lemonade", 1.8)]


def menu_make(folder: Path) -> list[Path]:
    return [write(folder / "cafe prices.csv", [("What", "Price"), *((what, f"{price:.2f}") for what, price in MENU)])]


def menu_right(results: Results, files: list[Path]) -> None:
    import pypdfium2

    found = results.of(".pdf")
    assert found, "no PDF came"
    book = pypdfium2.PdfDocument(found[0])
    assert len(book) == 1, f"{len(book)} pages"
    size = sorted(book[0].get_size())
    assert abs(size[0] - 595.3) < 4 and abs(size[1] - 841.9) < 4, f"not A4: {size}"
    text = book[0].get_textpage().get_text_range()
    assert "Fête prices 2025" in text, f"the title is missing: {text!r}"
    for what, price in MENU:
        assert what in text and has(text, price), f"{what} with {price:.2f} is missing: {text!r}"
    assert text.index("prices 2025") < text.index("Coffee"), "the title is not on top"


JOBS.append(Job("price-list-to-print", "I need this as a PDF on A4 to print and hang up. On top as title: Fête prices 2025", menu_make, menu_right,
    lambda folder, files: Results((write_pdf(folder / "good.pdf", ["Fête prices 2025", "", *(f"{what}   {price:.2f}" for what, price in MENU)]),)),
    lambda folder, files: Results((write_pdf(folder / "bad.pdf", [f"{what}   {price:.2f}" for what, price in MENU], (612, 792)),))))


def nothing(folder: Path) -> list[Path]:
    return []


JOBS.append(Job("tip-and-split", "dinner was 86.40 for four of us, we want to give 15% tip. what does everyone pay", nothing,
    lambda results, files: tells(results, 24.84, "each one's share"), says("With tip it is 99.36, so each pays **24.84**."), says("The tip is 12.96, so each pays 3.24 on top of the 86.40.")))


def wedding_right(results: Results, files: list[Path]) -> None:
    text = told(results).lower()
    assert "saturday" in text, f"14 February 1987 was a Saturday: {text!r}"
    assert "sunday" in text, f"6 May 1990 was a Sunday: {text!r}"
    assert not re.search(r"\b(mon|tues|wednes|thurs|fri)day\b", text), f"another weekday is named: {text!r}"
    assert has(text, 1177, 1), f"there are 1177 days between: {text!r}"


JOBS.append(Job("weekdays-and-days", "My wife and me met on the 14th of February 1987 and married on the 6th of May 1990. What days of the week were these, and how many days did we need from the one to the other?", nothing, wedding_right,
    says("You met on a Saturday and married on a Sunday, 1,177 days later."), says("You met on a Saturday and married on a Friday, 1177 days later.")))

# --- 21 to 30: charts, and sums without files ---------------------------------------------------

Mask = np.ndarray


def opened(path: Path) -> Image.Image:
    """In RGB, on white where it is transparent; a PDF's first page too."""
    if path.suffix.lower() == ".pdf":
        import pypdfium2

        return pypdfium2.PdfDocument(path)[0].render(scale=2).to_pil().convert("RGB")
    image = Image.open(path).convert("RGBA")
    return Image.alpha_composite(Image.new("RGBA", image.size, "white"), image).convert("RGB")


def charts(results: Results) -> list[Path]:
    found = [*results.pictures, *results.of(".pdf")]
    assert found, "no picture came"
    return found


def drawn(path: Path, least: int = 300) -> Image.Image:
    """A picture that is large enough and neither empty nor full, with more than one tone."""
    image = opened(path)
    assert min(image.size) >= least * 0.6 and max(image.size) >= least, f"too small to read: {image.size}"
    pixels = np.asarray(image).astype(int)
    ground = np.median(pixels.reshape(-1, 3), axis=0) if np.ptp(pixels) else pixels[0, 0]
    edge = pixels[2, 2]
    off = min((np.abs(pixels - colour).max(axis=2) > 24).mean() for colour in (ground, edge))
    assert off > 0.003, "the picture is as good as empty"
    dark = (np.abs(pixels - edge).max(axis=2) > 90).sum()
    assert dark > 150, "no writing or lines can be seen"
    return image


HUES = {"red": (345, 14), "orange": (16, 46), "green": (75, 170), "blue": (190, 262)}


def coloured(image: Image.Image, name: str | None = None) -> Mask:
    """Where it has this colour (any colour without a name)."""
    hue, saturation, value = (np.asarray(band).astype(float) for band in image.convert("HSV").split())
    strong = (saturation > 70) & (value > 70)
    if name is None:
        return strong
    hue, (low, high) = hue * 360 / 255, HUES[name]
    return strong & ((hue >= low) & (hue <= high) if low < high else (hue >= low) | (hue <= high))


def bars(mask: Mask, axis: int, least: float) -> list[float]:
    """The lengths of the bars that stand (axis 0) or lie (axis 1), in order; least is that of the shortest to the longest."""
    profile = mask.sum(axis=axis)
    found, start = [], None
    # What is much shorter than the shortest bar is a sample in a legend or an edge.
    for place, full in enumerate([*(profile > 0.5 * least * profile.max()), False]):
        if full and start is None:
            start = place
        elif not full and start is not None:
            if place - start >= 4:
                found.append(float(np.median(profile[start:place])))
            start = None
    return found


def bars_fit(image: Image.Image, values: list[float], name: str | None = None, ordered: bool = False) -> None:
    """As many bars as there are values, as long as these in proportion (so they start at zero)."""
    mask, told_ = coloured(image, name), []
    assert mask.mean() > 0.02, f"hardly anything {name or 'coloured'} in the picture"
    for axis in (0, 1):
        lengths = bars(mask, axis, min(values) / max(values))
        told_.append([round(length) for length in lengths])
        if len(lengths) != len(values):
            continue
        wanted = np.array(values) / max(values)
        got = np.array(lengths) / max(lengths)
        tries = [got, got[::-1]] if ordered else [np.sort(got)]
        if any(np.abs(one - (wanted if ordered else np.sort(wanted))).max() < 0.06 for one in tries):
            return
    raise AssertionError(f"no {len(values)} bars that are to each other as {values}: {told_}")


def letter(draw: ImageDraw.ImageDraw, place: tuple[float, float], words: str) -> None:
    draw.text(place, words, fill="black", font=ImageFont.load_default(16))


def bar_chart(path: Path, values: dict[str, float], colour: str, size: tuple[int, int] = (800, 500), base: float = 0) -> Path:
    image = Image.new("RGB", size, "white")
    draw = ImageDraw.Draw(image)
    step, high = (size[0] - 100) / len(values), size[1] - 120
    for place, (name, value) in enumerate(values.items()):
        left = 60 + place * step
        draw.rectangle((left, size[1] - 60 - high * (value - base) / (max(values.values()) - base), left + step * 0.7, size[1] - 60), fill=colour)
        letter(draw, (left, size[1] - 50), name)
    draw.line((50, 30, 50, size[1] - 60, size[0] - 30, size[1] - 60), fill="black", width=2)
    image.save(path)
    return path


SPENT = [("2025-11-01", "Rent", 640), ("2025-11-03", "Food", 82.5), ("2025-11-08", "Food", 91.2), ("2025-11-10", "Car", 160), ("2025-11-12", "Fun", 45), ("2025-11-15", "Food", 77.8), ("2025-11-20", "Clothes", 119.9), ("2025-11-22", "Food", 101.5), ("2025-11-25", "Fun", 50), ("2025-11-28", "Car", 110)]
SUMS = {"Rent": 640, "Food": 353, "Car": 270, "Clothes": 119.9, "Fun": 95}


def spent_make(folder: Path) -> list[Path]:
    return [write(folder / "household book.csv", [("Date", "Category", "Amount"), *((day, what, comma(sum_)) for day, what, sum_ in SPENT)], ";")]


JOBS.append(Job("spending-green-bars", "Could you draw a bar chart for me of how much we spent altogether per category? All bars in green, as a PNG. I'll hang it on the fridge.", spent_make,
    lambda results, files: one_fits(results.of(".png"), lambda path: bars_fit(drawn(path), list(SUMS.values()), "green"), "no PNG came"),
    lambda folder, files: Results((bar_chart(folder / "sums.png", SUMS, "seagreen"),)),
    lambda folder, files: Results((bar_chart(folder / "lines.png", {f"{what}{day}": sum_ for day, what, sum_ in SPENT}, "seagreen"),))))

BUDGET = {"Hall hire": 1200, "Trainers": 2100, "Travel": 750, "Kit": 450}


def budget_make(folder: Path) -> list[Path]:
    return [write_book(folder / "club budget.xlsx", [("Item", "Cost (£)"), *BUDGET.items()])]


def budget_right(results: Results, files: list[Path]) -> None:
    def check(path: Path) -> None:
        image = drawn(path)
        assert image.size == (800, 800), f"not 800 x 800, but {image.size}"
        pixels = np.asarray(image).astype(int)
        coarse = pixels // 16
        code = coarse[..., 0] * 256 + coarse[..., 1] * 16 + coarse[..., 2]
        ground = np.bincount(code[:8, :8].ravel()).argmax()
        counts = {int(tone): int(number) for tone, number in zip(*np.unique(code, return_counts=True)) if tone not in (ground, 0, 4095)}
        areas: list[tuple[int, int]] = []  # neighbours in colour (JPEG) belong together
        for tone, number in sorted(counts.items(), key=lambda item: -item[1]):
            near = next((place for place, (other, _) in enumerate(areas) if max(abs(tone // div % 16 - other // div % 16) for div in (1, 16, 256)) <= 1), None)
            if near is None:
                areas.append((tone, number))
            else:
                areas[near] = (areas[near][0], areas[near][1] + number)
        sizes = np.array(sorted((number for _, number in areas), reverse=True)[:4], float)
        assert len(sizes) == 4 and sizes[3] > 3000, f"no four coloured slices: {sizes}"
        wanted = np.array(sorted(BUDGET.values(), reverse=True)) / sum(BUDGET.values())
        assert np.abs(sizes / sizes.sum() - wanted).max() < 0.04, f"the slices should be {wanted.round(2)}, are {(sizes / sizes.sum()).round(2)}"

    one_fits(results.of(".jpg", ".jpeg"), check, "no JPG came")


def pie(path: Path, values: Iterable[float]) -> Path:
    image = Image.new("RGB", (800, 800), "white")
    draw, start, values = ImageDraw.Draw(image), -90.0, list(values)
    for value, colour in zip(values, ("tomato", "steelblue", "gold", "seagreen")):
        draw.pieslice((120, 140, 680, 700), start, start + 360 * value / sum(values), fill=colour)
        start += 360 * value / sum(values)
    for place, name in enumerate(BUDGET):
        letter(draw, (40 + 190 * place, 40), name)
    image.save(path, quality=90)
    return path


JOBS.append(Job("budget-pie", "pie chart of this pls, jpg, 800 by 800 pixel", budget_make, budget_right,
    lambda folder, files: Results((pie(folder / "pie.jpg", BUDGET.values()),)), lambda folder, files: Results((pie(folder / "equal.jpg", [1, 1, 1, 1]),))))

WEIGHT = [91.2, 90.8, 90.9, 89.5, 88.7, 88.9, 87.4, 86.9, 87.6, 86.0, 85.1, 84.8]


def weight_make(folder: Path) -> list[Path]:
    start = dt.date(2025, 1, 6)
    return [write(folder / "weight.csv", [("monday", "kg"), *((f"{start + dt.timedelta(7 * week):%d.%m.%Y}", f"{kg:.1f}".replace(".", ",")) for week, kg in enumerate(WEIGHT))], ";")]


def weight_right(results: Results, files: list[Path]) -> None:
    def check(path: Path) -> None:
        image = drawn(path)
        assert image.width > image.height, f"not wider than high: {image.size}"
        mask = coloured(image, "red")
        columns = np.flatnonzero(mask.any(axis=0))
        assert len(columns), "nothing is red"
        runs = np.split(columns, np.flatnonzero(np.diff(columns) > 5) + 1)
        run = max(runs, key=len)
        assert len(run) > 0.4 * image.width, f"the red line is only {len(run)} of {image.width} wide"
        height = np.array([image.height - np.median(np.flatnonzero(mask[:, column])) for column in run])
        wanted = np.interp(np.linspace(0, len(WEIGHT) - 1, len(run)), range(len(WEIGHT)), WEIGHT)
        assert np.ptp(height) > 0.1 * image.height, "the line is as good as flat"
        alike = np.corrcoef(height, wanted)[0, 1]
        assert alike > 0.97, f"the line does not follow the weights ({alike:.2f})"
        assert mask.mean() < 0.06, "this is no line, but a red area"

    one_fits(charts(results), check, "no picture came")


def line_chart(path: Path, values: list[float]) -> Path:
    image = Image.new("RGB", (900, 500), "white")
    draw = ImageDraw.Draw(image)
    points = [(80 + 70 * place, 440 - 380 * (value - min(values)) / np.ptp(values)) for place, value in enumerate(values)]
    draw.line(points, fill=(214, 39, 40), width=4)
    draw.line((60, 30, 60, 460, 880, 460), fill="black", width=2)
    letter(draw, (10, 50), f"{max(values)}")
    image.save(path)
    return path


JOBS.append(Job("weight-red-line", "show my weight over the weeks as a red line, a wide picture i can put on whatsapp", weight_make, weight_right,
    lambda folder, files: Results((line_chart(folder / "weight.png", WEIGHT),)), lambda folder, files: Results((line_chart(folder / "up.png", WEIGHT[::-1]),))))

STUDY = [(1, 50), (2, 25), (3, 66), (4, 40), (5.5, 82), (6.5, 35), (7.5, 58), (9, 94), (10.5, 62), (12, 87)]


def study_make(folder: Path) -> list[Path]:
    return [write(folder / "study hours.csv", [("student", "hours", "mark"), *((f"S{place}", hours, mark) for place, (hours, mark) in enumerate(STUDY))])]


def study_right(results: Results, files: list[Path]) -> None:
    from scipy import ndimage

    def check(path: Path) -> None:
        image = drawn(path)
        areas, number = ndimage.label(coloured(image, "blue"))
        sizes = ndimage.sum_labels(np.ones(areas.shape), areas, range(1, number + 1))
        dots = sorted(ndimage.center_of_mass(areas > 0, areas, place + 1)[::-1] for place in range(number) if sizes[place] >= 8)
        assert len(dots) in (len(STUDY), len(STUDY) + 1), f"{len(dots)} blue dots, not {len(STUDY)}"
        # One more may be the sample in a legend.
        choices = [dots] if len(dots) == len(STUDY) else [dots[:place] + dots[place + 1 :] for place in range(len(dots))]
        alike = max(min(np.corrcoef([dot[0] for dot in one], [hours for hours, _ in STUDY])[0, 1], np.corrcoef([-dot[1] for dot in one], [mark for _, mark in STUDY])[0, 1]) for one in choices)
        assert alike > 0.985, f"the dots are not where they belong ({alike:.3f})"

    one_fits(charts(results), check, "no picture came")
    r = float(np.corrcoef(*zip(*STUDY))[0, 1])
    assert has(results.answer, r, 0.011), f"the correlation is {r:.2f}: {results.answer!r}"


def scatter(path: Path, points: list[tuple[float, float]]) -> Path:
    image = Image.new("RGB", (700, 500), "white")
    draw = ImageDraw.Draw(image)
    for hours, mark in points:
        draw.ellipse((60 + 50 * hours - 5, 480 - 4.5 * mark - 5, 60 + 50 * hours + 5, 480 - 4.5 * mark + 5), fill="royalblue")
    draw.line((50, 20, 50, 470, 690, 470), fill="black", width=2)
    letter(draw, (300, 476), "hours")
    image.save(path)
    return path


JOBS.append(Job("study-dots", "Draw a dot for each student, hours to the right and the mark upwards, blue dots please. And work out the correlation coefficient between the two, with two decimals.", study_make, study_right,
    lambda folder, files: Results((scatter(folder / "dots.png", STUDY),), f"The correlation is {np.corrcoef(*zip(*STUDY))[0, 1]:.2f}."),
    lambda folder, files: Results((scatter(folder / "swapped.png", [(mark / 8, hours * 8) for hours, mark in STUDY]),), f"The correlation is {np.corrcoef(*zip(*STUDY))[0, 1]:.2f}.")))

STALLS = {"Mon": 140, "Tue": 95, "Wed": 210, "Thu": 180, "Fri": 260, "Sat": 330}


def stalls_make(folder: Path) -> list[Path]:
    return [write(folder / "week.csv", [("day", "customers"), *STALLS.items()])]


def stalls_right(results: Results, files: list[Path]) -> None:
    def check(path: Path) -> None:
        image = drawn(path)
        assert image.width == 1200, f"not 1200 wide, but {image.width}"
        bars_fit(image, list(STALLS.values()), "orange", ordered=True)

    one_fits(results.pictures, check, "no picture came")


JOBS.append(Job("bars-recoloured", ("make a bar chart of the customers per day", "nice! but orange bars pls", "and can i have it bigger, 1200 pixels wide"), stalls_make, stalls_right,
    lambda folder, files: Results((bar_chart(folder / "wide.png", STALLS, "darkorange", (1200, 700)),)), lambda folder, files: Results((bar_chart(folder / "blue.png", STALLS, "steelblue", (1200, 700)),))))

GRADES = {1: 3, 2: 7, 3: 9, 4: 5, 5: 2}


def grades_make(folder: Path) -> list[Path]:
    grades = [grade for grade, number in GRADES.items() for _ in range(number)]
    return [write(folder / "grades German test.csv", [("Pupil", "Grade"), *((f"Pupil {place + 1}", grades[place * 11 % 26]) for place in range(26))])]


def grades_right(results: Results, files: list[Path]) -> None:
    text = told(results)
    for grade, number in GRADES.items():
        assert re.search(r"\b3\D+7\D+9\D+5\D+2\b", text) or re.search(rf"\b{grade}(\.0)?\b[^\d\n]{{0,40}}\b({number}|{SMALL[number]})\b|\b({number}|{SMALL[number]})\b[^\d\n]{{0,30}}\b(grade|an?) {grade}\b", text, re.I), f"{number} got a {grade}: {text[:200]!r}"
    tells(results, sum(grade * number for grade, number in GRADES.items()) / 26, "the class average", 0.051)

    def check(path: Path) -> None:
        image = drawn(path)
        try:
            bars_fit(image, list(GRADES.values()), ordered=True)
        except AssertionError:
            # Bars that touch: the steps of the outline.
            profile = coloured(image).sum(axis=0)
            inside = profile[profile > 2]
            assert len(inside) > 50, "no bars"
            steps = np.array([np.median(part) for part in np.array_split(inside, 5)])
            assert np.abs(steps / steps.max() - np.array(list(GRADES.values())) / 9).max() < 0.08, f"the bars are not 3, 7, 9, 5, 2: {steps}"

    one_fits(charts(results), check, "no picture came")


JOBS.append(Job("grades-counted-and-drawn", "count how often each grade (1-5) was given, tell me the average grade of the class and make a small diagram of the counts, grade 1 first", grades_make, grades_right,
    lambda folder, files: Results((bar_chart(folder / "grades.png", {str(grade): number for grade, number in GRADES.items()}, "steelblue", (600, 400)),), "Grade 1: 3\nGrade 2: 7\nGrade 3: 9\nGrade 4: 5\nGrade 5: 2\n\nThe average is 2.85."),
    lambda folder, files: Results((bar_chart(folder / "cut.png", {str(grade): number for grade, number in GRADES.items()}, "steelblue", (600, 400), 1.5),), "Grade 1: 3\nGrade 2: 7\nGrade 3: 9\nGrade 4: 5\nGrade 5: 2\n\nThe average is 2.85.")))


def vat_right(results: Results, files: list[Path]) -> None:
    tells(results, 210, "the price without tax")
    tells(results, 39.90, "the tax")


JOBS.append(Job("vat-out", "A drill costs 249,90 € with 19% VAT in it. How much is it without the VAT and how much is the VAT?", nothing, vat_right,
    says("Without VAT it is 210,00 €, the VAT is 39,90 €."), says("Without VAT it is 202.42 €, the VAT is 47.48 €.")))

JOBS.append(Job("percent-then-months", ("whats 18 percent of 2450", "ok and if I take that off the 2450 and pay the rest in 12 equal parts, how much is one part?"), nothing,
    lambda results, files: tells(results, 2009 / 12, "one part", 0.011), says("2450 − 441 = 2009, so each part is 167.42."), says("2450 / 12 = 204.17")))


def durations(text: str) -> set[float]:
    """In seconds, from 1:50:46, 5:15 or 1 h 50 min 46 s."""
    found = {float(int(hours or 0) * 3600 + int(minutes) * 60 + int(seconds)) for hours, minutes, seconds in re.findall(r"(?:\b(\d+):)?\b(\d{1,2}):(\d{2})\b", text)}
    for hours, minutes, seconds in re.findall(r"(?:(\d+)\s*h(?:ours?|rs?)?\b[,\s]*(?:and\s+)?)?(\d+)\s*m(?:in(?:ute)?s?)?\b[,.\s]*(?:and\s+)?(?:(\d+)(?:\.\d+)?\s*s)?", text):
        found.add(float(int(hours or 0) * 3600 + int(minutes) * 60 + int(seconds or 0)))
    return found | {float(number) * 60 for number in re.findall(r"(\d+\.\d+) ?min", text)}


def pace_right(results: Results, files: list[Path]) -> None:
    found = durations(told(results).replace("**", ""))
    assert any(abs(seconds - 315) < 1.5 for seconds in found), f"the pace is 5:15: {results.answer!r}"
    assert any(6644 <= seconds <= 6660 for seconds in found), f"the half marathon takes 1:50:46: {results.answer!r}"


JOBS.append(Job("pace-half-marathon", "ran 10k in 52:30 today :) whats my pace per km, and what would my half marathon (21.0975 km) time be if i kept this up", nothing, pace_right,
    says("Your pace is **5:15** per km; the half marathon would take 1:50:46."), says("Your pace is 5:25 per km; the half marathon would take 1:54:17.")))

JOBS.append(Job("miles-per-gallon", "my old Rover does 38 miles to the gallon (UK gallon). how many litres does it need for 100 km?", nothing,
    lambda results, files: tells(results, 282.481 / 38, "litres for 100 km", 0.051), says("It needs about 7.43 litres per 100 km."), says("It needs about 6.19 litres per 100 km.")))
