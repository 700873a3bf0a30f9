"""Many cases of one mechanism as one test, which goes through all and tells all that went wrong.

What pytest makes a test of each costs more than it checks where a case takes a thousandth of a
second: a node in every report, and the set-up of everything that the test is given.
"""

from __future__ import annotations

import functools
import inspect
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest

Test = Callable[..., Any]


def every_case(
    names: str | Sequence[str],
    cases: Iterable[Any],
    ids: Callable[[Any], Any] | Sequence[str] | None = None,
    anew: Sequence[Any] = (),
) -> Callable[[Test], Test]:
    """What `pytest.mark.parametrize` takes, for a test that runs its cases one after another.

    Each case has a folder of its own as its `tmp_path`, what it patches is as it was before the
    next one begins, and it reads only what was printed or logged in it. The fixtures that are
    named as `anew` are made for each case, in this order. Everything else that the test is given
    is the same in all of its cases, which have to leave it as it was.
    """
    told = [part.strip() for part in names.split(",")] if isinstance(names, str) else list(names)
    found = [_values(case, len(told)) for case in cases]
    assert found, "a test without cases would pass whatever it says"

    fresh = {fixture.__name__: inspect.unwrap(fixture) for fixture in anew}

    def made(test: Test) -> Test:
        signature = inspect.signature(test)
        taken = signature.parameters

        def alone(index: int, given: dict[str, Any]) -> dict[str, Any]:
            passed = {name: value for name, value in given.items() if name in taken}
            return {**passed, **dict(zip(told, found[index], strict=True))}

        if inspect.iscoroutinefunction(test):

            @functools.wraps(test)
            async def run(*itself: Any, **given: Any) -> None:
                wrong = Wrong(found, ids)
                for index in range(len(found)):
                    with wrong.case(index), _own(given, index, fresh) as own:
                        await test(*itself, **alone(index, own))
                wrong.tell()
        else:

            @functools.wraps(test)
            def run(*itself: Any, **given: Any) -> None:
                wrong = Wrong(found, ids)
                for index in range(len(found)):
                    with wrong.case(index), _own(given, index, fresh) as own:
                        test(*itself, **alone(index, own))
                wrong.tell()

        # What pytest is to give: all that no case brings, and what the fixtures made here need.
        assert set(told) <= set(taken), f"{test.__name__} does not take {told}"
        wanted = dict(taken)
        for function in fresh.values():
            for name in inspect.signature(function).parameters:
                wanted.setdefault(name, inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY))
        left = [part for name, part in wanted.items() if name not in {*told, *fresh}]
        run.__signature__ = signature.replace(parameters=left)  # type: ignore[attr-defined]
        return run

    return made


class Wrong:
    """What went wrong in which case."""

    def __init__(self, cases: Sequence[tuple[Any, ...]], ids: Any) -> None:
        self._cases = cases
        self._ids = ids
        self._wrong: list[str] = []
        self._skipped: list[pytest.skip.Exception] = []

    @contextmanager
    def case(self, index: int) -> Iterator[None]:
        try:
            yield
        except pytest.skip.Exception as skipped:
            self._skipped.append(skipped)
        except (Exception, pytest.fail.Exception) as error:
            # The time limit of the whole test, which no later case would have.
            if str(error).startswith("Timeout "):
                raise
            # Without the lines of this module, which are the same in all of them.
            place = error.__traceback__
            while place is not None and place.tb_frame.f_code.co_filename == __file__:
                place = place.tb_next
            lines = traceback.format_exception(type(error), error, place)
            label = _label(self._cases[index], self._ids, index)
            self._wrong.append(f"[{label}]\n{''.join(lines)}")

    def tell(self) -> None:
        wrong = self._wrong
        assert not wrong, f"{len(wrong)} of {len(self._cases)} cases:\n\n" + "\n".join(wrong)
        if len(self._skipped) == len(self._cases):
            raise self._skipped[0]


@contextmanager
def _own(
    given: dict[str, Any], index: int, fresh: dict[str, Callable[..., Any]]
) -> Iterator[dict[str, Any]]:
    """What pytest has given the test, with what each case has for itself."""
    own = dict(given)
    if "tmp_path" in own:
        own["tmp_path"] = given["tmp_path"] / str(index)
        own["tmp_path"].mkdir()
    if "capsys" in own:
        own["capsys"].readouterr()
    if "caplog" in own:
        own["caplog"].clear()
    with ExitStack() as ended:
        if "monkeypatch" in own:
            own["monkeypatch"] = ended.enter_context(pytest.MonkeyPatch.context())
        for name, function in fresh.items():
            needed = {part: own[part] for part in inspect.signature(function).parameters}
            if inspect.isgeneratorfunction(function):
                own[name] = ended.enter_context(contextmanager(function)(**needed))
            else:
                own[name] = function(**needed)
        yield own


def _values(case: Any, count: int) -> tuple[Any, ...]:
    """The values of a case, as many as there are names."""
    assert not getattr(case, "marks", ()), "a case with marks is a test of its own"
    if isinstance(case, _PARAM):
        case = case.values
    elif count == 1:
        case = (case,)
    assert len(case) == count, case
    return tuple(case)


_PARAM = type(pytest.param())


def _label(values: tuple[Any, ...], ids: Any, index: int) -> str:
    """What a case is called where it went wrong."""
    if ids is not None and not callable(ids):
        return str(ids[index])
    named = [ids(value) if ids else None for value in values]
    try:
        parts = [
            repr(value) if name is None else str(name)
            for value, name in zip(values, named, strict=True)
        ]
    except Exception:
        # A case may be of what cannot be shown, like a number of too many digits.
        return f"case {index}"
    return ", ".join(part if len(part) <= 100 else part[:97] + "..." for part in parts)
