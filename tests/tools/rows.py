"""One test for a whole table, which tells of every row that is wrong."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any

import pytest

#: As much of a value as is shown in a message.
_SHOWN = 100

Test = Callable[..., None]


def each_of(names: str | tuple[str, ...], rows: Iterable[Any]) -> Callable[[Test], Test]:
    """Let a test go over all `rows` of a table by itself.

    It takes what ``pytest.mark.parametrize`` takes, and fails with one message that tells of every
    row that is wrong. It is for tables of what one cheap function makes of many values: there the
    set-up and the report of a case of its own cost more than the row that it looks at, and no row
    can leave anything behind for the next one. A table has to hold something, or its test would
    pass without having looked at anything.
    """
    known = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    table = [tuple(row) if len(known) > 1 else (row,) for row in rows]
    assert table, "there is no row to look at"

    def over_all(test: Test) -> Test:
        @wraps(test)
        def whole(*given: Any, **fixtures: Any) -> None:
            wrong = []
            for row in table:
                try:
                    test(*given, **fixtures, **dict(zip(known, row, strict=True)))
                except (Exception, pytest.fail.Exception) as error:
                    values = ", ".join(map(_shown, row))
                    wrong.append(f"{values}: {type(error).__name__}: {error}")
            assert not wrong, f"{len(wrong)} of {len(table)} are wrong:\n" + "\n".join(wrong)

        # What is left of the arguments are fixtures.
        signature = inspect.signature(test)
        left = [value for name, value in signature.parameters.items() if name not in known]
        whole.__signature__ = signature.replace(parameters=left)  # type: ignore[attr-defined]
        return whole

    return over_all


def _shown(value: Any) -> str:
    named = getattr(value, "tool", value)
    words = str(getattr(named, "name", None) or repr(value))
    return words if len(words) <= _SHOWN else f"{words[:_SHOWN]}…"
