"""Tables handed over in the form that they came in: a workbook stays one, tabs stay tabs."""

from __future__ import annotations

from collections.abc import Sequence

from controlllm.resources import Filed
from controlllm.toolbox import Context

from .reading import sheets_in
from .writing import MEDIA_TYPES, as_csv, written


def in_its_form(
    rows: Sequence[Sequence[str]], separator: str, name: str = "", context: Context | None = None,
    others: Sequence[str] = (),
) -> str:  # fmt: skip
    """The rows as the file was that the table came from; as text with a separator where that is
    not known.

    `name` is that of the sheet, `others` those of the sheets that are not in it, which is told.
    """
    text = as_csv(rows, separator)
    if context is None:
        return text
    ending = ".tsv" if separator == "\t" else _ending(context)
    if ending not in (".xlsx", ".tsv"):
        return text
    sheets = sheets_in(text)
    for sheet in sheets:
        sheet.name = name
    if others and ending == ".xlsx":
        context.remark(f"It has the sheet “{name}”; {_named(others)} of the file not in it.")
    kind = ending.removeprefix(".")
    return Filed(written(sheets, kind), MEDIA_TYPES[kind])  # type: ignore[return-value]


def _ending(context: Context) -> str:
    """The ending of the file of the table, "" where it is none."""
    files = context.files("table")
    return files[0].path.suffix.lower() if len(files) == 1 else ""


def _named(names: Sequence[str]) -> str:
    shown = ", ".join(f"“{name}”" for name in names)
    return f"the other sheet, {shown}, is" if len(names) == 1 else f"the other sheets, {shown}, are"
