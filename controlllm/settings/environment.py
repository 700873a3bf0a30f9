"""Numbers out of environment variables."""

from __future__ import annotations

from collections.abc import Mapping


def number(
    environment: Mapping[str, str],
    name: str,
    usual: float,
    unit: float = 1.0,
    *,
    may_be_zero: bool = False,
) -> float:
    """The number that a variable holds, times `unit`; `usual`, as it is, where it is not set.

    Raises ValueError, with the variable's name, where it holds no number above zero.
    """
    said = environment.get(name, "").strip()
    if not said:
        return usual
    try:
        found = float(said)
    except ValueError:
        found = -1.0
    if not (0 < found < float("inf")) and not (may_be_zero and found == 0):
        least = "a number, zero or more" if may_be_zero else "a number above zero"
        raise ValueError(f"{name} is {said!r}; it has to be {least}.")
    return found * unit
