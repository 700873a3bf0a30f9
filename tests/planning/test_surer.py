"""Of two readings the first is believed, unless the other is much surer of its tools."""

from __future__ import annotations

from controlllm.planning.surer import the_surer
from controlllm.planning.wishes import RequestText, Wish
from tests.every_case import every_case


def reading(*likeliest):
    """A reading of wishes whose likeliest tools are so likely."""
    return tuple(
        Wish(((0, 1),), (), (), {"it": likely, "other": 0.1}, 0.0, {}, {}, 1.0)
        for likely in likeliest
    )


@every_case(
    ("first", "second", "is_second"),
    [
        ((0.5,), (0.6,), False),
        ((0.5,), (0.9,), True),
        ((0.9, 0.3), (0.8,), True),
        ((0.5,), (0.9, 0.4), False),
        ((), (0.9,), True),
        ((0.1,), (), False),
        ((), (), False),
    ],
)
def test_the_surer_is_believed(first, second, is_second):
    one, other = reading(*first), reading(*second)
    read = the_surer(lambda shown: one, lambda shown: other, lambda name: False)
    assert read(RequestText("x")) is (other if is_second else one)


@every_case(
    ("first", "second", "is_second"),
    [
        ((0.5,), (0.4,), True),
        ((0.9,), (0.4,), False),
        ((0.5,), (0.9,), True),
        ((0.5,), (), False),
        ((), (0.4,), True),
    ],
)
def test_what_the_second_was_taught_it_hears_unless_the_first_is_much_surer(
    first, second, is_second
):
    one, other = reading(*first), reading(*second)
    read = the_surer(lambda shown: one, lambda shown: other, lambda name: name == "it")
    assert read(RequestText("x")) is (other if is_second else one)
