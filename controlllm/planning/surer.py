"""Two readings of a request, of which the surer is believed."""

from __future__ import annotations

from controlllm.planning.wishes import Read, RequestText, Wish

#: So much surer the second has to be.
_MUCH_SURER = 0.2


def the_surer(first: Read, second: Read) -> Read:
    """A reading that is the first's, or the second's where that is much surer of its tools: who
    learnt to read between the lines hears less well what is simply said."""

    def read(shown: RequestText) -> tuple[Wish, ...]:
        found, other = first(shown), second(shown)
        return other if _sureness(other) > _sureness(found) + _MUCH_SURER else found

    return read


def _sureness(wishes: tuple[Wish, ...]) -> float:
    """How likely the tool is of which least is sure, 0 where no wish is heard."""
    return min((max(wish.ends.values(), default=0.0) for wish in wishes), default=0.0)
