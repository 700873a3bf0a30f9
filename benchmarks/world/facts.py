"""The facts behind the APIs: tables of rows that refer to each other by ids."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

FOLDER = Path(__file__).resolve().parent / "data"

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Table:
    """Rows by their columns. `keys` names the table that a column's values are ids of."""

    keys: Mapping[str, str]
    rows: tuple[Row, ...]


class Tables:
    """All tables; a copy shares them with the original until one of the two is changed."""

    def __init__(self, tables: Mapping[str, Table]) -> None:
        self._tables = dict(tables)
        self._by_id: dict[str, dict[Any, Row]] = {}

    def __getitem__(self, name: str) -> Table:
        return self._tables[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._tables)

    def copy(self) -> Tables:
        return Tables(self._tables)

    def row(self, table: str, identifier: Any) -> Row | None:
        """The row of a table with this id."""
        if table not in self._by_id:
            rows = self._tables[table].rows
            self._by_id[table] = {row["id"]: row for row in rows if "id" in row}
        return self._by_id[table].get(identifier)

    def value(self, table: str, row: Row, path: str) -> Any:
        """What stands in a column, or, along ids, in the rows that it refers to
        (``"cinema.city.name"``); None where the way ends before."""
        column, _, rest = path.partition(".")
        found = row[column]
        if not rest:
            return found
        other = self._tables[table].keys[column]
        next_row = self.row(other, found)
        return None if next_row is None else self.value(other, next_row, rest)

    def replace_rows(self, table: str, rows: Sequence[Row]) -> None:
        """Let a table have other rows, here and not in copies."""
        self._tables[table] = Table(self._tables[table].keys, tuple(rows))
        self._by_id.pop(table, None)


@cache
def _read() -> Mapping[str, Table]:
    found = {}
    for path in sorted((FOLDER / "facts").glob("*.json")):
        for name, item in json.loads(path.read_text("utf-8")).items():
            rows = (dict(zip(item["columns"], row, strict=True)) for row in item["rows"])
            found[name] = Table(
                MappingProxyType(item["keys"]), tuple(MappingProxyType(row) for row in rows)
            )
    return found


def read_tables() -> Tables:
    """The facts as they are shipped."""
    return Tables(_read())


def plain(value: Any) -> str:
    """A value as a text to compare: small letters without accents, one space between words."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    letters = unicodedata.normalize("NFKD", str(value).casefold())
    text = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return " ".join(text.replace("ø", "o").replace("ł", "l").replace("’", "'").split())
