"""Two readings of a request, of which the surer is believed."""

from __future__ import annotations

from collections.abc import Callable

from controlllm.planning.wishes import Read, RequestText, Wish

#: So much surer the second has to be.
_MUCH_SURER = 0.2


def the_surer(first: Read, second: Read, is_taught: Callable[[str], bool]) -> Read:
    """A reading that is the first's, or the second's where that is much surer of its tools: who
    learnt to read between the lines hears less well what is simply said.

    Where both mean tools that the second was taught (`is_taught`, by their names), it is believed
    unless the first is as much surer.
    """

    def read(shown: RequestText) -> tuple[Wish, ...]:
        found, other = first(shown), second(shown)
        lead = _sureness(other) - _sureness(found)
        knows = other and all(is_taught(wish.likeliest) for wish in (*found, *other))
        return other if lead > (-_MUCH_SURER if knows else _MUCH_SURER) else found

    return read


def _sureness(wishes: tuple[Wish, ...]) -> float:
    """How likely the tool is of which least is sure, 0 where no wish is heard."""
    return min((max(wish.ends.values(), default=0.0) for wish in wishes), default=0.0)
