"""All results of a batch as one zip, with a table of what became of each file."""

from __future__ import annotations

import csv
import io
import json
import re
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from controlllm.recipes import travelling
from controlllm.recipes.batch import Item
from controlllm.resources import Resource

_MOST_WORDS = 5000
#: Types whose content stands in the table itself.
_WORDS = ("text", "title", "tags", "number")
_COLUMNS = ("file", "state", "seconds", "results", "words", "reason")


def write_zip(
    target: Path,
    name: str,
    items: Sequence[Item],
    find: Callable[[Resource], Path],
    recipe: str,
    work: Path,
) -> None:
    """Write the zip.

    Parameters
    ----------
    name: what the results are called after, behind the name of their file.
    find: where a resource lies.
    recipe: the text that the results carry; none do where it is empty.
    work: a folder for files on the way.
    """
    rows, taken = [], set[str]()
    # Pictures, sounds and videos are compressed as they are.
    with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as archive:
        for item in items:
            names, words = [], []
            for resource in item.results:
                path = find(resource)
                inside = _free(f"{Path(item.name).stem} - {name}", path.suffix, taken)
                archive.write(with_recipe(path, inside, recipe, work), inside)
                names.append(inside)
                if resource.type in _WORDS:
                    words.append(path.read_text("utf-8", "replace")[:_MOST_WORDS])
            rows.append(_row(item, names, words))
        archive.writestr("results.json", json.dumps(rows, indent=1, ensure_ascii=False))
        archive.writestr("results.csv", _table(rows))
        if recipe:
            archive.writestr("recipe.json", recipe)


def with_recipe(path: Path, name: str, recipe: str, work: Path) -> Path:
    """A file that carries a recipe, written into a folder; the file itself where it cannot carry
    one, or the recipe is empty."""
    if not recipe:
        return path
    target = work / f"carrying{Path(name).suffix}"
    try:
        travelling.write(path, target, recipe)
    except (travelling.NoRoom, OSError):
        return path
    return target


def _row(item: Item, names: Sequence[str], words: Sequence[str]) -> dict[str, Any]:
    return {
        "file": item.name,
        "state": item.state,
        "seconds": round(item.seconds, 2),
        "results": list(names),
        "words": " | ".join(words),
        "reason": item.reason,
    }


def _table(rows: Sequence[dict[str, Any]]) -> str:
    buffer = io.StringIO()
    table = csv.writer(buffer)
    table.writerow(_COLUMNS)
    for row in rows:
        table.writerow(_cell(row[column]) for column in _COLUMNS)
    # Spreadsheets take it for another alphabet without this mark.
    return "\ufeff" + buffer.getvalue()


def _cell(value: Any) -> Any:
    """A value as a cell: what a spreadsheet would take for a formula is words there as well."""
    text = ", ".join(value) if isinstance(value, list) else value
    if isinstance(text, str) and text.startswith(("=", "+", "-", "@", "\t", "\r")):
        return f"'{text}"
    return text


def _free(stem: str, suffix: str, taken: set[str]) -> str:
    stem = re.sub(r'[\x00-\x1f<>:"/\\|?*]+', " ", stem).strip(" .")[:120] or "result"
    name, number = stem + suffix, 2
    while name in taken:
        name, number = f"{stem} {number}{suffix}", number + 1
    taken.add(name)
    return name
